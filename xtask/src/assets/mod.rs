//! Builds the browser's files into target/site: wasm, script, styles and icons with hashed names,
//! brotli and gzip copies, and a manifest.

mod editor;
mod groups;
mod merge;
mod program;
mod style;

use crate::{install, proc};
use anyhow::{Context, Result, bail};
use brotli::enc::{BrotliEncoderParams, backward_references::BrotliEncoderMode as Mode};
pub use program::Program;
use sha2::{Digest, Sha256};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::Command,
    time::SystemTime,
};

/// Maximum size of the main module in bytes, compressed with brotli: every first visit of the desk waits
/// for it.
const MAX_MAIN_BYTES: u64 = 600_000;

/// Maximum size of the wasm that a page waits for, in the same bytes: the main module and a part.
const MAX_PAGE_BYTES: u64 = 920_000;

/// Folder of the browser's files, relative to the workspace root.
pub const SITE: &str = "target/site";

/// Keys in the manifest and file names of the stylesheets.
const STYLESHEETS: [(&str, &str); 2] = [("css", "main.css"), ("site_css", "site.css")];

/// The cargo profile of the wasm build.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum WasmProfile {
    /// Quick to build, and large: for development.
    Dev,
    /// The same code, for `cargo xtask watch`. Cargo locks the folder of a profile, so the builds of
    /// wasm and server run in parallel only with different profiles.
    Watch,
    /// Smaller and faster than for development, and built in a fraction of the time of a release:
    /// for browser tests.
    Test,
    /// Optimised for size: for releases.
    Release,
}

impl WasmProfile {
    /// The profile of a release, or the one for development.
    pub fn of(is_release: bool) -> Self {
        if is_release { Self::Release } else { Self::Dev }
    }

    /// The profile's name and its folder in the target directory. `dev` is also the server's
    /// profile, so that most macros are built once for both.
    fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Dev => ("dev", "debug"),
            Self::Watch => ("watch", "watch"),
            Self::Test => ("wasm-test", "wasm-test"),
            Self::Release => ("wasm-release", "wasm-release"),
        }
    }

    /// Brotli quality and gzip level; `None`: no compressed copies.
    fn compression(self) -> Option<(i32, flate2::Compression)> {
        match self {
            Self::Dev | Self::Test => Some((5, flate2::Compression::fast())),
            Self::Watch => None,
            Self::Release => Some((11, flate2::Compression::best())),
        }
    }
}

/// Returns the command that builds the wasm.
fn wasm(profile: WasmProfile) -> Command {
    let mut command = proc::cargo();
    command.args(["rustc", "--locked", "--package", "app", "--lib", "--features", "hydrate"]).args([
        "--crate-type",
        "cdylib",
        "--target",
        "wasm32-unknown-unknown",
        "--profile",
        profile.names().0,
    ]);
    command.args(["--", program::LINKER_ARGS]);
    // Another build runs at the same time: two progress bars would overwrite each other.
    command.env("CARGO_TERM_PROGRESS_WHEN", "never");
    command
}

/// Builds target/site unless its inputs are unchanged. Returns its [`stamp`]. With
/// [`crate::lint::wrapper`] the code is linted too.
pub fn build(profile: WasmProfile, lints: Option<&Path>) -> Result<String> {
    compile(profile, lints)?;
    finish(profile)
}

/// Compiles the wasm.
pub fn compile(profile: WasmProfile, lints: Option<&Path>) -> Result<()> {
    install::wasm_target()?;
    proc::say("frontend: wasm");
    let mut wasm = wasm(profile);
    if let Some(lints) = lints {
        wasm.env("RUSTC_WORKSPACE_WRAPPER", lints);
    }
    proc::run(&mut wasm)
}

/// Builds target/site as releases do. Fails if a page waits for too many bytes of wasm.
pub fn check_release_sizes() -> Result<()> {
    build(WasmProfile::Release, None).map(drop)
}

/// Builds wasm and script for `cargo xtask watch`, and returns them with the modification time of
/// the compiled wasm. `None`: this time is still `before`.
pub fn build_program(before: Option<SystemTime>) -> Result<Option<(SystemTime, Program)>> {
    let profile = WasmProfile::Watch;
    proc::run(&mut wasm(profile))?;
    let wasm = wasm_file(profile)?;
    let time = fs::metadata(&wasm)?.modified()?;
    Ok(if before == Some(time) { None } else { Some((time, Program::generate(&wasm)?)) })
}

/// Hash of everything target/site was built from. The server embeds the files, so cargo builds it
/// again when this changes. Empty if nothing was built yet.
pub fn stamp() -> String {
    fs::read_to_string(stamp_file()).unwrap_or_default()
}

fn stamp_file() -> PathBuf {
    proc::root().join("target/site.stamp")
}

/// The compiled wasm.
fn wasm_file(profile: WasmProfile) -> Result<PathBuf> {
    Ok(proc::target_dir()?.join("wasm32-unknown-unknown").join(profile.names().1).join("app.wasm"))
}

/// Builds target/site from the compiled wasm. Returns its [`stamp`].
pub fn finish(profile: WasmProfile) -> Result<String> {
    let wasm = wasm_file(profile)?;
    let folder = proc::root().join(SITE);
    let inputs = hash_of_inputs(&wasm)?;
    if stamp() == inputs && folder.join("manifest.json").exists() {
        return Ok(inputs);
    }
    proc::say("frontend: files for the browser");
    // A server may be reading the folder.
    let fresh = folder.with_extension("fresh");
    let mut site = Site::create(&fresh, profile)?;
    site.put_program(&Program::generate(&wasm)?)?;
    site.put_all_else()?;
    if folder.exists() {
        let old = folder.with_extension("old");
        fs::rename(&folder, &old)?;
        fs::rename(&fresh, &folder)?;
        fs::remove_dir_all(old)?;
    } else {
        fs::rename(&fresh, &folder)?;
    }
    fs::write(stamp_file(), &inputs)?;
    Ok(inputs)
}

/// Builds target/site without wasm and script, which pages can do without until [`finish`].
pub fn build_without_program(profile: WasmProfile) -> Result<()> {
    let _ = fs::remove_file(stamp_file());
    Site::create(&proc::root().join(SITE), profile)?.put_all_else()
}

/// A folder of files for browsers.
pub struct Site {
    folder: PathBuf,
    profile: WasmProfile,
    /// Paths of the files by their keys in the manifest.
    manifest: BTreeMap<String, String>,
    /// Paths of the files of each part.
    parts: BTreeMap<String, Vec<String>>,
    /// Paths of files that the next manifest no longer names.
    replaced: Vec<String>,
}

impl Site {
    /// Creates the folder. Deletes the files of an earlier build in it.
    pub fn create(folder: &Path, profile: WasmProfile) -> Result<Self> {
        if folder.exists() {
            fs::remove_dir_all(folder)?;
        }
        fs::create_dir_all(folder.join("pkg"))?;
        let folder = folder.to_path_buf();
        let watched = (profile == WasmProfile::Watch).then(|| ("watch".to_owned(), "yes".to_owned()));
        let manifest = watched.into_iter().collect();
        Ok(Self { folder, profile, manifest, parts: BTreeMap::new(), replaced: Vec::new() })
    }

    /// Writes everything but wasm and script, and the manifest.
    fn put_all_else(&mut self) -> Result<()> {
        proc::say("styles and icons");
        self.put_styles()?;
        self.put_editor()?;
        self.copy_public_files()?;
        self.write_manifest()
    }

    /// Writes wasm and script.
    pub fn put_program(&mut self, program: &Program) -> Result<()> {
        let earlier: BTreeSet<String> = self.parts.values().flatten().cloned().collect();
        self.replaced.extend(earlier);
        let (mut paths, mut script) = (BTreeMap::new(), program.script.clone());
        for (name, content) in &program.files {
            let path = self.write(name, content)?;
            let hashed = path.trim_start_matches("/pkg/");
            script = script.replace(&format!("\"./{name}\""), &format!("\"./{hashed}\""));
            paths.insert(name, path);
        }
        let of_part =
            |names: &Vec<String>| names.iter().filter_map(|name| paths.get(name).cloned()).collect();
        self.parts = program.parts.iter().map(|(part, names)| (part.clone(), of_part(names))).collect();
        self.put("wasm", "app.wasm", &program.module)?;
        self.put("js", "app.js", script.as_bytes())?;
        if self.profile == WasmProfile::Release { self.check_sizes() } else { Ok(()) }
    }

    /// Prints how many bytes of compressed wasm each page waits for; fails if they are too many.
    fn check_sizes(&self) -> Result<()> {
        let main = self.compressed_size(&self.manifest["wasm"])?;
        proc::say(&format!("wasm: {main} bytes compressed, at most {MAX_MAIN_BYTES}"));
        let mut is_too_large = main > MAX_MAIN_BYTES;
        for (part, paths) in &self.parts {
            let sizes: Vec<u64> =
                paths.iter().map(|path| self.compressed_size(path)).collect::<Result<_>>()?;
            let sum = main + sizes.iter().sum::<u64>();
            proc::say(&format!("{part}: {sum} bytes with {} files, at most {MAX_PAGE_BYTES}", sizes.len()));
            is_too_large |= sum > MAX_PAGE_BYTES;
        }
        if is_too_large {
            bail!(
                "the wasm is too large: make it smaller, or move pages into a part (app/src/shell/wasm_parts.rs)"
            );
        }
        Ok(())
    }

    /// Writes the stylesheets.
    pub fn put_styles(&mut self) -> Result<()> {
        for (key, stylesheet) in STYLESHEETS {
            let source = proc::root().join("style").join(stylesheet);
            if source.exists() {
                self.put(key, stylesheet, style::bundle(&source)?.as_bytes())?;
            }
        }
        Ok(())
    }

    /// Writes the script of the Markdown editor, where npm is installed. Fails if it is too large.
    pub fn put_editor(&mut self) -> Result<()> {
        let is_release = self.profile == WasmProfile::Release;
        let Some(script) = editor::bundle(is_release)? else { return Ok(()) };
        self.put("editor", "editor.js", &script)?;
        if is_release {
            let size = self.compressed_size(&self.manifest["editor"])?;
            proc::say(&format!("Markdown editor: {size} bytes compressed, at most {}", editor::MAX_BYTES));
            if size > editor::MAX_BYTES {
                bail!("the script of the Markdown editor is too large: use fewer packages (app/editor)");
            }
        }
        Ok(())
    }

    /// Returns the size of a file's brotli copy.
    fn compressed_size(&self, path: &str) -> Result<u64> {
        Ok(fs::metadata(self.folder.join(format!("{}.br", &path[1..])))?.len())
    }

    /// Returns the URLs of the stylesheets, separated by spaces.
    pub fn style_urls(&self) -> String {
        let urls = STYLESHEETS.iter().filter_map(|(key, _)| self.manifest.get(*key));
        urls.map(String::as_str).collect::<Vec<_>>().join(" ")
    }

    /// Copies the files of `public`.
    pub fn copy_public_files(&self) -> Result<()> {
        copy(&proc::root().join("public"), &self.folder)
    }

    /// Writes the manifest in one step, then deletes the files that it no longer names.
    pub fn write_manifest(&mut self) -> Result<()> {
        let (fresh, placed) = (self.folder.join("manifest.fresh"), self.folder.join("manifest.json"));
        fs::write(&fresh, serde_json::to_string_pretty(&self.manifest)?)?;
        fs::rename(fresh, placed)?;
        for path in self.replaced.drain(..) {
            fs::remove_file(self.folder.join(&path[1..]))?;
        }
        Ok(())
    }

    /// Writes a file as [`Self::write`] does, and adds its path to the manifest.
    fn put(&mut self, key: &str, name: &str, content: &[u8]) -> Result<()> {
        let path = self.write(name, content)?;
        let old = self.manifest.insert(key.to_owned(), path.clone());
        self.replaced.extend(old.filter(|old| *old != path));
        Ok(())
    }

    /// Writes a file and its compressed copies into pkg/, with the hash of its content in the name.
    /// Returns its path.
    fn write(&mut self, name: &str, content: &[u8]) -> Result<String> {
        let (stem, extension) = name.rsplit_once('.').context("a file name with an extension")?;
        let path = format!("/pkg/{stem}.{}.{extension}", &hex(&Sha256::digest(content))[..16]);
        let file = self.folder.join(&path[1..]);
        fs::write(&file, content)?;
        self.compress(&file, content)?;
        self.replaced.retain(|replaced| *replaced != path);
        Ok(path)
    }

    /// Writes compressed copies beside a file: `.br` and `.gz`.
    fn compress(&self, file: &Path, content: &[u8]) -> Result<()> {
        let Some((quality, level)) = self.profile.compression() else { return Ok(()) };
        let with_suffix = |suffix: &str| PathBuf::from(format!("{}.{suffix}", file.display()));
        let is_wasm = file.extension().is_some_and(|extension| extension == "wasm");
        // The high bits of a wasm byte predict the next one best. By default the encoder uses the
        // low bits, and the file is 1.5 % larger.
        let mode = if is_wasm { Mode::BROTLI_FORCE_MSB_PRIOR } else { Mode::BROTLI_MODE_GENERIC };
        let params = BrotliEncoderParams { quality, mode, ..BrotliEncoderParams::default() };
        brotli::BrotliCompress(&mut &*content, &mut fs::File::create(with_suffix("br"))?, &params)?;
        let mut gzip = flate2::write::GzEncoder::new(fs::File::create(with_suffix("gz"))?, level);
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
    hash.update([u8::from(proc::has("npm"))]);
    for folder in ["style", "public", "xtask/src", "app/editor"] {
        let files = walkdir::WalkDir::new(proc::root().join(folder)).sort_by_file_name().into_iter();
        for entry in files.filter_entry(|entry| entry.file_name() != "node_modules") {
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
