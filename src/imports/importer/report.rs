//! Result of an import.

use super::{find::LeftOut, problem::Problem};
use crate::process::sanitize::sanitize;
use std::{collections::BTreeMap, fmt};

/// Result of an import.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// Number of new articles.
    pub created: usize,
    /// Number of new revisions.
    pub updated: usize,
    /// Number of unchanged files.
    pub unchanged: usize,
    /// Number of published articles.
    pub published: usize,
    /// Number of scheduled articles.
    pub scheduled: usize,
    /// Number of articles scheduled to be unpublished.
    pub expiring: usize,
    /// Number of pictures that were stored, or would be.
    pub pictures: usize,
    /// Titles of posts, by their id.
    pub titles: BTreeMap<String, String>,
    /// Files marked as not public, with the reason.
    pub held: Vec<(String, Problem)>,
    /// Articles changed at the desk, which were kept as they are, with the reason.
    pub kept: Vec<(String, Problem)>,
    /// Files that were not imported, with the reason.
    pub refused: Vec<(String, Problem)>,
    /// Warnings.
    pub warnings: Vec<(String, Problem)>,
    /// Files that are not articles, by kind.
    pub left_out: BTreeMap<String, LeftOut>,
}

impl Report {
    /// Adds a file that was not imported.
    pub fn refuse(&mut self, path: &str, problem: Problem) {
        self.refused.push((path.to_owned(), problem));
    }

    /// Adds a warning.
    pub fn warn(&mut self, path: &str, problem: Problem) {
        self.warnings.push((path.to_owned(), problem));
    }

    /// Adds a file marked as not public.
    pub fn hold(&mut self, path: &str, problem: Problem) {
        self.held.push((path.to_owned(), problem));
    }

    /// Adds an article that was kept as it is.
    pub fn keep(&mut self, path: &str, why: String) {
        self.kept.push((path.to_owned(), Problem::at(1, why)));
    }

    /// Returns one line for each entry, e.g. `refused posts/a.md:3: …`.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let line = |word: &str, (path, problem): &(String, Problem)| {
            let line = if problem.line == 0 { String::new() } else { format!(":{}", problem.line) };
            format!("{word} {}{line}: {}", sanitize(path), sanitize(&problem.why))
        };
        let left_out = self.left_out.iter().map(|(kind, files)| {
            let more = match files.names.len() {
                0 => "…",
                shown if files.count > shown => ", …",
                _ => "",
            };
            format!(
                "left out {} {}: {}{more}",
                files.count,
                sanitize(kind),
                sanitize(&files.names.join(", "))
            )
        });
        let warnings = self.warnings.iter().map(|entry| line("warning", entry));
        let held = self.held.iter().map(|entry| line("held back", entry));
        let kept = self.kept.iter().map(|entry| line("left", entry));
        let refused = self.refused.iter().map(|entry| line("refused", entry));
        left_out.chain(warnings).chain(held).chain(kept).chain(refused).collect()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { created, updated, unchanged, published, scheduled, refused, .. } = self;
        let refused = refused.len();
        write!(
            f,
            "{created} created, {updated} updated, {unchanged} unchanged, {published} published, {scheduled} scheduled, {refused} refused"
        )?;
        let left_out = self.left_out.values().map(|files| files.count).sum::<usize>();
        for (count, words) in [
            (self.expiring, "will be unpublished"),
            (self.pictures, "pictures"),
            (self.held.len(), "held back as drafts"),
            (self.kept.len(), "left as they are at the desk"),
            (left_out, "other files left out"),
        ] {
            if count > 0 {
                write!(f, ", {count} {words}")?;
            }
        }
        Ok(())
    }
}
