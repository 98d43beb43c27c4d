//! What an import did, and what it did not do and why.

use super::problem::Problem;
use crate::plain::plain;
use std::fmt;

/// What became of the files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// New articles.
    pub created: usize,
    /// New revisions.
    pub updated: usize,
    /// Files that are what they were.
    pub unchanged: usize,
    /// Articles that became public.
    pub published: usize,
    /// Articles that will become public.
    pub scheduled: usize,
    /// Files that were not taken over, with the reason.
    pub refused: Vec<(String, Problem)>,
    /// What ought to be looked at.
    pub warnings: Vec<(String, Problem)>,
}

impl Report {
    /// Notes a file that was not taken over.
    pub fn refuse(&mut self, path: &str, problem: Problem) {
        self.refused.push((path.to_owned(), problem));
    }

    /// Notes something to look at.
    pub fn warn(&mut self, path: &str, problem: Problem) {
        self.warnings.push((path.to_owned(), problem));
    }

    /// The lines about single files: `refused posts/a.md:3: …`.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let line = |word: &str, (path, problem): &(String, Problem)| {
            format!("{word} {}:{}: {}", plain(path), problem.line, plain(&problem.why))
        };
        let warnings = self.warnings.iter().map(|entry| line("warning", entry));
        warnings.chain(self.refused.iter().map(|entry| line("refused", entry))).collect()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { created, updated, unchanged, published, scheduled, refused, .. } = self;
        let refused = refused.len();
        write!(
            f,
            "{created} created, {updated} updated, {unchanged} unchanged, {published} published, {scheduled} scheduled, {refused} refused"
        )
    }
}
