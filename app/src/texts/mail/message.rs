//! Texts of mails and text messages.

use crate::texts::texts;

texts! {
    /// Texts of mails and text messages, in the language set on their channel.
    MessageTexts {
        published(title: &str) = "Published: {title}", "已发布：{title}";
        updated(title: &str) = "Updated: {title}", "已更新：{title}";
        unpublished(path: &str) = "Unpublished: {path}", "已撤下：{path}";
        meeting_requested(title: &str) = "Room requested: {title}", "申请会议室：{title}";
        meeting_confirmed(title: &str) = "Meeting confirmed: {title}", "会议已确认：{title}";
        meeting_changed(title: &str) = "Meeting changed: {title}", "会议已更改：{title}";
        meeting_started(title: &str) = "Meeting started: {title}", "会议已开始：{title}";
        meeting_ended(title: &str) = "Meeting ended: {title}", "会议已结束：{title}";
        meeting_cancelled(title: &str) = "Meeting does not take place: {title}", "会议不举行：{title}";
        test(channel: &str) = "Test message of “{channel}”", "“{channel}”的测试消息";
        test_remark = "This channel works. Nothing was published.", "渠道工作正常。没有发布任何内容。";
        read_more = "Read more", "阅读全文";
    }
}
