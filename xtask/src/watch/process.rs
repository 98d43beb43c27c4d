//! The running server: a child process that is stopped gracefully.

use anyhow::{Context, Result};
use std::{
    io::{BufRead as _, BufReader, Write as _},
    process::{Child, ChildStdout, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

/// Start of the line that the server prints when it listens (`src/server/cli/node/serve.rs`).
const READY_LINE: &str = "Presstime is at ";
/// Timeout for the graceful stop. The server itself aborts open work after 22 s.
const STOP_TIMEOUT: Duration = Duration::from_secs(25);
/// Interval of the checks whether it has stopped.
const STOP_CHECK_INTERVAL: Duration = Duration::from_millis(10);

/// What the server reports by its standard output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Report {
    /// It listens.
    Ready,
    /// It closed its output: it ended.
    Ended,
}

/// The server. It is stopped on drop.
pub struct ServerProcess {
    child: Child,
}

impl ServerProcess {
    /// Starts the server; its output goes to the standard output of this process.
    pub fn start(mut command: Command, report: impl Fn(Report) + Send + 'static) -> Result<Self> {
        let started = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn();
        let mut child = started.context("presstime did not start")?;
        if let Some(output) = child.stdout.take() {
            thread::spawn(move || copy_output(output, report));
        }
        Ok(Self { child })
    }

    fn has_ended(&mut self) -> bool {
        self.child.try_wait().is_ok_and(|status| status.is_some())
    }

    /// Sends SIGTERM and waits until the server has finished its work; kills it after the timeout.
    fn stop(&mut self) {
        if self.has_ended() {
            return;
        }
        let pid = self.child.id().to_string();
        let _ = Command::new("sh").args(["-c", "kill -TERM \"$0\"", &pid]).status();
        let begun = Instant::now();
        while !self.has_ended() {
            if begun.elapsed() > STOP_TIMEOUT {
                let _ = self.child.kill();
                let _ = self.child.wait();
                return;
            }
            thread::sleep(STOP_CHECK_INTERVAL);
        }
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        self.stop();
    }
}

fn copy_output(output: ChildStdout, report: impl Fn(Report)) {
    for line in BufReader::new(output).lines().map_while(Result::ok) {
        let _ = writeln!(std::io::stdout(), "{line}");
        if line.starts_with(READY_LINE) {
            report(Report::Ready);
        }
    }
    report(Report::Ended);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    /// A shell script in place of a server.
    fn server(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn the_server_is_ready_with_its_first_line_and_finishes_its_work_when_it_is_stopped() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("finished");
        let script = "trap 'echo yes >\"$FILE\"; exit 0' TERM; echo 'Presstime is at http://x'; \
                      while :; do sleep 0.05; done";
        let (sender, reports) = channel();
        let mut command = server(script);
        command.env("FILE", &file);
        let mut running =
            ServerProcess::start(command, move |report| sender.send(report).unwrap_or_default()).unwrap();
        assert_eq!(reports.recv(), Ok(Report::Ready));
        assert!(!running.has_ended());
        drop(running);
        assert_eq!(std::fs::read_to_string(file).unwrap(), "yes\n");
        assert_eq!(reports.recv(), Ok(Report::Ended));
    }

    #[test]
    fn a_server_that_ends_by_itself_is_reported() {
        let (sender, reports) = channel();
        let mut failed =
            ServerProcess::start(server("exit 3"), move |report| sender.send(report).unwrap_or_default())
                .unwrap();
        assert_eq!(reports.recv(), Ok(Report::Ended));
        assert_eq!(failed.child.wait().unwrap().code(), Some(3));
        assert!(failed.has_ended());
    }
}
