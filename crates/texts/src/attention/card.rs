//! Texts of the cards of what needs a person.

use domain::engine::backups::BackupProblem;

sets!(attention: CardTexts);

impl CardTexts {
    /// What a retry of this number of tasks does.
    pub fn retry_tasks(self, n: u64) -> String {
        if n == 1 { self.retry_one().to_owned() } else { self.retry_many(n) }
    }

    /// Says how many items were retried.
    pub fn was_retried(self, n: u64) -> String {
        if n == 1 { self.one_was_retried().to_owned() } else { self.many_were_retried(n) }
    }

    /// Says how many items were dismissed.
    pub fn was_dismissed(self, n: u64) -> String {
        if n == 1 { self.one_was_dismissed().to_owned() } else { self.many_were_dismissed(n) }
    }

    /// Says how many items were rescheduled.
    pub fn was_moved(self, n: u64) -> String {
        if n == 1 { self.one_was_moved().to_owned() } else { self.many_were_moved(n) }
    }

    /// What resending this number of messages does.
    pub fn resend_hint(self, n: u64) -> String {
        if n == 1 { self.resend_one().to_owned() } else { self.resend_many(n) }
    }

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
