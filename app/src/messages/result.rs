//! Results of changes of several messages: the URL names what was done.

use crate::ui::result::ActionResult;
use texts::messages::MessageResultTexts;

/// Begin of the value in the URL.
const PREFIX: &str = "messages";

/// Value in the URL: a notice was acknowledged.
pub const ACKNOWLEDGED: &str = "messages-acknowledged";

/// Value in the URL: a scheduled message got another channel.
pub const CHANNEL_CHANGED: &str = "messages-channel-changed";

/// Value in the URL: a failed message got another channel, and is sent now.
pub const CHANNEL_CHOSEN: &str = "messages-channel-chosen";

/// Value in the URL: what was done, and the number of changed and unchanged messages.
#[must_use]
pub fn value(what: &str, changed: u64, unchanged: u64) -> String {
    format!("{PREFIX}-{what}-{changed}-{unchanged}")
}

/// Returns the result that a value of the URL names; `None`: it is about something else.
#[must_use]
pub fn of_value(value: &str) -> Option<ActionResult> {
    let texts = MessageResultTexts::here();
    let sentence = match value {
        ACKNOWLEDGED => Some(texts.acknowledged()),
        CHANNEL_CHANGED => Some(texts.channel_changed()),
        CHANNEL_CHOSEN => Some(texts.channel_chosen()),
        _ => None,
    };
    if let Some(sentence) = sentence {
        return Some(ActionResult::new(sentence));
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
