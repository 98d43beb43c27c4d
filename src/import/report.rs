//! What an import did, and what it did not do and why.

use super::{find::LeftOut, problem::Problem};
use crate::plain::plain;
use std::{collections::BTreeMap, fmt};

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
    /// Articles that will leave the site.
    pub expiring: usize,
    /// Files that say that they are not for the public: drafts, with what says so.
    pub held: Vec<(String, Problem)>,
    /// Articles that people have in their hands, which were left as they are, with the reason.
    pub kept: Vec<(String, Problem)>,
    /// Files that were not taken over, with the reason.
    pub refused: Vec<(String, Problem)>,
    /// What ought to be looked at.
    pub warnings: Vec<(String, Problem)>,
    /// What is no article, by its kind.
    pub left_out: BTreeMap<String, LeftOut>,
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

    /// Notes a file that says that it is not for the public.
    pub fn hold(&mut self, path: &str, problem: Problem) {
        self.held.push((path.to_owned(), problem));
    }

    /// Notes an article that was left as it is at the desk.
    pub fn keep(&mut self, path: &str, why: String) {
        self.kept.push((path.to_owned(), Problem::at(1, why)));
    }

    /// The lines about single files: `refused posts/a.md:3: …`.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let line = |word: &str, (path, problem): &(String, Problem)| {
            format!("{word} {}:{}: {}", plain(path), problem.line, plain(&problem.why))
        };
        let left_out = self.left_out.iter().map(|(kind, files)| {
            let more = if files.count > files.names.len() { ", …" } else { "" };
            format!("left out {} {}: {}{more}", files.count, plain(kind), plain(&files.names.join(", ")))
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
