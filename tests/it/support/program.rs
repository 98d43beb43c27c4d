//! The built program, run as an operator runs it, with its own data folder.

use crate::http_client::{HttpClient, client};
use std::{path::PathBuf, process::Stdio, time::Duration};
use tempfile::TempDir;
use tokio::{
    io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, Lines},
    process::{Child, ChildStdout, Command},
};

/// The program and the folder of its data.
pub struct Program {
    folder: TempDir,
}

/// Result of a run.
#[derive(Debug)]
pub struct Answer {
    /// Exit code; −1: ended by a signal.
    pub code: i32,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

/// A running server.
pub struct Serving {
    /// Its URL; empty for a node without a web server.
    pub url: String,
    /// What it printed before it was ready.
    pub greeting: String,
    child: Child,
    _lines: Lines<BufReader<ChildStdout>>,
}

impl Program {
    /// The program with an empty folder.
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a temporary folder") }
    }

    /// Its working folder.
    pub fn folder(&self) -> PathBuf {
        self.folder.path().to_path_buf()
    }

    /// Its data folder, which the first run creates.
    pub fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// Runs it to the end.
    pub async fn run(&self, arguments: &[&str]) -> Answer {
        self.run_with(arguments, &[], "").await
    }

    /// Runs it to the end with environment variables and standard input.
    pub async fn run_with(&self, arguments: &[&str], environment: &[(&str, &str)], input: &str) -> Answer {
        let mut command = self.command(arguments);
        command.envs(environment.iter().copied()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program is built");
        let mut stdin = child.stdin.take().expect("its input");
        // It may exit without reading.
        let _ = stdin.write_all(input.as_bytes()).await;
        drop(stdin);
        let output = child.wait_with_output().await.expect("it ends");
        Answer {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8(output.stdout).expect("its output is text"),
            err: String::from_utf8(output.stderr).expect("its error output is text"),
        }
    }

    /// Runs it, and kills it after this time unless it has ended.
    pub async fn kill_after(&self, arguments: &[&str], time: Duration) {
        let mut command = self.command(arguments);
        let mut child =
            command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program is built");
        if tokio::time::timeout(time, child.wait()).await.is_err() {
            child.kill().await.expect("it can be killed");
        }
    }

    /// Starts a server on a free port and waits until it is ready.
    pub async fn serve(&self, arguments: &[&str]) -> Serving {
        self.serve_at("127.0.0.1:0", arguments).await
    }

    /// Starts a server on this address and waits until it is ready.
    pub async fn serve_at(&self, listen: &str, arguments: &[&str]) -> Serving {
        let serving = self.start(&[&["serve", "--listen", listen], arguments].concat()).await;
        assert!(!serving.url.is_empty(), "it did not start: {}", serving.greeting);
        serving
    }

    /// Starts an engine without a web server and waits until it is ready.
    pub async fn work(&self, arguments: &[&str]) -> Serving {
        let serving = self.start(&[&["work"], arguments].concat()).await;
        assert!(serving.greeting.contains("Presstime engine "), "it did not start: {}", serving.greeting);
        serving
    }

    /// Returns what a server logs between start and stop, with one request in between.
    pub async fn log(&self, arguments: &[&str], path: &str) -> String {
        let file = self.folder().join("log");
        let mut command = self.command(&[&["serve", "--listen", "127.0.0.1:0"], arguments].concat());
        command.stderr(std::fs::File::create(&file).expect("a file"));
        let serving = Self::listen(command).await;
        serving.client().get(path).await;
        assert_eq!(serving.end().await, 0);
        std::fs::read_to_string(file).expect("its log is text")
    }

    async fn start(&self, arguments: &[&str]) -> Serving {
        Self::listen(self.command(arguments)).await
    }

    async fn listen(mut command: Command) -> Serving {
        let mut child = command.spawn().expect("the program is built");
        let mut lines = BufReader::new(child.stdout.take().expect("its output")).lines();
        let (mut greeting, mut url) = (String::new(), String::new());
        while let Some(line) = lines.next_line().await.expect("its output is text") {
            greeting.push_str(&line);
            greeting.push('\n');
            if let Some(address) = line.strip_prefix("Presstime is at ") {
                url = address.to_owned();
            }
            if line == "Stop it with Ctrl-C." {
                break;
            }
        }
        Serving { url, greeting, child, _lines: lines }
    }

    /// Creates an admin and returns a token.
    pub async fn admin(&self, storage: &[&str]) -> String {
        let email = "ann@desk.test";
        let add = ["user", "add", "--email", email, "--name", "Ann", "--role", "admin", "--password-stdin"];
        let added = self.run_with(&[&add[..], storage].concat(), &[], "a good long word\n").await;
        assert_eq!(added.code, 0, "{}", added.err);
        let token = self.run(&[&["token", "create", "--user", email][..], storage].concat()).await;
        assert_eq!(token.code, 0, "{}", token.err);
        token.out.trim().to_owned()
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(test_support::program(env!("CARGO_BIN_EXE_presstime")));
        command
            .args(arguments)
            .env_clear()
            .envs([("PATH", "/usr/bin:/bin")])
            .current_dir(self.folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true);
        command
    }
}

impl Answer {
    /// Asserts a message without backtrace, control characters and debug output.
    #[track_caller]
    pub fn is_plain(&self) {
        assert!(!self.err.trim().is_empty(), "it prints no error");
        for ugly in ["panicked", "RUST_BACKTRACE", "stack backtrace", "Error {", "\u{1b}"] {
            assert!(!self.err.contains(ugly), "{}", self.err);
        }
    }
}

impl Serving {
    /// A client without a token.
    pub fn client(&self) -> HttpClient {
        HttpClient { client: client(false), url: self.url.clone(), token: None }
    }

    /// Its resident memory in KiB.
    pub fn resident(&self) -> u64 {
        let pid = self.child.id().expect("it runs");
        let status = std::fs::read_to_string(format!("/proc/{pid}/status")).expect("procfs is readable");
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("its memory");
        line.split_whitespace().next().and_then(|kib| kib.parse().ok()).expect("a number")
    }

    /// Kills it with SIGKILL.
    pub async fn kill(mut self) {
        self.child.kill().await.expect("it is killed");
    }

    /// Sends a signal, e.g. `-HUP`.
    pub async fn signal(&self, signal: &str) {
        let pid = self.child.id().expect("it runs").to_string();
        let kill = Command::new("kill").args([signal, &pid]).status().await.expect("kill");
        assert!(kill.success());
    }

    /// Stops it with SIGTERM, as systemd does, and returns its exit code.
    pub async fn end(self) -> i32 {
        self.signal("-TERM").await;
        self.ended().await
    }

    /// Waits until it stops without a signal, and returns its exit code.
    pub async fn ended(mut self) -> i32 {
        self.child.wait().await.expect("it ends").code().unwrap_or(-1)
    }
}
