//! Programs that cargo builds for the tests, and how they are run: from a folder of this run, so
//! that a build in another clone does not replace them.

use super::{
    none_failed,
    report::{Line, Log, SILENCE},
};
use crate::{
    ALL_FEATURES, assets,
    proc::{self, cargo, run, target_dir},
};
use anyhow::{Context, Result};
use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// The modules of `it` with the fault tests and the simulation, and within the first the tests that
/// assert how long something takes. Nothing else runs beside those, because they fail on a busy
/// machine.
const FAULTS: &str = "faults::";
const TIMED: &str = "faults::timed::";
const SIMULATION: &str = "simulation::";
/// The module of `it` with the tests on a real Ghost.
const GHOST: &str = "deliveries::channel::ghost::";
/// Tests that run at the same time. Most wait for servers, timers and disks more than they compute.
const THREADS: &str = "6";
const FAULT_THREADS: &str = "5";
const TIMED_THREADS: &str = "2";
/// Seeds of the simulation in each run, and in a weekly one.
const SEEDS: &str = "4000";
const WEEKLY_SEEDS: &str = "20000";
/// Seconds of the soak test in a weekly run.
const WEEKLY_SOAK: &str = "340";

/// The program and its tests.
pub struct Programs {
    /// The folder of this run.
    folder: PathBuf,
    /// The program.
    pub presstime: PathBuf,
    tests: Vec<TestProgram>,
    /// More variables for the tests.
    pub environment: Vec<(String, String)>,
}

struct TestProgram {
    package: String,
    /// Its name in the package; `lib` for the tests inside a library.
    target: String,
    file: PathBuf,
    /// The package's folder, in which cargo runs tests too.
    folder: PathBuf,
}

/// Builds and lints the program and its tests; the program without the browser's files.
pub fn build(lints: &Path) -> Result<()> {
    run(&mut product("build", lints, &["--lib", "--bins", "--tests"]))?;
    run(&mut xtask(lints))
}

/// Cargo for all packages but this one, with all features.
fn product(subcommand: &str, lints: &Path, more: &[&str]) -> Command {
    let mut command = cargo();
    command.args([subcommand, "--locked", "--workspace", "--exclude", "xtask", "--features", ALL_FEATURES]);
    command.args(more);
    with_lints(command, lints)
}

/// The tests of this package alone. Together with the others, its dependencies would be built a
/// second time with the features that the others need.
fn xtask(lints: &Path) -> Command {
    let mut command = cargo();
    command.args(["test", "--no-run", "--locked", "--package", "xtask"]);
    with_lints(command, lints)
}

fn with_lints(mut command: Command, lints: &Path) -> Command {
    if !lints.as_os_str().is_empty() {
        command.env("RUSTC_WORKSPACE_WRAPPER", lints);
    }
    command
}

impl Programs {
    /// Builds all programs, with the browser's files, and links them into a folder of this run.
    pub fn build(lints: &Path) -> Result<Self> {
        let folder = target_dir()?.join("test-runs").join(std::process::id().to_string());
        fs::create_dir_all(&folder)?;
        let more = ["--no-run", "--lib", "--bins", "--tests"];
        let mut product = product("test", lints, &more);
        let mut tests = Vec::new();
        let mut presstime = PathBuf::new();
        for command in [product.env("PRESSTIME_ASSETS", assets::stamp()), &mut xtask(lints)] {
            for artifact in artifacts(command)? {
                let is_test = artifact["profile"]["test"] == true;
                let name = artifact["target"]["name"].as_str().unwrap_or_default();
                let Some(built) = artifact["executable"].as_str().map(Path::new) else { continue };
                let placed = folder.join(built.file_name().context("a program has a name")?);
                if is_test || name == "presstime" {
                    link(built, &placed)?;
                }
                if is_test {
                    tests.push(TestProgram::of(&artifact, placed)?);
                } else if name == "presstime" {
                    presstime = placed;
                }
            }
        }
        tests.sort_by(|one, other| (&one.package, &one.target).cmp(&(&other.package, &other.target)));
        proc::install_binary("debug")?;
        Ok(Self { folder, presstime, tests, environment: Vec::new() })
    }

    /// All tests but fault tests, simulation and those on a real Ghost.
    pub fn unit_and_integration_tests(&self, names: &[String], slowest: bool, log: &Log) -> Result<()> {
        let mut failed = Vec::new();
        for program in &self.tests {
            let mut command = self.command(program, THREADS);
            command.args(["--skip", FAULTS, "--skip", SIMULATION, "--skip", GHOST]).args(names);
            if slowest {
                // The only way to have durations; the standard runner keeps it behind this variable.
                command.env("RUSTC_BOOTSTRAP", "1").args(["-Zunstable-options", "--report-time"]);
            }
            failed.extend(self.run(program, command, "rust", log)?);
        }
        none_failed("Rust tests", &failed)
    }

    /// The simulation, then the fault tests that may run on a busy machine.
    pub fn fault_tests(&self, names: &[String], is_weekly: bool, log: &Log) -> Result<()> {
        let program = self.integration_tests()?;
        let mut simulation = self.command(program, "1");
        let mut faults = self.command(program, FAULT_THREADS);
        simulation.env("SIMULATION_SEEDS", if is_weekly { WEEKLY_SEEDS } else { SEEDS });
        if is_weekly {
            faults.env("FAULTS_SECONDS", WEEKLY_SOAK).env("FAULTS_LONG", "1");
        }
        for command in [&mut simulation, &mut faults] {
            command.envs(self.environment.iter().cloned());
        }
        simulation.args(filters(SIMULATION, names));
        let mut failed = self.run(program, simulation, "faults", log)?;
        faults.args(filters(FAULTS, names)).args(["--skip", TIMED]);
        failed.extend(self.run(program, faults, "faults", log)?);
        none_failed("fault tests", &failed)
    }

    /// The fault tests that assert how long something takes.
    pub fn timed_fault_tests(&self, names: &[String], log: &Log) -> Result<()> {
        let program = self.integration_tests()?;
        let mut timed = self.command(program, TIMED_THREADS);
        timed.args(filters(TIMED, names));
        none_failed("timed fault tests", &self.run(program, timed, "timed", log)?)
    }

    /// The tests on a real Ghost.
    pub fn ghost_tests(&self, names: &[String], log: &Log) -> Result<()> {
        let program = self.integration_tests()?;
        let mut ghost = self.command(program, THREADS);
        ghost.args(filters(GHOST, names));
        none_failed("tests on a real Ghost", &self.run(program, ghost, "ghost", log)?)
    }

    fn integration_tests(&self) -> Result<&TestProgram> {
        let found = self.tests.iter().find(|test| test.package == "presstime" && test.target == "it");
        found.context("cargo built no integration tests")
    }

    fn command(&self, program: &TestProgram, threads: &str) -> Command {
        let mut command = Command::new(&program.file);
        command.current_dir(&program.folder).stdin(Stdio::null());
        command.env("PRESSTIME_BIN", &self.presstime).env("RUST_TEST_THREADS", threads);
        command.envs(self.environment.iter().cloned());
        command
    }

    fn run(&self, program: &TestProgram, mut command: Command, part: &str, log: &Log) -> Result<Vec<String>> {
        let what = format!("{} {}", program.package, program.target);
        // A long run has tests of an hour.
        let silence = if self.environment.is_empty() { SILENCE } else { 8 * SILENCE };
        let repeat = |name: &str| format!("cargo xtask test --only {part} {name}");
        let failed = log.run(&what, (&mut command, silence), read, repeat)?;
        if failed.is_empty() || log.repeat_failed(&what, |name| passes_alone(program, &command, name))? {
            return Ok(Vec::new());
        }
        Ok(failed)
    }
}

impl Drop for Programs {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

impl TestProgram {
    fn of(artifact: &Value, file: PathBuf) -> Result<Self> {
        let manifest = Path::new(artifact["manifest_path"].as_str().context("an artifact has a manifest")?);
        let folder = manifest.parent().context("a manifest is in a folder")?.to_path_buf();
        let (name, kind) = (&artifact["target"]["name"], &artifact["target"]["kind"][0]);
        // The package's name stands in its folder's: the root's is `presstime`.
        let package = if folder == proc::root() {
            "presstime".to_owned()
        } else {
            folder.file_name().unwrap_or_default().to_string_lossy().into_owned()
        };
        let target = match kind.as_str() {
            Some("lib" | "rlib" | "cdylib") => "lib",
            _ => name.as_str().unwrap_or_default(),
        };
        Ok(Self { package, target: target.to_owned(), file, folder })
    }
}

/// Runs one test of a program, in the environment of this command.
fn passes_alone(program: &TestProgram, like: &Command, name: &str) -> Result<bool> {
    let mut alone = Command::new(&program.file);
    alone.current_dir(&program.folder).stdin(Stdio::null()).args(["--exact", name]);
    alone.envs(like.get_envs().filter_map(|(name, value)| Some((name, value?))));
    Ok(alone.status()?.success())
}

/// Filters for the tests of a module.
fn filters(module: &str, names: &[String]) -> Vec<String> {
    let own: Vec<String> = names.iter().filter(|name| name.contains(module)).cloned().collect();
    if own.is_empty() && names.is_empty() { vec![module.to_owned()] } else { own_or_none(own) }
}

/// With no filter the runner would run everything: a filter that matches nothing instead.
fn own_or_none(own: Vec<String>) -> Vec<String> {
    if own.is_empty() { vec!["no test has this name".to_owned()] } else { own }
}

/// Runs cargo and returns what it says of each artifact. Its own messages go to the terminal.
fn artifacts(command: &mut Command) -> Result<Vec<Value>> {
    let text = proc::output(command.arg("--message-format=json-render-diagnostics"))?;
    let messages = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    Ok(messages.filter(|message| message["reason"] == "compiler-artifact").collect())
}

/// Links a file, or copies it where it cannot be linked. A later build writes a new file.
fn link(built: &Path, placed: &Path) -> Result<()> {
    let _ = fs::remove_file(placed);
    fs::hard_link(built, placed).or_else(|_| fs::copy(built, placed).map(drop))?;
    Ok(())
}

/// Reads a line of Rust's test runner: `test NAME ... ok`, with `<1.234s>` where durations are
/// asked for.
fn read(line: &str) -> Line<'_> {
    if let Some((name, _)) =
        line.strip_prefix("test ").and_then(|rest| rest.split_once(" has been running for "))
    {
        return Line::Running(name);
    }
    let Some((name, state)) = line.strip_prefix("test ").and_then(|rest| rest.split_once(" ... ")) else {
        return Line::Other;
    };
    let seconds = || state.split_once('<')?.1.trim_end_matches("s>").parse().ok();
    if state.starts_with("ok") {
        Line::Passed(name, seconds())
    } else if state.starts_with("FAILED") {
        Line::Failed(name)
    } else {
        Line::Other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_test_runner_are_read() {
        assert!(
            matches!(read("test a::b ... ok <1.250s>"), Line::Passed("a::b", Some(seconds)) if seconds == 1.25)
        );
        assert!(matches!(read("test a::b ... ok"), Line::Passed("a::b", None)));
        assert!(matches!(read("test a::b ... FAILED"), Line::Failed("a::b")));
        let running = "test a::b has been running for over 60 seconds";
        assert!(matches!(read(running), Line::Running("a::b")));
        assert!(matches!(read("test result: ok. 3 passed; 0 failed"), Line::Other));
    }

    #[test]
    fn a_name_of_another_module_selects_no_fault_test() {
        assert_eq!(filters(FAULTS, &[]), [FAULTS]);
        assert_eq!(filters(FAULTS, &["faults::matrix".to_owned()]), ["faults::matrix"]);
        assert_eq!(filters(FAULTS, &["articles".to_owned()]), ["no test has this name"]);
    }
}
