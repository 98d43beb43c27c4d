//! What a reminder of a meeting says, in a mail, a short message and the bell; and the page to check in.

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
        no_check_in(title: &str) = "No one has checked in to “{title}” yet.", "“{title}”尚无人签到。";
        releases(room: &str, moment: &str) = "Check in, or the room “{room}” is released: {moment}", "请签到，否则会议室“{room}”将被释放：{moment}";
        check_in_subject(title: &str) = "Check in: {title}", "请签到：{title}";
        check_in = "Check in", "签到";
    }
}

texts! {
    /// Texts of the page on which a person checks in by a link.
    CheckInTexts {
        title = "Check in", "签到";
        releases(moment: &str) = "The room is released unless someone checks in: {moment}", "若无人签到，会议室将被释放：{moment}";
        check_in = "Check in now", "立即签到";
        checked_in = "Someone has checked in. The room stays reserved.", "已有人签到，会议室将保留。";
        early = "It is too early to check in. Come back 15 minutes before the start.", "现在签到太早，请在开始前 15 分钟内再来。";
        over = "This meeting is over, was cancelled, or its room was released.", "此会议已结束、已取消，或会议室已释放。";
        unknown = "This link does not work. You may not be invited any more. Ask the organizer.", "此链接无效，你可能不再受邀。请联系组织者。";
    }
}
