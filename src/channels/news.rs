//! What a message tells people: a mail or a short message, written from the text that a webhook would carry.

use app::words::news::NewsWords;
use domain::{Timestamp, channel::Happening, limit::SMS_CHARS, person::Language};
use serde::Deserialize;

/// What a message tells, in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct News {
    /// What happened.
    pub event: Happening,
    /// When.
    pub at: Timestamp,
    /// In one line.
    pub headline: String,
    /// What else is to be said; empty: nothing.
    pub remark: &'static str,
    /// Where to read on.
    pub link: Option<String>,
    /// What the link is called.
    pub read_on: &'static str,
}

/// The message as it is stored.
#[derive(Deserialize)]
struct Body {
    #[serde(rename = "type")]
    event: Happening,
    timestamp: Timestamp,
    data: Data,
}

#[derive(Deserialize)]
struct Data {
    #[serde(default)]
    title: Option<String>,
    #[serde(default)]
    path: Option<String>,
    #[serde(default)]
    channel: Option<String>,
}

impl News {
    /// What a stored message tells; `None`: it cannot be read. `site`: what the path of a link stands behind.
    #[must_use]
    pub fn read(body: &str, language: Language, site: &str) -> Option<Self> {
        let Body { event, timestamp: at, data } = serde_json::from_str(body).ok()?;
        let words = NewsWords(language);
        let path = one_line(&data.path.unwrap_or_default());
        let about = data.title.as_deref().map_or_else(|| path.clone(), one_line);
        let (headline, remark, has_link) = match event {
            Happening::ArticlePublished => (words.published(&about), "", true),
            Happening::ArticleUpdated => (words.updated(&about), "", true),
            Happening::ArticleUnpublished => (words.unpublished(&about), "", false),
            Happening::Test => {
                (words.test(&one_line(&data.channel.unwrap_or_default())), words.test_remark(), false)
            }
        };
        let link = has_link.then(|| format!("{site}{path}"));
        let link = link.map(|link| url::Url::parse(&link).map_or(link, String::from));
        Some(Self { event, at, headline, remark, link, read_on: words.read_on() })
    }

    /// As a short message: the headline is cut before the link is.
    #[must_use]
    pub fn short(&self) -> String {
        let link = self.link.as_deref().map(|link| format!(" {link}")).unwrap_or_default();
        let room = SMS_CHARS.saturating_sub(link.chars().count());
        let whole = self.headline.chars().count() <= room;
        let mut text: String = match whole {
            true => self.headline.clone(),
            false => self.headline.chars().take(room.saturating_sub(1)).chain(['…']).collect(),
        };
        text.push_str(&link);
        text.chars().take(SMS_CHARS).collect()
    }
}

/// Without line ends and other controls: it stands in headers.
fn one_line(text: &str) -> String {
    let is_break = |letter: char| letter.is_control() || matches!(letter, '\u{2028}' | '\u{2029}');
    text.chars().map(|letter| if is_break(letter) { ' ' } else { letter }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn news(title: &str) -> News {
        let data = json!({"title": title, "path": "/site/news"});
        let body = json!({"type": "article.published", "timestamp": Timestamp::from_millis(0), "data": data});
        News::read(&body.to_string(), Language::En, "https://example.org").unwrap()
    }

    #[test]
    fn a_short_message_keeps_its_link() {
        assert_eq!(news("Hello").short(), "Published: Hello https://example.org/site/news");
        let long = news(&"字".repeat(900)).short();
        assert_eq!(long.chars().count(), SMS_CHARS);
        assert!(long.ends_with("字… https://example.org/site/news"), "{long}");
    }

    #[test]
    fn a_headline_is_one_line() {
        assert_eq!(news("A\r\nBcc: eve@example.org").headline, "Published: A  Bcc: eve@example.org");
    }
}
