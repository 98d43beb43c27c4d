//! One reminder as a row of the list.

use crate::{
    deliveries::held_mails::HeldMails,
    reminders::server_fns::act_value,
    session::visitor,
    tasks::list_page::bulk::SelectBox,
    ui::{
        shortcut::single_key,
        table::{
            address::{EDIT, ListAddress},
            row_menu::RowMenu,
        },
        time::date_time::{DateTime, Relative},
    },
};
use domain::{
    AccountId, ReminderId, Timestamp, Version,
    reminders::{Recipient, Reminder, ReminderState, Subject},
};
use leptos::prelude::*;
use texts::{
    calendar::rule_text::{rule_text, rule_text_in},
    language, reason,
    reminders::{AboutTexts, ReminderTexts},
    time::span,
};

/// Id of the form that the buttons of all rows belong to.
pub(super) const ROW_FORM: &str = "row-actions";

/// Key of a row. A row with an equal key keeps its element and focus.
pub(super) fn key(row: &Reminder) -> (ReminderId, Version, ReminderState, Option<Timestamp>) {
    (row.id, row.version, row.state, row.held_mails.last().and_then(|mail| mail.until).map(|until| until.at))
}

/// Whether the row has a box: something can be changed of it.
pub(super) fn can_select(row: &Reminder) -> bool {
    !is_over(row.state)
}

/// One reminder in a table: text, state, moment and actions.
#[component]
pub(super) fn ReminderTableRow(row: Reminder, address: Memo<ListAddress>) -> impl IntoView {
    let texts = ReminderTexts::here();
    let is_waiting = row.state == ReminderState::Scheduled;
    let select =
        can_select(&row).then(|| view! { <SelectBox id=row.id.to_string() title=row.text.clone() /> });
    // Follows the filters: a search may keep the row.
    let edit = can_edit(&row).then(|| {
        let id = row.id.to_string();
        Signal::derive(move || address.with(|address| address.with(EDIT, &id).to_string()))
    });
    let title = match edit {
        Some(href) => view! {
            <a class="title" dir="auto" href=href aria-keyshortcuts=single_key("e")>{row.text.clone()}</a>
        }
        .into_any(),
        None => view! { <span class="title" dir="auto">{row.text.clone()}</span> }.into_any(),
    };
    let (due, at, acts) = (row.due, row.due.at, row.clone());
    view! {
        <tr class="list-row" id=format!("reminder-{}", row.id) data-edit=move || edit.map(|edit| edit.get())>
            <th scope="row" class="main">
                {select}
                {title}
                <Remarks row=row.clone() />
            </th>
            <td class="state">
                <span class="phase state-mark" data-phase=row.state.as_str()>{texts.state(row.state)}</span>
            </td>
            <td class="when">
                <DateTime at=due />
                {is_waiting.then(|| view! { " "<Relative at=at /> })}
            </td>
            <td class="actions"><Actions row=acts edit=edit has_menu=true /></td>
        </tr>
    }
}

/// One reminder on the page of what it is about, where nothing is selected.
#[component]
pub(super) fn ReminderItem(row: Reminder) -> impl IntoView {
    let is_waiting = row.state == ReminderState::Scheduled;
    let state = (!is_waiting).then(|| ReminderTexts::here().state(row.state));
    let edit = can_edit(&row).then(|| Signal::stored(format!("/reminders?edit={}", row.id)));
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
                </p>
                <Remarks row=row.clone() />
            </div>
            <div class="row actions"><Actions row=acts edit=edit has_menu=false /></div>
        </li>
    }
}

/// How it repeats, recipient, creator, what it is about, why it is in its state, and its mails that wait.
#[component]
fn Remarks(row: Reminder) -> impl IntoView {
    let texts = ReminderTexts::here();
    let own = visitor().account.map(|account| account.id);
    let is_for_me = matches!(&row.recipient, Recipient::Account(id) if Some(*id) == own);
    let whom = (!is_for_me).then(|| texts.for_whom(&row.recipient_name));
    let from = is_of_other(&row, own).then(|| texts.from_owner(&row.owner));
    let why = row.reason.as_deref().map(|why| reason::sentence(language(), why));
    let repeats = row.repeats.as_ref().zip(row.local.as_ref()).map(|(repeats, local)| {
        let is_here = local.zone == visitor().zone();
        let zone = &local.zone;
        let rule = &repeats.rule;
        if is_here { rule_text(language(), rule) } else { rule_text_in(language(), rule, zone) }
    });
    let about = row.about.as_ref().map(|about| {
        let href = match about.subject {
            Subject::Article => format!("/articles/{}", about.id),
            Subject::Meeting => format!("/meetings/{}", about.id),
        };
        let distance = span(language(), i64::from(about.offset_minutes.unsigned_abs()) * 60);
        view! { <p class="meta"><a href=href>{AboutTexts::here().distance(about, distance)}</a></p> }
    });
    view! {
        {repeats.map(|rule| view! { <p class="meta">{rule}</p> })}
        {whom.map(|whom| view! { <p class="meta"><bdi>{whom}</bdi></p> })}
        {from.map(|from| view! { <p class="meta"><bdi>{from}</bdi></p> })}
        {about}
        {why.map(|why| view! { <p class="meta">{why}</p> })}
        <HeldMails mails=row.held_mails />
    }
}

/// Whether its form can be opened.
fn can_edit(row: &Reminder) -> bool {
    row.may_change && !is_over(row.state)
}

const fn is_over(state: ReminderState) -> bool {
    matches!(state, ReminderState::Done | ReminderState::Cancelled | ReminderState::Skipped)
}

fn is_of_other(row: &Reminder, own: Option<AccountId>) -> bool {
    Some(row.owner_id) != own
}

#[component]
fn Actions(row: Reminder, edit: Option<Signal<String>>, has_menu: bool) -> impl IntoView {
    let texts = ReminderTexts::here();
    let is_over = is_over(row.state);
    let is_sent = row.state == ReminderState::Sent;
    let button = {
        let row = row.clone();
        move |what: &'static str, label: &'static str| {
            let key = (what == "cancel").then(|| single_key("x")).flatten();
            view! {
                <button
                    class="button small" type="submit" form=ROW_FORM name="act" value=act_value(&row, what)
                    aria-label=format!("{label} – {}", row.text) aria-keyshortcuts=key
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
    let edit = edit.map(|href| {
        let label = format!("{} – {}", texts.edit(), row.text);
        view! { <a class="button small" href=href aria-label=label>{texts.edit()}</a> }
    });
    let undo = (is_over && row.undo.is_some()).then(|| button("undo", texts.undo()));
    let is_empty = is_over && undo.is_none();
    (!is_empty).then(|| {
        view! {
            {has_menu.then(|| view! { <RowMenu title=row.text.clone() /> })}
            {(!is_over).then(|| button("done", texts.done()))}
            {snooze}
            {edit}
            {(row.may_change && !is_over && !is_sent).then(|| button("cancel", texts.cancel()))}
            {(row.may_change && !is_over && row.repeats.is_some()).then(|| button("cancelseries", texts.cancel_series()))}
            {undo}
        }
    })
}
