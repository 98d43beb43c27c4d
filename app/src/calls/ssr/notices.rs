//! What needs a person at channels, as the page of Attention shows it.

use crate::calls::tasks::Notice;
use domain::attention::{Entry, Severity};

/// Maximum number of messages that the page lists of a channel; its log has them all.
const LISTED: usize = 10;

/// The entries that are about channels; the other ones have rows of their own on the page. `is_admin`: whether the visitor may let a
/// channel go on.
#[must_use]
pub fn notices(entries: Vec<Entry>, is_admin: bool) -> Vec<Notice> {
    let notice = |entry: Entry| Notice {
        is_bad: entry.cause.severity() == Severity::Error,
        channel: entry.channel.filter(|_| is_admin),
        count: entry.count,
        title: entry.title,
        message: entry.message,
        items: entry.items.into_iter().take(LISTED).map(|item| (item.path, item.title)).collect(),
    };
    entries.into_iter().filter(|entry| entry.cause.is_of_channels()).map(notice).collect()
}
