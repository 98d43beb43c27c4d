//! Terms as lines of text: one term a line, for import, export and the form of a list.
//!
//! `term`, `term => replacement`, `term ! exception | exception`, `/regular expression/`. Empty lines
//! and lines that begin with `#` are skipped.

use super::word_list::{MAX_NAMED_TERMS, Term, TermChanges};
use std::collections::HashSet;

const REPLACEMENT: &str = " => ";
const EXCEPTIONS: &str = " ! ";
const NEXT_EXCEPTION: &str = " | ";

/// Reads terms, one a line.
#[must_use]
pub fn read_terms(text: &str) -> Vec<Term> {
    let text = text.trim_start_matches('\u{feff}');
    text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')).map(read).collect()
}

fn read(line: &str) -> Term {
    let (rest, replacement) = match line.split_once(REPLACEMENT) {
        Some((rest, replacement)) => (rest.trim(), Some(replacement.trim().to_owned())),
        // A replacement by nothing.
        None => match line.strip_suffix(REPLACEMENT.trim_end()) {
            Some(rest) => (rest.trim(), Some(String::new())),
            None => (line, None),
        },
    };
    let pattern = rest.strip_prefix('/').and_then(|rest| rest.strip_suffix('/'));
    if let Some(pattern) = pattern.filter(|pattern| !pattern.is_empty()) {
        return Term { term: pattern.to_owned(), replacement, is_pattern: true, ..Term::default() };
    }
    let (term, exceptions) = rest.split_once(EXCEPTIONS).unwrap_or((rest, ""));
    let exceptions = exceptions.split('|').map(str::trim).filter(|text| !text.is_empty());
    Term {
        term: term.trim().to_owned(),
        exceptions: exceptions.map(str::to_owned).collect(),
        replacement,
        is_pattern: false,
    }
}

/// Writes terms, one a line.
#[must_use]
pub fn write_terms(terms: &[Term]) -> String {
    let mut text = String::new();
    for term in terms {
        write_term(term, &mut text);
        text.push('\n');
    }
    text
}

fn write_term(term: &Term, text: &mut String) {
    if term.is_pattern {
        text.extend(["/", &term.term, "/"]);
    } else {
        text.push_str(&term.term);
    }
    if !term.exceptions.is_empty() {
        text.push_str(EXCEPTIONS);
        text.push_str(&term.exceptions.join(NEXT_EXCEPTION));
    }
    if let Some(replacement) = &term.replacement {
        text.push_str(REPLACEMENT);
        text.push_str(replacement);
    }
}

/// Compares the terms of a list before and after a change. Takes time linear in their number.
#[must_use]
pub fn term_changes(before: &[Term], after: &[Term]) -> TermChanges {
    let lines = |terms: &[Term]| terms.iter().map(line).collect::<Vec<String>>();
    let (before, after) = (lines(before), lines(after));
    let (added, added_count) = missing_in(&after, &before);
    let (removed, removed_count) = missing_in(&before, &after);
    TermChanges { added, added_count, removed, removed_count }
}

fn line(term: &Term) -> String {
    let mut text = String::new();
    write_term(term, &mut text);
    text
}

/// The first lines that are not among the others, and the number of all of them.
fn missing_in(lines: &[String], others: &[String]) -> (Vec<String>, u64) {
    let others: HashSet<&str> = others.iter().map(String::as_str).collect();
    let (mut named, mut count) = (Vec::new(), 0);
    for line in lines.iter().filter(|line| !others.contains(line.as_str())) {
        count += 1;
        if named.len() < MAX_NAMED_TERMS {
            named.push(line.clone());
        }
    }
    (named, count)
}

#[cfg(test)]
mod lines_tests {
    use crate::review::term_lines::*;

    #[test]
    fn terms_are_read_as_they_were_written() {
        let term = |term: &str| Term { term: term.to_owned(), ..Term::default() };
        let terms = [
            term("casino"),
            Term { exceptions: vec!["路口交通".to_owned(), "b c".to_owned()], ..term("口交") },
            Term { replacement: Some("two words".to_owned()), ..term("one word") },
            Term { replacement: Some(String::new()), ..term("gone") },
            Term { is_pattern: true, ..term("qq\\d{5}|a ! b") },
        ];
        assert_eq!(read_terms(&write_terms(&terms)), terms);
    }

    #[test]
    fn a_change_names_what_it_added_and_removed() {
        let before = read_terms("casino\nlottery\n口交 ! 路口交通\n");
        let after = read_terms("lottery\n口交\ncasino => game\n");
        let changes = term_changes(&before, &after);
        assert_eq!(changes.added, ["口交", "casino => game"]);
        assert_eq!(changes.removed, ["casino", "口交 ! 路口交通"]);
        assert_eq!((changes.added_count, changes.removed_count), (2, 2));
        let many: Vec<Term> = (0..30).map(|at| Term { term: format!("t{at}"), ..Term::default() }).collect();
        let changes = term_changes(&[], &many);
        assert_eq!((changes.added.len(), changes.added_count, changes.removed_count), (20, 30, 0));
        assert_eq!(term_changes(&many, &many), TermChanges::default());
    }

    #[test]
    fn blank_lines_and_comments_are_skipped() {
        let terms = read_terms("\u{feff}# games\r\n\r\n  casino  \r\n/\n");
        assert_eq!(terms.iter().map(|term| term.term.as_str()).collect::<Vec<_>>(), ["casino", "/"]);
    }
}
