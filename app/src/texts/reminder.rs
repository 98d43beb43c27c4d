//! What a reminder of a meeting says, in a mail, a short message and the bell.

use super::texts;

texts! {
    /// Lines of a reminder.
    ReminderWords {
        starts(title: &str, moment: &str) = "“{title}” starts: {moment}", "“{title}”开始时间：{moment}";
        ends(title: &str, moment: &str) = "“{title}” ends: {moment}", "“{title}”结束时间：{moment}";
        room(name: &str) = "Room: {name}", "会议室：{name}";
    }
}
