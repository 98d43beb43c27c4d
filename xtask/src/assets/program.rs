//! The wasm in the form that browsers load: a main module, the files of the parts, and one script.
//! `app/src/shell/parts.rs` says which pages are in which part.

use crate::proc;
use anyhow::{Context, Result, anyhow, bail};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

/// The linker keeps the places of all references: without them a module cannot be split.
pub const LINKER_ARGS: &str = "-Clink-args=--emit-relocs";
/// Name of the script that loads the files of the parts. It is appended to the main script.
const LOADER: &str = "./parts.js";
/// Name of the main script in the loader.
const MAIN_SCRIPT: &str = "./app.js";

/// Name of the file that holds the modules which several parts need, one after another. In files of
/// their own, each page would wait for a dozen requests, and they would be a third larger.
const SHARED: &str = "shared.wasm";
/// Returns a module of the shared file as a response, as `fetch` would. It is fetched once, and again
/// after an error.
const SHARED_SCRIPT: &str = r#"
let sharedFile;
const fetchSharedFile = async () => {
    const answer = await fetch(new URL("./shared.wasm", import.meta.url));
    if (!answer.ok) throw new Error(`${answer.url}: ${answer.status}`);
    return answer.arrayBuffer();
};
async function sharedModule(start, end) {
    sharedFile ??= fetchSharedFile().catch((error) => {
        sharedFile = undefined;
        throw error;
    });
    return new Response((await sharedFile).slice(start, end), { headers: { "content-type": "application/wasm" } });
}
"#;

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
        let mut loader = fs::read_to_string(work.join(LOADER))?;
        let mut modules = BTreeMap::new();
        for path in &split.split_modules {
            modules.insert(file_name(path)?, compact(&fs::read(path)?)?);
        }
        let shared = share(&mut modules, &mut loader)?;
        let named = |stems: Vec<String>| -> Vec<String> {
            let names = stems.into_iter().map(|stem| format!("{stem}.wasm"));
            let names = names.map(|name| if shared.contains(&name) { SHARED.to_owned() } else { name });
            names.filter(|name| modules.contains_key(name)).collect::<BTreeSet<_>>().into_iter().collect()
        };
        let parts = split.prefetch_map.into_iter().map(|(part, stems)| (part, named(stems))).collect();
        let module = fs::read(work.join("app_bg.wasm"))?;
        Ok(Self { module, script: join(&script, &loader)?, files: modules, parts })
    }
}

/// Moves the modules that several parts need into one file. Returns their names.
fn share(modules: &mut BTreeMap<String, Vec<u8>>, loader: &mut String) -> Result<BTreeSet<String>> {
    let names: BTreeSet<String> = modules.keys().filter(|name| name.starts_with("chunk_")).cloned().collect();
    let mut content = Vec::new();
    for name in &names {
        let start = content.len();
        content.extend(modules.remove(name).unwrap_or_default());
        let fetched = format!("fetch(new URL(\"./{name}\", import.meta.url))");
        if !loader.contains(&fetched) {
            bail!("the loader does not fetch {name}");
        }
        *loader = loader.replace(&fetched, &format!("sharedModule({start}, {})", content.len()));
    }
    if !content.is_empty() {
        modules.insert(SHARED.to_owned(), content);
        loader.push_str(SHARED_SCRIPT);
    }
    Ok(names)
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

fn file_name(path: &Path) -> Result<String> {
    let name = path.file_name().and_then(|name| name.to_str());
    Ok(name.with_context(|| format!("{} has no name", path.display()))?.to_owned())
}

/// Writes a module again: without names, and with short numbers where the linker left room.
fn compact(module: &[u8]) -> Result<Vec<u8>> {
    let mut config = walrus::ModuleConfig::new();
    config.generate_name_section(false).generate_producers_section(false);
    let mut module = config.parse(module)?;
    let custom: Vec<_> = module.customs.iter().map(|(id, _)| id).collect();
    for id in custom {
        module.customs.delete(id);
    }
    Ok(module.emit_wasm())
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

    #[test]
    fn the_modules_of_several_parts_are_in_one_file() {
        let fetched = |name: &str| format!("fetch(new URL(\"./{name}.wasm\", import.meta.url));\n");
        let names = ["chunk_1", "chunk_2", "split_one"];
        let mut loader: String = names.map(fetched).concat();
        let modules = names.iter().zip([10, 20, 30]);
        let mut modules: BTreeMap<String, Vec<u8>> =
            modules.map(|(name, size)| (format!("{name}.wasm"), vec![1; size])).collect();
        assert_eq!(share(&mut modules, &mut loader).unwrap().len(), 2);
        assert_eq!(modules.keys().collect::<Vec<_>>(), [SHARED, "split_one.wasm"]);
        assert_eq!(modules[SHARED].len(), 30);
        let expected = "sharedModule(0, 10);\nsharedModule(10, 30);\n".to_owned() + &fetched("split_one");
        assert!(loader.starts_with(&expected), "{loader}");
        assert!(share(&mut BTreeMap::from([("chunk_4.wasm".to_owned(), vec![1])]), &mut loader).is_err());
    }
}
