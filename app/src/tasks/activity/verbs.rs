//! What was done, in words, where the histories of the pages have no words for it.

use domain::activity::ActivityEntry;
use texts::meetings::events;
use texts::{Language, event_verb, texts};

texts! {
    /// Verbs of accounts, channels, rooms, files, reminders, settings and the engine.
    ActivityVerbTexts {
        add = "added it", "添加";
        archive = "archived it", "归档";
        unarchive = "restored it from the archive", "取消归档";
        moved = "moved it", "改了时间";
        cancel = "cancelled it", "取消";
        set_terms = "changed the terms", "更改了词条";
        restore_list = "restored an earlier state", "恢复了较早的状态";
        change = "made changes", "作了更改";
        pause = "paused it", "暂停";
        resume = "resumed it", "恢复运行";
        test = "sent a test", "发送了测试";
        rotate = "created a new secret", "生成了新密钥";
        retry_channel = "sent its waiting messages at once", "立即发送了等待中的消息";
        upload = "uploaded it", "上传";
        replace = "replaced the file", "替换了文件";
        put_back = "put the earlier file back", "恢复了之前的文件";
        import = "imported it", "导入";
        start = "started it", "启动";
        check = "checked it", "检查";
        run = "finished it", "完成";
        not_finished = "could not finish it", "未能完成";
        discard = "discarded it", "放弃";
        stop = "stopped it", "停止";
        assign = "assigned it to another person", "转交给他人";
        rename = "renamed it", "重命名";
        merge = "merged it into another one", "合并到其他项";
        reorder = "changed the order", "调整了顺序";
        create_door = "created a link for the door", "生成了门牌链接";
        revoke_door = "revoked the link for the door", "撤销了门牌链接";
        done = "marked it as done", "标记为完成";
        snooze = "postponed it", "推迟";
        send = "sent it", "已发送";
        skip = "skipped it", "已跳过";
        not_sent = "could not send it", "未能发送";
        set_up = "set up the desk", "完成了工作台的初始设置";
        subscribe = "turned on notifications on a device", "在一台设备上开启了通知";
        unsubscribe = "turned off notifications on a device", "在一台设备上关闭了通知";
        enable = "enabled it again", "重新启用";
        disable = "disabled it", "停用";
        change_role = "changed the role", "更改了角色";
        invite = "sent an invitation", "发出邀请";
        renew_invitation = "renewed the invitation", "更新了邀请";
        withdraw_invitation = "withdrew the invitation", "撤回了邀请";
        reset = "created a link for a new password", "生成了重设密码的链接";
        change_profile = "changed the profile", "更改了个人资料";
        change_password = "changed the password", "更改了密码";
        create_token = "created a token", "创建了令牌";
        revoke_token = "revoked a token", "撤销了令牌";
        add_second_factor = "added a second factor", "启用了双重验证";
        remove_second_factor = "removed the second factor", "停用了双重验证";
        reset_second_factor = "reset the second factor", "重置了双重验证";
        link_identity = "linked a sign-in", "关联了登录方式";
        unlink_identity = "removed a linked sign-in", "移除了登录方式";
        renew_recovery_codes = "created new recovery codes", "生成了新的恢复码";
        use_recovery_code = "used a recovery code", "使用了恢复码";
        add_passkey = "added a passkey", "添加了通行密钥";
        remove_passkey = "removed a passkey", "移除了通行密钥";
        reset_passkeys = "removed all passkeys", "移除了所有通行密钥";
        turn_password_off = "turned log-ins with the password off", "停用了密码登录";
        turn_password_on = "turned log-ins with the password on", "启用了密码登录";
        create_feed = "created a calendar feed", "创建了日历订阅";
        revoke_feed = "revoked a calendar feed", "撤销了日历订阅";
        end_session = "ended a session", "结束了一个会话";
        end_other_sessions = "ended all other sessions", "结束了其他会话";
        export = "exported a list", "导出了一份列表";
        limit = "changed a limit", "更改了限制";
        confirm_restore = "confirmed the restored database", "确认了恢复的数据库";
        rotate_secrets = "encrypted the stored secrets with a new key", "用新密钥重新加密了所存密钥";
        engine_start = "started after an interruption", "中断后重新启动";
        regain_database = "connected to the database again", "重新连接到数据库";
        lose_hints = "stopped using Redis", "停止使用 Redis";
        regain_hints = "uses Redis again", "重新使用 Redis";
        forget_hints = "found that Redis had lost its data", "发现 Redis 丢失了数据";
        lose_clock = "found that the clocks differ too much", "发现时钟相差过大";
        regain_clock = "found that the clocks agree again", "发现时钟恢复一致";
        resize = "changed the number of buckets", "更改了分桶数量";
        lose_node = "marked it as lost", "标记为失联";
        return_node = "found it running again", "发现它恢复运行";
        book = "booked it", "预订";
        extend = "booked further meetings", "预订了后续会议";
    }
}

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
        for language in [Language::En, Language::Zh] {
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
