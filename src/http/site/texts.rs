//! Texts of the public site, and its dates.

use crate::zone::Zone;
use domain::{Timestamp, account::Language, settings::SiteSettings};

/// Texts of the site in one language.
#[derive(Debug)]
pub struct SiteTexts {
    /// Link to older articles.
    pub older: &'static str,
    /// Link to the first page.
    pub newest: &'static str,
    /// Label of the time of the last update.
    pub updated: &'static str,
    /// Shown if nothing is published.
    pub nothing: &'static str,
    /// Title of the 404 page.
    pub missing: &'static str,
    /// Sentence on the 404 page.
    pub missing_why: &'static str,
    /// Shown instead of a body that exceeds a rendering limit.
    pub too_complex: &'static str,
    /// Title of the page of a deleted article.
    pub gone: &'static str,
    /// Sentence on that page.
    pub gone_why: &'static str,
    /// Name of the feed.
    pub feed: &'static str,
    /// Skip link to the content.
    pub skip: &'static str,
    /// Label of the navigation.
    pub navigation: &'static str,
    /// Title of the archive.
    pub archive: &'static str,
    /// Heading of the list of months.
    pub months: &'static str,
    /// Heading of a list of tags.
    pub tags: &'static str,
    /// Label of the search field.
    pub search: &'static str,
    /// Title of the results of a search for this text.
    pub results: fn(&str) -> String,
    /// Number of results; whether it is the least number.
    pub found: fn(usize, bool) -> String,
    /// Shown if a search finds nothing.
    pub no_results: &'static str,
    /// Link to the front page.
    pub front: &'static str,
    /// Link to the feed of a tag.
    pub feed_of_tag: &'static str,
    /// Link to the feed of an author.
    pub feed_of_author: &'static str,
    /// Heading of the table of contents.
    pub contents: &'static str,
    /// Heading of related articles.
    pub related: &'static str,
    /// Label of the link to the previous article.
    pub previous: &'static str,
    /// Label of the link to the next article.
    pub next: &'static str,
    /// Begin of the line above a preview.
    pub preview: &'static str,
    /// Label of these two links.
    pub beside: &'static str,
}

static EN: SiteTexts = SiteTexts {
    older: "Older",
    newest: "Newest",
    updated: "Updated",
    nothing: "Nothing has been published yet.",
    missing: "Page not found",
    missing_why: "There is no page at this URL.",
    too_complex: "This article is too complex to display. Its author can simplify it and publish it again.",
    gone: "Article deleted",
    gone_why: "The article at this URL was deleted.",
    feed: "Feed",
    skip: "Skip to the content",
    navigation: "Pages",
    archive: "Archive",
    months: "By month",
    tags: "Tags",
    search: "Search",
    results: |text| format!("Results for “{text}”"),
    found: |count, has_more| match (count, has_more) {
        (1, false) => "1 article".to_owned(),
        (count, false) => format!("{count} articles"),
        (count, true) => format!("At least {count} articles"),
    },
    no_results: "No article has all these words. Try fewer words.",
    front: "Front page",
    feed_of_tag: "Feed of this tag",
    feed_of_author: "Feed of this author",
    contents: "Contents",
    related: "Related",
    previous: "Previous",
    next: "Next",
    preview: "Preview: the site as it will be on",
    beside: "Previous and next article",
};

static ZH: SiteTexts = SiteTexts {
    older: "更早",
    newest: "最新",
    updated: "更新于",
    nothing: "还没有发布任何文章。",
    missing: "页面不存在",
    missing_why: "此网址没有页面。",
    too_complex: "文章结构过于复杂，无法显示。作者可简化后重新发布。",
    gone: "文章已删除",
    gone_why: "此网址的文章已被删除。",
    feed: "订阅",
    skip: "跳到正文",
    navigation: "页面",
    archive: "归档",
    months: "按月份",
    tags: "标签",
    search: "搜索",
    results: |text| format!("“{text}”的搜索结果"),
    found: |count, has_more| {
        if has_more { format!("至少 {count} 篇文章") } else { format!("{count} 篇文章") }
    },
    no_results: "没有文章包含全部这些词，请减少搜索词。",
    front: "首页",
    feed_of_tag: "订阅此标签",
    feed_of_author: "订阅此作者",
    contents: "目录",
    related: "相关文章",
    previous: "上一篇",
    next: "下一篇",
    preview: "预览：站点届时的样子",
    beside: "上一篇与下一篇",
};

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// Texts in a language.
pub fn of(language: Language) -> &'static SiteTexts {
    match language {
        Language::En => &EN,
        Language::Zh => &ZH,
    }
}

/// Formats the date of a time in the desk's time zone.
pub fn day(settings: &SiteSettings, language: Language, at: Timestamp) -> String {
    let (year, month, day) = Zone::stored(&settings.zone).day(at);
    match language {
        Language::En => {
            format!("{day} {} {year}", MONTHS[usize::from(month.unsigned_abs()).saturating_sub(1) % 12])
        }
        Language::Zh => format!("{year}年{month}月{day}日"),
    }
}

/// Formats the month of a time in the desk's time zone and language.
pub fn month(settings: &SiteSettings, at: Timestamp) -> String {
    let (year, month, _) = Zone::stored(&settings.zone).day(at);
    match settings.language {
        Language::En => {
            format!("{} {year}", MONTHS[usize::from(month.unsigned_abs()).saturating_sub(1) % 12])
        }
        Language::Zh => format!("{year}年{month}月"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_date_is_in_the_desk_zone_even_if_the_day_does_not_begin_at_midnight() {
        let at = |text: &str| text.parse().unwrap();
        let shown = |zone: &str, language, instant| {
            day(
                &SiteSettings { title: String::new(), zone: zone.to_owned(), language },
                language,
                at(instant),
            )
        };
        assert_eq!(shown("Africa/Cairo", Language::En, "2027-04-29T21:59:59Z"), "29 April 2027");
        assert_eq!(shown("Africa/Cairo", Language::En, "2027-04-29T22:00:00Z"), "30 April 2027");
        assert_eq!(shown("America/Santiago", Language::Zh, "2027-09-05T03:59:59Z"), "2027年9月4日");
        assert_eq!(shown("America/Santiago", Language::Zh, "2027-09-05T04:00:00Z"), "2027年9月5日");
        assert_eq!(shown("America/Vancouver", Language::En, "2026-12-02T06:59:59Z"), "1 December 2026");
        assert_eq!(shown("America/Vancouver", Language::En, "2026-12-02T07:00:00Z"), "2 December 2026");
    }
}
