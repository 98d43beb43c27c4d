//! Facts, description, attendees and tasks of a meeting.

use crate::{
    deliveries::held_mails::HeldMails,
    live::live,
    session::visitor,
    ui::time::date_time::{DateTime, Relative},
};
use domain::{
    State,
    mail_limits::HeldMail,
    meetings::{Attendee, MeetingRow, MeetingState},
    task::TaskRow,
};
use leptos::prelude::*;
use texts::{
    language,
    meetings::MeetingTexts,
    tasks::TaskTexts,
    time::{moment, place, span},
};

/// The description, as plain text.
#[component]
pub(super) fn Description(text: String) -> impl IntoView {
    (!text.trim().is_empty()).then(|| view! { <p class="meeting-description" dir="auto">{text}</p> })
}

/// Room, time zone, duration and check-in.
#[component]
pub(super) fn Facts(row: MeetingRow) -> impl IntoView {
    let (texts, language) = (MeetingTexts::here(), language());
    let room = match row.room_id {
        Some(id) => view! { <a href=format!("/rooms/{id}") dir="auto">{row.room.clone()}</a> }.into_any(),
        None => texts.no_room().into_any(),
    };
    let zone = place(language, &row.zone);
    let link = row.link.clone().filter(|link| link.starts_with("https://") || link.starts_with("http://"));
    let duration = span(language, row.ends.at.since(row.starts.at) / 1_000);
    let needs_check_in =
        row.releases.is_some() && matches!(row.state, MeetingState::Confirmed | MeetingState::InProgress);
    let now = live().now().get_untracked();
    let check_in = match (row.checked_in, row.releases.filter(|_| needs_check_in)) {
        (Some(at), _) => Some(view! { <DateTime at=at /> }.into_any()),
        (None, Some(until)) => {
            Some(texts.not_checked_in(moment(language, until, visitor().zone(), now)).into_any())
        }
        (None, None) => None,
    };
    view! {
        <section class="panel" aria-labelledby="details">
            <header><h2 id="details">{texts.details()}</h2></header>
            <dl class="facts">
                <dt>{texts.room()}</dt> <dd>{room}</dd>
                {link.map(|link| {
                    let text = link.clone();
                    view! { <dt>{texts.link()}</dt> <dd><a href=link rel="external noreferrer">{text}</a></dd> }
                })}
                <dt>{texts.duration()}</dt> <dd>{duration}</dd>
                <dt>{texts.zone()}</dt> <dd>{zone}</dd>
                {check_in.map(|check_in| view! { <dt>{texts.checked_in()}</dt> <dd>{check_in}</dd> })}
            </dl>
        </section>
    }
}

/// The attendees with their answers.
#[component]
pub(super) fn Attendees(
    attendees: Vec<Attendee>,
    held_mails: Vec<HeldMail>,
    has_mail_server: bool,
) -> impl IntoView {
    let texts = MeetingTexts::here();
    let is_admin = visitor().is_admin();
    let is_empty = attendees.is_empty();
    let items = attendees.into_iter().map(|one| {
        let has_name = !one.name.is_empty();
        let name = if has_name { one.name } else { one.email.clone() };
        let answer = texts.answer_of(one.answer);
        view! {
            <li>
                <span><bdi>{name}</bdi>{has_name.then(|| view! { " " <span class="muted">{one.email}</span> })}</span>
                <span class="muted">{answer}{one.is_mailed.then(|| format!(" · {}", texts.is_mailed()))}</span>
                {one.is_blocked.then(|| view! {
                    <span class="muted">
                        {texts.is_blocked()}
                        {is_admin.then(|| view! { " · " <a href="/settings/outside-mail">{texts.blocked_addresses()}</a> })}
                    </span>
                })}
            </li>
        }
    });
    let items = items.collect_view();
    view! {
        <section class="panel" aria-labelledby="attendees">
            <header><h2 id="attendees">{texts.attendees()}</h2></header>
            {if is_empty {
                view! { <p class="muted">{texts.no_attendees()}</p> }.into_any()
            } else {
                view! { <ul class="attendee-list">{items}</ul> }.into_any()
            }}
            <HeldMails mails=held_mails />
            {(!is_empty && !has_mail_server).then(|| view! { <p class="notice warn">{texts.not_mailed()}</p> })}
        </section>
    }
}

/// What the engine does for the meeting.
#[component]
pub(super) fn MeetingTasks(tasks: Vec<TaskRow>) -> impl IntoView {
    let (texts, task_texts) = (MeetingTexts::here(), TaskTexts::here());
    let is_empty = tasks.is_empty();
    let items = tasks.into_iter().map(|task| {
        let is_waiting = task.state == State::Scheduled;
        let state = (!is_waiting).then(|| task_texts.state_of(task.state));
        view! {
            <li>
                <DateTime at=task.executed.unwrap_or(task.due) />
                <span>
                    <a href=format!("/tasks/{}", task.id)>{task_texts.kind(task.kind)}</a>
                    <span class="detail">
                        {state}
                        {is_waiting.then(|| view! { <Relative at=task.due.at /> })}
                    </span>
                </span>
            </li>
        }
    });
    let items = items.collect_view();
    view! {
        <section class="panel" aria-labelledby="tasks">
            <header><h2 id="tasks">{texts.reminders()}</h2></header>
            {if is_empty {
                view! { <p class="muted">{texts.no_tasks()}</p> }.into_any()
            } else {
                view! { <ol class="timeline">{items}</ol> }.into_any()
            }}
        </section>
    }
}
