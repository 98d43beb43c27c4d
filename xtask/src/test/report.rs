//! Progress and result: a line when a part starts and ends, the estimate of the rest, and at the
//! end each test that failed with the command that repeats it.

use super::part::Part;
use crate::proc::{say, target_dir};
use anyhow::{Context, Result, bail};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt, fs,
    io::{BufRead, BufReader, PipeReader, Write},
    path::PathBuf,
    process::{Child, Command, Stdio},
    sync::{Mutex, MutexGuard, PoisonError, mpsc},
    thread,
    time::{Duration, Instant},
};

/// Interval of progress lines within a part.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(60);
/// How long a runner may print nothing. Then a test hangs: the longest takes a few minutes.
pub const SILENCE: Duration = Duration::from_secs(15 * 60);
/// With more failed tests than this, none is run once more: chance is not the reason.
const MAX_REPEATED: usize = 3;
/// Number of tests that `--slowest` lists.
const SLOWEST: usize = 30;
/// Lines of output that are printed for a command that failed without naming a test.
const LAST_LINES: usize = 60;

/// Results of all parts.
pub struct Report {
    parts: Vec<Part>,
    is_whole: bool,
    file: PathBuf,
    seconds: Mutex<BTreeMap<String, u64>>,
    done: Mutex<Vec<Done>>,
}

/// A part that has ended.
struct Done {
    part: Part,
    seconds: u64,
    log: Log,
    error: Option<String>,
}

/// What the commands of a part printed: counts, failed tests, durations.
#[derive(Default)]
pub struct Log(Mutex<Lines>);

#[derive(Default)]
struct Lines {
    passed: u64,
    failed: Vec<FailedTest>,
    /// Tests that failed beside others and passed alone.
    unsteady: Vec<FailedTest>,
    durations: Vec<(f64, String)>,
}

struct FailedTest {
    /// The program and the test in it.
    what: String,
    name: String,
    command: String,
    /// Whether it was ended because it hung.
    has_hung: bool,
}

impl fmt::Display for FailedTest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "  {} {}\n    {}", self.what, self.name, self.command)
    }
}

/// What a line of a test runner says.
pub enum Line<'a> {
    /// A test has passed, with its seconds where they are known.
    Passed(&'a str, Option<f64>),
    /// A test that failed has passed when it was run once more.
    PassedAgain(&'a str),
    /// A test has failed.
    Failed(&'a str),
    /// A test has been running for a while.
    Running(&'a str),
    /// Anything else.
    Other,
}

impl Report {
    /// `is_whole`: the parts run all of their tests, so their seconds are the next estimate.
    pub fn new(parts: &[Part], is_whole: bool) -> Result<Self> {
        let file = target_dir()?.join("test-seconds.json");
        let known = fs::read_to_string(&file).ok().and_then(|text| serde_json::from_str(&text).ok());
        let seconds = Mutex::new(known.unwrap_or_default());
        Ok(Self { parts: parts.to_vec(), is_whole, file, seconds, done: Mutex::default() })
    }

    /// Runs a part, prints its result and keeps it.
    pub fn run(&self, part: Part, work: impl FnOnce(&Log) -> Result<()>) {
        say(&format!("{}: {} in all from here", part.title(), minutes(self.remaining())));
        let (began, log) = (Instant::now(), Log::default());
        let error = work(&log).err().map(|error| format!("{error:#}"));
        let seconds = began.elapsed().as_secs();
        let state = if error.is_none() { "passed" } else { "FAILED" };
        let counts = log.counts();
        say(&format!("{}: {state} in {seconds} s{counts}", part.title()));
        if error.is_none() && self.is_whole {
            locked(&self.seconds).insert(part.word().to_owned(), seconds);
        }
        locked(&self.done).push(Done { part, seconds, log, error });
    }

    /// Seconds that the parts without a result will take, one after the other.
    fn remaining(&self) -> u64 {
        let (done, seconds) = (locked(&self.done), locked(&self.seconds));
        let open = self.parts.iter().filter(|part| !done.iter().any(|done| done.part == **part));
        open.map(|part| seconds.get(part.word()).copied().unwrap_or(part.usual_seconds())).sum()
    }

    /// Prints the table of parts and the failed tests. An error if anything failed.
    pub fn finish(self, with_slowest: bool) -> Result<()> {
        let done = self.done.into_inner().unwrap_or_else(PoisonError::into_inner);
        fs::write(&self.file, serde_json::to_string_pretty(&*locked(&self.seconds))?)?;
        let (mut passed, mut failed) = (0, 0);
        eprintln!();
        for Done { part, seconds, log, error } in &done {
            let state = if error.is_none() { "passed" } else { "FAILED" };
            eprintln!("{:34} {seconds:5} s  {state}{}", part.title(), log.counts());
            let lines = locked(&log.0);
            passed += lines.passed;
            failed += lines.failed.len();
        }
        if with_slowest {
            print_slowest(&done);
        }
        let errors: Vec<&Done> = done.iter().filter(|done| done.error.is_some()).collect();
        for Done { part, log, error, .. } in &errors {
            eprintln!("\n{}: {}", part.title(), error.as_deref().unwrap_or_default());
            for test in &locked(&log.0).failed {
                eprintln!("{test}");
            }
        }
        print_unsteady(&done);
        println!("{passed} passed, {failed} failed");
        if !errors.is_empty() {
            let names: Vec<&str> = errors.iter().map(|done| done.part.title()).collect();
            bail!("failed: {}", names.join(", "));
        }
        Ok(())
    }
}

/// Prints the tests that failed once and passed alone. They are to be mended the same day.
fn print_unsteady(done: &[Done]) {
    let mut is_first = true;
    for Done { log, .. } in done {
        for test in &locked(&log.0).unsteady {
            if std::mem::take(&mut is_first) {
                eprintln!("\nunsteady: failed beside other tests, passed alone; mend them today:");
            }
            eprintln!("{test}");
        }
    }
}

fn print_slowest(done: &[Done]) {
    let mut all = Vec::new();
    for done in done {
        let lines = locked(&done.log.0);
        all.extend(lines.durations.iter().cloned());
    }
    all.sort_by(|one, other| other.0.total_cmp(&one.0));
    eprintln!("\nslowest tests:");
    for (seconds, name) in all.iter().take(SLOWEST) {
        eprintln!("{seconds:8.1} s  {name}");
    }
}

impl Log {
    /// Runs a test runner. `read` says what a line means, and `repeat` returns the command that
    /// runs one test again. The output goes to a file; the tests that failed, or the last lines,
    /// are printed. A runner that is silent for longer than `silence` is ended, and the tests that
    /// still ran have failed. Returns what failed.
    pub fn run(
        &self,
        what: &str,
        (command, silence): (&mut Command, Duration),
        read: impl for<'l> Fn(&'l str) -> Line<'l>,
        repeat: impl Fn(&str) -> String,
    ) -> Result<Vec<String>> {
        let (mut file, path) = log_file(what)?;
        let (mut child, reader) = spawn(command)?;
        let (mut output, mut failures, mut count, mut reported) = (Vec::new(), 0_u64, 0_u64, Instant::now());
        let (lines, mut running) = (lines(reader), BTreeSet::new());
        loop {
            let line = match lines.recv_timeout(silence) {
                Ok(line) => line,
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
                Err(mpsc::RecvTimeoutError::Timeout) => {
                    child.kill()?;
                    let names: Vec<&str> = running.iter().map(String::as_str).collect();
                    let minutes = silence.as_secs() / 60;
                    output.push(format!(
                        "ended after {minutes} silent minutes; still running: {}",
                        names.join(", ")
                    ));
                    failures += self.add_failed(what, &names, true, &repeat);
                    break;
                }
            };
            writeln!(file, "{line}")?;
            match read(&line) {
                Line::Running(name) => drop(running.insert(name.to_owned())),
                Line::Passed(name, seconds) => {
                    running.remove(name);
                    self.add_passed(what, name, seconds);
                    count += 1;
                }
                Line::PassedAgain(name) => failures -= self.passed_again(what, name),
                Line::Failed(name) => {
                    running.remove(name);
                    failures += self.add_failed(what, &[name], false, &repeat);
                    count += 1;
                }
                Line::Other => {}
            }
            if reported.elapsed() > PROGRESS_INTERVAL {
                say(&format!("{what}: {count} tests done"));
                reported = Instant::now();
            }
            output.push(line);
        }
        let status = child.wait()?;
        let is_first_failure = |line: &String| line == "failures:" || line.starts_with("  1) [");
        let begin = output.iter().position(is_first_failure);
        if status.success() {
            // A test that passed when it was run once more says why it failed at first.
            if let Some(begin) = begin {
                eprintln!("{}", output[begin..].join("\n"));
            }
            let closing = output.iter().rfind(|line| line.starts_with("test result: "));
            println!("{what}: {}", closing.map_or("passed", String::as_str));
            return Ok(Vec::new());
        }
        let begin = begin.unwrap_or(output.len().saturating_sub(LAST_LINES));
        eprintln!("{}\n(all output: {})", output[begin..].join("\n"), path.display());
        Ok(vec![if failures == 0 {
            format!("{what} ended with {status}")
        } else {
            format!("{what}, {failures} tests")
        }])
    }

    fn add_passed(&self, what: &str, name: &str, seconds: Option<f64>) {
        let mut lines = locked(&self.0);
        lines.passed += 1;
        lines.durations.extend(seconds.map(|seconds| (seconds, format!("{what} {name}"))));
    }

    /// Says and keeps that these tests have failed, and returns how many.
    fn add_failed(&self, what: &str, names: &[&str], has_hung: bool, repeat: impl Fn(&str) -> String) -> u64 {
        for name in names {
            say(&format!("{what}: FAILED {name}"));
            if locked(&self.0).failed.iter().any(|test| test.what == what && test.name == *name) {
                continue;
            }
            let (what, name, command) = (what.to_owned(), (*name).to_owned(), repeat(name));
            locked(&self.0).failed.push(FailedTest { what, name, command, has_hung });
        }
        names.len() as u64
    }

    /// Keeps that a failed test has passed when it was run once more, and returns how many that were.
    fn passed_again(&self, what: &str, name: &str) -> u64 {
        let mut lines = locked(&self.0);
        let (again, failed): (Vec<_>, Vec<_>) = std::mem::take(&mut lines.failed)
            .into_iter()
            .partition(|test| test.what == what && test.name == name);
        lines.failed = failed;
        lines.passed += 1;
        let count = again.len() as u64;
        lines.unsteady.extend(again);
        count
    }

    /// Runs the failed tests of this program once more, each alone, if they are so few that chance
    /// may have been the reason. Those that pass are reported as unsteady. Returns whether none is
    /// left that failed.
    pub fn repeat_failed(&self, what: &str, passes: impl Fn(&str) -> Result<bool>) -> Result<bool> {
        let names: Vec<String> = {
            let lines = locked(&self.0);
            let own: Vec<&FailedTest> = lines.failed.iter().filter(|test| test.what == what).collect();
            if own.is_empty() || own.len() > MAX_REPEATED || own.iter().any(|test| test.has_hung) {
                return Ok(false);
            }
            own.into_iter().map(|test| test.name.clone()).collect()
        };
        for name in &names {
            if passes(name)? {
                say(&format!("{what}: {name} passed alone"));
                self.passed_again(what, name);
            }
        }
        Ok(!locked(&self.0).failed.iter().any(|test| test.what == what))
    }

    fn counts(&self) -> String {
        let lines = locked(&self.0);
        match (lines.passed, lines.failed.len()) {
            (0, 0) => String::new(),
            (passed, 0) => format!(": {passed} tests"),
            (passed, failed) => format!(": {passed} passed, {failed} failed"),
        }
    }
}

/// Creates the file for the output of this run.
fn log_file(what: &str) -> Result<(fs::File, PathBuf)> {
    let folder = target_dir()?.join("test-logs");
    fs::create_dir_all(&folder)?;
    let path = folder.join(format!("{}-{}.log", what.replace([' ', ':', '/'], "-"), std::process::id()));
    Ok((fs::File::create(&path)?, path))
}

/// Starts a command and returns what it prints.
fn spawn(command: &mut Command) -> Result<(Child, PipeReader)> {
    let (reader, writer) = std::io::pipe()?;
    command.stdout(writer.try_clone()?).stderr(writer);
    let child = command.spawn().with_context(|| format!("could not start {command:?}"))?;
    // This process must not keep the pipe open.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    Ok((child, reader))
}

/// Reads the lines of a command in a thread: servers that it left behind may keep the pipe open.
fn lines(reader: PipeReader) -> mpsc::Receiver<String> {
    let (sender, lines) = mpsc::channel();
    thread::spawn(move || {
        for line in BufReader::new(reader).split(b'\n').map_while(Result::ok) {
            if sender.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                return;
            }
        }
    });
    lines
}

fn minutes(seconds: u64) -> String {
    format!("about {} min", seconds.div_ceil(60))
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log_with(names: &[&str]) -> Log {
        let log = Log::default();
        log.add_failed("it", names, false, |name| format!("run {name}"));
        log
    }

    fn names(tests: &[FailedTest]) -> Vec<&str> {
        tests.iter().map(|test| test.name.as_str()).collect()
    }

    #[test]
    fn a_test_that_passes_alone_is_unsteady_and_one_that_fails_again_has_failed() {
        let log = log_with(&["a", "b"]);
        assert!(!log.repeat_failed("it", |name| Ok(name == "a")).unwrap());
        let lines = locked(&log.0);
        assert_eq!((names(&lines.unsteady), names(&lines.failed)), (vec!["a"], vec!["b"]));
        assert_eq!(lines.passed, 1);
    }

    #[test]
    fn many_failed_tests_are_not_repeated() {
        let log = log_with(&["a", "b", "c", "d"]);
        assert!(!log.repeat_failed("it", |_| Ok(true)).unwrap());
        assert_eq!(locked(&log.0).failed.len(), 4);
    }

    #[test]
    fn a_test_of_another_program_is_not_touched() {
        let log = log_with(&["a"]);
        assert!(!log.repeat_failed("other", |_| Ok(true)).unwrap());
        assert_eq!(names(&locked(&log.0).failed), ["a"]);
    }
}
