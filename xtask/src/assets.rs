//! What the browser gets: wasm, script, style, icons; hashed names, brotli and gzip twins, and a manifest, in target/site.

use crate::{install, proc, style};
use anyhow::{Context, Result, bail};
use brotli::enc::{BrotliEncoderParams, backward_references::BrotliEncoderMode as Mode};
use sha2::{Digest, Sha256};
use std::{
    collections::BTreeMap,
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::Command,
};

/// Maximum size of one file that a browser is sent, compressed, in bytes: every first visit waits for it. The goal is 600,000;
/// log-in in place, the named undo and the shared stream took 20,000 more. Splitting the wasm by page will bring it back.
const SENT_MAX: u64 = 620_000;

/// How the wasm is built: profiles of cargo.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Face {
    /// Soon built, and large: to run it here.
    Soon,
    /// Small: what is shipped, and tested.
    Small,
}

impl Face {
    /// The profile, and the folder cargo puts it in. That of the server builds most macros for both.
    fn profile(self) -> (&'static str, &'static str) {
        match self {
            Self::Soon => ("dev", "debug"),
            Self::Small => ("wasm-release", "wasm-release"),
        }
    }

    /// How hard to compress: brotli's quality and gzip's level.
    fn effort(self) -> (i32, flate2::Compression) {
        match self {
            Self::Soon => (5, flate2::Compression::fast()),
            Self::Small => (11, flate2::Compression::best()),
        }
    }
}

/// What makes the wasm.
fn wasm(face: Face) -> Command {
    let mut command = proc::cargo();
    command.args(["rustc", "--locked", "--package", "app", "--lib", "--features", "hydrate"]).args([
        "--crate-type",
        "cdylib",
        "--target",
        "wasm32-unknown-unknown",
        "--profile",
        face.profile().0,
    ]);
    // Others build beside it: two bars of progress on one screen are none.
    command.env("CARGO_TERM_PROGRESS_WHEN", "never");
    command
}

/// Builds target/site, or leaves it as it is if nothing it is made from has changed. Returns its [`stamp`]. With
/// [`crate::lint::wrapper`] it is looked at as well.
pub fn build(face: Face, lints: Option<&Path>) -> Result<String> {
    install::wasm_target()?;
    proc::say("the face, as wasm");
    let mut wasm = wasm(face);
    if let Some(lints) = lints {
        wasm.env("RUSTC_WORKSPACE_WRAPPER", lints);
    }
    proc::run(&mut wasm)?;
    finish(face)
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
fn finish(face: Face) -> Result<String> {
    let wasm = proc::target_dir()?.join("wasm32-unknown-unknown").join(face.profile().1).join("app.wasm");
    let folder = proc::root().join("target/site");
    let made_from = hash_of_inputs(&wasm)?;
    if stamp() == made_from && folder.join("manifest.json").exists() {
        return Ok(made_from);
    }
    proc::say("the face, for the browser");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(folder.join("pkg"))?;
    let mut site = Site { folder, face, manifest: BTreeMap::new() };
    let (module, script) = bind(&wasm)?;
    site.put("wasm", "app.wasm", &module)?;
    site.put("js", "app.js", &script)?;
    proc::say("style and icons");
    for (name, sheet) in [("css", "main.css"), ("site_css", "site.css")] {
        let source = proc::root().join("style").join(sheet);
        if source.exists() {
            site.put(name, sheet, style::bundle(&source)?.as_bytes())?;
        }
    }
    copy(&proc::root().join("public"), &site.folder)?;
    fs::write(site.folder.join("manifest.json"), serde_json::to_string_pretty(&site.manifest)?)?;
    fs::write(stamp_file(), &made_from)?;
    Ok(made_from)
}

/// Makes wasm and script for the browser. No `wasm-opt`: what Debian ships breaks tables of references, and the profile
/// is already one for size. Names are left as they are: to make them readable took longer than all else.
fn bind(wasm: &Path) -> Result<(Vec<u8>, Vec<u8>)> {
    let work = proc::root().join("target/wasm-bindgen");
    fs::create_dir_all(&work)?;
    wasm_bindgen_cli_support::Bindgen::new()
        .input_path(wasm)
        .web(true)?
        .typescript(false)
        .demangle(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        .out_name("app")
        .generate(&work)
        .context("wasm-bindgen failed")?;
    Ok((fs::read(work.join("app_bg.wasm"))?, fs::read(work.join("app.js"))?))
}

/// The folder that is being made.
struct Site {
    folder: PathBuf,
    face: Face,
    manifest: BTreeMap<&'static str, String>,
}

impl Site {
    /// Writes a file under pkg/ with the hash of its content in its name, and its twins; the manifest says where it is.
    fn put(&mut self, key: &'static str, name: &str, content: &[u8]) -> Result<()> {
        let (stem, ending) = name.rsplit_once('.').context("a name with an ending")?;
        let path = format!("/pkg/{stem}.{}.{ending}", &hex(&Sha256::digest(content))[..16]);
        let file = self.folder.join(&path[1..]);
        fs::write(&file, content)?;
        self.twins(&file, content)?;
        self.manifest.insert(key, path);
        Ok(())
    }

    /// Compressed copies beside a file: `.br` and `.gz`.
    fn twins(&self, file: &Path, content: &[u8]) -> Result<()> {
        let beside = |ending: &str| PathBuf::from(format!("{}.{ending}", file.display()));
        let (quality, level) = self.face.effort();
        let is_wasm = file.extension().is_some_and(|ending| ending == "wasm");
        // What follows a byte of wasm is told by its high bits; left to itself the encoder counts with the low ones, and the
        // face is 1.5 % larger.
        let mode = if is_wasm { Mode::BROTLI_FORCE_MSB_PRIOR } else { Mode::BROTLI_MODE_GENERIC };
        let params = BrotliEncoderParams { quality, mode, ..BrotliEncoderParams::default() };
        brotli::BrotliCompress(&mut &*content, &mut fs::File::create(beside("br"))?, &params)?;
        let sent = fs::metadata(beside("br"))?.len();
        if self.face == Face::Small && sent > SENT_MAX {
            bail!("{} is sent as {sent} bytes, more than {SENT_MAX}: take something out", file.display());
        }
        let mut gzip = flate2::write::GzEncoder::new(fs::File::create(beside("gz"))?, level);
        gzip.write_all(content)?;
        gzip.finish()?;
        Ok(())
    }
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
