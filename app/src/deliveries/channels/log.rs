//! The log of a channel: its deliveries, and one of them in detail.

use crate::{
    deliveries::{
        row::{DeliveryRow, StateMark, key},
        server_fns::{channel_log, find_delivery},
        texts::ChannelTexts,
    },
    live::live_resource,
    shell::texts::LayoutTexts,
    texts::{language, number::counted, time},
    ui::{async_view::AsyncView, empty::Empty, time::date_time::Relative},
};
use domain::{
    Page,
    delivery::{Answer, Attempt, Delivery, DeliveryRow as Line, DeliveryState},
};
use leptos::{either::Either, prelude::*};
use leptos_router::hooks::use_query_map;

/// The log, newest first, below the delivery in the URL.
#[component]
pub fn Log(
    /// Id of the channel.
    #[prop(into)]
    channel: Signal<String>,
) -> impl IntoView {
    let texts = ChannelTexts::here();
    let query = use_query_map();
    let cursor = Memo::new(move |_| query.read().get("cursor"));
    let chosen = Memo::new(move |_| query.read().get("delivery"));
    let is_relevant =
        |change: &domain::event::Signal| matches!(change.entity.as_str(), "channel" | "delivery");
    let page = live_resource(
        is_relevant,
        move || (channel.get(), cursor.get()),
        |(channel, cursor)| channel_log(channel, cursor),
    );
    let one = live_resource(is_relevant, move || chosen.get(), find_delivery);
    view! {
        <AsyncView from=one children=|delivery| view! { <DeliveryDetail delivery=delivery /> } />
        <section class="panel delivery-log" aria-labelledby="log">
            <header><h2 id="log">{texts.log()}</h2></header>
            <AsyncView from=page children=move |page| view! { <Lines page=page channel=channel /> } />
        </section>
    }
}

#[component]
fn Lines(page: Signal<Page<Line>>, channel: Signal<String>) -> impl IntoView {
    let texts = ChannelTexts::here();
    let is_empty = Memo::new(move |_| page.with(|page| page.items.is_empty()));
    let older = move || {
        let next = page.with(|page| page.next_cursor.clone())?;
        let href = format!("/settings/channels/{}?cursor={next}", channel.get());
        Some(view! { <p class="cursor"><a href=href>{texts.older()}</a></p> })
    };
    let folds = move || page.with(|page| fold(&page.items));
    // Contains everything that is shown, so that a change replaces the group.
    let fold_key = |rows: &Vec<Line>| rows.iter().map(key).collect::<Vec<_>>();
    view! {
        {move || {
            if is_empty.get() {
                Either::Left(view! { <Empty title=texts.log_empty() hint=texts.log_empty_hint() /> })
            } else {
                Either::Right(view! {
                    <ul class="delivery-list">
                        <For each=folds key=fold_key children=|rows| view! { <Fold rows=rows /> } />
                    </ul>
                })
            }
        }}
        {older}
    }
}

const MINUTE_MS: i64 = 60_000;
/// Smallest number of equal failures that are folded.
const MIN_FOLDED: usize = 3;

/// Splits the rows: equal failures in a row are one group.
fn fold(rows: &[Line]) -> Vec<Vec<Line>> {
    let is_failure = |row: &Line| row.outcome.is_some() && row.state != DeliveryState::Delivered;
    let is_equal = |one: &Line, next: &Line| {
        is_failure(one) && (one.state, one.outcome, &one.answer) == (next.state, next.outcome, &next.answer)
    };
    let groups = rows.chunk_by(is_equal).flat_map(|group| match group.len() {
        0..MIN_FOLDED => group.iter().map(|row| vec![row.clone()]).collect(),
        _ => vec![group.to_vec()],
    });
    groups.collect()
}

/// One delivery, or equal failures that are folded.
#[component]
fn Fold(rows: Vec<Line>) -> impl IntoView {
    let texts = ChannelTexts::here();
    let count = counted(rows.len() as u64);
    let (Some(newest), Some(oldest)) = (rows.first().cloned(), rows.last().cloned()) else {
        return ().into_any();
    };
    if rows.len() == 1 {
        return view! { <DeliveryRow row=newest is_own_log=true /> }.into_any();
    }
    let what = newest.outcome.map(|outcome| texts.result_of(outcome, &newest.answer)).unwrap_or_default();
    let at = |row: &Line| row.ended_at.unwrap_or(row.created_at);
    let is_long = at(&newest).since(at(&oldest)) >= MINUTE_MS;
    let first = is_long.then(|| view! { <Relative at=at(&oldest) />" – " });
    let span = view! { <span class="muted">{first}<Relative at=at(&newest) /></span> };
    let rows = rows.into_iter().map(|row| view! { <DeliveryRow row=row is_own_log=true /> }).collect_view();
    view! {
        <li class="delivery-fold">
            <details>
                <summary><StateMark state=newest.state />{texts.folded(count, what)}" "{span}</summary>
                <ul class="delivery-list">{rows}</ul>
            </details>
        </li>
    }
    .into_any()
}

/// One delivery with its message and attempts, if the URL names one.
#[component]
fn DeliveryDetail(delivery: Signal<Option<Delivery>>) -> impl IntoView {
    let texts = ChannelTexts::here();
    move || {
        let delivery = delivery.get()?;
        let close = format!("/settings/channels/{}", delivery.row.channel_id);
        let about = if delivery.row.title.is_empty() {
            texts.event(delivery.row.event).to_owned()
        } else {
            delivery.row.title.clone()
        };
        let id = format!("msg_{}", delivery.row.id);
        Some(view! {
            <section class="panel delivery-detail" aria-labelledby="delivery">
                <header>
                    <h2 id="delivery">{about}</h2>
                    <StateMark state=delivery.row.state />
                    <a href=close>{LayoutTexts::here().close()}</a>
                </header>
                <p class="muted">{id}</p>
                <pre class="message" tabindex="0">{delivery.body}</pre>
                <Attempts attempts=delivery.attempts />
            </section>
        })
    }
}

#[component]
fn Attempts(attempts: Vec<Attempt>) -> impl IntoView {
    let texts = ChannelTexts::here();
    if attempts.is_empty() {
        return view! { <p class="muted">{texts.no_attempts()}</p> }.into_any();
    }
    let rows =
        attempts.into_iter().rev().map(|attempt| view! { <AttemptRow attempt=attempt /> }).collect_view();
    view! {
        <div class="scroll">
            <table class="table">
                <thead>
                    <tr>
                        <th scope="col" class="number">{texts.number()}</th>
                        <th scope="col">{texts.when()}</th>
                        <th scope="col" class="number">{texts.duration()}</th>
                        <th scope="col">{texts.result()}</th>
                        <th scope="col">{texts.response()}</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
    .into_any()
}

#[component]
fn AttemptRow(attempt: Attempt) -> impl IntoView {
    let (texts, language) = (ChannelTexts::here(), language());
    let took = attempt.ended_at.map(|at| time::measured(language, at.since(attempt.started_at).max(0)));
    let status_only = Answer { status: attempt.status, text: None };
    let ended = match attempt.outcome {
        Some(outcome) => texts.result_of(outcome, &status_only),
        None => texts.in_flight().to_owned(),
    };
    let status = attempt.status.map(|status| format!("{status} "));
    view! {
        <tr>
            <th scope="row" class="number">{attempt.number}</th>
            <td><Relative at=attempt.started_at /></td>
            <td class="number">{took}</td>
            <td>{ended}</td>
            <td class="response-body">{status}{attempt.response_body}</td>
        </tr>
    }
}
