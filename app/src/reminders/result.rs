//! The result of a change of a reminder, and its undo.

use crate::{
    reminders::server_fns::{ActOnReminder, ChangedReminder},
    server_fns::Refused,
    ui::result::{ActionResult, Undo, UndoForm, announce},
};
use domain::ReminderId;
use leptos::prelude::*;
use server_fn::ServerFn;
use texts::reminders::ReminderTexts;

/// Begin of the values of `done` in the URL of the page.
const PREFIX: &str = "reminder-";

/// Announces each success of an action that changes a reminder.
pub fn announce_reminder<F>(action: ServerAction<F>)
where
    F: server_fn::ServerFn<Output = ChangedReminder, Error = Refused> + Clone + Send + Sync + 'static,
{
    announce(action, |changed| {
        result_of(&changed.what, &changed.row.id.to_string(), &changed.row.version.0.to_string())
    });
}

/// Returns the result that a value of `done` in the URL names.
#[must_use]
pub fn result_of_url(done: &str) -> Option<ActionResult> {
    let parts: Vec<&str> = done.strip_prefix(PREFIX)?.split('.').collect();
    let [what, id, version] = parts[..] else { return None };
    id.parse::<ReminderId>().ok()?;
    version.parse::<i32>().ok()?;
    Some(result_of(what, id, version))
}

/// Describes what was done, with its undo.
fn result_of(what: &str, id: &str, version: &str) -> ActionResult {
    let texts = ReminderTexts::here();
    let (sentence, undo) = match what {
        "set" => (texts.was_set(), Some("unset")),
        "edit" => (texts.was_saved(), None),
        "done" => (texts.was_done(), Some("undo")),
        "cancel" | "unset" => (texts.was_cancelled(), Some("undo")),
        "cancelseries" => (texts.series_was_cancelled(), Some("undo")),
        "undo" => (texts.was_undone(), None),
        _ => (texts.was_snoozed(), Some("undo")),
    };
    let result = ActionResult::new(sentence);
    // A new moment may be on another tab.
    let result = match what {
        "set" | "edit" | "snooze10" | "snooze60" | "tomorrow" => {
            result.with_link("/reminders?state=coming", texts.show_coming())
        }
        _ => result,
    };
    match undo {
        Some(undo) => result.with_undo(Undo::Form(UndoForm {
            function: ActOnReminder::PATH,
            fields: vec![("act", format!("{undo}.{id}.{version}"))],
            label: texts.undo(),
        })),
        None => result,
    }
}
