//! The commands in the documents for operators are commands of the program.

use crate::program::Program;

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
