//! What the browser gets: wasm, script, style, icons; hashed names, brotli and gzip twins, and a manifest, in target/site.

use crate::{install, proc, style};
use anyhow::{Context, Result};
use sha2::{Digest, Sha256};
use std::{
    collections::BTreeMap,
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::Command,
};

/// What makes the wasm.
fn wasm() -> Command {
    let mut command = proc::cargo();
    command.args(["rustc", "--locked", "--package", "app", "--lib", "--features", "hydrate"]).args([
        "--crate-type",
        "cdylib",
        "--target",
        "wasm32-unknown-unknown",
        "--profile",
        "wasm-release",
    ]);
    // Others build beside it: two bars of progress on one screen are none.
    command.env("CARGO_TERM_PROGRESS_WHEN", "never");
    command
}

/// Builds target/site, or leaves it as it is if nothing it is made from has changed. Returns its [`stamp`].
pub fn build() -> Result<String> {
    install::wasm_target()?;
    proc::say("the face, as wasm");
    proc::run(&mut wasm())?;
    finish()
}

/// What target/site was made from: changes whenever a file of it does, and the server that carries it is then built again.
/// Empty while nothing was built.
pub fn stamp() -> String {
    fs::read_to_string(stamp_file()).unwrap_or_default()
}

fn stamp_file() -> PathBuf {
    proc::root().join("target/site.stamp")
}

/// Builds target/site around the wasm that was built.
fn finish() -> Result<String> {
    let wasm = proc::target_dir()?.join("wasm32-unknown-unknown/wasm-release/app.wasm");
    let site = proc::root().join("target/site");
    let made_from = hash_of_inputs(&wasm)?;
    if stamp() == made_from && site.join("manifest.json").exists() {
        return Ok(made_from);
    }
    proc::say("the face, for the browser");
    if site.exists() {
        fs::remove_dir_all(&site)?;
    }
    fs::create_dir_all(site.join("pkg"))?;
    let mut manifest = BTreeMap::new();
    face(&wasm, &site, &mut manifest)?;
    proc::say("style and icons");
    for (name, sheet) in [("css", "main.css"), ("site_css", "site.css")] {
        let source = proc::root().join("style").join(sheet);
        if source.exists() {
            let path = put(&site, sheet, style::bundle(&source)?.as_bytes())?;
            manifest.insert(name, path);
        }
    }
    copy(&proc::root().join("public"), &site)?;
    fs::write(site.join("manifest.json"), serde_json::to_string_pretty(&manifest)?)?;
    fs::write(stamp_file(), &made_from)?;
    Ok(made_from)
}

/// Makes script and wasm for the browser. No `wasm-opt`: what Debian ships breaks tables of references, and the profile
/// is already one for size.
fn face(wasm: &Path, site: &Path, manifest: &mut BTreeMap<&'static str, String>) -> Result<()> {
    let work = proc::root().join("target/wasm-bindgen");
    fs::create_dir_all(&work)?;
    wasm_bindgen_cli_support::Bindgen::new()
        .input_path(wasm)
        .web(true)?
        .typescript(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        .out_name("app")
        .generate(&work)
        .context("wasm-bindgen failed")?;
    let module = work.join("app_bg.wasm");
    manifest.insert("wasm", put(site, "app.wasm", &fs::read(&module)?)?);
    manifest.insert("js", put(site, "app.js", &fs::read(work.join("app.js"))?)?);
    Ok(())
}

/// Writes a file under pkg/ with the hash of its content in its name, and its twins; returns its path on the site.
fn put(site: &Path, name: &str, content: &[u8]) -> Result<String> {
    let (stem, ending) = name.rsplit_once('.').context("a name with an ending")?;
    let path = format!("/pkg/{stem}.{}.{ending}", &hex(&Sha256::digest(content))[..16]);
    let file = site.join(&path[1..]);
    fs::write(&file, content)?;
    twins(&file, content)?;
    Ok(path)
}

/// Compressed copies beside a file: `.br` and `.gz`.
fn twins(file: &Path, content: &[u8]) -> Result<()> {
    let beside = |ending: &str| PathBuf::from(format!("{}.{ending}", file.display()));
    let mut brotli = brotli::CompressorWriter::new(fs::File::create(beside("br"))?, 1 << 16, 11, 22);
    brotli.write_all(content)?;
    brotli.flush()?;
    drop(brotli);
    let mut gzip =
        flate2::write::GzEncoder::new(fs::File::create(beside("gz"))?, flate2::Compression::best());
    gzip.write_all(content)?;
    gzip.finish()?;
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    for entry in walkdir::WalkDir::new(from) {
        let entry = entry?;
        let target = to.join(entry.path().strip_prefix(from)?);
        if entry.file_type().is_dir() {
            fs::create_dir_all(target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

fn hash_of_inputs(wasm: &Path) -> Result<String> {
    let mut hash = Sha256::new();
    hash.update(fs::read(wasm)?);
    for folder in ["style", "public", "xtask/src"] {
        for entry in walkdir::WalkDir::new(proc::root().join(folder)).sort_by_file_name() {
            let entry = entry?;
            if entry.file_type().is_file() {
                hash.update(entry.path().to_string_lossy().as_bytes());
                hash.update(fs::read(entry.path())?);
            }
        }
    }
    Ok(hex(&hash.finalize()))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
