//! Reminders of a meeting: on its page and in its form.

use crate::{
    deliveries::held_mails::HeldMails,
    reminders::server_fns::ReminderWays,
    session::visitor,
    ui::{
        form::{refusal_of, typed},
        time::date_time::{DateTime, Relative},
    },
};
use domain::reminders::{Anchor, MeetingReminder, Recipient, RemindBy, Reminder, ReminderState};
use leptos::prelude::*;
use texts::{language, reason, reminders::ReminderTexts, time::span};

/// The choices of the form, beside those that the meeting has.
const CHOICES: [(Anchor, i32, RemindBy); 10] = [
    (Anchor::Start, 10, RemindBy::Bell),
    (Anchor::Start, 60, RemindBy::Bell),
    (Anchor::Start, 24 * 60, RemindBy::Bell),
    (Anchor::End, 5, RemindBy::Bell),
    (Anchor::Start, 10, RemindBy::Mail),
    (Anchor::Start, 60, RemindBy::Mail),
    (Anchor::Start, 24 * 60, RemindBy::Mail),
    (Anchor::End, 5, RemindBy::Mail),
    (Anchor::Start, 10, RemindBy::Sms),
    (Anchor::End, 5, RemindBy::Sms),
];

/// The reminders of a meeting with what became of them. Hidden if there are none.
#[component]
pub fn MeetingReminders(
    /// The reminders.
    reminders: Vec<Reminder>,
) -> impl IntoView {
    let texts = ReminderTexts::here();
    let is_empty = reminders.is_empty();
    let held_mails = reminders.iter().flat_map(|row| row.held_mails.iter().cloned()).collect::<Vec<_>>();
    let items = reminders.into_iter().map(|row| {
        let is_waiting = row.state == ReminderState::Scheduled;
        let (when, at) = (row.due, row.due.at);
        let what = choice_of(&row).map(|choice| label(texts, choice)).unwrap_or(row.text);
        let why = row.reason.as_deref().map(|why| reason::sentence(language(), why));
        view! {
            <li>
                <DateTime at=when />
                <span>
                    {what}
                    <span class="detail">
                        {(!is_waiting).then(|| texts.state(row.state))}
                        {is_waiting.then(|| view! { <Relative at=at /> })}
                        {why.map(|why| view! { " " {why} })}
                    </span>
                </span>
            </li>
        }
    });
    let items = items.collect_view();
    (!is_empty).then(|| {
        view! {
            <section class="panel" aria-labelledby="reminders">
                <header><h2 id="reminders">{texts.title()}</h2></header>
                <ol class="timeline">{items}</ol>
                <HeldMails mails=held_mails />
            </section>
        }
    })
}

/// What the organizer chose; `None`: it is no reminder of a meeting.
fn choice_of(row: &Reminder) -> Option<MeetingReminder> {
    let about = row.about.as_ref()?;
    let by = match row.recipient {
        Recipient::Bell => RemindBy::Bell,
        Recipient::Attendees => RemindBy::Mail,
        Recipient::Sms => RemindBy::Sms,
        _ => return None,
    };
    Some(MeetingReminder { before: about.anchor, minutes: -about.offset_minutes, by })
}

/// Returns the form values of the reminders of a meeting.
#[must_use]
pub fn form_values(reminders: &[Reminder]) -> Vec<String> {
    reminders.iter().filter_map(|row| Some(choice_of(row)?.form_value())).collect()
}

fn label(texts: ReminderTexts, choice: MeetingReminder) -> String {
    let before = before(texts, choice);
    match choice.by {
        RemindBy::Bell => texts.by_bell(before),
        RemindBy::Mail => texts.by_mail(before),
        RemindBy::Sms => texts.by_sms(before),
    }
}

fn before(texts: ReminderTexts, choice: MeetingReminder) -> String {
    texts.before(choice.before, span(language(), i64::from(choice.minutes) * 60))
}

/// Chips for the reminders of a meeting that the desk can send, a row for each way.
#[component]
pub fn ReminderChoice(
    /// Path of the server function.
    path: &'static str,
    /// Form values of the reminders that the meeting has.
    chosen: Vec<String>,
    /// By which ways the desk sends them.
    ways: ReminderWays,
) -> impl IntoView {
    let texts = ReminderTexts::here();
    let is_answered = refusal_of(path).is_some();
    let can_send = |one: &MeetingReminder| match one.by {
        RemindBy::Bell => true,
        RemindBy::Mail => ways.has_mail_server,
        RemindBy::Sms => ways.has_sms_channel,
    };
    let choices = CHOICES.into_iter().map(|(before, minutes, by)| MeetingReminder { before, minutes, by });
    let mut all: Vec<MeetingReminder> = choices.filter(can_send).collect();
    let own = chosen.iter().filter_map(|value| MeetingReminder::of_form_value(value));
    let own: Vec<MeetingReminder> = own.filter(|one| !all.contains(one)).collect();
    all.extend(own);
    let chip = |place: usize, one: MeetingReminder| {
        let (name, value) = (format!("meeting[reminders][{place}]"), one.form_value());
        let is_on = if is_answered { typed(path, &name).is_some() } else { chosen.contains(&value) };
        view! {
            <label class="choice chip">
                <input type="checkbox" name=name value=value checked=is_on />
                <span>{before(texts, one)}</span>
            </label>
        }
    };
    let named = [
        (RemindBy::Bell, texts.bell_way()),
        (RemindBy::Mail, texts.mail_way()),
        (RemindBy::Sms, texts.sms_way()),
    ];
    let rows = named.into_iter().map(|(by, name)| {
        let of_way = all.iter().enumerate().filter(|(_, one)| one.by == by);
        let chips: Vec<_> = of_way.map(|(place, one)| chip(place, *one)).collect();
        (!chips.is_empty()).then(|| {
            view! {
                <div class="chip-row" role="group" aria-label=name>
                    <span class="label" aria-hidden="true">{name}</span>
                    {chips}
                </div>
            }
        })
    });
    let rows = rows.collect_view();
    view! {
        <fieldset class="field">
            <legend class="label">{texts.title()}</legend>
            <div class="reminder-chips">{rows}</div>
            <MissingWays ways=ways />
            <span class="hint">{texts.bell_hint()}</span>
        </fieldset>
    }
}

/// Says by which ways the desk cannot send reminders. For admins, with links to the settings.
#[component]
fn MissingWays(
    /// The ways.
    ways: ReminderWays,
) -> impl IntoView {
    let (texts, is_admin) = (ReminderTexts::here(), visitor().is_admin());
    let hint = |text, href, label| {
        let link = is_admin.then(|| view! { " " <a href=href>{label}</a> });
        view! { <p class="hint">{text}{link}</p> }
    };
    view! {
        {(!ways.has_mail_server).then(|| hint(texts.no_mail_for_meetings(), "/settings/mail", texts.set_mail()))}
        {(!ways.has_sms_channel).then(|| hint(texts.no_sms_for_meetings(), "/settings/channels", texts.set_sms()))}
    }
}
