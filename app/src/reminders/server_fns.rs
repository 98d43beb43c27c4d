//! Reminders and notifications.

#[cfg(feature = "ssr")]
use crate::reminders::form_values::{about_time, first_of, is_same_rule, rule_named, time_named};
use crate::server_fns::{JsonOutput, Refused, time_of_form::TimeOfForm};
#[cfg(feature = "ssr")]
use crate::server_fns::{result_url::with_done, ssr};
#[cfg(feature = "ssr")]
use domain::{
    Actor, DomainError, ReminderId, Services, Version,
    error::ValidationError,
    reminders::{
        NewReminder, Recipient, ReminderChange, ReminderEdit, ReminderQuery, ReminderState, ReminderTime,
        SnoozeTime,
    },
};
use domain::{
    Page,
    reminders::{Reminder, ReminderCounts, ReminderView},
};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// Number of open reminders among which the same one is looked for.
#[cfg(feature = "ssr")]
const MAX_SAME: u32 = 100;

/// What the URL of the list means.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReminderListQuery {
    /// Part of the list.
    pub view: ReminderView,
    /// Whether the latest comes first.
    pub is_latest_first: bool,
    /// Only those that contain this text.
    pub q: Option<String>,
    /// First day, `YYYY-MM-DD` in the user's time zone; ignored with a cursor.
    pub day: Option<String>,
    /// Where the page starts.
    pub cursor: Option<String>,
    /// The reminder whose form is open.
    pub edit: Option<String>,
}

/// A page of the list, and what the form offers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReminderList {
    /// The page.
    pub page: Page<Reminder>,
    /// Counts of the parts, whatever the query.
    pub counts: ReminderCounts,
    /// The reminder whose form is open; `None`: a new one.
    pub edited: Option<Reminder>,
    /// Whether mails are sent at all.
    pub has_mail_server: bool,
    /// Ids and names of the channels; only for admins.
    pub channels: Vec<(String, String)>,
}

impl ReminderList {
    /// Number of reminders in a part.
    #[must_use]
    pub const fn count(&self, view: ReminderView) -> u64 {
        match view {
            ReminderView::Today => self.counts.today,
            ReminderView::Coming => self.counts.coming,
            ReminderView::Done => self.counts.done,
        }
    }
}

/// Whether the form can change a reminder: it is open, and not one that a meeting sends to its attendees.
#[cfg(feature = "ssr")]
fn can_edit(reminder: &Reminder) -> bool {
    let is_open =
        matches!(reminder.state, ReminderState::Scheduled | ReminderState::Sent | ReminderState::Failed);
    let is_personal =
        matches!(reminder.recipient, Recipient::Account(_) | Recipient::Mail(_) | Recipient::Channel(_));
    is_open && is_personal && reminder.may_change
}

/// A page of the reminders of the user.
#[server(name = ListReminders, prefix = "/fn", endpoint = "reminders", output = JsonOutput)]
pub async fn list_reminders(query: ReminderListQuery) -> Result<ReminderList, Refused> {
    ssr::respond(
        async {
            let (services, actor) = (ssr::services()?, ssr::actor()?);
            let edited = match query.edit.as_deref().and_then(|id| id.parse().ok()) {
                Some(id) => services.reminders.find(&actor, id).await.ok().filter(can_edit),
                None => None,
            };
            // A day that is no date is like none.
            let day = query.day.filter(|day| domain::base::local_time::parse_date(day).is_some());
            let query = ReminderQuery {
                view: Some(query.view),
                q: query.q,
                is_latest_first: Some(query.is_latest_first),
                day,
                cursor: query.cursor,
                ..ReminderQuery::default()
            };
            let channels = if actor.is_admin() { services.channels.list(&actor).await? } else { Vec::new() };
            Ok(ReminderList {
                page: services.reminders.list(&actor, query).await?,
                counts: services.reminders.counts(&actor).await?,
                edited,
                has_mail_server: services.channels.has_mail_server(&actor).await?,
                channels: channels
                    .into_iter()
                    .filter(domain::channel::Channel::sends_messages)
                    .map(|one| (one.id.to_string(), one.settings.name))
                    .collect(),
            })
        }
        .await,
    )
}

/// By which ways the desk sends reminders of meetings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReminderWays {
    /// Whether it has a mail server.
    pub has_mail_server: bool,
    /// Whether it has an active SMS channel.
    pub has_sms_channel: bool,
}

/// By which ways the desk sends reminders of meetings.
#[server(name = ReadReminderWays, prefix = "/fn", endpoint = "reminder_ways", output = JsonOutput)]
pub async fn reminder_ways() -> Result<ReminderWays, Refused> {
    ssr::respond(
        async {
            let (services, actor) = (ssr::services()?, ssr::actor()?);
            Ok(ReminderWays {
                has_mail_server: services.channels.has_mail_server(&actor).await?,
                has_sms_channel: services.channels.has_sms_channel(&actor).await?,
            })
        }
        .await,
    )
}

/// A reminder after a change, and what was done: `set`, `edit`, or the change of a button.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChangedReminder {
    /// The reminder.
    pub row: Reminder,
    /// What was done.
    pub what: String,
}

/// The form as submitted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReminderFields {
    /// The reminder that is changed; empty: a new one.
    #[serde(default)]
    pub id: String,
    /// The version of it that the user saw.
    #[serde(default)]
    pub seen: String,
    /// What it says.
    pub text: String,
    /// `me`, `address`, or `channel.ID`.
    pub to: String,
    /// The address.
    #[serde(default)]
    pub address: String,
    /// The address with which the form was opened.
    #[serde(default)]
    pub address_before: String,
    /// How it repeats from then on: empty, [`super::form_values::KEEP_RULE`], `daily`, `weekdays`,
    /// `weekly`, `monthly` or `yearly`.
    #[serde(default)]
    pub repeats: String,
    /// Which reminders of a series change: `all` that are coming, or `this`.
    #[serde(default)]
    pub reach: String,
    /// When it is sent.
    #[serde(flatten)]
    pub time: TimeOfForm,
}

/// Creates a reminder, or changes the one that the form names.
#[server(name = SaveReminder, prefix = "/fn", endpoint = "save_reminder", output = JsonOutput)]
pub async fn save_reminder(
    #[server(flatten)] fields: ReminderFields,
    from: String,
) -> Result<ChangedReminder, Refused> {
    ssr::respond(
        async {
            let (services, actor) = (ssr::services()?, ssr::actor()?);
            let ReminderFields { id, seen, text, to, address, address_before, repeats, reach, time } = fields;
            let text = ssr::normalize_newlines(&text);
            let recipient = recipient(&services, &actor, &to, (&address, &address_before)).await?;
            let time = time_named(&services, &actor, time).await?;
            let repeats = rule_named(&repeats);
            let changed = match id.as_str() {
                "" => {
                    let new = NewReminder { text, recipient: Some(recipient), time, repeats };
                    let row = create_once(&services, &actor, new).await.map_err(about_time)?;
                    ChangedReminder { row, what: "set".to_owned() }
                }
                id => {
                    let id = id.parse().map_err(|_| DomainError::no_such("reminder"))?;
                    let seen = seen.parse().map_err(|_| DomainError::Changed)?;
                    let change = ReminderEdit {
                        text: Some(text),
                        recipient: Some(recipient),
                        time: Some(time),
                        repeats: repeats.map(Box::new),
                        is_whole_series: reach != "this",
                    };
                    edit(&services, &actor, (id, Version(seen)), change).await.map_err(about_time)?
                }
            };
            back(&without_edit(&from), &changed);
            Ok(changed)
        }
        .await,
    )
}

/// Makes a change that a button names: `WHAT.ID.VERSION`. `WHAT` is `done`, `cancel`, `cancelseries`, `unset`,
/// `undo`, `snooze10`, `snooze60` or `tomorrow`.
#[server(name = ActOnReminder, prefix = "/fn", endpoint = "act_on_reminder", output = JsonOutput)]
pub async fn act_on_reminder(act: String, from: String) -> Result<ChangedReminder, Refused> {
    ssr::respond(
        async {
            ssr::actor()?;
            let parts: Vec<&str> = act.split('.').collect();
            let [what, id, seen] = parts[..] else { return Err(unreadable()) };
            let id = id.parse().map_err(|_| unreadable())?;
            let seen = seen.parse().map(Version).map_err(|_| unreadable())?;
            let (services, actor) = (ssr::services()?, ssr::actor()?);
            let change = change_named(what)?;
            let row = match services.reminders.change(&actor, id, change, Some(seen)).await {
                Err(DomainError::Changed) => {
                    let now = services.reminders.find(&actor, id).await?;
                    if !is_done_already(&now, what, seen) {
                        return Err(DomainError::Changed);
                    }
                    now
                }
                other => other?,
            };
            let changed = ChangedReminder { row, what: what.to_owned() };
            back(&from, &changed);
            Ok(changed)
        }
        .await,
    )
}

/// Value of a button of [`act_on_reminder`].
#[must_use]
pub fn act_value(row: &Reminder, what: &str) -> String {
    format!("{what}.{}.{}", row.id, row.version.0)
}

#[cfg(feature = "ssr")]
pub(super) fn back(from: &str, changed: &ChangedReminder) {
    let ChangedReminder { row, what } = changed;
    ssr::redirect_back(&with_done(from, &format!("reminder-{what}.{}.{}", row.id, row.version.0)));
}

/// Removes the parameter that opens the form of a reminder.
#[cfg(feature = "ssr")]
fn without_edit(from: &str) -> String {
    let (path, query) = from.split_once('?').unwrap_or((from, ""));
    let kept: Vec<&str> =
        query.split('&').filter(|part| !part.is_empty() && !part.starts_with("edit=")).collect();
    if kept.is_empty() { path.to_owned() } else { format!("{path}?{}", kept.join("&")) }
}

#[cfg(feature = "ssr")]
fn unreadable() -> DomainError {
    let why = "is not an action of this list".to_owned();
    DomainError::invalid("act", ValidationError::Unreadable { why })
}

/// Returns whom the form names. An address that was typed counts, though `to` was left at the user:
/// browsers without `:has()` always show its field. One that was there before does not.
#[cfg(feature = "ssr")]
async fn recipient(
    services: &Services,
    actor: &Actor,
    to: &str,
    (address, before): (&str, &str),
) -> Result<Recipient, DomainError> {
    let is_typed = !address.trim().is_empty() && address.trim() != before.trim();
    match to.split_once('.') {
        Some(("channel", id)) => {
            let id = id.parse().map_err(|_| DomainError::invalid("to", ValidationError::Unknown))?;
            Ok(Recipient::Channel(id))
        }
        _ if to == "address" || is_typed => services.reminders.recipient_at(actor, address).await,
        _ => Ok(Recipient::Account(actor.account)),
    }
}

/// Creates the reminder; the same form that is sent twice creates one.
#[cfg(feature = "ssr")]
pub(super) async fn create_once(
    services: &Services,
    actor: &Actor,
    new: NewReminder,
) -> Result<Reminder, DomainError> {
    let Some((due_at, rule)) = first_of(services, actor, &new).await? else {
        return services.reminders.create(actor, new).await;
    };
    let query = ReminderQuery {
        state: Some(ReminderState::Scheduled),
        limit: Some(MAX_SAME),
        ..ReminderQuery::default()
    };
    let open = services.reminders.list(actor, query).await?.items;
    let same = open.into_iter().find(|one| {
        let stored = one.repeats.as_ref().map(|repeats| &repeats.rule);
        one.due.at == due_at
            && one.text == new.text.trim()
            && Some(&one.recipient) == new.recipient.as_ref()
            && is_same_rule(rule.as_ref(), stored)
    });
    match same {
        Some(same) => Ok(same),
        None => services.reminders.create(actor, new).await,
    }
}

/// Changes the reminder. A time that is the same as before is not sent: the reminder keeps its own.
#[cfg(feature = "ssr")]
async fn edit(
    services: &Services,
    actor: &Actor,
    (id, seen): (ReminderId, Version),
    mut edit: ReminderEdit,
) -> Result<ChangedReminder, DomainError> {
    let current = services.reminders.find(actor, id).await?;
    if let (Some(ReminderTime::At(when)), None) = (edit.time.clone(), &edit.repeats) {
        let due_at = services.tasks.resolve(actor, &when).await?.at;
        if current.due.at == due_at && current.state == ReminderState::Scheduled {
            edit.time = None;
        }
    }
    let row = services.reminders.change(actor, id, ReminderChange::Edit(edit), Some(seen)).await?;
    Ok(ChangedReminder { row, what: "edit".to_owned() })
}

#[cfg(feature = "ssr")]
fn change_named(what: &str) -> Result<ReminderChange, DomainError> {
    Ok(match what {
        "done" => ReminderChange::Done,
        "cancel" => ReminderChange::Cancel,
        "cancelseries" | "unset" => ReminderChange::CancelSeries,
        "undo" => ReminderChange::Undo,
        "snooze10" => ReminderChange::Snooze(SnoozeTime::Minutes(10)),
        "snooze60" => ReminderChange::Snooze(SnoozeTime::Minutes(60)),
        "tomorrow" => ReminderChange::Snooze(SnoozeTime::Tomorrow),
        _ => return Err(unreadable()),
    })
}

/// Whether the same form was sent before.
#[cfg(feature = "ssr")]
fn is_done_already(row: &Reminder, what: &str, seen: Version) -> bool {
    let is_like = match what {
        "done" => row.state == ReminderState::Done,
        "cancel" | "cancelseries" | "unset" => row.state == ReminderState::Cancelled,
        "snooze10" | "snooze60" | "tomorrow" => row.undo.as_deref() == Some("snooze"),
        _ => false,
    };
    is_like && row.version.0 == seen.0 + 1
}
