//! Progress and result: a line when a part starts and ends, the estimate of the rest, and at the
//! end each test that failed with the command that repeats it.

use super::part::Part;
use crate::proc::{say, target_dir};
use anyhow::{Context, Result, bail};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
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
    durations: Vec<(f64, String)>,
}

struct FailedTest {
    name: String,
    command: String,
}

/// What a line of a test runner says.
pub enum Line<'a> {
    /// A test has passed, with its seconds where they are known.
    Passed(&'a str, Option<f64>),
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
            for FailedTest { name, command } in &locked(&log.0).failed {
                eprintln!("  {name}\n    {command}");
            }
        }
        println!("{passed} passed, {failed} failed");
        if !errors.is_empty() {
            let names: Vec<&str> = errors.iter().map(|done| done.part.title()).collect();
            bail!("failed: {}", names.join(", "));
        }
        Ok(())
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
                    failures += self.add_failed(what, &names, &repeat);
                    break;
                }
            };
            writeln!(file, "{line}")?;
            match read(&line) {
                Line::Running(name) => drop(running.insert(name.to_owned())),
                Line::Passed(name, seconds) => {
                    running.remove(name);
                    let mut lines = locked(&self.0);
                    lines.passed += 1;
                    lines.durations.extend(seconds.map(|seconds| (seconds, format!("{what} {name}"))));
                    count += 1;
                }
                Line::Failed(name) => {
                    running.remove(name);
                    failures += self.add_failed(what, &[name], &repeat);
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
        if status.success() {
            let closing = output.iter().rfind(|line| line.starts_with("test result: "));
            println!("{what}: {}", closing.map_or("passed", String::as_str));
            return Ok(Vec::new());
        }
        let is_first_failure = |line: &String| line == "failures:" || line.starts_with("  1) [");
        let begin = output.iter().position(is_first_failure);
        let begin = begin.unwrap_or(output.len().saturating_sub(LAST_LINES));
        eprintln!("{}\n(all output: {})", output[begin..].join("\n"), path.display());
        Ok(vec![if failures == 0 {
            format!("{what} ended with {status}")
        } else {
            format!("{what}, {failures} tests")
        }])
    }

    /// Says and keeps that these tests have failed, and returns how many.
    fn add_failed(&self, what: &str, names: &[&str], repeat: impl Fn(&str) -> String) -> u64 {
        for name in names {
            say(&format!("{what}: FAILED {name}"));
            let test = FailedTest { name: format!("{what} {name}"), command: repeat(name) };
            locked(&self.0).failed.push(test);
        }
        names.len() as u64
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
