//! Lints and documentation, made while cargo builds: as cargo's wrapper of rustc this program builds each crate of the workspace
//! as rustc does, then shows the same code to clippy and rustdoc. So lints need no second build of everything below them.

use crate::proc;
use anyhow::{Context, Result};
use std::{
    ffi::{OsStr, OsString},
    fs,
    path::{Path, PathBuf},
    process::{Command, ExitCode, ExitStatus},
};

/// What cargo asks of a wrapper: the compiler, and what it is to be told. `None`: somebody else called.
pub fn asked() -> Option<(OsString, Vec<OsString>)> {
    let mut words = std::env::args_os().skip(1);
    let compiler = words.next()?;
    (Path::new(&compiler).file_stem()? == "rustc").then(|| (compiler, words.collect()))
}

/// This program where no build replaces it: what cargo is given as wrapper.
pub fn wrapper() -> Result<PathBuf> {
    let folder = proc::target_dir()?.join("lints");
    fs::create_dir_all(&folder)?;
    let (fresh, placed) = (folder.join("fresh"), folder.join("xtask"));
    fs::copy(std::env::current_exe()?, &fresh)?;
    fs::rename(fresh, &placed)?;
    Ok(placed)
}

/// Builds, and looks at what was built. The first that is not content ends it.
pub fn wrap(compiler: &OsStr, words: &[OsString]) -> Result<ExitCode> {
    let built = Command::new(compiler).args(words).status().context("rustc did not start")?;
    let Some(asked) = built.success().then(|| Asked::of(words)).flatten() else { return Ok(code(built)) };
    let folder = asked.out.join("lints");
    fs::create_dir_all(&folder)?;
    let looked = match asked.is_library() {
        true => Command::new("rustdoc").args(asked.for_rustdoc(&folder)).status(),
        false => Command::new("clippy-driver").arg(compiler).args(asked.for_clippy(&folder)).status(),
    };
    Ok(code(looked.context("clippy-driver or rustdoc did not start; rustup component add clippy")?))
}

fn code(status: ExitStatus) -> ExitCode {
    status.code().and_then(|code| u8::try_from(code).ok()).map_or(ExitCode::FAILURE, ExitCode::from)
}

/// A crate to be built, as cargo says it to rustc.
struct Asked<'a> {
    words: &'a [OsString],
    out: PathBuf,
}

impl<'a> Asked<'a> {
    /// `None`: cargo only asks rustc what it is.
    fn of(words: &'a [OsString]) -> Option<Self> {
        let place = words.iter().position(|word| word == "--out-dir")?;
        Some(Self { words, out: PathBuf::from(words.get(place + 1)?) })
    }

    /// A library of this machine: it says something to readers of documentation. Clippy looks at the same code with its tests,
    /// which are built as well, and at programs and the face.
    fn is_library(&self) -> bool {
        let says = |word: &str| self.words.iter().any(|other| other == word);
        says("lib") && !says("--test") && !says("wasm32-unknown-unknown")
    }

    fn for_clippy(&self, folder: &Path) -> Vec<OsString> {
        let mut words = self.looking_only(folder);
        words.extend(["--emit=metadata", "-Dwarnings"].map(OsString::from));
        words
    }

    fn for_rustdoc(&self, folder: &Path) -> Vec<OsString> {
        let mut words = self.looking_only(folder);
        words.push("-Dwarnings".into());
        words
    }

    /// The same without what is written, and without telling cargo once more that it is.
    fn looking_only(&self, folder: &Path) -> Vec<OsString> {
        let mut kept = Vec::new();
        let mut words = self.words.iter();
        while let Some(word) = words.next() {
            let text = word.to_string_lossy();
            if word == "--out-dir" {
                words.next();
                kept.extend([word.clone(), folder.into()]);
            } else if word == "-C" {
                let option = words.next().cloned().unwrap_or_default();
                if !option.to_string_lossy().starts_with("incremental=") {
                    kept.extend([word.clone(), option]);
                }
            } else if let Some(json) = text.strip_prefix("--json=") {
                let others: Vec<&str> = json.split(',').filter(|what| *what != "artifacts").collect();
                kept.push(format!("--json={}", others.join(",")).into());
            } else if !text.starts_with("--emit=") {
                kept.push(word.clone());
            }
        }
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn a_crate_is_looked_at_without_writing_what_rustc_writes() {
        let line = "--crate-name app src/lib.rs --json=diagnostic-rendered-ansi,artifacts --crate-type lib \
                    --emit=dep-info,metadata,link -C opt-level=0 -C incremental=x --out-dir deps --cfg a";
        let asked = words(line);
        let asked = Asked::of(&asked).expect("a crate is built");
        assert!(asked.is_library());
        let expected = "--crate-name app src/lib.rs --json=diagnostic-rendered-ansi --crate-type lib -C opt-level=0 \
                        --out-dir lints --cfg a -Dwarnings";
        assert_eq!(asked.for_rustdoc(Path::new("lints")), words(expected));
        assert!(Asked::of(&words("- --crate-name ___ --print=cfg")).is_none());
    }
}
