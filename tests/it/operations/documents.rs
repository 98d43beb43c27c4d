//! What the documents name exists: the commands for operators, and what shows each requirement of the Application
//! Security Verification Standard.

use crate::program::Program;
use serde::Deserialize;
use std::{collections::BTreeMap, fs, path::Path};

const DOCUMENTS: [&str; 3] = [
    include_str!("../../../docs/INSTALL.md"),
    include_str!("../../../docs/UPGRADE.md"),
    include_str!("../../../docs/BACKUP.md"),
];
/// Number of calls that are certainly in them.
const MIN_CALLS: usize = 15;

/// Returns the arguments of a call of the program; `None`: it is another command.
fn arguments(command: &str) -> Option<Vec<&str>> {
    let command = command.split(" #").next()?.trim();
    let command = command.strip_prefix("sudo -u presstime ").unwrap_or(command);
    command.strip_prefix("presstime ").map(|rest| rest.split_whitespace().collect())
}

/// Returns the calls in blocks and in sentences.
fn calls(text: &str) -> Vec<Vec<&str>> {
    let (mut calls, mut is_block) = (Vec::new(), false);
    for line in text.lines() {
        if line.starts_with("```") {
            is_block = !is_block;
        } else if is_block {
            calls.extend(arguments(line));
        } else {
            calls.extend(line.split('`').skip(1).step_by(2).filter_map(arguments));
        }
    }
    calls
}

#[tokio::test]
async fn every_command_in_the_documents_exists_with_its_options() {
    let calls: Vec<Vec<&str>> = DOCUMENTS.iter().flat_map(|text| calls(text)).collect();
    assert!(calls.len() >= MIN_CALLS, "{calls:?}");
    let program = Program::new();
    for call in calls {
        // It reads the arguments before, and does nothing.
        let answer = program.run(&[&call[..], &["--help"]].concat()).await;
        assert_eq!(answer.code, 0, "presstime {}: {}", call.join(" "), answer.err);
    }
}

/// Number of requirements of the levels 1 and 2 in version 5.0.0.
const REQUIREMENTS: usize = 253;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Requirement {
    state: State,
    /// Files that show it.
    #[serde(default)]
    shown_by: Vec<String>,
    why: Option<String>,
}

#[derive(Deserialize, Clone, Copy, PartialEq)]
#[serde(rename_all = "snake_case")]
enum State {
    Met,
    Open,
    #[serde(rename = "not applicable")]
    NotApplicable,
}

#[test]
fn every_requirement_is_shown_by_a_file_that_exists_or_says_why_not() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join("docs/asvs.toml")).unwrap();
    let all: BTreeMap<String, Requirement> = toml::from_str(&text).unwrap();
    assert_eq!(all.len(), REQUIREMENTS);
    let is_file = |path: &String| root.join(path).is_file();
    let wrong = all.iter().filter(|(_, one)| match one.state {
        State::Met => one.shown_by.is_empty() || !one.shown_by.iter().all(is_file),
        State::Open | State::NotApplicable => one.why.is_none() || !one.shown_by.is_empty(),
    });
    assert_eq!(wrong.map(|(id, _)| id).collect::<Vec<_>>(), Vec::<&String>::new());
}
