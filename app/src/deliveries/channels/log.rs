//! The log of a channel: its deliveries, and one of them in detail.

use crate::{
    deliveries::{
        row::StateMark,
        server_fns::{DeliveryLog, channel_log, find_delivery},
        table::DeliveryTable,
    },
    live::live_resource,
    ui::{
        async_view::AsyncView,
        empty::Empty,
        table::{
            address::ListAddress,
            header::{EARLIEST, ORDER, Tab, Tabs, TimeHeader},
            keys::KeysHint,
            pager::{PageLinks, Pager},
        },
        time::date_time::Relative,
    },
};
use domain::delivery::{Answer, Attempt, Delivery, DeliveryQuery, DeliveryState};
use leptos::{either::Either, prelude::*};
use leptos_router::hooks::use_query_map;
use texts::{
    deliveries::ChannelTexts,
    language,
    layout::LayoutTexts,
    lists::TableTexts,
    number::{counted, grouped},
    time,
};

/// The states that have a tab, after the tab with all.
const TABS: [DeliveryState; 5] = [
    DeliveryState::Pending,
    DeliveryState::Delivered,
    DeliveryState::Failed,
    DeliveryState::Unconfirmed,
    DeliveryState::Cancelled,
];

/// The log, newest first, below the delivery in the URL.
#[component]
pub fn Log(
    /// Id of the channel.
    #[prop(into)]
    channel: Signal<String>,
) -> impl IntoView {
    let texts = ChannelTexts::here();
    let url = use_query_map();
    let chosen = Memo::new(move |_| url.read().get("delivery"));
    let address = ListAddress::here();
    let query = Memo::new(move |_| address.with(query_of));
    let is_relevant =
        |change: &domain::event::Signal| matches!(change.entity.as_str(), "channel" | "delivery");
    let log = live_resource(
        is_relevant,
        move || (channel.get(), query.get()),
        |(channel, query)| channel_log(channel, query),
    );
    let one = live_resource(is_relevant, move || chosen.get(), find_delivery);
    view! {
        <AsyncView from=one children=|delivery| view! { <DeliveryDetail delivery=delivery /> } />
        <section class="panel delivery-log" aria-labelledby="log">
            <header><h2 id="log">{texts.log()}</h2></header>
            <AsyncView from=log children=move |log| view! { <List log=log address=address query=query /> } />
        </section>
    }
}

/// Returns the query that the URL means.
fn query_of(address: &ListAddress) -> DeliveryQuery {
    DeliveryQuery {
        state: address.get("state").and_then(|word| word.parse().ok()),
        is_oldest_first: address.is(ORDER, EARLIEST),
        cursor: address.get("cursor"),
        ..DeliveryQuery::default()
    }
}

#[component]
fn List(log: Signal<DeliveryLog>, address: Memo<ListAddress>, query: Memo<DeliveryQuery>) -> impl IntoView {
    let texts = ChannelTexts::here();
    let is_empty = Memo::new(move |_| log.with(|log| log.page.items.is_empty()));
    let is_filtered = move || query.with(|query| query.state.is_some());
    let links = Memo::new(move |_| log.with(|log| query.with(|query| page_links(log, query))));
    let rows = Signal::derive(move || log.with(|log| log.page.items.clone()));
    let is_latest_first = Signal::derive(move || query.with(|query| !query.is_oldest_first));
    let when = move || {
        view! { <TimeHeader address=address label=texts.when() is_latest_first=is_latest_first can_sort=Signal::stored(true) /> }
            .into_any()
    };
    view! {
        <StateTabs log=log address=address query=query />
        {move || match (is_empty.get(), is_filtered()) {
            (true, true) => Either::Left(view! { <Empty title=texts.log_none() hint=texts.log_none_hint() /> }),
            (true, false) => Either::Left(view! { <Empty title=texts.log_empty() hint=texts.log_empty_hint() /> }),
            (false, _) => Either::Right(view! { <DeliveryTable rows=rows is_own_log=true when=Box::new(when) /> }),
        }}
        <Pager address=address links=links has_days=Signal::stored(false) />
        <KeysHint is_rows_only=true />
    }
}

#[component]
fn StateTabs(
    log: Signal<DeliveryLog>,
    address: Memo<ListAddress>,
    query: Memo<DeliveryQuery>,
) -> impl IntoView {
    let texts = ChannelTexts::here();
    let all = Tab { value: "", label: LayoutTexts::here().all() };
    let tab = |state: DeliveryState| Tab { value: state.as_str(), label: texts.state(state) };
    let tabs = [all].into_iter().chain(TABS.map(tab)).collect();
    let current = Signal::derive(move || query.with(|query| query.state.map_or("", DeliveryState::as_str)));
    let counts = Signal::derive(move || {
        let states = [None].into_iter().chain(TABS.map(Some));
        log.with(|log| states.map(|state| Some(counted(log.counts.of(state)))).collect())
    });
    view! { <Tabs address=address tabs=tabs current=current counts=counts /> }
}

/// Returns the links of the page, and the number of its rows and of all.
fn page_links(log: &DeliveryLog, query: &DeliveryQuery) -> PageLinks {
    let (shown, total) = (grouped(log.page.items.len() as u64), counted(log.counts.of(query.state)));
    let shown = TableTexts::here().shown_of(shown, total);
    PageLinks { previous: log.page.previous_cursor.clone(), next: log.page.next_cursor.clone(), shown }
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
    let answer = Answer { status: attempt.status, text: attempt.response_body };
    let text = match answer.no_response() {
        Some(why) => Some(texts.no_response(why).to_owned()),
        None => answer.text,
    };
    view! {
        <tr>
            <th scope="row" class="number">{attempt.number}</th>
            <td><Relative at=attempt.started_at /></td>
            <td class="number">{took}</td>
            <td>{ended}</td>
            <td class="response-body">{status}{text}</td>
        </tr>
    }
}
