//! One delivery of a list: what it told whom, where it stands, and the way out.

use super::{icon::Icon, moment::Relative};
use crate::{calls::channels::ResolveDelivery, form::Form, live::live, words::channel::ChannelWords};
use domain::delivery::{DeliveryRow as Row, DeliveryState, Resolve};
use leptos::prelude::*;

/// The icon of a state, and its colour: those of the tasks' states that mean the same.
const fn phase_of(state: DeliveryState) -> &'static str {
    match state {
        DeliveryState::Pending => "scheduled",
        DeliveryState::Sending => "due",
        DeliveryState::Delivered => "executed",
        DeliveryState::Failed => "failed",
        DeliveryState::Unconfirmed => "missed",
        DeliveryState::Cancelled | DeliveryState::Held => "cancelled",
    }
}

/// What identifies a row and all that is shown of it: a change draws it anew.
#[must_use]
pub fn key(row: &Row) -> (domain::DeliveryId, DeliveryState, u32) {
    (row.id, row.state, row.attempts)
}

/// Where a delivery stands.
#[component]
pub fn StateMark(state: DeliveryState) -> impl IntoView {
    let phase = phase_of(state);
    view! {
        <span class="phase" data-phase=phase><Icon name=phase />{ChannelWords::here().state(state)}</span>
    }
}

/// A line of a list of deliveries.
#[component]
pub fn DeliveryRow(
    /// The delivery.
    row: Row,
    /// Whether the channel is named: not in its own log.
    #[prop(optional)]
    is_alone: bool,
) -> impl IntoView {
    let words = ChannelWords::here();
    let href = format!("/settings/channels/{}?delivery={}", row.channel_id, row.id);
    let about = if row.title.is_empty() { words.event(row.event).to_owned() } else { row.title.clone() };
    let label = words.act_of(words.look().to_owned(), about.clone());
    let task = row.task_id.map(|task| format!("/tasks/{task}"));
    let name = match task {
        Some(task) => view! { <a href=task>{about.clone()}</a> }.into_any(),
        None => view! { <span>{about.clone()}</span> }.into_any(),
    };
    let tries = (row.attempts > 0).then(|| format!("{} {}", words.attempts(), row.attempts));
    let outcome = row.outcome.filter(|_| row.state != DeliveryState::Delivered).map(|one| words.outcome(one));
    let event = (!row.title.is_empty()).then(|| format!("{} · ", words.event(row.event)));
    let now = live().now();
    // While its channel rests, the time of the next attempt passes.
    let next = row.next_at.map(|at| {
        let is_ahead = Memo::new(move |_| at > now.get());
        move || is_ahead.get().then(|| view! { " · "{words.next_try()}" "<Relative at=at /> })
    });
    view! {
        <li class="delivery-row">
            <StateMark state=row.state />
            <div class="delivery-what">
                {name}
                {(!is_alone).then(|| view! { " "<span class="quiet">{words.to(row.channel.clone())}</span> })}
                <span class="quiet detail">
                    {event}<Relative at=row.ended_at.unwrap_or(row.created_at) />
                    {tries.map(|tries| view! { " · "{tries} })}
                    {outcome.map(|outcome| view! { " · "{outcome} })}
                    {next}
                </span>
            </div>
            <div class="row delivery-acts">
                {row.may_resolve.then(|| view! { <a class="button small bare" href=href aria-label=label>{words.look()}</a> })}
                <Acts row=row about=about />
            </div>
        </li>
    }
}

/// What can be done about it.
#[component]
fn Acts(row: Row, about: String) -> impl IntoView {
    if !row.may_resolve {
        return ().into_any();
    }
    let choices: &[Resolve] = match row.state {
        DeliveryState::Failed | DeliveryState::Pending => &[Resolve::Resend, Resolve::Drop],
        DeliveryState::Unconfirmed => &[Resolve::Resend, Resolve::Arrived, Resolve::Drop],
        DeliveryState::Delivered | DeliveryState::Cancelled => &[Resolve::Resend],
        DeliveryState::Held => &[Resolve::Drop],
        DeliveryState::Sending => &[],
    };
    let id = row.id.to_string();
    let act = |resolve: &Resolve| view! { <Act id=id.clone() resolve=*resolve about=about.clone() /> };
    choices.iter().map(act).collect_view().into_any()
}

/// One button.
#[component]
fn Act(id: String, resolve: Resolve, about: String) -> impl IntoView {
    let words = ChannelWords::here();
    let action = ServerAction::<ResolveDelivery>::new();
    let what = match resolve {
        Resolve::Resend => "resend",
        Resolve::Arrived => "arrived",
        Resolve::Drop => "drop",
    };
    let label = words.act_of(words.resolve(resolve).to_owned(), about);
    view! {
        <Form action=action about=id.clone() class="tight">
            <input type="hidden" name="id" value=id />
            <input type="hidden" name="what" value=what />
            <button class="button small" type="submit" aria-label=label>{words.resolve(resolve)}</button>
        </Form>
    }
}
