//! The last change a user made to a task, with the data needed to undo it.

use crate::kinds;
use domain::{State, Timestamp, input_limits::UNDO_OFFER_MS, task::UndoOffer};
use serde::{Deserialize, Serialize};
use store::task_list::TaskListRow;
use uuid::Uuid;

/// How long a "publish now" that is not executed yet can be undone, milliseconds.
const PUBLISH_NOW_UNDO_MS: i64 = 60_000;

/// How long the dismissal of a failed or missed task can be undone, milliseconds.
const DISMISS_UNDO_MS: i64 = 600_000;

/// Data in the event of a change: new and previous values.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ChangeDetail {
    /// Due time after the change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub due_at: Option<Timestamp>,
    /// Due time before the change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub was_due_at: Option<Timestamp>,
    /// Local time the user had entered before the change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub was_local: Option<String>,
    /// Time zone of that local time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub was_zone: Option<String>,
    /// Revision pinned before the change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub was_revision_id: Option<Uuid>,
    /// Number of the saved revision that the task follows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<i32>,
    /// State of the target before the change: see [`kinds::TaskKind::state_before`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub was_state: Option<serde_json::Value>,
    /// State before the change, if a failed or missed task was dismissed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub was_ended: Option<State>,
    /// Why it had failed or was missed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub was_reason: Option<String>,
    /// Whether the task was created by "publish now".
    #[serde(skip_serializing_if = "is_false")]
    pub is_at_once: bool,
    /// The verb of the change that an undo reverted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undid: Option<String>,
    /// The change of many tasks that this one belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub batch: Option<Uuid>,
    /// The task that an undo reverted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of_task: Option<Uuid>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
fn is_false(value: &bool) -> bool {
    !value
}

impl ChangeDetail {
    /// Returns the values of a task before a change.
    pub fn before(row: &TaskListRow) -> Self {
        Self {
            was_due_at: Some(row.due_at.into()),
            was_local: row.local_time.clone(),
            was_zone: row.time_zone.clone(),
            was_revision_id: row.revision_id,
            ..Self::default()
        }
    }

    /// Returns the stored JSON.
    pub fn text(&self) -> String {
        serde_json::to_string(self).unwrap_or_else(|_| "{}".to_owned())
    }
}

/// How a change is undone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UndoKind {
    /// The task is scheduled again as it was before.
    Restore,
    /// The task is cancelled before it is executed.
    Cancel,
    /// A dismissed task is failed or missed again.
    Reopen,
    /// The task was executed: the target's state is reverted, and the task is scheduled
    /// again if it had a due time.
    Revert,
}

/// A change that can be undone.
#[derive(Debug, Clone, PartialEq)]
pub struct UndoPlan {
    /// Verb on the button.
    pub verb: &'static str,
    /// Time of the change.
    pub changed_at: Timestamp,
    /// Until when it can be undone.
    pub until: Timestamp,
    /// How it is undone.
    pub kind: UndoKind,
    /// Previous values.
    pub detail: ChangeDetail,
}

impl UndoPlan {
    /// Returns the last change of a task if it can be undone in the task's current state.
    pub fn of(row: &TaskListRow) -> Option<Self> {
        let state: State = row.state.parse().ok()?;
        let changed_at = Timestamp::from_millis(row.last_at?);
        let detail: ChangeDetail = serde_json::from_str(row.last_detail.as_deref()?).ok()?;
        let kind = kinds::find(&row.kind)?;
        if state == State::Executed && !kind.can_be_undone() {
            return None;
        }
        let at_once = kind.run_now_verb();
        let due_at = Some(Timestamp::from_millis(row.due_at));
        // After that, readers see a normal publish or unpublish instead of an undo.
        let offered = changed_at.plus(UNDO_OFFER_MS);
        let (verb, until, undo_kind) = match (state, row.last_verb.as_deref()?) {
            (State::Scheduled, "reschedule") => ("reschedule", detail.was_due_at, UndoKind::Restore),
            (State::Scheduled, "replace_revision") => ("replace_revision", due_at, UndoKind::Restore),
            (State::Cancelled, "cancel") if detail.was_ended.is_some() => {
                ("dismiss", Some(changed_at.plus(DISMISS_UNDO_MS)), UndoKind::Reopen)
            }
            (State::Cancelled, "cancel") => ("cancel", due_at, UndoKind::Restore),
            // After a failure the task has its previous schedule again: there is nothing to undo.
            (State::Scheduled | State::Executed, "publish_now") if detail.due_at != due_at => return None,
            // It is due: once it is executed, it could not be undone.
            (State::Scheduled, "publish_now") if !kind.can_be_undone() => return None,
            (State::Scheduled, "publish_now") => (at_once, detail.was_due_at, UndoKind::Restore),
            (State::Executed, "publish_now") if row.is_last_execution => {
                (at_once, detail.was_due_at.map(|was| was.min(offered)), UndoKind::Revert)
            }
            (State::Scheduled, "schedule") if detail.is_at_once => {
                (at_once, Some(changed_at.plus(PUBLISH_NOW_UNDO_MS)), UndoKind::Cancel)
            }
            // A task rescheduled by an undo cannot be undone.
            (State::Scheduled, "schedule") if detail.of_task.is_none() => {
                ("schedule", due_at, UndoKind::Cancel)
            }
            (State::Executed, "schedule") if detail.is_at_once && row.is_last_execution => {
                (at_once, Some(offered), UndoKind::Revert)
            }
            _ => return None,
        };
        Some(Self { verb, changed_at, until: until?, kind: undo_kind, detail })
    }

    /// Returns the undo offer shown beside the task; `None`: it has expired.
    pub fn undo(&self, now: Timestamp) -> Option<UndoOffer> {
        (now < self.until).then(|| UndoOffer {
            verb: self.verb.to_owned(),
            changed_at: self.changed_at,
            until: self.until,
            is_update: self.verb == "publish_now" && self.detail.was_state.is_some(),
        })
    }
}
