//! `/messages/{id}`: what a message says, where and when it is sent, and its deliveries.

use crate::{
    deliveries::list::Deliveries,
    live::{live, live_resource},
    messages::{
        change_channel::ChangeChannel,
        list_page::StateMark,
        server_fns::{AcknowledgeNotice, find_message},
    },
    session::visitor,
    tasks::{actions::TaskActions, move_form::can_move, row::MoveRow},
    ui::{
        async_view::AsyncView,
        form::{PlainForm, kept_view::KeptView},
        icon::Icon,
        page::{header::TabTitle, settings_menu::AdminsOnly},
        time::{date_time::Relative, picker::CityList},
    },
};
use domain::{
    LocalizedTime, State,
    delivery::{DeliveryState, Outcome},
    message::{MessageDetails, MessageOptions, MessageRow},
    notice::{MomentState, NoticeMoment},
};
use leptos::prelude::*;
use leptos_router::hooks::use_params_map;
use server_fn::ServerFn;
use texts::{
    language,
    messages::{MessageSentenceTexts, MessageTexts},
    number::grouped,
    reason, sentences, time,
};

/// The page.
#[component]
pub fn MessagePage() -> impl IntoView {
    let texts = MessageTexts::here();
    if !visitor().is_admin() {
        return view! {
            <TabTitle title=texts.title().to_owned() />
            <h1>{texts.title()}</h1>
            <AdminsOnly />
        }
        .into_any();
    }
    let params = use_params_map();
    let id = Memo::new(move |_| params.with(|params| params.get("id").unwrap_or_default()));
    let read = live_resource(
        |change| matches!(change.entity.as_str(), "task" | "delivery" | "channel"),
        move || id.get(),
        find_message,
    );
    view! {
        <div class="task-page">
            <AsyncView from=read children=move |message| view! { <MessageView message=message /> } />
        </div>
        <CityList />
    }
    .into_any()
}

/// The message. A changed response replaces the view, except for its deliveries.
#[component]
fn MessageView(message: Signal<MessageDetails>) -> impl IntoView {
    let latest = Memo::new(move |_| message.get());
    let key = move || latest.with(|details| details.message.row.key.clone());
    let task = Signal::derive(move || latest.with(|details| details.task.id.to_string()));
    view! {
        <TabTitle title=Signal::derive(key) />
        <KeptView latest=latest children=|details| view! { <Header details=details /> } />
        <ChangeChannel message=latest />
        {move || {
            let MessageDetails { message, moments, .. } = latest.get();
            let (body, options) = (message.body, message.row.options);
            view! {
                <Moments moments=moments />
                <Body body=body />
                <Options options=options />
            }
        }}
        <Deliveries task=task />
    }
}

#[component]
fn Header(details: MessageDetails) -> impl IntoView {
    let texts = MessageTexts::here();
    let MessageDetails { message, task, moments } = details;
    let row = message.row;
    let is_notice = row.options.notice.is_some();
    let kind = if is_notice { texts.notice() } else { texts.message() };
    let is_open = moments.iter().any(|one| !matches!(one.state, MomentState::Made(_)));
    let acknowledged = row.acknowledged.map(|at| texts.acknowledged(moment(at)));
    let id = row.id.to_string();
    let why = row.reason.as_deref().map(|why| reason::sentence(language(), why));
    let channel = row.channel.is_some().then(|| format!("/settings/channels/{}", row.channel_id));
    let next = next_moment(&row);
    let created = texts.created(moment(row.created));
    view! {
        <header class="task-header">
            <p class="row">
                <StateMark row=row.clone() task=task.clone() />
                <span class="eyebrow">{kind}</span>
            </p>
            <h1 dir="auto">{row.key.clone()}</h1>
            <p class="task-sentence">
                {sentence(&row)}
                {next.map(|next| view! { " " <Relative at=next.at /> })}
            </p>
            {why.map(|why| view! { <p class="why">{why}</p> })}
            {acknowledged.map(|acknowledged| view! { <p>{acknowledged}</p> })}
            <div class="task-actions">
                {(is_notice && is_open).then(|| view! {
                    <PlainForm function=AcknowledgeNotice::PATH class="inline">
                        <input type="hidden" name="id" value=id />
                        <button class="button small main" type="submit"><Icon name="check" />{texts.acknowledge()}</button>
                    </PlainForm>
                })}
                <TaskActions row=task.clone() keeps_undo=true />
                {can_move(&task).then(|| view! { <MoveRow row=task.clone() /> })}
                {channel.map(|channel| view! { <a class="button small" href=channel>{texts.open_channel()}</a> })}
                <a class="button small" href=format!("/tasks/{}", task.id)>{texts.open_task()}</a>
            </div>
            <p class="muted">{created}</p>
        </header>
    }
}

fn moment(at: LocalizedTime) -> String {
    time::moment(language(), at, visitor().zone(), live().now().get_untracked())
}

/// The moment of which the page shows the distance.
fn next_moment(row: &MessageRow) -> Option<LocalizedTime> {
    match row.state {
        State::Scheduled => Some(row.due),
        State::Executed => row.next_attempt.filter(|_| row.attempts > 0),
        State::Failed | State::Missed | State::Cancelled => None,
    }
}

/// Says where and when the message is or was sent.
fn sentence(row: &MessageRow) -> String {
    let texts = MessageSentenceTexts::here();
    let channel = row.channel.clone().unwrap_or_else(|| MessageTexts::here().no_channel().to_owned());
    let due = moment(row.due);
    let handed = match row.state {
        State::Scheduled => return texts.waiting(channel, due),
        State::Failed | State::Missed => return texts.failed(channel, due),
        State::Cancelled => return texts.cancelled(channel, due),
        State::Executed => texts.handed(channel, moment(row.executed.unwrap_or(row.due))),
    };
    let state = row.delivery.map(|(_, state)| state);
    let then = match state {
        None => return handed,
        Some(DeliveryState::Delivered) => texts.delivered().to_owned(),
        Some(DeliveryState::Pending | DeliveryState::Sending) if row.attempts > 1 => {
            texts.retried(row.attempts)
        }
        Some(DeliveryState::Pending) if row.attempts > 0 => texts.retried(row.attempts),
        Some(DeliveryState::Pending | DeliveryState::Sending) => texts.first().to_owned(),
        Some(DeliveryState::Failed | DeliveryState::Unconfirmed) => texts.gave_up().to_owned(),
        Some(DeliveryState::Held) => texts.held().to_owned(),
        Some(DeliveryState::Cancelled) => texts.dropped().to_owned(),
    };
    sentences(&handed, &then)
}

/// The attempts of a notice as a line of moments. Hidden if the message is no notice.
#[component]
fn Moments(moments: Vec<NoticeMoment>) -> impl IntoView {
    let texts = MessageTexts::here();
    let item = |(place, one): (usize, NoticeMoment)| {
        let (state, word) = match one.state {
            MomentState::Made(Some(Outcome::Delivered)) => ("done", texts.moment_acknowledged()),
            MomentState::Made(Some(_)) => ("failed", texts.moment_not_acknowledged()),
            MomentState::Made(None) => ("done", texts.moment_made()),
            MomentState::Next => ("next", texts.moment_next()),
            MomentState::ToCome => ("to-come", texts.moment_to_come()),
        };
        let left = (one.state == MomentState::Next).then(|| view! { " " <Relative at=one.at.at /> });
        view! {
            <li data-moment=state>
                <span class="muted">{texts.moment_number(place + 1)}</span>
                <strong>{moment(one.at)}</strong>
                <span>{word}{left}</span>
            </li>
        }
    };
    (!moments.is_empty()).then(|| {
        view! {
            <section class="panel" aria-labelledby="schedule">
                <header><h2 id="schedule">{texts.schedule()}</h2><span class="muted">{texts.schedule_hint()}</span></header>
                <ol class="moments">{moments.into_iter().enumerate().map(item).collect_view()}</ol>
            </section>
        }
    })
}

/// The body as text, with its size.
#[component]
fn Body(body: String) -> impl IntoView {
    let texts = MessageTexts::here();
    let size = texts.bytes(grouped(body.len() as u64));
    let text = match body.is_empty() {
        true => view! { <p class="muted">{texts.empty_body()}</p> }.into_any(),
        false => {
            view! { <pre class="message-body" dir="auto" tabindex="0" aria-labelledby="body">{body}</pre> }
                .into_any()
        }
    };
    view! {
        <section class="panel" aria-labelledby="body">
            <header><h2 id="body">{texts.body()}</h2><span class="muted">{size}</span></header>
            {text}
        </section>
    }
}

/// Headers, exchange, routing key and recipients of its own. Hidden if it has none.
#[component]
fn Options(options: MessageOptions) -> impl IntoView {
    let texts = MessageTexts::here();
    let route = [
        options.exchange.map(|exchange| (texts.exchange().to_owned(), exchange)),
        options.routing_key.map(|key| (texts.routing_key().to_owned(), key)),
        (!options.to.is_empty()).then(|| (texts.recipients().to_owned(), options.to.join(", "))),
    ];
    let rows: Vec<(String, String)> =
        options.headers.into_iter().chain(route.into_iter().flatten()).collect();
    (!rows.is_empty()).then(move || {
        let row = |(name, value): (String, String)| {
            view! { <tr><th scope="row" dir="auto">{name}</th><td dir="auto">{value}</td></tr> }
        };
        view! {
            <section class="panel" aria-labelledby="headers">
                <header><h2 id="headers">{texts.headers()}</h2></header>
                <table class="table"><tbody>{rows.into_iter().map(row).collect_view()}</tbody></table>
            </section>
        }
    })
}
