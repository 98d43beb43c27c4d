//! Lints during the build. As cargo's rustc wrapper this program compiles each workspace crate with
//! rustc, then runs clippy on the same code. So the dependencies are not built twice. Programs of
//! tests are compiled by clippy itself, which reads the code once for both.

use crate::proc;
use anyhow::{Context, Result};
use std::{
    ffi::{OsStr, OsString},
    fs,
    path::{Path, PathBuf},
    process::{Command, ExitCode, ExitStatus},
};

/// Returns the compiler and its arguments if cargo called this program as its rustc wrapper.
pub fn wrapper_call() -> Option<(OsString, Vec<OsString>)> {
    let mut args = std::env::args_os().skip(1);
    let compiler = args.next()?;
    (Path::new(&compiler).file_stem()? == "rustc").then(|| (compiler, args.collect()))
}

/// Copies this program to where no build replaces it, and returns the path to use as the rustc
/// wrapper.
pub fn wrapper() -> Result<PathBuf> {
    let folder = proc::target_dir()?.join("lints");
    fs::create_dir_all(&folder)?;
    let (fresh, placed) = (folder.join("fresh"), folder.join("xtask"));
    fs::copy(std::env::current_exe()?, &fresh)?;
    fs::rename(fresh, &placed)?;
    Ok(placed)
}

/// Compiles, then lints. Stops at the first failure.
pub fn wrap(compiler: &OsStr, args: &[OsString]) -> Result<ExitCode> {
    if CrateArgs::parse(args).is_some_and(|crate_args| crate_args.is_program_of_tests()) {
        return clippy(compiler, args.iter().cloned().chain(["-Dwarnings".into()]));
    }
    let built = Command::new(compiler).args(args).status().context("rustc did not start")?;
    let Some(crate_args) = built.success().then(|| CrateArgs::parse(args)).flatten() else {
        return Ok(code(built));
    };
    if crate_args.is_linted_with_its_tests() {
        return Ok(ExitCode::SUCCESS);
    }
    let folder = crate_args.out_dir.join("lints");
    fs::create_dir_all(&folder)?;
    clippy(compiler, crate_args.for_clippy(&folder))
}

/// Runs clippy, which is rustc with more lints.
fn clippy(compiler: &OsStr, args: impl IntoIterator<Item = OsString>) -> Result<ExitCode> {
    let linted = Command::new("clippy-driver").arg(compiler).args(args).status();
    Ok(code(linted.context("clippy-driver did not start; rustup component add clippy")?))
}

fn code(status: ExitStatus) -> ExitCode {
    status.code().and_then(|code| u8::try_from(code).ok()).map_or(ExitCode::FAILURE, ExitCode::from)
}

/// Cargo's arguments to rustc for one crate.
struct CrateArgs<'a> {
    args: &'a [OsString],
    out_dir: PathBuf,
}

impl<'a> CrateArgs<'a> {
    /// `None`: cargo only queries rustc, for example its version.
    fn parse(args: &'a [OsString]) -> Option<Self> {
        let position = args.iter().position(|arg| arg == "--out-dir")?;
        Some(Self { args, out_dir: PathBuf::from(args.get(position + 1)?) })
    }

    /// Whether this is a native library: clippy checks the same code when its tests are built.
    fn is_linted_with_its_tests(&self) -> bool {
        self.has("lib") && !self.is_program_of_tests() && !self.has("wasm32-unknown-unknown")
    }

    /// Whether this is a program of tests. Clippy turns some optimisations off, so it compiles nothing
    /// that others use.
    fn is_program_of_tests(&self) -> bool {
        self.has("--test")
    }

    fn has(&self, arg: &str) -> bool {
        self.args.iter().any(|other| other == arg)
    }

    fn for_clippy(&self, folder: &Path) -> Vec<OsString> {
        let mut args = self.without_output(folder);
        args.extend(["--emit=metadata", "-Dwarnings"].map(OsString::from));
        args
    }

    /// The same arguments without output files and without artifact messages to cargo.
    fn without_output(&self, folder: &Path) -> Vec<OsString> {
        let mut kept = Vec::new();
        let mut args = self.args.iter();
        while let Some(arg) = args.next() {
            let text = arg.to_string_lossy();
            if arg == "--out-dir" {
                args.next();
                kept.extend([arg.clone(), folder.into()]);
            } else if arg == "-C" {
                let option = args.next().cloned().unwrap_or_default();
                if !option.to_string_lossy().starts_with("incremental=") {
                    kept.extend([arg.clone(), option]);
                }
            } else if let Some(json) = text.strip_prefix("--json=") {
                let others: Vec<&str> = json.split(',').filter(|message| *message != "artifacts").collect();
                kept.push(format!("--json={}", others.join(",")).into());
            } else if !text.starts_with("--emit=") {
                kept.push(arg.clone());
            }
        }
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn a_crate_is_linted_without_writing_the_files_of_rustc() {
        let line = "--crate-name app src/lib.rs --json=diagnostic-rendered-ansi,artifacts --crate-type lib \
                    --emit=dep-info,metadata,link -C opt-level=0 -C incremental=x --out-dir deps --cfg a";
        let line = args(line);
        let crate_args = CrateArgs::parse(&line).expect("a crate is built");
        assert!(crate_args.is_linted_with_its_tests() && !crate_args.is_program_of_tests());
        let expected = "--crate-name app src/lib.rs --json=diagnostic-rendered-ansi --crate-type lib -C opt-level=0 \
                        --out-dir lints --cfg a --emit=metadata -Dwarnings";
        assert_eq!(crate_args.for_clippy(Path::new("lints")), args(expected));
        assert!(CrateArgs::parse(&args("- --crate-name ___ --print=cfg")).is_none());
    }
}
