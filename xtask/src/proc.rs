//! Starts programs; paths of the workspace and the target directory.

use anyhow::{Context, Result, anyhow, bail};
use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::{LazyLock, OnceLock},
    time::Instant,
};

/// The workspace's root folder: the one in which cargo runs this program. Clones that share a
/// target directory share this program too, so the folder in which it was built may be another one.
pub fn root() -> &'static Path {
    static ROOT: LazyLock<PathBuf> = LazyLock::new(|| {
        #[expect(clippy::disallowed_methods, reason = "cargo passes the folder only through the environment")]
        let built = std::env::var_os("CARGO_MANIFEST_DIR");
        let xtask = built.map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
        xtask.parent().map_or_else(|| PathBuf::from("."), Path::to_path_buf)
    });
    &ROOT
}

/// Returns a cargo command in the workspace's root folder.
pub fn cargo() -> Command {
    let mut command = program(option_env!("CARGO").unwrap_or("cargo"));
    // The variables that `cargo run` sets for this program would make the builds it starts run
    // twice, and crates whose build scripts read them (ring, and all that depends on it) after each
    // change between `cargo xtask` and plain cargo.
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_PKG_")
            || text.starts_with("CARGO_MANIFEST_")
            || text == "RUST_RECURSION_COUNT"
        {
            command.env_remove(&name);
        }
    }
    command
}

/// Returns a command in the workspace's root folder, without standard input.
pub fn program(name: &str) -> Command {
    let mut command = Command::new(name);
    command.current_dir(root()).stdin(Stdio::null());
    command
}

/// Runs a command; an error if it fails.
pub fn run(command: &mut Command) -> Result<()> {
    let shown = format!("{command:?}");
    let status = command.status().with_context(|| format!("could not start {shown}"))?;
    if !status.success() {
        bail!("{shown} failed ({status})");
    }
    Ok(())
}

/// Runs two jobs in parallel and waits for both: the last minutes of each build keep only one core
/// busy.
pub fn in_parallel<T: Send>(
    one: impl FnOnce() -> Result<T> + Send,
    other: impl FnOnce() -> Result<()>,
) -> Result<T> {
    std::thread::scope(|scope| {
        let one = scope.spawn(one);
        other()?;
        one.join().map_err(|_| anyhow!("a job panicked"))?
    })
}

/// Runs a command and returns its standard output; an error if it fails.
pub fn output(command: &mut Command) -> Result<String> {
    let shown = format!("{command:?}");
    let output =
        command.stderr(Stdio::inherit()).output().with_context(|| format!("could not start {shown}"))?;
    if !output.status.success() {
        bail!("{shown} failed ({})", output.status);
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Whether a program is on the path.
pub fn has(name: &str) -> bool {
    Command::new("sh")
        .args(["-c", &format!("command -v {name}")])
        .stdout(Stdio::null())
        .status()
        .is_ok_and(|s| s.success())
}

/// Returns cargo's target directory.
pub fn target_dir() -> Result<PathBuf> {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    if let Some(folder) = FOLDER.get() {
        return Ok(folder.clone());
    }
    let text = output(cargo().args(["metadata", "--format-version", "1", "--no-deps", "--offline"]))?;
    let metadata: serde_json::Value = serde_json::from_str(&text)?;
    let folder = metadata["target_directory"].as_str().context("cargo metadata has no target directory")?;
    Ok(FOLDER.get_or_init(|| PathBuf::from(folder)).clone())
}

/// Puts the built program into the folder `debug` or `release` of the target directory, where users
/// look for it, and returns that path. Cargo builds it in the folder of the target triple, beside
/// this program.
pub fn install_binary(profile: &str) -> Result<PathBuf> {
    let name = format!("presstime{}", std::env::consts::EXE_SUFFIX);
    let here = std::env::current_exe()?;
    let built =
        here.ancestors().nth(2).context("xtask is not in a target directory")?.join(profile).join(&name);
    let folder = target_dir()?.join(profile);
    std::fs::create_dir_all(&folder)?;
    let placed = folder.join(name);
    if built != placed {
        let fresh = placed.with_extension("fresh");
        let _ = std::fs::remove_file(&fresh);
        std::fs::hard_link(&built, &fresh).or_else(|_| std::fs::copy(&built, &fresh).map(drop))?;
        std::fs::rename(fresh, &placed)?;
    }
    Ok(placed)
}

/// Prints the current step and the time since the start in minutes and seconds.
pub fn say(what: &str) {
    static STARTED: LazyLock<Instant> = LazyLock::new(Instant::now);
    let (minutes, seconds) = (STARTED.elapsed().as_secs() / 60, STARTED.elapsed().as_secs() % 60);
    eprintln!("\u{25b8} {minutes:02}:{seconds:02} {what}");
}
