//! The result of a request to send while all messages are held.

use crate::ui::result::{ActionResult, ResultLink};
use texts::deliveries::ChannelTexts;

/// Says it, and links to the page where an admin confirms that messages are sent.
#[must_use]
pub fn held_result(texts: ChannelTexts) -> ActionResult {
    let link = ResultLink { href: "/engine".to_owned(), label: texts.all_held_link(), is_external: false };
    ActionResult { is_warning: true, link: Some(link), ..ActionResult::new(texts.all_held_result()) }
}
