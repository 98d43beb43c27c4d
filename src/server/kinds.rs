//! The list of task kinds: one line for each kind. A kind is a file of its feature.

use crate::{articles, kinds::TaskKind, meetings, messages, releases, reminders, rules};

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
    &meetings::kinds::Release,
    &meetings::kinds::END,
    &meetings::kinds::ExtendSeries,
    &meetings::kinds::MailChanges,
    &messages::kinds::Send,
    &rules::kinds::Fire,
    &rules::kinds::SendSignal,
    &rules::kinds::Refuse,
    &rules::kinds::UpdateWaits,
    &reminders::kinds::Send,
];
