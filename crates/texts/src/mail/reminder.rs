//! What a reminder of a meeting says, in a mail, a short message and the bell.

use crate::texts;

texts! {
    /// Lines of a reminder, and of a warning before a deadline.
    ReminderWords {
        starts(title: &str, moment: &str) = "“{title}” starts: {moment}", "“{title}”开始时间：{moment}";
        ends(title: &str, moment: &str) = "“{title}” ends: {moment}", "“{title}”结束时间：{moment}";
        publishes(title: &str, moment: &str) = "“{title}” is published: {moment}", "“{title}”发布时间：{moment}";
        published(title: &str, moment: &str) = "“{title}” was published: {moment}", "“{title}”已发布：{moment}";
        awaits(title: &str, moment: &str) = "“{title}” ({moment}) has not been approved yet.", "“{title}”尚未批准：{moment}。";
        awaits_you(title: &str, moment: &str) = "“{title}” ({moment}) waits for your approval.", "“{title}”等待你批准：{moment}。";
        expires(moment: &str) = "Without a decision it expires: {moment}", "若无人处理，将过期：{moment}";
        confirms(moment: &str) = "Without a decision it is confirmed: {moment}", "若无人处理，将自动确认：{moment}";
        holds(moment: &str) = "Without a decision it is held for an admin: {moment}", "若无人处理，将搁置，由管理员处理：{moment}";
        room(name: &str) = "Room: {name}", "会议室：{name}";
    }
}
