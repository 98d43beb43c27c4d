//! Words of mails and short messages.

use super::texts;

texts! {
    /// Words of mails and short messages, in the language their channel says.
    NewsWords {
        published(title: &str) = "Published: {title}", "已发布：{title}";
        updated(title: &str) = "Updated: {title}", "已更新：{title}";
        unpublished(path: &str) = "Taken off the site: {path}", "已撤下：{path}";
        test(channel: &str) = "Test message of “{channel}”", "“{channel}”的测试消息";
        test_remark = "It arrived: the channel works. Nothing was published.", "已送达，渠道工作正常。没有发布任何内容。";
        read_on = "Read it", "阅读";
    }
}
