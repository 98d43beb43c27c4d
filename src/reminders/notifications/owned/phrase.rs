//! What was done to which things, in words.

use super::{Notified, Role, detail};
use crate::kinds::article_words::{PUBLISH, UNPUBLISH};
use domain::releases::{PUBLISH_KIND as RELEASE, REVERT_KIND as REVERT};
use serde_json::Value;
use store::owned_change::OwnedChange;
use texts::mail::owned_change::ChangeWords;

/// What was done. `what`: to which things. Equal phrases are notified together.
pub fn phrase(words: ChangeWords, notified: &Notified<'_>, what: &str) -> String {
    let change = notified.change;
    let verb = change.event.verb.as_str();
    match notified.role {
        Role::New => return words.gave_you(what),
        Role::Former(new) if new == change.event.actor_id => return words.took_over(what),
        Role::Former(_) => return words.handed_over(what),
        Role::Owner => {}
    }
    match change.event.entity.as_str() {
        "account" => of_account(words, verb).to_owned(),
        "task" => match &change.release_name {
            Some(name) => words.with_release(&of_task(words, change, what), &words.quoted(name)),
            None => of_task(words, change, what),
        },
        "article" if verb == "leave_release" => {
            let detail = detail(change);
            let name = detail.get("release").and_then(Value::as_str).unwrap_or_default();
            words.left_release(what, &words.quoted(name))
        }
        "article" => of_article(words, verb, what),
        "meeting" | "series" => of_meeting(words, verb, what),
        "delivery" => of_delivery(words, verb, what),
        _ => of_other(words, verb, what),
    }
}

fn of_task(words: ChangeWords, change: &OwnedChange, what: &str) -> String {
    let kind = change.task_kind.as_deref().unwrap_or_default();
    let (detail, is_unpublishing) = (detail(change), kind == UNPUBLISH);
    let is_at_once = detail.get("is_at_once").and_then(Value::as_bool) == Some(true);
    let is_again = detail.get("of_task").is_some();
    let was_ended = matches!(change.event.from_state.as_deref(), Some("failed" | "missed"));
    match change.event.verb.as_str() {
        "publish_now" => at_once(words, kind, what),
        "schedule" if is_at_once => at_once(words, kind, what),
        "schedule" | "restore_schedule" if is_again => words.scheduled_again(what),
        "restore_schedule" => words.scheduled_again(what),
        "schedule" if is_unpublishing => words.scheduled_unpublishing(what),
        "schedule" => words.scheduled(what),
        "reschedule" if is_unpublishing => words.rescheduled_unpublishing(what),
        "reschedule" => words.rescheduled(what),
        "cancel" if was_ended => words.dismissed(what),
        "cancel" if is_unpublishing => words.unscheduled_unpublishing(what),
        "cancel" if matches!(kind, PUBLISH | RELEASE) => words.unscheduled(what),
        "cancel" => words.cancelled(what),
        "undo" => words.undid(what),
        "retry" => words.retried(what),
        "replace_revision" => words.replaced(what),
        "edit" => words.edited(what),
        "dismiss" => words.dismissed_notice(what),
        "acknowledge" => words.acknowledged(what),
        _ => words.changed(what),
    }
}

fn at_once(words: ChangeWords, kind: &str, what: &str) -> String {
    match kind {
        PUBLISH | RELEASE => words.published(what),
        UNPUBLISH => words.unpublished(what),
        REVERT => words.reverted(what),
        _ => words.ran(what),
    }
}

fn of_article(words: ChangeWords, verb: &str, what: &str) -> String {
    match verb {
        "create" | "import" => words.created(what),
        "save" => words.edited(what),
        "restore" => words.restored_revision(what),
        "rename" => words.renamed(what),
        "delete" => words.trashed(what),
        "undelete" => words.restored(what),
        "submit" => words.submitted(what),
        "approve_first" => words.approved_first(what),
        "review_link" => words.review_link(what),
        "review_hits" => words.review_hits(what),
        "comment_resolve" => words.resolved_comment(what),
        "comment_reopen" => words.reopened_comment(what),
        "publish" => words.published(what),
        "unpublish" => words.unpublished(what),
        other => of_other(words, other, what),
    }
}

fn of_meeting(words: ChangeWords, verb: &str, what: &str) -> String {
    match verb {
        "move" => words.moved(what),
        "extend" => words.extended(what),
        "end" => words.ended(what),
        "book" => words.booked(what),
        "accept" | "decline" => words.answered(what),
        other => of_other(words, other, what),
    }
}

fn of_delivery(words: ChangeWords, verb: &str, what: &str) -> String {
    match verb {
        "drop" => words.dropped(what),
        "resend" => words.resent(what),
        "confirm" => words.confirmed_delivery(what),
        other => of_other(words, other, what),
    }
}

fn of_other(words: ChangeWords, verb: &str, what: &str) -> String {
    match verb {
        "create" => words.created(what),
        "edit" | "change" => words.edited(what),
        "delete" | "purge" => words.deleted(what),
        "cancel" => words.cancelled(what),
        "move" => words.moved(what),
        "done" => words.done(what),
        "snooze" => words.snoozed(what),
        "pause" => words.paused(what),
        "resume" => words.resumed(what),
        "undo" => words.undid(what),
        _ => words.changed(what),
    }
}

fn of_account(words: ChangeWords, verb: &str) -> &'static str {
    match verb {
        "change_role" => words.changed_role(),
        "reset" => words.reset_password(),
        "revoke_token" => words.revoked_token(),
        "enable" => words.enabled_account(),
        _ => words.changed_account(),
    }
}

/// One thing, with what it is unless it is an article.
pub fn thing(words: ChangeWords, kind: &str, title: &str) -> String {
    let quoted = words.quoted(title);
    match kind {
        "meeting" => words.meeting(&quoted),
        "series" => words.series(&quoted),
        "release" => words.release(&quoted),
        "reminder" => words.reminder(&quoted),
        "rule" => words.rule(&quoted),
        "wait" => words.wait(&quoted),
        "message" => words.message(&quoted),
        "media" => words.file(&quoted),
        _ => quoted,
    }
}

/// What several things of these kinds are called.
pub fn noun(words: ChangeWords, kinds: &[&str]) -> &'static str {
    let [first, rest @ ..] = kinds else { return words.many_items() };
    if rest.iter().any(|kind| kind != first) {
        return words.many_items();
    }
    match *first {
        "article" | "review" => words.many_articles(),
        "meeting" => words.many_meetings(),
        "series" => words.many_series(),
        "release" => words.many_releases(),
        "reminder" => words.many_reminders(),
        "rule" => words.many_rules(),
        "wait" => words.many_waits(),
        "message" => words.many_messages(),
        "media" => words.many_files(),
        _ => words.many_items(),
    }
}
