//! Titles and messages of the Attention page. Compiled for the server only.

pub mod card;

use crate::texts;

texts! {
    /// Titles and messages of the Attention page.
    AttentionTexts {
        task_failed = "Failed", "失败";
        publish_now_failed = "Publish now failed", "立即发布失败";
        task_missed = "Missed", "已错过";
        task_overdue = "Overdue", "已逾期";
        older_revision = "An older revision was not published", "较旧的修订版未发布";
        task_held = "Held by the review", "因审核而搁置";
        zone_data = "Rescheduled by new time-zone data", "因时区数据更新而改期";
        task_one(why: String) = "1 task. {why}", "1 项任务。{why}";
        tasks(n: String, why: String) = "{n} tasks. {why}", "{n} 项任务。{why}";
        delivery_failed(channel: String) = "{channel}: messages not delivered", "“{channel}”的消息未送达";
        delivery_failed_hint_one = "1 not delivered; no more automatic retries. An admin can resend or dismiss it.", "1 条未送达，不再自动重试。管理员可以重新发送或忽略。";
        delivery_failed_hint(n: String) = "{n} not delivered; no more automatic retries. An admin can resend or dismiss them.", "{n} 条未送达，不再自动重试。管理员可以重新发送或忽略。";
        delivery_unconfirmed(channel: String) = "{channel}: messages unconfirmed", "“{channel}”的消息未确认";
        delivery_unconfirmed_hint_one = "1 without a response; it may have arrived. An admin can mark it as delivered or resend it.", "1 条没有收到响应，可能已送达。管理员可以标记为已送达或重新发送。";
        delivery_unconfirmed_hint(n: String) = "{n} without a response; they may have arrived. An admin can mark them as delivered or resend them.", "{n} 条没有收到响应，可能已送达。管理员可以标记为已送达或重新发送。";
        channel_failing(channel: String) = "{channel} is failing", "“{channel}”发送失败";
        channel_paused(channel: String) = "{channel} is paused after failures", "“{channel}”因失败暂停发送";
        channel_disabled(channel: String) = "{channel} is disabled", "“{channel}”已停用";
        channel_disabled_hint_one = "The receiver answered that it no longer exists (410). 1 message is held and no new ones are sent. Resume or delete the channel.", "接收方表示已不存在（410）。1 条消息已搁置，也不再发送新消息。请恢复或删除该渠道。";
        channel_disabled_hint(n: String) = "The receiver answered that it no longer exists (410). {n} messages are held and no new ones are sent. Resume or delete the channel.", "接收方表示已不存在（410）。{n} 条消息已搁置，也不再发送新消息。请恢复或删除该渠道。";
        undelivered(n: String) = "{n} not delivered", "{n} 条未送达";
        retried(n: String) = "{n} being retried", "{n} 条正在重试";
        last_answer(answer: String) = "Last response: {answer}", "最近的响应：{answer}";
        next_at(at: String) = "Next try: {at}", "下次尝试：{at}";
        in_flight = "An attempt is in flight", "正在尝试";
        ask_admin = "Ask an admin for the reason", "原因请询问管理员";
        held = "All messages are held", "所有消息已搁置";
        held_hint = "This database is a restored backup, a copy, or a server that took over. Articles are published as usual. Confirm on the engine page that messages may be sent.", "此数据库来自备份、副本或接管的服务器。文章照常发布。请在引擎页面确认可以发送消息。";
        backup_no_space = "No backup: too little space is free", "未备份：可用空间不足";
        backup_no_space_hint = "A backup needs twice the size of the last one. Free space, or choose another folder. It is tried again every hour.", "备份需要上次备份两倍大小的可用空间。请释放空间或更换文件夹。系统每小时重试一次。";
        backup_missed = "Backups are not written", "备份没有完成";
        backup_missed_hint = "The last two backups failed. See the reason on the engine page.", "最近两次备份均失败。原因见引擎页面。";
        backup_broken = "The last backup cannot be restored", "最近一次备份无法恢复";
        backup_broken_hint = "It was restored into a scratch database, and that failed. See the reason on the engine page, and write a new backup.", "在临时数据库中试恢复失败。原因见引擎页面。请重新备份。";
        expiring = "Requests about to be decided", "即将到期的会议申请";
        expiring_hint_one = "1 request. Its deadline decides within an hour. Approve or reject it.", "1 个申请。一小时内将按期限自动处理。请批准或拒绝。";
        expiring_hint(n: String) = "{n} requests. Their deadline decides within an hour. Approve or reject them.", "{n} 个申请。一小时内将按期限自动处理。请批准或拒绝。";
        meetings_held = "Requests wait for an admin", "会议申请等待管理员处理";
        meetings_held_hint_one = "1 request. Its deadline has passed, and it expires when the meeting ends. Approve or reject it.", "1 个申请。期限已过，会议结束时申请失效。请批准或拒绝。";
        meetings_held_hint(n: String) = "{n} requests. Their deadlines have passed, and they expire when the meetings end. Approve or reject them.", "{n} 个申请。期限已过，会议结束时申请失效。请批准或拒绝。";
        released = "Rooms released", "会议室已释放";
        released_hint_one = "1 meeting: no one checked in. Its organizer can keep the room until the end of the meeting.", "1 个会议无人签到。组织者可在会议结束前保留会议室。";
        released_hint(n: String) = "{n} meetings: no one checked in. Their organizers can keep the room until the end of the meeting.", "{n} 个会议无人签到。组织者可在会议结束前保留会议室。";
        engine = "Engine", "引擎";
    }
}
