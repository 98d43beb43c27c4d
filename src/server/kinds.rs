//! The list of task kinds: one line for each kind. A kind is a file of its feature.

use crate::{
    articles::{self, review::unreviewed_items},
    kinds::TaskKind,
    meetings, messages, releases, reminders, rules,
};
use futures::future::BoxFuture;
use store::{Conn, StoreError};

/// The kinds of this release.
pub const KINDS: &[&dyn TaskKind] = &[
    &articles::kinds::Publish,
    &articles::kinds::Unpublish,
    &articles::kinds::REVIEW_WARN,
    &articles::kinds::REVIEW_WARN_AGAIN,
    &articles::kinds::ReviewDecide,
    &releases::kinds::Publish,
    &releases::kinds::Revert,
    &meetings::kinds::WARN,
    &meetings::kinds::WARN_AGAIN,
    &meetings::kinds::WAIT,
    &meetings::kinds::OFFER,
    &meetings::kinds::Decide,
    &meetings::kinds::START,
    &meetings::kinds::WarnRelease,
    &meetings::kinds::Release,
    &meetings::kinds::END,
    &meetings::kinds::ExtendSeries,
    &meetings::kinds::MailChanges,
    &messages::kinds::Send,
    &rules::kinds::Fire { refused_words },
    &rules::kinds::SendSignal,
    &rules::kinds::Refuse,
    &rules::kinds::UpdateWaits,
    &reminders::kinds::SENDING,
    &reminders::kinds::IN_BELL,
];

fn refused_words(
    conn: Conn<'_>,
    texts: Vec<String>,
) -> BoxFuture<'_, Result<Vec<Option<String>>, StoreError>> {
    Box::pin(unreviewed_items::refused_terms(conn, texts))
}
