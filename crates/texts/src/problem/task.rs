//! Why a change of a task is refused.

use crate::{Language, time, zone_and_now};
use domain::{LocalizedTime, State, task::TaskRow};

sets!(problem: TaskProblemTexts);

/// Formats a time in the user's time zone.
pub(crate) fn shown(language: Language, at: LocalizedTime) -> String {
    let (zone, now) = zone_and_now();
    time::moment(language, at, &zone, now)
}

/// Says what the task is now. `is_changed`: it was changed concurrently. The error is the word for its
/// state, if there is nothing more to say.
pub(crate) fn task_conflict(language: Language, task: &TaskRow, is_changed: bool) -> Result<String, String> {
    let texts = TaskProblemTexts(language);
    match (task.state, task.executed) {
        (State::Executed, Some(at)) => Ok(texts.executed_at(shown(language, at))),
        (State::Scheduled, _) if is_changed => Ok(texts.moved_meanwhile(shown(language, task.due))),
        (state, _) => Err(crate::tasks::TaskTexts(language).state_of(state).to_lowercase()),
    }
}
