//! Texts of the cards of what needs a person.

use domain::engine::backups::BackupProblem;

sets!(attention: CardTexts);

impl CardTexts {
    /// What is wrong with the backups, by [`BackupProblem`].
    pub fn backup_problem(self, problem: &str) -> &'static str {
        match problem.parse() {
            Ok(BackupProblem::NoSpace) => self.backup_no_space(),
            Ok(BackupProblem::NotRestorable) => self.backup_broken(),
            Ok(BackupProblem::Missed) | Err(_) => self.backup_missed(),
        }
    }

    /// What to do about the backups, by [`BackupProblem`].
    pub fn backup_hint(self, problem: &str) -> &'static str {
        match problem.parse() {
            Ok(BackupProblem::NoSpace) => self.backup_no_space_hint(),
            Ok(BackupProblem::NotRestorable) => self.backup_broken_hint(),
            Ok(BackupProblem::Missed) | Err(_) => self.backup_missed_hint(),
        }
    }

    /// Says that not all items are changed at once, if so.
    pub fn rest(self, all: u64, most: u64) -> Option<String> {
        (most < all).then(|| format!(" {}", self.newest_first(most)))
    }
}
