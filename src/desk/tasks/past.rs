//! The last thing a person did to a task, with what it needs to be taken back.

use domain::{Kind, State, Timestamp, limit::UNDO_OFFER_MS, task::Undo};
use serde::{Deserialize, Serialize};
use store::{target::Public, task_list::Line};
use uuid::Uuid;

/// How long something that shall go out at once, and has not yet, can be taken back, in milliseconds.
const AT_ONCE_MS: i64 = 60_000;

/// What the event of a change remembers: what is new, and what was.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Detail {
    /// The moment after the change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub due_at: Option<Timestamp>,
    /// The moment before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub was_due_at: Option<Timestamp>,
    /// What the person had typed before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub was_local: Option<String>,
    /// The zone they had typed it in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub was_zone: Option<String>,
    /// The revision that was pinned before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub was_revision_id: Option<Uuid>,
    /// Where the article stood on the site.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub was_public: Option<Public>,
    /// Whether it was asked to happen at once.
    #[serde(skip_serializing_if = "is_false")]
    pub is_at_once: bool,
    /// The verb that an undo took back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undid: Option<String>,
    /// The task that an undo took back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of_task: Option<Uuid>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
fn is_false(value: &bool) -> bool {
    !value
}

impl Detail {
    /// What a line says before a change.
    pub fn before(line: &Line) -> Self {
        Self {
            was_due_at: Some(line.due_at.into()),
            was_local: line.local.clone(),
            was_zone: line.zone.clone(),
            was_revision_id: line.revision_id,
            ..Self::default()
        }
    }

    /// As it is stored.
    pub fn text(&self) -> String {
        serde_json::to_string(self).unwrap_or_else(|_| "{}".to_owned())
    }
}

/// How a change is taken back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// The task waits again as it waited before.
    Restore,
    /// What was asked for and has not happened yet never happens.
    Drop,
    /// It happened: the article goes back to where it stood, and the task's wish waits again if it had a moment.
    TakeBack,
}

/// A change that can be taken back.
#[derive(Debug, Clone, PartialEq)]
pub struct Past {
    /// What the button calls it.
    pub verb: &'static str,
    /// When it was made.
    pub changed_at: Timestamp,
    /// Until when it can be taken back.
    pub until: Timestamp,
    /// How.
    pub way: Way,
    /// What was before it.
    pub detail: Detail,
}

impl Past {
    /// The last change of a task, if it is one that can be taken back in the state the task is in.
    pub fn of(line: &Line) -> Option<Self> {
        let state: State = line.state.parse().ok()?;
        let kind: Kind = line.kind.parse().ok()?;
        let changed_at = Timestamp::from_millis(line.last_at?);
        let detail: Detail = serde_json::from_str(line.last_detail.as_deref()?).ok()?;
        let at_once = match kind {
            Kind::ArticlePublish => "publish_now",
            Kind::ArticleUnpublish => "unpublish",
        };
        let due_at = Some(Timestamp::from_millis(line.due_at));
        // What readers see changes back by its own name after that, never by an undo.
        let offered = changed_at.plus(UNDO_OFFER_MS);
        let (verb, until, way) = match (state, line.last_verb.as_deref()?) {
            (State::Scheduled, "reschedule") => ("reschedule", detail.was_due_at, Way::Restore),
            (State::Scheduled, "replace_revision") => ("replace_revision", due_at, Way::Restore),
            (State::Cancelled, "cancel") => ("cancel", due_at, Way::Restore),
            (State::Scheduled, "publish_now") => (at_once, detail.was_due_at, Way::Restore),
            (State::Executed, "publish_now") if is_still_so(line, kind) => {
                (at_once, detail.was_due_at.map(|was| was.min(offered)), Way::TakeBack)
            }
            (State::Scheduled, "schedule") if detail.is_at_once => {
                (at_once, Some(changed_at.plus(AT_ONCE_MS)), Way::Drop)
            }
            // What an undo let wait again is not undone.
            (State::Scheduled, "schedule") if detail.of_task.is_none() => ("schedule", due_at, Way::Drop),
            (State::Executed, "schedule") if detail.is_at_once && is_still_so(line, kind) => {
                (at_once, Some(offered), Way::TakeBack)
            }
            _ => return None,
        };
        Some(Self { verb, changed_at, until: until?, way, detail })
    }

    /// What the button beside the task says, while it can be pressed.
    pub fn undo(&self, now: Timestamp) -> Option<Undo> {
        (now < self.until).then(|| Undo {
            verb: self.verb.to_owned(),
            changed_at: self.changed_at,
            until: self.until,
        })
    }
}

/// Whether the site still shows what the task made of it.
fn is_still_so(line: &Line, kind: Kind) -> bool {
    match kind {
        Kind::ArticlePublish => {
            line.public_revision_id.is_some() && line.public_revision_id == line.revision_id
        }
        Kind::ArticleUnpublish => line.public_revision_id.is_none(),
    }
}
