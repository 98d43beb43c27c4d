//! Names of fields.

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
        other => match meeting_field(field).or_else(|| meeting_field(other)) {
            Some(names) => names,
            None => return Some(field),
        },
    };
    Some(if language == Language::Zh { zh } else { en })
}

#[cfg(test)]
mod tests {
    use crate::problem::field::{Language, field_name};

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
