//! What a channel does, in words. Only deliveries and decisions about the channel itself change it.

use crate::{
    live::live,
    session::visitor,
    ui::{icon::Icon, time::date_time::Relative},
};
use domain::{
    Timestamp,
    channel::{Channel, ChannelCondition, ChannelHealth, ChannelState, DeletionProgress},
    delivery::Answer,
};
use leptos::prelude::*;
use texts::{
    deliveries::ChannelTexts,
    number::{counted, grouped},
};

/// State of a channel.
#[component]
pub fn ChannelMark(
    /// The channel.
    channel: Channel,
) -> impl IntoView {
    let (held, shown) = (live().are_deliveries_held(), channel.clone());
    let mark = move || match channel.condition() {
        _ if is_held(&channel, held.get()) => ("cancelled", "pause"),
        ChannelCondition::Delivering => ("executed", "executed"),
        ChannelCondition::Failing => ("failed", "attention"),
        ChannelCondition::Paused => ("cancelled", "pause"),
        ChannelCondition::SwitchedOff => ("failed", "failed"),
        ChannelCondition::Deleting => ("cancelled", "cancelled"),
        ChannelCondition::NeverUsed | ChannelCondition::NothingDelivered => ("scheduled", "scheduled"),
    };
    move || {
        let (phase, icon) = mark();
        view! {
            <span class="phase no-animation" data-phase=phase><Icon name=icon /><ConditionWord channel=shown.clone() /></span>
        }
    }
}

/// Whether the channel would send, but all messages are held.
fn is_held(channel: &Channel, are_all_held: bool) -> bool {
    are_all_held && channel.state == ChannelState::Active
}

/// What a channel does, in a word or two.
#[component]
pub fn ConditionWord(
    /// The channel.
    channel: Channel,
) -> impl IntoView {
    let (texts, held) = (ChannelTexts::here(), live().are_deliveries_held());
    let me = visitor().account.map(|account| account.id);
    let is_mine = me.is_some() && channel.paused_by == me;
    move || match channel.condition() {
        _ if is_held(&channel, held.get()) => texts.held(),
        ChannelCondition::Paused if is_mine => texts.paused_by_you(),
        condition => texts.condition(condition),
    }
}

/// `8 in a row · server error 500 “no room” · 30 not delivered · next try in 3 min`; when it works:
/// what waits, and the last delivery. Empty if there is nothing to say.
#[component]
pub fn HealthLine(
    /// Statistics of the channel.
    health: ChannelHealth,
) -> impl IntoView {
    let texts = ChannelTexts::here();
    let parts = parts(texts, &health).join(" · ");
    let has_parts = !parts.is_empty();
    let next = next_attempt(&health).map(|at| view! { <NextTry at=at has_before=has_parts /> });
    let has_next = next.is_some();
    let last = health.succeeded_at.map(|at| {
        let dot = if has_parts || has_next { " · " } else { "" };
        view! { <span>{dot}{texts.last_delivered()}" "<Relative at=at /></span> }
    });
    view! { <span class="muted detail">{parts}{next}{last}</span> }
}

/// `412,000 of 1,000,000 messages still to cancel`, of a channel that is being deleted.
#[component]
pub fn DeletionLine(
    /// How far the deletion is.
    progress: DeletionProgress,
) -> impl IntoView {
    let DeletionProgress { remaining, total } = progress;
    let text = ChannelTexts::here().deleting_progress(grouped(remaining), grouped(total));
    view! { <span class="muted detail">{text}</span> }
}

fn parts(texts: ChannelTexts, health: &ChannelHealth) -> Vec<String> {
    let failing = health.is_failing();
    let answer = Answer { status: health.last_status, text: health.last_response_body.clone() };
    let has_answer = failing && answer != Answer::default();
    // The receiver's answer is repeated even for a mail server, whose statuses differ.
    let parts = [
        (health.failures > 0).then(|| texts.in_a_row(health.failures.into())),
        has_answer.then(|| texts.result_of(answer.failed_outcome(), &answer)),
        (failing && health.undelivered > 0).then(|| texts.undelivered(health.undelivered)),
        (!failing && health.waiting > 0).then(|| format!("{} {}", texts.waiting(), counted(health.waiting))),
        (health.unresolved > 0)
            .then(|| format!("{} {}", texts.needs_attention(), counted(health.unresolved))),
    ];
    parts.into_iter().flatten().collect()
}

/// Returns when the next attempt of a failing channel may start.
fn next_attempt(health: &ChannelHealth) -> Option<Timestamp> {
    health.next_at.filter(|_| health.is_failing())
}

#[component]
fn NextTry(at: Timestamp, has_before: bool) -> impl IntoView {
    let (texts, now, held) = (ChannelTexts::here(), live().now(), live().are_deliveries_held());
    let is_ahead = Memo::new(move |_| at > now.get() && !held.get());
    let dot = if has_before { " · " } else { "" };
    move || is_ahead.get().then(|| view! { <span>{dot}{texts.next_try()}" "<Relative at=at /></span> })
}
