//! Why a change of a task is refused.

use crate::texts::{
    Language,
    refusal::{RefusalTexts, shown},
    texts,
};
use domain::{State, task::TaskRow};

texts! {
    /// Refusals of changes of a task.
    TaskProblemTexts {
        executed_at(at: String) = "This was executed on {at} and can no longer be changed.", "已于 {at} 执行，无法再更改。";
        moved_meanwhile(at: String) = "This was changed in the meantime: it is now scheduled for {at}. Check it and try again.", "期间已被更改：现安排在 {at}。请查看后重试。";
    }
}

/// Says what the task is now. `is_changed`: it was changed concurrently.
pub(in crate::texts) fn task_conflict(language: Language, task: &TaskRow, is_changed: bool) -> String {
    let texts = TaskProblemTexts(language);
    match (task.state, task.executed) {
        (State::Executed, Some(at)) => texts.executed_at(shown(language, at)),
        (State::Scheduled, _) if is_changed => texts.moved_meanwhile(shown(language, task.due)),
        (state, _) => {
            let word = crate::tasks::texts::TaskTexts(language).state_of(state).to_lowercase();
            RefusalTexts(language).wrong_state(&word)
        }
    }
}
