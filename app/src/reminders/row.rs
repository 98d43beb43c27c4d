//! One reminder as a row.

use crate::{
    reminders::{
        server_fns::act_value,
        texts::{AboutTexts, ReminderTexts},
    },
    shell::session::visitor,
    texts::{language, reason, time::span},
    ui::time::date_time::{DateTime, Relative},
};
use domain::{
    AccountId,
    reminders::{Recipient, Reminder, ReminderState, Subject},
};
use leptos::prelude::*;

/// Id of the form that the buttons of all rows belong to.
pub(super) const ROW_FORM: &str = "row-actions";

/// Text, moment, recipient and actions.
#[component]
pub(super) fn ReminderRow(row: Reminder) -> impl IntoView {
    let texts = ReminderTexts::here();
    let own = visitor().account.map(|account| account.id);
    let is_waiting = row.state == ReminderState::Scheduled;
    let state = (!is_waiting).then(|| texts.state(row.state));
    let is_for_me = matches!(&row.recipient, Recipient::Account(id) if Some(*id) == own);
    let whom = (!is_for_me).then(|| texts.for_whom(&row.recipient_name));
    let from = is_of_other(&row, own).then(|| texts.from_owner(&row.owner));
    let why = row.reason.as_deref().map(|why| reason::sentence(language(), why));
    let about = row.about.as_ref().map(|about| {
        let href = match about.subject {
            Subject::Article => format!("/articles/{}", about.id),
            Subject::Meeting => format!("/meetings/{}", about.id),
        };
        let distance = span(language(), i64::from(about.offset_minutes.unsigned_abs()) * 60);
        view! { <p class="meta"><a href=href>{AboutTexts::here().distance(about, distance)}</a></p> }
    });
    let (due, at, acts) = (row.due, row.due.at, row.clone());
    view! {
        <li class="reminder" id=format!("reminder-{}", row.id)>
            <div class="what">
                <p class="title" dir="auto">{row.text.clone()}</p>
                <p class="meta">
                    {state.map(|state| view! {
                        <span class="phase state-mark" data-phase=row.state.as_str()>{state}</span>
                    })}
                    <DateTime at=due />
                    {is_waiting.then(|| view! { <Relative at=at /> })}
                    {whom.map(|whom| view! { <bdi>{whom}</bdi> })}
                    {from.map(|from| view! { <bdi>{from}</bdi> })}
                </p>
                {about}
                {why.map(|why| view! { <p class="meta">{why}</p> })}
            </div>
            <Actions row=acts />
        </li>
    }
}

fn is_of_other(row: &Reminder, own: Option<AccountId>) -> bool {
    Some(row.owner_id) != own
}

#[component]
fn Actions(row: Reminder) -> impl IntoView {
    let texts = ReminderTexts::here();
    let is_over =
        matches!(row.state, ReminderState::Done | ReminderState::Cancelled | ReminderState::Skipped);
    let is_sent = row.state == ReminderState::Sent;
    let button = {
        let row = row.clone();
        move |what: &'static str, label: &'static str| {
            view! {
                <button
                    class="button small" type="submit" form=ROW_FORM name="act" value=act_value(&row, what)
                    aria-label=format!("{label} – {}", row.text)
                >
                    {label}
                </button>
            }
        }
    };
    let snooze = (!is_over).then(|| {
        let label = format!("{} – {}", texts.snooze(), row.text);
        view! {
            <details class="open-in-place">
                <summary class="button small" aria-label=label>{texts.snooze()}</summary>
                <p class="row">
                    {button("snooze10", texts.in_10_min())}
                    {button("snooze60", texts.in_1_h())}
                    {button("tomorrow", texts.tomorrow())}
                </p>
            </details>
        }
    });
    let edit = (row.may_change && !is_over).then(|| {
        let (href, label) =
            (format!("/reminders?edit={}", row.id), format!("{} – {}", texts.edit(), row.text));
        view! { <a class="button small bare" href=href aria-label=label>{texts.edit()}</a> }
    });
    let undo = (is_over && row.undo.is_some()).then(|| button("undo", texts.undo()));
    view! {
        <div class="row actions">
            {(!is_over).then(|| button("done", texts.done()))}
            {snooze}
            {edit}
            {(row.may_change && !is_over && !is_sent).then(|| button("cancel", texts.cancel()))}
            {undo}
        </div>
    }
}
