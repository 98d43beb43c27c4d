//! What was done, in words, where the histories of the pages have no words for it.

use crate::{
    meetings::page::timeline,
    tasks::event_verb,
    texts::{Language, texts},
};
use domain::activity::ActivityEntry;

texts! {
    /// Verbs of accounts, channels, rooms, files, reminders and settings.
    ActivityVerbTexts {
        change = "made changes", "作了更改";
        pause = "paused it", "暂停";
        resume = "resumed it", "恢复运行";
        test = "sent a test", "发送了测试";
        rotate = "created a new secret", "生成了新密钥";
        resend = "sent it again", "重新发送";
        drop = "dropped a delivery", "放弃了投递";
        confirm = "confirmed a delivery", "确认了投递";
        upload = "uploaded it", "上传";
        import = "imported it", "导入";
        run = "started it", "启动";
        discard = "discarded it", "放弃";
        assign = "assigned it to another person", "转交给他人";
        rename = "renamed it", "重命名";
        merge = "merged it into another one", "合并到其他项";
        reorder = "changed the order", "调整了顺序";
        create_door = "created a link for the door", "生成了门牌链接";
        revoke_door = "revoked the link for the door", "撤销了门牌链接";
        done = "marked it as done", "标记为完成";
        snooze = "postponed it", "推迟";
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
        create_feed = "created a calendar feed", "创建了日历订阅";
        revoke_feed = "revoked a calendar feed", "撤销了日历订阅";
        end_session = "ended a session", "结束了一个会话";
        end_other_sessions = "ended all other sessions", "结束了其他会话";
        limit = "changed a limit", "更改了限制";
        confirm_restore = "confirmed the restored database", "确认了恢复的数据库";
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
        "meeting" => timeline::sentence(language, event),
        entity => match verb(ActivityVerbTexts::here(), entity, &event.verb) {
            Some(verb) => event_verb::with_actor(language, event, verb),
            None => event_verb::with_actor(language, event, &event_verb::verb(language, &event.verb)),
        },
    }
}

/// Text for a verb of this entity; `None`: it is the same as for a task.
fn verb(texts: ActivityVerbTexts, entity: &str, verb: &str) -> Option<&'static str> {
    Some(match (entity, verb) {
        ("article" | "task", "edit" | "rename") | (_, "create" | "delete" | "undo") => return None,
        (_, "change" | "edit") => texts.change(),
        (_, "pause") => texts.pause(),
        (_, "resume") => texts.resume(),
        (_, "test") => texts.test(),
        (_, "rotate") => texts.rotate(),
        (_, "resend") => texts.resend(),
        (_, "drop") => texts.drop(),
        ("delivery", "confirm") => texts.confirm(),
        (_, "upload") => texts.upload(),
        (_, "import") => texts.import(),
        ("import", "run") => texts.run(),
        ("import", "discard") => texts.discard(),
        (_, "assign") => texts.assign(),
        (_, "rename") => texts.rename(),
        (_, "merge") => texts.merge(),
        (_, "reorder") => texts.reorder(),
        (_, "create_door") => texts.create_door(),
        (_, "revoke_door") => texts.revoke_door(),
        (_, "done") => texts.done(),
        (_, "snooze") => texts.snooze(),
        (_, "book") => texts.book(),
        (_, "extend") => texts.extend(),
        (_, "limit") => texts.limit(),
        (_, "confirm_restore") => texts.confirm_restore(),
        ("account", verb) => return of_account(texts, verb),
        _ => return None,
    })
}

/// Text for what was done to an account.
fn of_account(texts: ActivityVerbTexts, verb: &str) -> Option<&'static str> {
    Some(match verb {
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
        "create_feed" => texts.create_feed(),
        "revoke_feed" => texts.revoke_feed(),
        "end_session" => texts.end_session(),
        "end_other_sessions" => texts.end_other_sessions(),
        _ => return None,
    })
}
