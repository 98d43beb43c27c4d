//! Why a change of a task is refused.

use crate::{Language, texts, time, zone_and_now};
use domain::{LocalizedTime, State, task::TaskRow};

texts! {
    /// Refusals of changes of a task.
    TaskProblemTexts {
        executed_at(at: String) = "This was executed on {at} and can no longer be changed.", "已于 {at} 执行，无法再更改。";
        moved_meanwhile(at: String) = "This was changed in the meantime: it is now scheduled for {at}. Check it and try again.", "期间已被更改：现安排在 {at}。请查看后重试。";
    }
}

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
