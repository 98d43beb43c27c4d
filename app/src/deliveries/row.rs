//! One delivery in a list: event, channel, state and actions.

use crate::{
    deliveries::{held_result::held_result, server_fns::ResolveDelivery},
    live::live,
    ui::{
        form::Form,
        icon::Icon,
        result::{ActionResult, announce},
        time::date_time::Relative,
    },
};
use domain::delivery::{DeliveryDecision, DeliveryRow as Row, DeliveryState};
use leptos::prelude::*;
use texts::{deliveries::ChannelTexts, layout::ResultTexts};

/// Name of the icon and colour of a state, shared with the task states.
const fn phase_name(state: DeliveryState) -> &'static str {
    match state {
        DeliveryState::Pending => "scheduled",
        DeliveryState::Sending => "due",
        DeliveryState::Delivered => "executed",
        DeliveryState::Failed => "failed",
        DeliveryState::Unconfirmed => "missed",
        DeliveryState::Cancelled | DeliveryState::Held => "cancelled",
    }
}

/// Key of a row. Contains everything that is shown, so that a change replaces the row.
#[must_use]
pub fn key(row: &Row) -> (domain::DeliveryId, DeliveryState, u32) {
    (row.id, row.state, row.attempts)
}

/// State of a delivery.
#[component]
pub fn StateMark(state: DeliveryState) -> impl IntoView {
    let phase = phase_name(state);
    view! {
        <span class="phase" data-phase=phase><Icon name=phase />{ChannelTexts::here().state(state)}</span>
    }
}

/// A line of a list of deliveries.
#[component]
pub fn DeliveryRow(
    /// The delivery.
    row: Row,
    /// Whether the list belongs to one channel, so that its name is omitted.
    #[prop(optional)]
    is_own_log: bool,
) -> impl IntoView {
    let texts = ChannelTexts::here();
    let href = format!("/settings/channels/{}?delivery={}", row.channel_id, row.id);
    let about = if row.title.is_empty() { texts.event(row.event).to_owned() } else { row.title.clone() };
    let label = texts.act_of(texts.details().to_owned(), about.clone());
    let task = row.task_id.map(|task| format!("/tasks/{task}"));
    let name = match task {
        Some(task) => view! { <a href=task>{about.clone()}</a> }.into_any(),
        None => view! { <span>{about.clone()}</span> }.into_any(),
    };
    let tries = (row.attempts > 0).then(|| format!("{} {}", texts.attempts(), row.attempts));
    let outcome = row.outcome.filter(|_| row.state != DeliveryState::Delivered);
    let outcome = outcome.map(|outcome| texts.result_of(outcome, &row.answer));
    let event = (!row.title.is_empty()).then(|| format!("{} · ", texts.event(row.event)));
    let (now, held) = (live().now(), live().are_deliveries_held());
    let next = row.next_at.map(|at| {
        let is_ahead = Memo::new(move |_| at > now.get());
        move || match (is_ahead.get(), held.get()) {
            (true, true) => view! { " · "{texts.held_now()} }.into_any(),
            (true, false) => view! { " · "{texts.next_try()}" "<Relative at=at /> }.into_any(),
            (false, _) => ().into_any(),
        }
    });
    view! {
        <li class="delivery-row">
            <StateMark state=row.state />
            <div class="delivery-what">
                {name}
                {(!is_own_log).then(|| view! { " "<span class="muted">{texts.to(row.channel.clone())}</span> })}
                <span class="muted detail">
                    {event}<Relative at=row.ended_at.unwrap_or(row.created_at) />
                    {tries.map(|tries| view! { " · "{tries} })}
                    {outcome.map(|outcome| view! { " · "{outcome} })}
                    {next}
                </span>
            </div>
            <div class="row delivery-actions">
                {row.may_resolve.then(|| view! { <a class="button small bare" href=href aria-label=label>{texts.details()}</a> })}
                <Actions row=row about=about />
            </div>
        </li>
    }
}

/// Actions on a delivery.
#[component]
fn Actions(row: Row, about: String) -> impl IntoView {
    if !row.may_resolve {
        return ().into_any();
    }
    let id = row.id.to_string();
    let button = |resolve: &DeliveryDecision| view! { <ActionButton id=id.clone() resolve=*resolve about=about.clone() /> };
    choices(row.state).iter().map(button).collect_view().into_any()
}

/// Returns the decisions that a state allows.
#[must_use]
pub const fn choices(state: DeliveryState) -> &'static [DeliveryDecision] {
    match state {
        DeliveryState::Failed | DeliveryState::Pending => &[DeliveryDecision::Resend, DeliveryDecision::Drop],
        DeliveryState::Unconfirmed => {
            &[DeliveryDecision::Resend, DeliveryDecision::Arrived, DeliveryDecision::Drop]
        }
        DeliveryState::Delivered | DeliveryState::Cancelled => &[DeliveryDecision::Resend],
        DeliveryState::Held => &[DeliveryDecision::Drop],
        DeliveryState::Sending => &[],
    }
}

/// Returns the word of a decision in forms.
#[must_use]
pub const fn word_of(decision: DeliveryDecision) -> &'static str {
    match decision {
        DeliveryDecision::Resend => "resend",
        DeliveryDecision::Arrived => "arrived",
        DeliveryDecision::Drop => "drop",
    }
}

/// Describes a decision that was applied.
#[must_use]
pub fn result_of(row: &Row, decision: DeliveryDecision) -> ActionResult {
    let (texts, results) = (ChannelTexts::here(), ResultTexts::here());
    if decision == DeliveryDecision::Resend && live().are_deliveries_held().get_untracked() {
        return held_result(texts);
    }
    let sentence = match decision {
        DeliveryDecision::Resend => results.resent(),
        DeliveryDecision::Arrived => results.arrived(),
        DeliveryDecision::Drop => results.dropped(),
    };
    let log = format!("/settings/channels/{}?delivery={}", row.channel_id, row.id);
    ActionResult::new(sentence).with_link(log, texts.details())
}

/// One action.
#[component]
fn ActionButton(id: String, resolve: DeliveryDecision, about: String) -> impl IntoView {
    let texts = ChannelTexts::here();
    let action = ServerAction::<ResolveDelivery>::new();
    announce(action, move |row: Row| result_of(&row, resolve));
    let what = word_of(resolve);
    let label = texts.act_of(texts.resolve(resolve).to_owned(), about);
    view! {
        <Form action=action about=id.clone() class="inline">
            <input type="hidden" name="id" value=id />
            <input type="hidden" name="what" value=what />
            <button class="button small" type="submit" aria-label=label>{texts.resolve(resolve)}</button>
        </Form>
    }
}
