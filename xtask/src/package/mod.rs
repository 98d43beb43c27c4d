//! `cargo xtask package`: what users install. `xtask/package/build.sh` makes the files.

pub mod sbom;

use crate::proc::{output, program, root, run, say, target_dir};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};

/// Version of the release; the whole workspace has the same.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Makes the packages. All files have the time of the commit, so that each build of it gives the same
/// bytes.
pub fn build(binary: Option<&Path>) -> Result<()> {
    let binary = match binary {
        Some(given) => given.canonicalize().with_context(|| given.display().to_string())?,
        None => release()?,
    };
    let sbom = sbom::write()?;
    say("packages");
    let time = output(program("git").args(["log", "-1", "--format=%ct"]))?;
    let folder = target_dir()?.join("package").join(VERSION);
    run(program("sh")
        .arg(root().join("xtask/package/build.sh"))
        .arg(binary)
        .arg(VERSION)
        .arg(&folder)
        .env("SOURCE_DATE_EPOCH", time.trim())
        .env("SBOM", sbom))?;
    say(&format!("ready: {}", folder.display()));
    Ok(())
}

/// The commit of the sources, with `-dirty` if they were changed since.
pub fn commit() -> Result<String> {
    let commit =
        output(program("git").args(["describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"]))?;
    Ok(commit.trim().to_owned())
}

/// The binary of the last release build, which must be of this commit.
fn release() -> Result<PathBuf> {
    let binary = target_dir()?.join("release/presstime");
    if !binary.exists() {
        bail!("there is no release build at {}: run cargo xtask build --release", binary.display());
    }
    let (version, commit) = (output(program(&binary.to_string_lossy()).arg("--version"))?, commit()?);
    if !version.lines().any(|line| line == format!("commit: {commit}")) {
        bail!("the release build is not of commit {commit}: run cargo xtask build --release\n{version}");
    }
    Ok(binary)
}
