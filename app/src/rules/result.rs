//! Results of actions on rules: the URL names what was done.

use crate::{
    rules::server_fns::PauseRule,
    ui::result::{ActionResult, Undo, UndoForm},
};
use server_fn::ServerFn;
use texts::rules::RuleResultTexts;

/// Returns the result that the URL of a page names; `None`: it is about something else.
#[must_use]
pub fn of_url(path: &str, done: &str) -> Option<ActionResult> {
    let texts = RuleResultTexts::here();
    let id = path.strip_prefix("/rules")?.trim_start_matches('/');
    let sentence = match done {
        "create" => texts.created(),
        "save" => texts.saved(),
        "resume" => texts.resumed(),
        "take-over" => texts.taken_over(),
        "delete" => texts.deleted(),
        "pause" => {
            let undo = Undo::Form(UndoForm {
                function: PauseRule::PATH,
                fields: vec![("id", id.to_owned()), ("is_paused", "false".to_owned())],
                label: texts.undo_pause(),
            });
            return Some(ActionResult::new(texts.paused()).with_undo(undo));
        }
        _ => return None,
    };
    Some(ActionResult::new(sentence))
}
