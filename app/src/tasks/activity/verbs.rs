//! What was done, in words, where the histories of the pages have no words for it.

use domain::activity::ActivityEntry;
use texts::meetings::events;
use texts::tasks::activity::ActivityVerbTexts;
use texts::{Language, event_verb};

/// What was done, and who did it.
pub(super) fn sentence(language: Language, entry: &ActivityEntry) -> String {
    let event = &entry.event;
    if let Some(kind) = entry.kind {
        return event_verb::sentence(language, event, kind);
    }
    match event.entity.as_str() {
        "meeting" => events::sentence(language, event),
        "delivery" => event_verb::delivery_sentence(language, event),
        entity => match verb(ActivityVerbTexts::here(), entity, &event.verb) {
            Some(verb) => event_verb::with_actor(language, event, verb),
            None => event_verb::with_actor(language, event, &event_verb::verb(language, &event.verb)),
        },
    }
}

/// Text for a verb of this entity; `None`: it is the same as for a task.
fn verb(texts: ActivityVerbTexts, entity: &str, verb: &str) -> Option<&'static str> {
    if let ("article" | "task", "edit" | "rename" | "cancel") | (_, "create" | "delete" | "undo") =
        (entity, verb)
    {
        return None;
    }
    let own = match entity {
        "account" => of_account(texts, verb),
        "engine" | "node" => of_engine(texts, verb),
        "import" => of_import(texts, verb),
        "reminder" => of_reminder(texts, verb),
        _ => None,
    };
    own.or_else(|| of_all(texts, entity, verb))
}

/// Text for a verb that means the same for most entities.
fn of_all(texts: ActivityVerbTexts, entity: &str, verb: &str) -> Option<&'static str> {
    Some(match (entity, verb) {
        ("channel", "retry") => texts.retry_channel(),
        (_, "add") => texts.add(),
        (_, "archive") => texts.archive(),
        (_, "unarchive") => texts.unarchive(),
        (_, "move") => texts.moved(),
        (_, "cancel") => texts.cancel(),
        ("word_list", "restore") => texts.restore_list(),
        (_, "set_terms") => texts.set_terms(),
        (_, "change" | "edit") => texts.change(),
        (_, "pause") => texts.pause(),
        (_, "resume") => texts.resume(),
        (_, "test") => texts.test(),
        (_, "rotate") => texts.rotate(),
        (_, "upload") => texts.upload(),
        (_, "replace") => texts.replace(),
        (_, "put_back") => texts.put_back(),
        (_, "import") => texts.import(),
        (_, "assign") => texts.assign(),
        (_, "rename") => texts.rename(),
        (_, "merge") => texts.merge(),
        (_, "reorder") => texts.reorder(),
        (_, "create_door") => texts.create_door(),
        (_, "revoke_door") => texts.revoke_door(),
        (_, "book") => texts.book(),
        (_, "extend") => texts.extend(),
        (_, "limit") => texts.limit(),
        (_, "confirm_restore") => texts.confirm_restore(),
        _ => return None,
    })
}

/// Text for what was done with an import.
fn of_import(texts: ActivityVerbTexts, verb: &str) -> Option<&'static str> {
    Some(match verb {
        "start" => texts.start(),
        "check" => texts.check(),
        "run" => texts.run(),
        "fail" => texts.not_finished(),
        "discard" => texts.discard(),
        "stop" => texts.stop(),
        _ => return None,
    })
}

/// Text for what happened to a reminder.
fn of_reminder(texts: ActivityVerbTexts, verb: &str) -> Option<&'static str> {
    Some(match verb {
        "done" => texts.done(),
        "snooze" => texts.snooze(),
        "send" => texts.send(),
        "skip" => texts.skip(),
        "fail" => texts.not_sent(),
        _ => return None,
    })
}

/// Text for what the engine reports about itself and its nodes.
fn of_engine(texts: ActivityVerbTexts, verb: &str) -> Option<&'static str> {
    Some(match verb {
        "rotate_secrets" => texts.rotate_secrets(),
        "start" => texts.engine_start(),
        "regain_database" => texts.regain_database(),
        "lose_hints" => texts.lose_hints(),
        "regain_hints" => texts.regain_hints(),
        "forget_hints" => texts.forget_hints(),
        "lose_clock" => texts.lose_clock(),
        "regain_clock" => texts.regain_clock(),
        "resize" => texts.resize(),
        "lose" => texts.lose_node(),
        "return" => texts.return_node(),
        _ => return None,
    })
}

/// Text for what was done to an account.
fn of_account(texts: ActivityVerbTexts, verb: &str) -> Option<&'static str> {
    Some(match verb {
        "set_up" => texts.set_up(),
        "subscribe" => texts.subscribe(),
        "unsubscribe" => texts.unsubscribe(),
        "enable" => texts.enable(),
        "disable" => texts.disable(),
        "change_role" => texts.change_role(),
        "invite" => texts.invite(),
        "renew_invitation" => texts.renew_invitation(),
        "withdraw_invitation" => texts.withdraw_invitation(),
        "reset" => texts.reset(),
        "change_profile" => texts.change_profile(),
        "change_password" => texts.change_password(),
        "create_token" => texts.create_token(),
        "revoke_token" => texts.revoke_token(),
        "add_second_factor" => texts.add_second_factor(),
        "remove_second_factor" => texts.remove_second_factor(),
        "reset_second_factor" => texts.reset_second_factor(),
        "link_identity" => texts.link_identity(),
        "unlink_identity" => texts.unlink_identity(),
        "renew_recovery_codes" => texts.renew_recovery_codes(),
        "use_recovery_code" => texts.use_recovery_code(),
        "add_passkey" => texts.add_passkey(),
        "remove_passkey" => texts.remove_passkey(),
        "reset_passkeys" => texts.reset_passkeys(),
        "turn_password_off" => texts.turn_password_off(),
        "turn_password_on" => texts.turn_password_on(),
        "create_feed" => texts.create_feed(),
        "revoke_feed" => texts.revoke_feed(),
        "end_session" => texts.end_session(),
        "end_other_sessions" => texts.end_other_sessions(),
        "export" => texts.export(),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Verbs in the event log, by entity, except those of meetings.
    const VERBS: &[(&str, &str)] = &[
        (
            "account",
            "create set_up invite renew_invitation withdraw_invitation reset enable disable change_role undo
             change change_profile change_password create_token revoke_token create_feed revoke_feed end_session
             end_other_sessions subscribe unsubscribe export add_second_factor remove_second_factor
              reset_second_factor renew_recovery_codes use_recovery_code add_passkey remove_passkey reset_passkeys
              turn_password_off turn_password_on link_identity unlink_identity",
        ),
        (
            "article",
            "create save rename restore import assign publish unpublish submit ask_reviewers approve approve_first undo_approval
             send_back review_hold review_expire review_link review_hits comment comment_resolve comment_reopen delete
             undelete leave_release purge",
        ),
        ("channel", "create change test pause resume retry rotate delete deliver give_up doubt"),
        ("delivery", "drop undo resend confirm deliver give_up doubt"),
        (
            "engine",
            "pause resume confirm_restore limit start regain_database lose_hints regain_hints forget_hints
             lose_clock regain_clock resize take_over rotate_secrets",
        ),
        ("group", "create change delete"),
        ("import", "upload check start run stop discard undo"),
        ("media", "upload edit replace put_back delete"),
        ("node", "lose return"),
        ("release", "create edit delete publish revert"),
        ("reminder", "create edit snooze done cancel undo move send skip fail"),
        ("room", "add edit archive unarchive reorder create_door revoke_door"),
        ("rule", "create change delete pause resume hand_over"),
        ("sign_in_provider", "create change delete"),
        ("series", "book move cancel extend undo hand_over"),
        ("settings", "change"),
        ("slots", "change"),
        ("tag", "rename merge"),
        (
            "task",
            "schedule reschedule cancel publish_now undo retry replace_revision execute fail miss
             restore_schedule hand_over adjust_zone dismiss acknowledge",
        ),
        ("word_list", "create change set_terms restore delete"),
    ];

    #[test]
    fn every_verb_of_the_event_log_has_a_text() {
        for language in Language::ALL.iter().copied() {
            for (entity, verbs) in VERBS {
                for word in verbs.split_whitespace() {
                    let own = verb(ActivityVerbTexts(language), entity, word);
                    let text = own.or_else(|| event_verb::known_verb(language, word));
                    assert!(text.is_some(), "{entity} {word}");
                }
            }
        }
    }
}
