//! Why something about an article or the site is refused.

use crate::{Language, texts};

texts! {
    /// Sentences without the name of the field.
    ArticleProblemTexts {
        no_page(slug: &str) = "names “{slug}”, which is not a page of the site", "包含“{slug}”，它不是网站的页面";
        no_person(name: &str) = "contains “{name}”, which is not the name of one person; use the e-mail address of their account", "包含“{name}”，它不是某一个人的姓名，请使用其账号的电子邮件地址";
        bad_style(found: &str, line: u32) = "contains “{found}” in line {line}; use no @import, only url(/media/…), and no backslash outside of quotes", "第 {line} 行包含“{found}”。不能使用 @import，url() 只能引用 /media/…，引号之外不能有反斜杠";
        unclosed_style = "has a bracket, a quote or a comment without its end", "有未闭合的括号、引号或注释";
        no_article = "names no other article; enter its slug or its address on the site", "不是其他文章，请填写其网址别名或它在网站上的地址";
    }
}

/// A slug that no other article has.
#[must_use]
pub fn no_article(language: Language) -> &'static str {
    ArticleProblemTexts(language).no_article()
}

/// A stylesheet with something that the site does not permit.
#[must_use]
pub fn bad_style(language: Language, line: u32, found: &str) -> String {
    ArticleProblemTexts(language).bad_style(found, line)
}

/// A stylesheet that is not closed.
#[must_use]
pub fn unclosed_style(language: Language) -> &'static str {
    ArticleProblemTexts(language).unclosed_style()
}

/// A name that no account has, or several.
#[must_use]
pub fn no_person(language: Language, name: &str) -> String {
    ArticleProblemTexts(language).no_person(name)
}

/// A slug that no page has.
#[must_use]
pub fn no_page(language: Language, slug: &str) -> String {
    ArticleProblemTexts(language).no_page(slug)
}
