//! Tests the API against its own OpenAPI document: Schemathesis generates requests from it and
//! checks the responses.

use crate::{
    install,
    proc::{output, program, root, say, target_dir},
};
use anyhow::{Context, Result, anyhow, bail};
use std::{
    fs,
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Child, Command, Stdio},
};

/// Seed of the generated requests.
const SEED: &str = "20260609";
/// Generated requests per operation, in addition to those for each limit in the document.
const MAX_EXAMPLES: &str = "10";
/// Number of threads that send requests. With two it is not faster, and in Python 3.11 it sometimes
/// fails with "AST constructor recursion depth mismatch".
const WORKERS: &str = "1";
/// Minimum number of requests of a run. With fewer, the test has not covered the API.
const MIN_REQUESTS: u32 = 1_000;
/// Account whose token the requests carry.
const ADMIN: &str = "ada@example.org";

/// Starts the server on a new data folder and sends requests that the document allows and requests
/// that it does not allow. Fails if a response differs from the document.
pub fn test(presstime: &Path) -> Result<()> {
    say(&format!("API against its OpenAPI document, seed {SEED}"));
    let folder = target_dir()?.join("contract").join(std::process::id().to_string());
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder)?;
    let token = create_token(presstime, &folder)?;
    // Without the engine, so that nothing is sent to the generated channels.
    let mut server = command(presstime, &folder, &["serve", "--role", "web", "--listen", "127.0.0.1:0"])
        .args(["--requests-per-second", "0", "--mib-per-day", "0", "--log-level", "warn"])
        .stdout(Stdio::piped())
        .spawn()?;
    let output = server.stdout.take().context("no standard output")?;
    let mut lines = BufReader::new(output).lines();
    let url = lines.by_ref().find_map(|line| Some(line.ok()?.strip_prefix("Presstime is at ")?.to_owned()));
    let result = match url {
        Some(url) => send_requests(&url, &token, &folder),
        None => Err(anyhow!("the server did not start")),
    };
    stop(server)?;
    fs::remove_dir_all(&folder)?;
    result
}

/// Returns a command of the program that uses this data folder.
fn command(presstime: &Path, folder: &Path, args: &[&str]) -> Command {
    let mut command = program(&presstime.to_string_lossy());
    command.args(args).arg("--data").arg(folder);
    command
}

/// Adds an admin and returns a token of it.
fn create_token(presstime: &Path, folder: &Path) -> Result<String> {
    let args = ["user", "add", "--email", ADMIN, "--name", "Ada", "--role", "admin", "--password-stdin"];
    let mut adding = command(presstime, folder, &args).stdin(Stdio::piped()).spawn()?;
    adding.stdin.take().context("no standard input")?.write_all(b"correct horse one")?;
    if !adding.wait()?.success() {
        bail!("could not add an admin");
    }
    let token = output(&mut command(presstime, folder, &["token", "create", "--user", ADMIN]))?;
    Ok(token.trim().to_owned())
}

/// Runs Schemathesis. If a response differs or too few requests were sent, the error contains its
/// output.
fn send_requests(url: &str, token: &str, folder: &Path) -> Result<()> {
    let output = install::schemathesis()?
        .arg("--config-file")
        .arg(root().join("xtask/schemathesis.toml"))
        .args(["run", &format!("{url}/api/v1/openapi.json"), "--wait-for-schema", "30"])
        .args(["--checks", "all", "--seed", SEED, "--max-examples", MAX_EXAMPLES, "--workers", WORKERS])
        .args(["--generation-database", "none", "--continue-on-failure", "--no-color"])
        .args(["--header", &format!("Authorization: Bearer {token}")])
        .current_dir(folder)
        .stderr(Stdio::inherit())
        .output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let count = request_count(&text);
    if !output.status.success() {
        bail!("{text}\nthe API differs from its OpenAPI document");
    }
    if count < MIN_REQUESTS {
        bail!("{text}\nonly {count} requests were generated, at least {MIN_REQUESTS} are needed");
    }
    say(&format!("{count} requests, no difference"));
    Ok(())
}

/// Reads the number of requests from the summary of Schemathesis: `2227 generated, …`. Returns 0
/// without a summary.
fn request_count(text: &str) -> u32 {
    let before = text.rsplit_once(" generated").map_or("", |(before, _)| before);
    before.split_whitespace().next_back().and_then(|count| count.replace(',', "").parse().ok()).unwrap_or(0)
}

fn stop(mut server: Child) -> Result<()> {
    server.kill()?;
    server.wait()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::request_count;

    #[test]
    fn the_number_of_requests_is_read_from_the_summary() {
        let text = "Test cases:\n  2227 generated, 21 found 21 unique failures, 24 skipped\n\nSeed: 1\n";
        assert_eq!(request_count(text), 2227);
        assert_eq!(request_count("Test cases:\n  10,500 generated, 10,500 passed\n"), 10_500);
        assert_eq!(request_count("nothing"), 0);
    }
}
