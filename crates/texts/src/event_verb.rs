//! Verbs of the event log, for the history of a task.

use crate::Language;
use domain::{Kind, event::Event};
use serde_json::Value;

sets!(event_verb: EventVerbTexts);

/// Text for a verb of the event log. An unknown verb is returned with spaces for underscores.
#[must_use]
pub fn verb(language: Language, verb: &str) -> String {
    known_verb(language, verb).map_or_else(|| verb.replace('_', " "), str::to_owned)
}

/// Whether the task changes what is public.
#[must_use]
pub fn is_publication(kind: Kind) -> bool {
    matches!(kind, Kind::ArticlePublish | Kind::ArticleUnpublish | Kind::Other("release.publish"))
}

/// Text for a verb of the event log; `None`: it is unknown.
#[must_use]
pub fn known_verb(language: Language, verb: &str) -> Option<&'static str> {
    let texts = EventVerbTexts(language);
    Some(match verb {
        "schedule" => texts.schedule(),
        "reschedule" => texts.reschedule(),
        "edit" => texts.edit(),
        "cancel" => texts.cancel(),
        "acknowledge" => texts.acknowledge(),
        "publish_now" => texts.publish_now(),
        "undo" => texts.undo(),
        "retry" => texts.retry(),
        "take_approved" => texts.take_approved(),
        "review_withdraw" => texts.review_withdraw(),
        "replace_revision" => texts.replace_revision(),
        "execute" => texts.execute(),
        "fail" => texts.fail(),
        "miss" => texts.miss(),
        "restore_schedule" => texts.restore_schedule(),
        "create" => texts.create(),
        "save" => texts.save(),
        "rename" => texts.rename(),
        "publish" => texts.publish(),
        "unpublish" => texts.unpublish(),
        "revert" => texts.revert(),
        "restore" => texts.restore(),
        "hand_over" => texts.hand_over(),
        "submit" => texts.submit(),
        "approve" => texts.approve(),
        "approve_first" => texts.approve_first(),
        "ask_reviewers" => texts.ask_reviewers(),
        "undo_approval" => texts.undo_approval(),
        "send_back" => texts.send_back(),
        "review_hold" => texts.review_hold(),
        "review_expire" => texts.review_expire(),
        "review_link" => texts.review_link(),
        "review_hits" => texts.review_hits(),
        "comment" => texts.comment(),
        "comment_resolve" => texts.comment_resolve(),
        "comment_reopen" => texts.comment_reopen(),
        "delete" => texts.delete(),
        "undelete" => texts.undelete(),
        "leave_release" => texts.leave_release(),
        "purge" => texts.purge(),
        "deliver" => texts.deliver(),
        "give_up" => texts.give_up(),
        "doubt" => texts.doubt(),
        "resend" => texts.resend(),
        "drop" => texts.drop(),
        "confirm" => texts.confirm(),
        "take_over" => texts.take_over(),
        "adjust_zone" => texts.adjust_zone(),
        "dismiss" => texts.dismiss(),
        _ => return None,
    })
}

/// What happened, and who did it.
#[must_use]
pub fn sentence(language: Language, event: &Event, kind: Kind) -> String {
    if event.entity == "delivery" {
        return delivery_sentence(language, event);
    }
    let texts = EventVerbTexts(language);
    let undid = event.detail.get("undid").and_then(|verb| verb.as_str());
    let undid = undid.and_then(|verb| texts.change(verb, kind));
    let is_at_once = event.detail.get("is_at_once").and_then(Value::as_bool) == Some(true);
    // The task that an undo reverted.
    let is_reversal = event.detail.get("of_task").is_some_and(|task| !task.is_null());
    // The number of the saved revision that the task follows.
    let followed = event.detail.get("revision").and_then(Value::as_i64);
    let was_ended = matches!(event.from_state.as_deref(), Some("failed" | "missed"));
    let verb = match (event.verb.as_str(), kind, undid) {
        ("undo", _, Some(change)) => texts.undid(change.to_owned()),
        ("schedule", ..) if is_at_once => texts.at_once(kind).to_owned(),
        ("schedule", ..) if is_reversal => texts.restore_schedule().to_owned(),
        ("publish_now", ..) => texts.at_once(kind).to_owned(),
        ("execute", ..) if is_reversal => texts.revert().to_owned(),
        ("execute", Kind::ArticlePublish, _) => texts.published().to_owned(),
        ("execute", Kind::ArticleUnpublish, _) => texts.unpublished().to_owned(),
        ("execute", Kind::Other(word), _) => texts.executed(word).to_owned(),
        ("cancel", ..) if was_ended => texts.dismiss_task().to_owned(),
        ("cancel", ..) if is_publication(kind) => texts.unschedule().to_owned(),
        ("hand_over", ..) => handed_over(language, event),
        ("replace_revision", ..) => {
            followed.map_or_else(|| texts.replace_revision().to_owned(), |revision| texts.followed(revision))
        }
        (other, ..) => crate::event_verb::verb(language, other),
    };
    with_actor(language, event, &verb)
}

/// What happened to a message, who did it, and the channel if the event names it.
#[must_use]
pub fn delivery_sentence(language: Language, event: &Event) -> String {
    let texts = EventVerbTexts(language);
    let verb = match event.verb.as_str() {
        "undo" => texts.undo_drop().to_owned(),
        other => crate::event_verb::verb(language, other),
    };
    let channel = event.detail.get("channel").and_then(Value::as_str);
    let to = channel.map(|channel| texts.to_channel(channel)).unwrap_or_default();
    with_actor(language, event, &format!("{verb}{to}"))
}

/// What a user did who changed the owner; the new owner is the user if the event names no other account.
#[must_use]
pub fn handed_over(language: Language, event: &Event) -> String {
    let texts = EventVerbTexts(language);
    let to = event.detail.get("to").and_then(Value::as_str);
    to.map_or_else(|| texts.hand_over().to_owned(), |to| texts.handed_over(to))
}

impl EventVerbTexts {
    /// What a task of another kind did when it was due.
    fn executed(self, kind: &str) -> &'static str {
        match kind {
            "meeting.warn" | "meeting.warn_again" => self.warn_approvers(),
            "meeting.warn_release" => self.warn_release(),
            "review.warn" | "review.warn_again" => self.warn_reviewers(),
            "meeting.decide" | "review.decide" => self.decide(),
            _ => self.execute(),
        }
    }

    /// What an account did that let a task run at once.
    fn at_once(self, kind: Kind) -> &'static str {
        match kind {
            Kind::ArticlePublish | Kind::Other("release.publish") => self.publish_now(),
            Kind::ArticleUnpublish => self.unpublish_now(),
            Kind::Other(_) => self.run_now(),
        }
    }

    /// Name of a change that can be undone.
    fn change(self, verb: &str, kind: Kind) -> Option<&'static str> {
        Some(match verb {
            "schedule" => self.a_schedule(),
            "reschedule" => self.a_reschedule(),
            "cancel" if is_publication(kind) => self.an_unscheduling(),
            "cancel" => self.a_cancel(),
            "publish_now" => self.a_publish_now(),
            "replace_revision" => self.a_replacement(),
            "unpublish" => self.an_unpublish(),
            _ => return None,
        })
    }
}

/// Puts who did it before what was done.
#[must_use]
pub fn with_actor(language: Language, event: &Event, verb: &str) -> String {
    let actor = actor(language, &event.actor);
    let gap = match language {
        // Between Han characters there is no blank.
        Language::Zh if !actor.ends_with(|c: char| c.is_ascii()) => "",
        Language::En | Language::Zh | Language::De => " ",
    };
    format!("{actor}{gap}{verb}")
}

/// Name of the actor in the history.
#[must_use]
pub fn actor(language: Language, actor: &str) -> String {
    if actor == "engine" { EventVerbTexts(language).engine().to_owned() } else { actor.to_owned() }
}

#[cfg(test)]
mod tests {
    use crate::event_verb::*;
    use domain::{LocalizedTime, Timestamp};
    use serde_json::json;
    use uuid::Uuid;

    fn event(actor: &str, (entity, verb): (&str, &str), detail: Value) -> Event {
        Event {
            seq: 1,
            at: LocalizedTime::new(Timestamp::from_millis(0), 0, 0),
            actor: actor.to_owned(),
            actor_id: None,
            entity: entity.to_owned(),
            entity_id: Uuid::nil(),
            verb: verb.to_owned(),
            from_state: None,
            to_state: None,
            version: None,
            due: None,
            was_due: None,
            detail,
        }
    }

    #[test]
    fn a_message_is_named_with_its_channel() {
        let said = |verb, detail| {
            let event = event("anna", ("delivery", verb), detail);
            [Language::En, Language::Zh].map(|language| sentence(language, &event, Kind::ArticlePublish))
        };
        let hook = || json!({ "channel": "Hook" });
        assert_eq!(said("drop", hook())[0], "anna dismissed a message to Hook");
        assert_eq!(said("confirm", hook())[0], "anna marked a message as delivered to Hook");
        assert_eq!(said("resend", hook())[0], "anna sent a message again to Hook");
        assert_eq!(said("undo", hook())[0], "anna undid the dismissal of a message to Hook");
        assert_eq!(
            said("give_up", hook()),
            ["anna could not deliver the message to Hook", "anna 未能送达消息（渠道：Hook）"]
        );
        assert_eq!(said("drop", json!({}))[0], "anna dismissed a message", "only admins see channels");
    }

    #[test]
    fn a_change_of_the_owner_names_another_account() {
        let said = |detail| {
            let event = event("anna", ("task", "hand_over"), detail);
            [Language::En, Language::Zh].map(|language| sentence(language, &event, Kind::ArticlePublish))
        };
        assert_eq!(said(json!({})), ["anna took it over", "anna 接手"]);
        assert_eq!(said(json!({ "to": "Rui" })), ["anna handed it over to Rui", "anna 将其移交给“Rui”"]);
    }

    #[test]
    fn a_failed_or_missed_task_is_dismissed_and_another_one_unscheduled_or_cancelled() {
        for (state, said) in [("missed", "dismissed"), ("failed", "dismissed"), ("scheduled", "unscheduled")]
        {
            let event =
                Event { from_state: Some(state.to_owned()), ..event("anna", ("task", "cancel"), json!({})) };
            let text = sentence(Language::En, &event, Kind::ArticlePublish);
            assert_eq!(text, format!("anna {said} it"));
        }
        let event = event("anna", ("task", "cancel"), json!({}));
        assert_eq!(sentence(Language::En, &event, Kind::Other("message.send")), "anna cancelled it");
    }

    #[test]
    fn a_save_that_a_publication_follows_names_its_revision() {
        let said = |detail| {
            sentence(Language::En, &event("anna", ("task", "replace_revision"), detail), Kind::ArticlePublish)
        };
        assert_eq!(said(json!({ "revision": 3 })), "anna saved revision 3, which it publishes");
        assert_eq!(said(json!({})), "anna replaced the revision");
    }

    #[test]
    fn a_warning_is_named_by_its_kind() {
        let event = event("engine", ("task", "execute"), json!({}));
        let said = |word| sentence(Language::En, &event, Kind::Other(word));
        assert_eq!(said("meeting.warn"), "The engine warned the approvers of the deadline");
        assert_eq!(said("review.warn_again"), "The engine warned the reviewers of the deadline");
        assert_eq!(said("meeting.decide"), "The engine acted at the deadline");
        assert_eq!(said("message.send"), "The engine executed it");
    }
}
