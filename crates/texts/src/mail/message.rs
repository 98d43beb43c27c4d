//! Texts of mails and text messages.

use crate::texts;

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
        meeting_cancelled(title: &str) = "Meeting cancelled or expired: {title}", "会议已取消或过期：{title}";
        submitted(title: &str) = "Submitted for review: {title}", "已提交审核：{title}";
        approved(title: &str) = "Approved: {title}", "已批准：{title}";
        sent_back(title: &str) = "Sent back: {title}", "已退回：{title}";
        held(title: &str) = "Not published, held by the review: {title}", "未发布，被审核搁置：{title}";
        released(title: &str) = "Approved after its time, published now: {title}", "逾期获批，现在发布：{title}";
        approval_expired(title: &str) = "Not approved in time: {title}", "未在期限内批准：{title}";
        task_failed(title: &str) = "A task failed: {title}", "任务失败：{title}";
        task_missed(title: &str) = "A task was missed: {title}", "任务已错过：{title}";
        test(channel: &str) = "Test message of “{channel}”", "“{channel}”的测试消息";
        test_remark = "This channel works. Nothing was published.", "渠道工作正常。没有发布任何内容。";
        read_more = "Read more", "阅读全文";
    }
}
