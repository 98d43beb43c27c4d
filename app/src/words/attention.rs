//! What needs a person, in sentences. Only the server says it.

use super::texts;

texts! {
    /// What needs a person, in sentences. Only the server says it.
    AttentionWords {
        task_failed = "Failed", "失败";
        task_missed = "Missed", "错过";
        task_overdue = "Overdue", "超时";
        text_older = "An older text was held back", "较旧的文本已暂缓";
        zone_data = "Moved by newer time-zone data", "因时区数据更新而移动";
        tasks(n: String, why: String) = "{n} tasks. {why}", "{n} 项任务。{why}";
        delivery_failed(channel: String) = "Messages to {channel} did not arrive", "发往 {channel} 的消息未送达";
        delivery_failed_hint(n: String) = "{n} not delivered, and not tried again. An admin can send them again or let them be.", "{n} 条未送达，不再重试。管理员可以重新发送或放弃。";
        delivery_unconfirmed(channel: String) = "Messages to {channel} may have arrived", "发往 {channel} 的消息可能已送达";
        delivery_unconfirmed_hint(n: String) = "{n} without an answer. An admin can say that they arrived, or send them again.", "{n} 条没有收到应答。管理员可以确认送达或重新发送。";
        channel_failing(channel: String) = "{channel} does not take messages", "{channel} 未接收消息";
        channel_resting(channel: String) = "{channel} has asked to wait", "{channel} 要求暂缓发送";
        channel_off(channel: String) = "{channel} is switched off", "{channel} 已停用";
        channel_off_hint(n: String) = "The receiver answered that it is gone for good (410). {n} messages are held, and nothing new is sent to it. Resume the channel, or delete it.", "对方表示已永久停用（410）。{n} 条消息已搁置，也不再发送新消息。请恢复或删除该渠道。";
        undelivered(n: String) = "{n} not delivered", "{n} 条未送达";
        retried(n: String) = "{n} being retried", "{n} 条正在重试";
        last_answer(answer: String) = "Last answer: {answer}", "最近的应答：{answer}";
        next_at(at: String) = "Next try: {at}", "下次尝试：{at}";
        on_the_way = "An attempt is on its way", "正在尝试";
        ask_admin = "An admin can see why", "原因请询问管理员";
        held = "All messages are held", "所有消息已搁置";
        held_hint = "This database is a restored backup, a copy, or a server that took over. Articles go out all the same. Confirm on the engine page that messages may go out.", "此数据库来自备份、副本或接管的服务器。文章照常发布。请在引擎页确认可以发送消息。";
        engine = "Engine", "引擎";
    }
}
