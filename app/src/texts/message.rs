//! Texts of mails and text messages.

use super::texts;

texts! {
    /// Texts of mails and text messages, in the language set on their channel.
    MessageTexts {
        published(title: &str) = "Published: {title}", "已发布：{title}";
        updated(title: &str) = "Updated: {title}", "已更新：{title}";
        unpublished(path: &str) = "Unpublished: {path}", "已撤下：{path}";
        test(channel: &str) = "Test message of “{channel}”", "“{channel}”的测试消息";
        test_remark = "This channel works. Nothing was published.", "渠道工作正常。没有发布任何内容。";
        read_more = "Read more", "阅读全文";
    }
}
