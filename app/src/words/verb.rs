//! What was done, for timelines.

use super::{Language, texts};

texts! {
    /// What was done.
    VerbWords {
        schedule = "scheduled it", "安排了任务";
        reschedule = "moved it", "改了时间";
        cancel = "cancelled it", "取消了任务";
        publish_now = "had it published at once", "要求立即发布";
        undo = "took the last change back", "撤销了上次更改";
        retry = "had it tried again", "要求重试";
        replace_revision = "replaced the revision", "替换了修订版";
        execute = "executed it", "已执行";
        fail = "could not execute it", "执行失败";
        miss = "found it too late", "发现时已过期";
        create = "created it", "创建";
        save = "saved it", "保存";
        rename = "renamed it", "改名";
        publish = "published it", "发布";
        unpublish = "unpublished it", "撤下";
        restore = "restored an old revision", "恢复旧修订版";
        hand_over = "took it over", "接手";
        delete = "deleted it", "删除";
        undelete = "restored it from the trash", "从回收站恢复";
        purge = "deleted it for good", "永久删除";
        deliver = "delivered the message", "已送达消息";
        give_up = "could not deliver the message", "未能送达消息";
        take_over = "found that another database server had taken over", "发现另一台数据库服务器已接管";
        doubt = "got no answer to the message", "消息未收到应答";
        adjust_zone = "kept its local time under new time-zone rules", "按新的时区规则保持其当地时间";
        dismiss = "dismissed the notice", "已忽略通知";
        engine = "The engine", "引擎";
    }
}

/// The words for a verb of the log; an unknown verb stays as it is.
#[must_use]
pub fn verb(language: Language, verb: &str) -> String {
    let words = VerbWords(language);
    match verb {
        "schedule" => words.schedule(),
        "reschedule" => words.reschedule(),
        "cancel" => words.cancel(),
        "publish_now" => words.publish_now(),
        "undo" => words.undo(),
        "retry" => words.retry(),
        "replace_revision" => words.replace_revision(),
        "execute" => words.execute(),
        "fail" => words.fail(),
        "miss" => words.miss(),
        "create" => words.create(),
        "save" => words.save(),
        "rename" => words.rename(),
        "publish" => words.publish(),
        "unpublish" => words.unpublish(),
        "restore" => words.restore(),
        "hand_over" => words.hand_over(),
        "delete" => words.delete(),
        "undelete" => words.undelete(),
        "purge" => words.purge(),
        "deliver" => words.deliver(),
        "give_up" => words.give_up(),
        "doubt" => words.doubt(),
        "take_over" => words.take_over(),
        "adjust_zone" => words.adjust_zone(),
        "dismiss" => words.dismiss(),
        other => return other.replace('_', " "),
    }
    .to_owned()
}

/// Who did it, as the timeline names them.
#[must_use]
pub fn actor(language: Language, actor: &str) -> String {
    if actor == "engine" { VerbWords(language).engine().to_owned() } else { actor.to_owned() }
}
