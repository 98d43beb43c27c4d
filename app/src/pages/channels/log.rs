//! The log of a channel: its deliveries, and one of them with its message and attempts.

use crate::{
    calls::channels::{channel_log, find_delivery},
    components::{
        delivery_row::{DeliveryRow, StateMark, key},
        empty::Empty,
        loaded::Loaded,
        moment::Relative,
    },
    live::follow,
    words::{channel::ChannelWords, frame::FrameWords, language, time},
};
use domain::{
    Page,
    delivery::{Attempt, Delivery, DeliveryRow as Line},
};
use leptos::{either::Either, prelude::*};
use leptos_router::hooks::use_query_map;

/// The log, newest first, and above it the delivery that the address asks for.
#[component]
pub fn Log(
    /// Whose log.
    #[prop(into)]
    channel: Signal<String>,
) -> impl IntoView {
    let words = ChannelWords::here();
    let query = use_query_map();
    let cursor = Memo::new(move |_| query.read().get("cursor"));
    let chosen = Memo::new(move |_| query.read().get("delivery"));
    let is_news = |change: &domain::event::Signal| matches!(change.entity.as_str(), "channel" | "delivery");
    let page = follow(
        is_news,
        move || (channel.get(), cursor.get()),
        |(channel, cursor)| channel_log(channel, cursor),
    );
    let one = follow(is_news, move || chosen.get(), find_delivery);
    view! {
        <Loaded from=one children=|delivery| view! { <Whole delivery=delivery /> } />
        <section class="panel delivery-log" aria-labelledby="log">
            <header><h2 id="log">{words.log()}</h2></header>
            <Loaded from=page children=move |page| view! { <Lines page=page channel=channel /> } />
        </section>
    }
}

#[component]
fn Lines(page: Signal<Page<Line>>, channel: Signal<String>) -> impl IntoView {
    let words = ChannelWords::here();
    let is_empty = Memo::new(move |_| page.with(|page| page.items.is_empty()));
    let older = move || {
        let next = page.with(|page| page.next_cursor.clone())?;
        let href = format!("/settings/channels/{}?cursor={next}", channel.get());
        Some(view! { <p class="cursor"><a href=href>{words.older()}</a></p> })
    };
    let rows = move || page.with(|page| page.items.clone());
    view! {
        {move || {
            if is_empty.get() {
                Either::Left(view! { <Empty title=words.log_empty() hint=words.log_empty_hint() /> })
            } else {
                Either::Right(view! {
                    <ul class="delivery-list">
                        <For each=rows key=key children=|row| view! { <DeliveryRow row=row is_alone=true /> } />
                    </ul>
                })
            }
        }}
        {older}
    }
}

/// One delivery with its message and attempts; nothing where none was asked for.
#[component]
fn Whole(delivery: Signal<Option<Delivery>>) -> impl IntoView {
    let words = ChannelWords::here();
    move || {
        let delivery = delivery.get()?;
        let close = format!("/settings/channels/{}", delivery.row.channel_id);
        let about = if delivery.row.title.is_empty() {
            words.event(delivery.row.event).to_owned()
        } else {
            delivery.row.title.clone()
        };
        let id = format!("msg_{}", delivery.row.id);
        Some(view! {
            <section class="panel delivery-whole" aria-labelledby="delivery">
                <header>
                    <h2 id="delivery">{about}</h2>
                    <StateMark state=delivery.row.state />
                    <a href=close>{FrameWords::here().close()}</a>
                </header>
                <p class="quiet">{id}</p>
                <pre class="message" tabindex="0">{delivery.body}</pre>
                <Attempts attempts=delivery.attempts />
            </section>
        })
    }
}

#[component]
fn Attempts(attempts: Vec<Attempt>) -> impl IntoView {
    let words = ChannelWords::here();
    if attempts.is_empty() {
        return view! { <p class="quiet">{words.no_attempts()}</p> }.into_any();
    }
    let rows = attempts.into_iter().rev().map(|attempt| view! { <Try attempt=attempt /> }).collect_view();
    view! {
        <div class="scroll">
            <table class="table">
                <thead>
                    <tr>
                        <th scope="col" class="number">{words.number()}</th>
                        <th scope="col">{words.when()}</th>
                        <th scope="col" class="number">{words.took()}</th>
                        <th scope="col">{words.ended()}</th>
                        <th scope="col">{words.answer()}</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
    .into_any()
}

#[component]
fn Try(attempt: Attempt) -> impl IntoView {
    let (words, language) = (ChannelWords::here(), language());
    let took = attempt.ended_at.map(|at| time::measured(language, at.since(attempt.started_at).max(0)));
    let ended = attempt.outcome.map_or(words.running(), |outcome| words.outcome(outcome));
    let status = attempt.status.map(|status| format!("{status} "));
    view! {
        <tr>
            <th scope="row" class="number">{attempt.number}</th>
            <td><Relative at=attempt.started_at /></td>
            <td class="number">{took}</td>
            <td>{ended}</td>
            <td class="answer">{status}{attempt.answer}</td>
        </tr>
    }
}
