//! Why something about an article is refused.

use crate::{Language, texts};

texts! {
    /// Sentences without the name of the field.
    ArticleProblemTexts {
        no_page(slug: &str) = "names “{slug}”, which is not a page of the site", "包含“{slug}”，它不是网站的页面";
        no_person(name: &str) = "contains “{name}”, which is not the name of one person; use the e-mail address of their account", "包含“{name}”，它不是某一个人的姓名，请使用其账号的电子邮件地址";
        no_article = "names no other article; enter its slug or its address on the site", "不是其他文章，请填写其网址别名或它在网站上的地址";
    }
}

/// A slug that no other article has.
#[must_use]
pub fn no_article(language: Language) -> &'static str {
    ArticleProblemTexts(language).no_article()
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
