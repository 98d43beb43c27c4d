//! Results of changes of several messages: the URL names what was done.

use crate::{messages::texts::MessageResultTexts, ui::action_result::ActionResult};

/// Begin of the value in the URL.
const PREFIX: &str = "messages";

/// Value in the URL: a notice was acknowledged.
pub const ACKNOWLEDGED: &str = "messages-acknowledged";

/// Value in the URL: what was done, and the number of changed and unchanged messages.
#[must_use]
pub fn value(what: &str, changed: u64, unchanged: u64) -> String {
    format!("{PREFIX}-{what}-{changed}-{unchanged}")
}

/// Returns the result that a value of the URL names; `None`: it is about something else.
#[must_use]
pub fn of_value(value: &str) -> Option<ActionResult> {
    let texts = MessageResultTexts::here();
    if value == ACKNOWLEDGED {
        return Some(ActionResult::new(texts.acknowledged()));
    }
    let mut parts = value.strip_prefix(PREFIX)?.strip_prefix('-')?.split('-');
    let (what, changed, unchanged) =
        (parts.next()?, parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    let sentence = match (what, changed) {
        (_, 0) => {
            let nothing = ActionResult::new(texts.none_changed());
            return Some(ActionResult { is_warning: true, ..nothing });
        }
        ("cancel", changed) => texts.cancelled(changed),
        ("run", changed) => texts.sent_now(changed),
        _ => return None,
    };
    Some(match unchanged {
        0 => ActionResult::new(sentence),
        unchanged => {
            ActionResult { is_warning: true, ..ActionResult::new(texts.some_left(sentence, unchanged)) }
        }
    })
}
