//! `docs/asvs.toml`: what shows each requirement of the Application Security Verification Standard.

use serde::Deserialize;
use std::{collections::BTreeMap, fs, path::Path};

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
