//! Compiles the files of `texts/` into typed functions; `src/lib.rs` includes them. A text that a language lacks,
//! or that does not fit the English one, fails the build.

mod code;
mod data;
mod plurals;

use std::{
    error::Error,
    fs,
    path::{Path, PathBuf},
};

/// The files of texts, from the folder of the crate, where build scripts run.
const FOLDER: &str = "texts";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed={FOLDER}");
    println!("cargo::rerun-if-changed=build");
    let sets = match data::read(&sources()?) {
        Ok(sets) => sets,
        Err(errors) => {
            for error in errors {
                println!("cargo::error={}", error.replace('\n', " "));
            }
            return Ok(());
        }
    };
    #[expect(clippy::disallowed_methods, reason = "cargo says so where the generated files belong")]
    let target = std::env::var_os("OUT_DIR").map(PathBuf::from).ok_or("cargo sets OUT_DIR")?;
    for set in sets {
        let folder = target.join(&set.feature);
        fs::create_dir_all(&folder)?;
        fs::write(folder.join(format!("{}.rs", set.name)), code::code(&set)?)?;
    }
    Ok(())
}

/// The files of all languages, in order.
fn sources() -> Result<Vec<data::Source>, Box<dyn Error>> {
    let mut sources = Vec::new();
    for folder in entries(Path::new(FOLDER))? {
        for path in entries(&folder)? {
            let name = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let text = fs::read_to_string(&path)?;
            sources.push(data::Source { language: name(&folder), feature: name(&path), text });
        }
    }
    Ok(sources)
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let paths = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path()));
    let mut paths = paths.collect::<Result<Vec<_>, _>>()?;
    paths.sort();
    Ok(paths)
}
