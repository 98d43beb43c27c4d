//! The result of *Back up now*.

use crate::ui::result::ActionResult;
use domain::engine::backups::BackupState;
use texts::engine::backups::BackupTexts;

/// Value of `done` in the URL after a backup.
#[must_use]
pub fn url_value(state: BackupState) -> &'static str {
    match state {
        BackupState::Written => "backup-written",
        BackupState::Running => "backup-running",
        BackupState::Skipped | BackupState::Failed | BackupState::Interrupted => "backup-failed",
    }
}

/// Returns the result that such a value names; `None`: another one.
#[must_use]
pub fn of_url_value(done: &str) -> Option<ActionResult> {
    match done {
        "backup-written" => Some(of_state(BackupState::Written)),
        "backup-running" => Some(of_state(BackupState::Running)),
        "backup-failed" => Some(of_state(BackupState::Failed)),
        _ => None,
    }
}

/// The backup ended in this state.
#[must_use]
pub fn of_state(state: BackupState) -> ActionResult {
    let texts = BackupTexts::here();
    match state {
        BackupState::Written => ActionResult::new(texts.is_written()),
        BackupState::Running => ActionResult::new(texts.is_running()),
        BackupState::Skipped | BackupState::Failed | BackupState::Interrupted => {
            ActionResult { is_warning: true, ..ActionResult::new(texts.is_not_written()) }
        }
    }
}
