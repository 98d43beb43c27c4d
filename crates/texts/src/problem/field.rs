//! Names of fields and of entities.

use crate::Language;
use crate::problem::meeting::meeting_field;

/// Name of a field in the user interface. `None`: the problem is shown without a name.
#[must_use]
pub fn field_name(language: Language, field: &str) -> Option<&str> {
    let (en, zh) = match field.rsplit('.').next().unwrap_or_default() {
        // The sentence about a cursor is whole.
        "form" | "cursor" | "" => return None,
        "title" => ("The title", "标题"),
        "body" => ("The body", "正文"),
        "slug" => ("The slug", "网址别名"),
        "email" => ("The e-mail address", "邮箱"),
        "password" => ("The password", "密码"),
        "code" => ("The code", "验证码"),
        "passkey" => ("The passkey", "通行密钥"),
        "old" => ("The current password", "当前密码"),
        "name" => ("The name", "名称"),
        "zone" => ("The time zone", "时区"),
        "text" => ("The text", "文字"),
        "local" | "due_at" | "time" | "when" => ("The time", "时间"),
        "date" | "day" if field != "rule.day" => ("The date", "日期"),
        "change" => ("The change", "更改"),
        "reach" => ("The rule", "规则"),
        "url" => ("The URL", "网址"),
        "host" => ("The mail server", "邮件服务器"),
        "port" => ("The port", "端口"),
        "security" => ("The encryption", "加密方式"),
        "username" => ("The username", "用户名"),
        "from" => ("The sender", "发件人"),
        "to" => ("The list of recipients", "收件人"),
        "template" => ("The request body", "请求正文"),
        "header" => ("The header", "请求头"),
        "secret" => ("The secret", "密钥"),
        "transport" => ("This transport", "此发送方式"),
        "exchange" => ("The exchange", "交换机"),
        "routing_key" => ("The routing key", "路由键"),
        "retry_schedule" => ("The retry schedule", "重试间隔"),
        "events" => ("The events", "事件"),
        "q" => ("The search", "搜索内容"),
        "description" => ("The description", "网站描述"),
        "accent" => ("The accent colour", "强调色"),
        "footer" => ("The footer", "页脚"),
        "links" => ("A link", "链接"),
        "navigation" => ("The navigation", "导航"),
        "summary" => ("The summary", "摘要"),
        "tags" => ("The list of tags", "标签"),
        "css" => ("The stylesheet", "样式表"),
        "logo" => ("The address of the logo", "徽标地址"),
        "favicon" => ("The address of the icon", "图标地址"),
        "about" => ("The text about you", "个人简介"),
        "picture" => ("The address of the picture", "图片地址"),
        "authors" => ("The list of authors", "作者列表"),
        "table" => ("The table", "表格"),
        "cover" => ("The address of the cover", "封面地址"),
        "cover_alt" => ("The alternative text of the cover", "封面替代文字"),
        "cover_caption" => ("The caption of the cover", "封面说明"),
        "canonical" => ("The canonical address", "规范网址"),
        "translation_of" => ("The field “Translation of”", "“译自”"),
        "dated" => ("The publication date", "发布日期"),
        other => match meeting_field(field).or_else(|| meeting_field(other)).or_else(|| further_field(other))
        {
            Some(names) => names,
            // A field of programs, which no page has.
            None => return Some(field),
        },
    };
    Some(if language == Language::Zh { zh } else { en })
}

/// Fields of lists, settings, rules, files and reviews.
fn further_field(field: &str) -> Option<(&'static str, &'static str)> {
    Some(match field {
        "items" | "item" | "list" => ("The list", "列表"),
        "ids" => ("The selection", "所选内容"),
        "groups" => ("The group", "小组"),
        "members" => ("The list of members", "组员名单"),
        "act" | "action" | "what" | "decision" => ("The action", "操作"),
        "amount" => ("The number", "数量"),
        "count" => ("The way to count", "计算方式"),
        "kind" | "type" => ("The kind", "类型"),
        "language" => ("The language", "语言"),
        "layout" => ("The layout", "版式"),
        "views" => ("The list of views", "视图列表"),
        "concurrency" | "max_concurrency" => ("The number at once", "同时执行的数量"),
        "grace" | "grace_ms" => ("The grace", "宽限期"),
        "quota_mib" => ("The space for files", "文件空间"),
        "priority" => ("The priority", "优先级"),
        "rate_per" => ("The period of the rate", "速率的时间单位"),
        "channel" | "channel_id" => ("The channel", "渠道"),
        "account_id" => ("The person", "人员"),
        "article_id" | "target_id" => ("The article", "文章"),
        "headers" => ("The list of headers", "标头"),
        "key" => ("The key", "键"),
        "data" => ("The data", "数据"),
        "after" | "signal" => ("The signal", "信号"),
        "unless" => ("The list of signals", "信号列表"),
        "wait" | "before" | "delay" => ("The wait", "等待时间"),
        "waiting" => ("The choice for what waits", "对等待项的处理"),
        "field" | "zone_field" => ("The name of the field", "字段名称"),
        "subject" => ("The subject", "对象"),
        "repeat" => ("The choice for a repeated signal", "重复信号的处理"),
        "quiet_from" | "quiet_to" | "quiet_until" => ("The time of silence", "免打扰时间"),
        "file" | "files" => ("The file", "文件"),
        "alt" => ("The alternative text", "替代文字"),
        "revision" => ("The revision", "修订版"),
        "reviewers" | "escalate_to" => ("The list of reviewers", "审核人"),
        "holidays" => ("The list of holidays", "节假日"),
        "slot" => ("The posting slot", "发布时段"),
        "pin" => ("The PIN", "PIN 码"),
        "site" => ("The address of the site", "网站地址"),
        "system" => ("The system", "系统"),
        _ => return None,
    })
}

/// Name of an entity inside a sentence.
#[must_use]
pub fn noun(language: Language, what: &str) -> &str {
    let zh = match what {
        "task" => "任务",
        "article" => "文章",
        "file" => "文件",
        "revision" => "修订版",
        "comment" => "评论",
        "account" => "成员",
        "invitation" => "邀请",
        "page" => "页面",
        "channel" => "渠道",
        "delivery" => "投递",
        "reminder" => "提醒",
        "message" => "消息",
        "notice" => "通知",
        "rule" => "规则",
        "release" => "发布组",
        "wait" => "等待项",
        "kind" => "类型",
        "link" => "链接",
        "e-mail" => "邮箱",
        "slug" => "网址别名",
        "word list" => "词库",
        "view" => "视图",
        "name" => "名称",
        "session" => "会话",
        "group" => "小组",
        "provider" => "登录提供方",
        "device" => "设备",
        "token" => "令牌",
        "meeting" => "会议",
        "room" => "会议室",
        "tag" => "标签",
        "room name" => "会议室名称",
        other => other,
    };
    if language == Language::Zh { zh } else { what }
}

#[cfg(test)]
mod tests {
    use crate::problem::field::{Language, field_name};

    #[test]
    fn fields_of_pages_have_no_names_of_programs() {
        let fields = [
            "grace_ms",
            "max_concurrency",
            "concurrency",
            "rate",
            "rate_per",
            "items",
            "ids",
            "channel_id",
            "action.channel_id",
            "quota_mib",
            "target_id",
            "article_id",
            "quiet_from",
            "zone_field",
            "waiting",
            "escalate_to",
            "what",
            "amqp.headers",
            "room_id",
            "cap_times",
            "wait.before",
            "retry_schedule",
        ];
        for field in fields {
            let [en, zh] = [Language::En, Language::Zh].map(|language| field_name(language, field).unwrap());
            assert!(en.starts_with("The ") && !en.contains('_') && !zh.is_ascii(), "{field}: {en} {zh}");
        }
    }

    #[test]
    fn the_fields_of_a_series_and_of_quick_add_have_names_in_both_languages() {
        const RULE: [&str; 8] =
            ["frequency", "interval", "weekdays", "day", "nth", "month", "until", "count"];
        for field in RULE.map(|field| format!("rule.{field}")).iter().map(String::as_str).chain(["when"]) {
            let [en, zh] = [Language::En, Language::Zh].map(|language| field_name(language, field).unwrap());
            assert!(en.starts_with("The ") && !zh.is_ascii(), "{field}: {en} {zh}");
        }
    }
}
