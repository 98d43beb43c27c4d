//! What accounts are notified of changes that others made to what belongs to them. There is one rule, over the event log: who
//! did it is not the owner. Actions add nothing for it, and one of a later release is notified in general words.

mod phrase;
mod text;

use crate::{
    kinds,
    messages::check::{INVITE_KEY, REMINDER_KEY},
};
use domain::{
    Version,
    reminders::{NotificationUndo, UndoneThing},
};
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use store::owned_change::OwnedChange;
use uuid::Uuid;

pub use text::{Names, compose};

/// Verbs of `account` events that are no change of an account that is in use, or of which another notification
/// notifies it.
const ACCOUNT_SET_UP: [&str; 8] = [
    "create",
    "set_up",
    "invite",
    "renew_invitation",
    "withdraw_invitation",
    "notify",
    "reset_second_factor",
    "reset_passkeys",
];
/// States of a meeting whose news notifies the organizer of the change.
const MEETING_NEWS: [&str; 6] = ["requested", "confirmed", "rejected", "expired", "cancelled", "released"];

/// What an account is notified.
#[derive(Debug, Clone, Copy)]
pub struct Notified<'a> {
    /// The account.
    pub to: Uuid,
    change: &'a OwnedChange,
    role: Role,
}

/// How the account is concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    /// It was the owner, and is still.
    Owner,
    /// It was the owner until then. The new one: `None` is unknown.
    Former(Option<Uuid>),
    /// It is the owner from then on.
    New,
}

/// Returns who is notified of which changes, in their order.
#[must_use]
pub fn notified(changes: &[OwnedChange]) -> Vec<Notified<'_>> {
    let round = Round::of(changes);
    let mut notified = Vec::new();
    for change in changes {
        if !round.is_notified(change) {
            continue;
        }
        let Some(actor) = change.event.actor_id else { continue };
        let detail = detail(change);
        let account = |name: &str| detail.get(name).and_then(Value::as_str).and_then(|id| id.parse().ok());
        let was: Option<Uuid> = account("was_owner_id");
        let is_handed = was.is_some() && matches!(change.event.verb.as_str(), "assign" | "hand_over");
        let new = if is_handed { account("owner_id").or(change.owner_id) } else { None };
        if let Some(to) = owner(change).filter(|owner| *owner != actor) {
            notified.push(Notified {
                to,
                change,
                role: if is_handed { Role::Former(new) } else { Role::Owner },
            });
        }
        if let Some(to) = new.filter(|new| *new != actor && owner(change) != Some(*new)) {
            notified.push(Notified { to, change, role: Role::New });
        }
    }
    notified
}

/// The accounts that are named in what is notified.
pub fn named(notified: &[Notified<'_>]) -> impl Iterator<Item = Uuid> {
    notified.iter().filter_map(|one| match one.role {
        Role::Former(new) => new,
        Role::Owner | Role::New => None,
    })
}

/// Whether an account changed a series, so that what it did to single meetings of that owner belongs to it.
#[must_use]
pub fn changed_series(changes: &[OwnedChange]) -> HashSet<(Uuid, Uuid)> {
    let of_series = changes.iter().filter(|change| change.event.entity == "series");
    of_series.filter_map(|change| Some((change.event.actor_id?, owner(change)?))).collect()
}

/// The owner when the event was written.
fn owner(change: &OwnedChange) -> Option<Uuid> {
    let next = change.next_owner_change.as_deref();
    let next: Option<Value> = next.and_then(|text| serde_json::from_str(text).ok());
    let was = next.as_ref().and_then(|detail| detail.get("was_owner_id")?.as_str()?.parse().ok());
    was.or(change.owner_id)
}

fn detail(change: &OwnedChange) -> Value {
    serde_json::from_str(&change.event.detail).unwrap_or_default()
}

/// What reverts a change; `None`: nothing.
fn undo(change: &OwnedChange) -> Option<NotificationUndo> {
    let event = &change.event;
    let thing = match (event.entity.as_str(), event.verb.as_str()) {
        (_, "undo" | "assign" | "hand_over") => return None,
        // Only the owner of the release can.
        _ if change.release_name.is_some() => return None,
        ("task", _) => UndoneThing::Task,
        ("meeting", _) => UndoneThing::Meeting,
        ("reminder", _) => UndoneThing::Reminder,
        ("article", "delete") => UndoneThing::Article,
        _ => return None,
    };
    Some(NotificationUndo { thing, id: event.entity_id, version: Version(event.version?) })
}

/// The changes of one round, by what they are about: one action writes several events.
struct Round<'a> {
    by_subject: HashMap<(Option<Uuid>, Uuid), Vec<&'a OwnedChange>>,
    series: HashSet<(Uuid, Uuid)>,
    rules: HashSet<(Option<Uuid>, Uuid)>,
}

impl<'a> Round<'a> {
    fn of(changes: &'a [OwnedChange]) -> Self {
        let mut by_subject: HashMap<_, Vec<&OwnedChange>> = HashMap::new();
        for change in changes {
            by_subject.entry((change.event.actor_id, change.subject_id)).or_default().push(change);
        }
        let of_rules = changes.iter().filter(|change| change.event.entity == "rule");
        let rules = of_rules.map(|change| (change.event.actor_id, change.subject_id)).collect();
        Self { by_subject, series: changed_series(changes), rules }
    }

    /// Whether the owner is notified of an event: unless another event of the same action, or another notification, says it.
    fn is_notified(&self, change: &OwnedChange) -> bool {
        let event = &change.event;
        let is_part = self.is_part(change);
        match (event.entity.as_str(), event.verb.as_str()) {
            // What an undo has reverted: the undo itself is notified.
            _ if detail(change).get("task").is_some() => false,
            ("task", "execute" | "fail" | "miss") => false,
            ("task", "hand_over") => true,
            ("task", _) if is_managed(change) || is_part => false,
            // Mails about a meeting follow its change.
            ("task", "schedule") if is_mail_of_meeting(change) => false,
            ("task", "retry") => !self.has(change, |other| other.event.verb != "retry"),
            ("task", _) => {
                let is_gone = |verb: &str| matches!(verb, "delete" | "leave_release");
                !self.has(change, |other| other.event.entity != "task" && is_gone(&other.event.verb))
            }
            // The review notifies the author itself.
            ("article", "approve" | "undo_approval" | "send_back" | "comment") => false,
            ("article", "submit") => {
                !is_check(change) && !self.has(change, |other| other.event.entity == "task")
            }
            ("article", "leave_release") => !self.has_own_release(change),
            // It keeps the room, as the organizer wants it.
            ("meeting", "check_in") => false,
            // The rest of a series that was split.
            ("series", "book") => !self.has_other_series(change),
            ("meeting", "hand_over") => !self.is_handed_with_series(change),
            ("meeting", _) => !is_part && !is_meeting_news(change),
            ("reminder", _) => !is_part,
            ("account", verb) => !ACCOUNT_SET_UP.contains(&verb),
            ("delivery", _) => matches!(change.subject_kind.as_str(), "message" | "reminder"),
            _ => true,
        }
    }

    /// Whether the actor has also changed the same thing otherwise.
    fn has(&self, change: &OwnedChange, is_it: impl Fn(&OwnedChange) -> bool) -> bool {
        let all = self.by_subject.get(&(change.event.actor_id, change.subject_id));
        all.is_some_and(|all| all.iter().any(|other| is_it(other)))
    }

    /// Whether the actor has also changed another series of the same owner.
    fn has_other_series(&self, change: &OwnedChange) -> bool {
        let is_it = |other: &&OwnedChange| {
            other.event.entity == "series"
                && other.event.verb != "book"
                && other.event.actor_id == change.event.actor_id
                && owner(other) == owner(change)
        };
        self.by_subject.values().flatten().any(is_it)
    }

    /// Whether the same owner is notified of the change of the release that an article has left.
    fn has_own_release(&self, change: &OwnedChange) -> bool {
        let release: Option<Uuid> = detail(change).get("release_id").and_then(|id| id.as_str()?.parse().ok());
        let Some(release) = release else { return false };
        let all = self.by_subject.get(&(change.event.actor_id, release));
        all.is_some_and(|all| all.iter().any(|other| owner(other) == owner(change)))
    }

    /// Whether the same account has handed over the series of a meeting from the same owner, so that one
    /// notification says it. Another change of a series says nothing of it.
    fn is_handed_with_series(&self, change: &OwnedChange) -> bool {
        let Some(series) = change.part_of_id else { return false };
        let all = self.by_subject.get(&(change.event.actor_id, series));
        let is_it = |other: &&OwnedChange| other.event.verb == "hand_over" && owner(other) == owner(change);
        all.is_some_and(|all| all.iter().any(is_it))
    }

    /// Whether it follows from a change of what it belongs to, of which the same owner is notified.
    fn is_part(&self, change: &OwnedChange) -> bool {
        let (Some(actor), Some(of)) = (change.event.actor_id, change.part_of_id) else { return false };
        match change.subject_kind.as_str() {
            "meeting" => owner(change).is_some_and(|owner| self.series.contains(&(actor, owner))),
            "wait" => self.rules.contains(&(Some(actor), of)),
            "reminder" => {
                let all = self.by_subject.get(&(Some(actor), of));
                all.is_some_and(|all| all.iter().any(|other| owner(other) == owner(change)))
            }
            _ => false,
        }
    }
}

/// Whether the task only does what its target says: the event of the target is notified.
fn is_managed(change: &OwnedChange) -> bool {
    change.task_kind.as_deref().and_then(kinds::find).is_some_and(|kind| kind.is_managed())
}

/// Whether it is a mail to attendees, which the change of a meeting sends.
fn is_mail_of_meeting(change: &OwnedChange) -> bool {
    let key = change.title.as_deref().unwrap_or_default();
    change.subject_kind == "message"
        && [INVITE_KEY, REMINDER_KEY].iter().any(|prefix| key.starts_with(prefix))
}

/// Whether a text was submitted and needed no decision: it was only checked.
fn is_check(change: &OwnedChange) -> bool {
    detail(change).get("state").and_then(Value::as_str) == Some("approved")
}

/// Whether the new state of a meeting is news, of which the organizer is notified as chosen for decisions.
fn is_meeting_news(change: &OwnedChange) -> bool {
    let event = &change.event;
    let to = event.to_state.as_deref();
    event.from_state.as_deref() != to && to.is_some_and(|to| MEETING_NEWS.contains(&to))
}

#[cfg(test)]
mod tests {
    use super::*;
    use store::event::EventRow;

    /// A change by the account 1 of a meeting of the series 3, or of that series, which belong to the account 2.
    fn change(entity: &str, verb: &str, detail: &str) -> OwnedChange {
        let is_meeting = entity == "meeting";
        let id = Uuid::from_u128(if is_meeting { 4 } else { 3 });
        OwnedChange {
            event: EventRow {
                seq: 1,
                at: 0,
                actor: "admin".to_owned(),
                actor_id: Some(Uuid::from_u128(1)),
                entity: entity.to_owned(),
                entity_id: id,
                verb: verb.to_owned(),
                from_state: None,
                to_state: None,
                version: Some(2),
                detail: detail.to_owned(),
            },
            task_kind: None,
            subject_id: id,
            subject_kind: entity.to_owned(),
            title: Some("Weekly".to_owned()),
            owner_id: Some(Uuid::from_u128(2)),
            next_owner_change: None,
            part_of_id: is_meeting.then(|| Uuid::from_u128(3)),
            release_name: None,
        }
    }

    #[test]
    fn a_hand_over_of_a_meeting_is_notified_beside_another_change_of_its_series() {
        let (old, new) = (Uuid::from_u128(2), Uuid::from_u128(5));
        let detail = format!("{{\"owner_id\": \"{new}\", \"was_owner_id\": \"{old}\"}}");
        let handed = |entity: &str| OwnedChange {
            next_owner_change: Some(detail.clone()),
            owner_id: Some(new),
            ..change(entity, "hand_over", &detail)
        };
        let to = |changes: &[OwnedChange]| {
            let all = notified(changes);
            all.iter().map(|one| (one.change.event.entity.clone(), one.to)).collect::<Vec<_>>()
        };
        let of = |entity: &str, to: Uuid| (entity.to_owned(), to);
        let edited = change("series", "edit", "{}");
        assert_eq!(
            to(&[edited.clone(), handed("meeting")]),
            [of("series", old), of("meeting", old), of("meeting", new)]
        );
        let other = change("meeting", "edit", "{}");
        assert_eq!(to(&[edited, other]), [of("series", old)]);
        assert_eq!(
            to(&[handed("series"), handed("meeting")]),
            [of("series", old), of("series", new)],
            "one notification says both"
        );
    }
}
