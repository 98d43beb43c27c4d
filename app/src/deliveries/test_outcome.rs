//! The outcome of a test message, for the result of the action that has sent it.

use crate::{
    deliveries::server_fns::channel_log,
    live::live_value,
    ui::result::{ActionResult, words::result_words},
};
use domain::{
    channel::ChannelEvent,
    delivery::{DeliveryQuery, DeliveryRow, DeliveryState},
};
use leptos::prelude::*;
use texts::deliveries::ChannelTexts;

/// Value of `done` after a test was sent.
pub const TEST: &str = "test";
/// Number of deliveries among which the last test is looked for.
const MAX_ROWS: u32 = 10;

/// Follows the last test of a channel on the page that sent it; `None`: this page did not. The signal has the outcome once
/// it is known.
#[must_use]
pub fn follow_test(channel: String) -> Option<(&'static str, Signal<Option<ActionResult>>)> {
    let done = result_words().with_untracked(|words| words.get("done"));
    if done.as_deref() != Some(TEST) {
        return None;
    }
    let read = move || {
        let channel = channel.clone();
        async move {
            let query = DeliveryQuery { limit: Some(MAX_ROWS), ..DeliveryQuery::default() };
            let log = channel_log(channel, query).await;
            log.map(|log| log.page.items.into_iter().find(|row| row.event == ChannelEvent::Test))
        }
    };
    let is_relevant =
        |change: &domain::event::Signal| matches!(change.entity.as_str(), "channel" | "delivery");
    let last = live_value(None, false, is_relevant, read);
    Some((TEST, Signal::derive(move || last.with(|last| last.as_ref().and_then(outcome)))))
}

/// What became of a test; `None`: that is not known yet.
fn outcome(row: &DeliveryRow) -> Option<ActionResult> {
    let texts = ChannelTexts::here();
    let sentence = match row.state {
        DeliveryState::Delivered => return Some(ActionResult::new(texts.test_arrived())),
        DeliveryState::Failed => {
            let why = row.outcome.map(|outcome| texts.result_of(outcome, &row.answer));
            texts.test_failed(why.unwrap_or_default())
        }
        DeliveryState::Unconfirmed => texts.test_unconfirmed().to_owned(),
        _ => return None,
    };
    Some(ActionResult { is_warning: true, ..ActionResult::new(sentence) })
}
