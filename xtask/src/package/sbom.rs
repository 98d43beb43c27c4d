//! The bill of materials in CycloneDX: the dependencies of the program, with licences and checksums,
//! from `cargo metadata` and `Cargo.lock`.

use crate::proc::{cargo, output, root, say, target_dir};
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fs,
    path::PathBuf,
};

/// The package whose dependencies are listed.
const PROGRAM: &str = "presstime";
const TARGET: &str = "x86_64-unknown-linux-gnu";

/// Writes `target/presstime.cdx.json` and returns its path.
pub fn write() -> Result<PathBuf> {
    let mut command = cargo();
    command.args(["metadata", "--format-version", "1", "--locked", "--all-features"]);
    let metadata: Value = serde_json::from_str(&output(command.args(["--filter-platform", TARGET]))?)?;
    let document = document(&metadata, &fs::read_to_string(root().join("Cargo.lock"))?)?;
    let file = target_dir()?.join("presstime.cdx.json");
    fs::write(&file, serde_json::to_string_pretty(&document)?)?;
    say(&format!("ready: {}", file.display()));
    Ok(file)
}

/// Returns the document. The order depends on names and versions only.
fn document(metadata: &Value, lock: &str) -> Result<Value> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let packages: HashMap<String, Value> =
        list(&metadata["packages"]).into_iter().map(|package| (text(&package["id"]), package)).collect();
    let program = packages.values().find(|package| package["name"] == PROGRAM);
    let program = program.context("cargo metadata has no package presstime")?;
    let nodes: HashMap<String, Vec<String>> = list(&metadata["resolve"]["nodes"])
        .iter()
        .map(|node| (text(&node["id"]), list(&node["deps"]).iter().filter_map(used).collect()))
        .collect();
    let checksums = checksums(lock);
    let mut components = BTreeMap::<String, Value>::new();
    let mut dependencies = BTreeMap::<String, Value>::new();
    let mut waiting = vec![text(&program["id"])];
    while let Some(id) = waiting.pop() {
        let package = packages.get(&id).with_context(|| format!("cargo metadata has no package {id}"))?;
        let key = reference(package);
        if dependencies.contains_key(&key) {
            continue;
        }
        let uses = nodes.get(&id).cloned().unwrap_or_default();
        let needs: BTreeSet<String> = uses.iter().filter_map(|id| packages.get(id)).map(reference).collect();
        dependencies.insert(key.clone(), json!({ "ref": key, "dependsOn": needs }));
        components.insert(key, component(package, &checksums));
        waiting.extend(uses);
    }
    let mut main = components.remove(&reference(program)).context("the program is its own root")?;
    main["type"] = json!("application");
    Ok(json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": { "component": main },
        "components": components.into_values().collect::<Vec<_>>(),
        "dependencies": dependencies.into_values().collect::<Vec<_>>(),
    }))
}

/// Returns the id of a dependency, unless only tests need it.
fn used(dependency: &Value) -> Option<String> {
    let kinds = dependency["dep_kinds"].as_array()?;
    kinds.iter().any(|kind| kind["kind"] != "dev").then(|| text(&dependency["pkg"]))
}

fn component(package: &Value, checksums: &HashMap<String, String>) -> Value {
    let key = reference(package);
    let mut component = json!({
        "type": "library",
        "bom-ref": key,
        "name": package["name"],
        "version": package["version"],
    });
    // Older crates separate alternatives by a slash.
    if let Some(license) = package["license"].as_str() {
        component["licenses"] = json!([{ "expression": license.replace('/', " OR ") }]);
    }
    if package["source"].is_string() {
        component["purl"] = json!(format!("pkg:cargo/{key}"));
    }
    if let Some(checksum) = checksums.get(&key) {
        component["hashes"] = json!([{ "alg": "SHA-256", "content": checksum }]);
    }
    component
}

/// `name@version` of a package.
fn reference(package: &Value) -> String {
    format!("{}@{}", text(&package["name"]), text(&package["version"]))
}

/// Returns the checksums in `Cargo.lock` by `name@version`.
fn checksums(lock: &str) -> HashMap<String, String> {
    let (mut checksums, mut name, mut version) = (HashMap::new(), "", "");
    for line in lock.lines() {
        let Some((key, value)) = line.split_once(" = ") else { continue };
        let value = value.trim_matches('"');
        match key {
            "name" => name = value,
            "version" => version = value,
            "checksum" => drop(checksums.insert(format!("{name}@{version}"), value.to_owned())),
            _ => {}
        }
    }
    checksums
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_document_has_what_the_program_needs_and_nothing_of_its_tests() {
        let package = |name: &str, license: &str, source: Option<&str>| json!({ "id": name, "name": name, "version": "1.0.0", "license": license, "source": source });
        let needs = |name: &str, kind: Option<&str>| json!({ "pkg": name, "dep_kinds": [{ "kind": kind }] });
        let metadata = json!({
            "packages": [
                package("presstime", "MIT", None),
                package("b", "MIT/Apache-2.0", Some("registry")),
                package("a", "ISC", Some("registry")),
                package("tests", "ISC", Some("registry")),
            ],
            "resolve": { "nodes": [
                { "id": "presstime", "deps": [needs("b", None), needs("tests", Some("dev"))] },
                { "id": "b", "deps": [needs("a", Some("build"))] },
                { "id": "a", "deps": [] },
            ] },
        });
        let lock = "version = 4\n\n[[package]]\nname = \"a\"\nversion = \"1.0.0\"\nchecksum = \"abc\"\n";
        let document = document(&metadata, lock).unwrap();
        assert_eq!(document["metadata"]["component"]["name"], "presstime");
        let [a, b] = [&document["components"][0], &document["components"][1]];
        assert_eq!((&a["purl"], &a["hashes"][0]["content"]), (&json!("pkg:cargo/a@1.0.0"), &json!("abc")));
        assert_eq!(b["licenses"][0]["expression"], "MIT OR Apache-2.0");
        assert_eq!(document["components"].as_array().map(Vec::len), Some(2));
        assert_eq!(document["dependencies"][2]["dependsOn"], json!(["b@1.0.0"]));
    }
}
