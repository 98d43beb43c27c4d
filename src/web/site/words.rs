//! The few words of the public site, and its dates.

use chrono_tz::Tz;
use domain::{Timestamp, person::Language, settings::DeskSettings};

/// The words of one language.
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
    feed: "订阅",
    skip: "跳到正文",
};

/// The words of the site's language.
pub fn words(settings: &DeskSettings) -> &'static Words {
    match settings.language {
        Language::En => &EN,
        Language::Zh => &ZH,
    }
}

/// The day of a moment in the desk's zone, in words.
pub fn day(settings: &DeskSettings, at: Timestamp) -> String {
    let zone: Tz = settings.zone.parse().unwrap_or(Tz::UTC);
    let local = at.utc().with_timezone(&zone);
    match settings.language {
        Language::En => local.format("%-d %B %Y").to_string(),
        Language::Zh => local.format("%Y年%-m月%-d日").to_string(),
    }
}
