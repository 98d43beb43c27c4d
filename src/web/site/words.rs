//! The few words of the public site, and its dates.

use crate::zone::Zone;
use domain::{Timestamp, person::Language, settings::DeskSettings};

/// The words of one language.
#[derive(Debug)]
pub struct Words {
    /// What follows the newest page.
    pub older: &'static str,
    /// Back to the first page.
    pub newest: &'static str,
    /// Before the moment of a changed text.
    pub updated: &'static str,
    /// An empty site.
    pub nothing: &'static str,
    /// Title of the page that is not there.
    pub missing: &'static str,
    /// The same as a sentence.
    pub missing_why: &'static str,
    /// In the place of a text that exceeds a limit of rendering.
    pub too_complex: &'static str,
    /// Title of the page of a deleted article.
    pub gone: &'static str,
    /// The same as a sentence.
    pub gone_why: &'static str,
    /// Name of the feed.
    pub feed: &'static str,
    /// Past everything, to the text.
    pub skip: &'static str,
}

static EN: Words = Words {
    older: "Older",
    newest: "Newest",
    updated: "Updated",
    nothing: "Nothing has been published yet.",
    missing: "Not here",
    missing_why: "There is nothing at this address.",
    too_complex: "This text is too complex to be shown. Its author can make it simpler and publish it again.",
    gone: "No longer here",
    gone_why: "The article at this address was deleted.",
    feed: "Feed",
    skip: "Skip to the text",
};

static ZH: Words = Words {
    older: "更早",
    newest: "最新",
    updated: "更新于",
    nothing: "还没有发布任何文章。",
    missing: "找不到页面",
    missing_why: "这个地址没有内容。",
    too_complex: "该文章结构过于复杂，无法显示。作者可简化后重新发布。",
    gone: "文章已删除",
    gone_why: "此网址的文章已被删除。",
    feed: "订阅",
    skip: "跳到正文",
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

/// The words of a language.
pub fn of(language: Language) -> &'static Words {
    match language {
        Language::En => &EN,
        Language::Zh => &ZH,
    }
}

/// The day of a moment in the desk's zone, in words.
pub fn day(settings: &DeskSettings, language: Language, at: Timestamp) -> String {
    let (year, month, day) = Zone::stored(&settings.zone).day(at);
    match language {
        Language::En => {
            format!("{day} {} {year}", MONTHS[usize::from(month.unsigned_abs()).saturating_sub(1) % 12])
        }
        Language::Zh => format!("{year}年{month}月{day}日"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_that_of_the_desk_even_where_it_does_not_begin_at_midnight() {
        let at = |text: &str| text.parse().unwrap();
        let shown = |zone: &str, language, instant| {
            day(
                &DeskSettings { title: String::new(), zone: zone.to_owned(), language },
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
