//! Running programs, and where things are.

use anyhow::{Context, Result, anyhow, bail};
use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::LazyLock,
    time::Instant,
};

/// The folder of the workspace: the one cargo runs this program in. Clones that share a target directory share this
/// program too, so the place where it was built says nothing.
pub fn root() -> &'static Path {
    static ROOT: LazyLock<PathBuf> = LazyLock::new(|| {
        #[expect(
            clippy::disallowed_methods,
            reason = "cargo says it to the programs it runs, in no other way"
        )]
        let built = std::env::var_os("CARGO_MANIFEST_DIR");
        let xtask = built.map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
        xtask.parent().map_or_else(|| PathBuf::from("."), Path::to_path_buf)
    });
    &ROOT
}

/// Cargo, in the folder of the workspace.
pub fn cargo() -> Command {
    let mut command = program(option_env!("CARGO").unwrap_or("cargo"));
    // What `cargo run` sets for this program is not meant for the builds it starts: they would be done twice.
    for name in [
        "CARGO_MANIFEST_DIR",
        "CARGO_MANIFEST_PATH",
        "CARGO_PKG_NAME",
        "CARGO_PKG_VERSION",
        "RUST_RECURSION_COUNT",
    ] {
        command.env_remove(name);
    }
    command
}

/// A program, in the folder of the workspace, without input.
pub fn program(name: &str) -> Command {
    let mut command = Command::new(name);
    command.current_dir(root()).stdin(Stdio::null());
    command
}

/// Runs it; an error if it fails.
pub fn run(command: &mut Command) -> Result<()> {
    let shown = format!("{command:?}");
    let status = command.status().with_context(|| format!("could not start {shown}"))?;
    if !status.success() {
        bail!("{shown} failed ({status})");
    }
    Ok(())
}

/// Does two things beside each other, both to their end: the last minutes of each keep one core busy.
pub fn beside<T: Send>(
    one: impl FnOnce() -> Result<T> + Send,
    other: impl FnOnce() -> Result<()>,
) -> Result<T> {
    std::thread::scope(|scope| {
        let one = scope.spawn(one);
        other()?;
        one.join().map_err(|_| anyhow!("it panicked"))?
    })
}

/// Runs it and returns what it printed; an error if it fails.
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

/// Where cargo puts what it builds.
pub fn target_dir() -> Result<PathBuf> {
    let text = output(cargo().args(["metadata", "--format-version", "1", "--no-deps", "--offline"]))?;
    let metadata: serde_json::Value = serde_json::from_str(&text)?;
    let folder = metadata["target_directory"].as_str().context("cargo names no target directory")?;
    Ok(PathBuf::from(folder))
}

/// Puts the built program where cargo's users look for it, `debug` or `release` of the target directory, and returns that
/// path. Cargo itself builds it in the folder of this machine's kind, beside this program.
pub fn place(profile: &str) -> Result<PathBuf> {
    let name = format!("presstime{}", std::env::consts::EXE_SUFFIX);
    let here = std::env::current_exe()?;
    let built = here.ancestors().nth(2).context("a folder of builds")?.join(profile).join(&name);
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

/// Tells what is being done, and how long after the start: minutes and seconds.
pub fn say(what: &str) {
    static STARTED: LazyLock<Instant> = LazyLock::new(Instant::now);
    let (minutes, seconds) = (STARTED.elapsed().as_secs() / 60, STARTED.elapsed().as_secs() % 60);
    eprintln!("\u{25b8} {minutes:02}:{seconds:02} {what}");
}
