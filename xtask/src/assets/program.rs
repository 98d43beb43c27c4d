//! The wasm in the form that browsers load: a main module, the files of the parts, and one script.
//! `app/src/shell/wasm_parts.rs` says which pages are in which part.

use super::{
    groups::{self, Group},
    merge::merge,
};
use crate::proc;
use anyhow::{Context, Result, anyhow, bail};
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fs,
    path::Path,
};

/// The linker keeps the places of all references: without them a module cannot be split.
pub const LINKER_ARGS: &str = "-Clink-args=--emit-relocs";
/// Name of the script that loads the files of the parts. It is appended to the main script.
const LOADER: &str = "./parts.js";
/// Name of the main script in the loader.
const MAIN_SCRIPT: &str = "./app.js";

/// The first function of the splitter's script that [`PARTS_SCRIPT`] replaces.
const REPLACED: &str = "function wrapAsyncCb(";
/// Loads the files of the parts.
const PARTS_SCRIPT: &str = include_str!("parts.js");

/// Wasm and script.
pub struct Program {
    /// The main module.
    pub module: Vec<u8>,
    /// The script. It names the files of the parts as `files` does.
    pub script: String,
    /// The files of the parts by their names, e.g. `chunk_3.wasm`. Parts may share a file.
    pub files: BTreeMap<String, Vec<u8>>,
    /// The names of the files of each part.
    pub parts: BTreeMap<String, Vec<String>>,
}

impl Program {
    /// Generates wasm and script from the compiled wasm. No `wasm-opt`: Debian's version breaks
    /// reference tables, and the profile already optimises for size. Names stay mangled: demangling
    /// took longer than everything else.
    pub fn generate(wasm: &Path) -> Result<Self> {
        let work = proc::root().join("target/wasm-bindgen");
        if work.exists() {
            fs::remove_dir_all(&work)?;
        }
        fs::create_dir_all(&work)?;
        let main = work.join("main.wasm");
        let split = split(&fs::read(wasm)?, &work, &main)?;
        wasm_bindgen_cli_support::Bindgen::new()
            .input_path(&main)
            .web(true)?
            .typescript(false)
            .demangle(false)
            // The files of the parts import them.
            .keep_lld_exports(true)
            .remove_name_section(true)
            .remove_producers_section(true)
            .out_name("app")
            .generate(&work)
            .context("wasm-bindgen failed")?;
        let script = fs::read_to_string(work.join("app.js"))?;
        let mut modules = BTreeMap::new();
        for path in &split.split_modules {
            modules.insert(stem(path)?, merge([&fs::read(path)?[..]])?);
        }
        let files = files(modules, &split.prefetch_map)?;
        let loader = loader(&fs::read_to_string(work.join(LOADER))?, &files)?;
        let module = fs::read(work.join("app_bg.wasm"))?;
        Ok(Self { module, script: join(&script, &loader)?, files: files.content, parts: files.of_parts })
    }
}

/// The files of the parts.
#[derive(Default)]
struct Files {
    content: BTreeMap<String, Vec<u8>>,
    of_parts: BTreeMap<String, Vec<String>>,
}

impl Files {
    fn add(&mut self, name: String, content: Vec<u8>, parts: BTreeSet<String>) {
        for part in parts {
            self.of_parts.entry(part).or_default().push(name.clone());
        }
        self.content.insert(name, content);
    }
}

/// Puts modules into files: one for each part, and few for those that several parts need. In files of
/// their own, a page would wait for a hundred. `needs`: the modules of each part.
fn files(mut modules: BTreeMap<String, Vec<u8>>, needs: &HashMap<String, Vec<String>>) -> Result<Files> {
    let mut files = Files::default();
    for part in needs.keys() {
        files.of_parts.insert(part.clone(), Vec::new());
    }
    let (mut shared, mut own) = (Vec::new(), Vec::new());
    for (name, module) in &modules {
        let parts = needs.iter().filter(|(_, needed)| needed.contains(name)).map(|(part, _)| part.clone());
        let group = Group { parts: parts.collect(), modules: vec![name.clone()], size: module.len() };
        if group.parts.len() > 1 { shared.push(group) } else { own.push(group) }
    }
    for (number, group) in groups::join(shared).into_iter().enumerate() {
        let content = merge(group.modules.iter().map(|module| &modules[module][..]))?;
        files.add(format!("shared_{number}.wasm"), content, group.parts);
    }
    for Group { parts, modules: names, .. } in own {
        let content = modules.remove(&names[0]).unwrap_or_default();
        files.add(format!("{}.wasm", names[0]), content, parts);
    }
    Ok(files)
}

/// Returns the script that loads the parts. Of the splitter's script it has the imports of the modules.
fn loader(script: &str, files: &Files) -> Result<String> {
    let (imports, _) = script.split_once(REPLACED).context("the splitter's script has changed")?;
    let mut loader = format!("{imports}const files = {{\n");
    for (part, names) in &files.of_parts {
        let urls = names.iter().map(|name| format!("new URL(\"./{name}\", import.meta.url).href"));
        loader.push_str(&format!("    {part}: [{}],\n", urls.collect::<Vec<_>>().join(", ")));
    }
    loader.push_str("};\n");
    loader.push_str(PARTS_SCRIPT);
    for part in files.of_parts.keys() {
        loader.push_str(&format!("export const __wasm_split_load_{part} = loader(\"{part}\");\n"));
    }
    Ok(loader)
}

/// Splits the compiled wasm: writes the main module to `main`, the others and the loader into `work`.
fn split(wasm: &[u8], work: &Path, main: &Path) -> Result<wasm_split_cli_support::SplitWasm> {
    let mut options = wasm_split_cli_support::Options::new(wasm);
    options.output_dir = work;
    options.main_out_path = main;
    options.link_name = LOADER;
    options.main_module = MAIN_SCRIPT;
    wasm_split_cli_support::transform(options).map_err(|error| anyhow!("splitting the wasm: {error:#}"))
}

fn stem(path: &Path) -> Result<String> {
    let stem = path.file_stem().and_then(|stem| stem.to_str());
    Ok(stem.with_context(|| format!("{} has no name", path.display()))?.to_owned())
}

/// Joins the two scripts, which import each other: one request less, and each content has one hash.
fn join(script: &str, loader: &str) -> Result<String> {
    // wasm-bindgen writes one import for each function.
    let (imports, script): (Vec<&str>, Vec<&str>) =
        script.lines().partition(|line| line.starts_with("import "));
    let end = format!(" from \"{LOADER}\"");
    let objects: Vec<&str> =
        imports.iter().filter_map(|line| line.strip_prefix("import * as ")?.strip_suffix(&end)).collect();
    if objects.is_empty() || objects.len() < imports.len() {
        bail!("the script imports something else than the loader: {imports:?}");
    }
    let of_main = format!("import {{ initSync }} from \"{MAIN_SCRIPT}\";\n");
    let loader = loader.strip_prefix(&of_main).context("the loader imports something else")?;
    let exported = "export const ";
    let names: Vec<&str> =
        loader.lines().filter_map(|line| line.strip_prefix(exported)?.split(' ').next()).collect();
    if names.is_empty() {
        bail!("the loader exports nothing");
    }
    let (script, loader, names) = (script.join("\n"), loader.replace(exported, "const "), names.join(", "));
    let objects: Vec<String> =
        objects.iter().map(|name| format!("const {name} = {{ {names} }};\n")).collect();
    Ok(format!("{script}\n{loader}\n{}", objects.concat()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_loader_becomes_a_part_of_the_script() {
        let import = |name: &str| format!("import * as {name} from \"./parts.js\"\n");
        let script =
            import("import1") + &import("import2") + "function initSync() {}\nexport { initSync };\n";
        let loader = "import { initSync } from \"./app.js\";\n\nlet one = 1;\nexport const load = one;\n";
        assert_eq!(
            join(&script, loader).unwrap(),
            "function initSync() {}\nexport { initSync };\n\nlet one = 1;\nconst load = one;\n\n\
             const import1 = { load };\nconst import2 = { load };\n"
        );
        assert!(join("function initSync() {}", loader).is_err());
        assert!(join(&format!("import \"./other.js\"\n{script}"), loader).is_err());
        assert!(join(&script, "import { other } from \"./app.js\";\n").is_err());
    }
}
