//! What mails to the attendees of a meeting say.

use crate::texts;

texts! {
    /// Lines of an invitation, a change and a cancellation.
    InvitationWords {
        invited(title: &str) = "Invitation: {title}", "邀请：{title}";
        changed(title: &str) = "Changed: {title}", "已更改：{title}";
        restored(title: &str) = "Takes place: {title}", "恢复举行：{title}";
        cancelled(title: &str) = "Cancelled: {title}", "已取消：{title}";
        invites(name: &str, title: &str) = "{name} invites you to “{title}”.", "{name} 邀请你参加“{title}”。";
        changes(title: &str) = "“{title}” was changed.", "“{title}”已更改。";
        moves(title: &str) = "“{title}” was moved.", "“{title}”的时间已更改。";
        before(moment: &str) = "Before: {moment}", "原定：{moment}";
        takes_place(title: &str) = "“{title}” takes place after all.", "“{title}”恢复举行。";
        does_not_take_place(title: &str) = "“{title}” is cancelled.", "“{title}”已取消。";
        not_invited(title: &str) = "You are no longer invited to “{title}”.", "你不再受邀参加“{title}”。";
        starts(moment: &str) = "Start: {moment}", "开始：{moment}";
        ends(moment: &str) = "End: {moment}", "结束：{moment}";
        room(name: &str) = "Room: {name}", "会议室：{name}";
        reason(text: &str) = "Reason: {text}", "原因：{text}";
        is_request = "The room is not confirmed yet.", "会议室尚未确认。";
        instead(by_rule: &str, moment: &str) = "Instead of {by_rule}: {moment}", "原定 {by_rule}，改为：{moment}";
        not_on(moment: &str) = "Not on {moment}", "不举行：{moment}";
        answer = "Accept or decline", "接受或拒绝";
        answer_again = "Your answer was for an earlier time. Please answer again.", "你的答复针对之前的时间，请重新答复。";
    }
}

texts! {
    /// How the organizer is notified of answers.
    AnswerNoticeWords {
        subject(title: &str) = "Answers: {title}", "答复：{title}";
        answers(title: &str, accepted: i64, tentative: i64, declined: i64, pending: i64) = "Answers to “{title}”: {accepted} accepted, {tentative} maybe, {declined} declined, {pending} not answered.", "“{title}”的答复：{accepted} 人接受，{tentative} 人待定，{declined} 人拒绝，{pending} 人未答复。";
    }
}

texts! {
    /// Texts of the page on which an attendee answers.
    AnswerTexts {
        lang = "en", "zh";
        title = "Your answer", "你的答复";
        organizer(name: &str) = "{name} invites you.", "{name} 邀请你。";
        accept = "Accept", "接受";
        tentative = "Maybe", "待定";
        decline = "Decline", "拒绝";
        pending = "You have not answered yet.", "你尚未答复。";
        accepted = "You have accepted.", "你已接受。";
        may_come = "You have answered “maybe”.", "你已答复“待定”。";
        declined = "You have declined.", "你已拒绝。";
        stored = "Your answer is stored.", "你的答复已保存。";
        of_series = "This is the next one of several meetings. Your answer applies to all that are still to come.", "这是多次会议中的下一次，你的答复适用于之后的所有会议。";
        can_change = "You can change your answer until the meeting ends.", "会议结束前可以更改答复。";
        choose = "Choose one of the three answers.", "请选择三种答复之一。";
        closed = "This meeting is over or was cancelled, so you can no longer answer.", "此会议已结束或已取消，不能再答复。";
        unknown = "This link does not work. You may not be invited any more. Ask the organizer.", "此链接无效，你可能不再受邀。请联系组织者。";
    }
}
