//! Text of a mail or short message, derived from the JSON body that a webhook would get.

use domain::{Timestamp, account::Language, channel::ChannelEvent, input_limits::MAX_SMS_CHARS};
use serde::Deserialize;
use texts::mail::message::MessageTexts;

/// The text of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MessageText {
    /// The event.
    pub event: ChannelEvent,
    /// Time of the event.
    pub at: Timestamp,
    /// Headline, one line.
    pub headline: String,
    /// Additional remark; empty: none.
    pub remark: &'static str,
    /// Link to the article, if any.
    pub link: Option<String>,
    /// Label of the link.
    pub read_on: &'static str,
}

/// The stored message.
#[derive(Deserialize)]
struct Body {
    #[serde(rename = "type")]
    event: ChannelEvent,
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

impl MessageText {
    /// Parses a stored message; `None`: it cannot be parsed. `site` precedes the path of a link.
    #[must_use]
    pub fn read(body: &str, language: Language, site: &str) -> Option<Self> {
        let Body { event, timestamp: at, data } = serde_json::from_str(body).ok()?;
        let words = MessageTexts(language);
        let path = one_line(&data.path.unwrap_or_default());
        let about = data.title.as_deref().map_or_else(|| path.clone(), one_line);
        let (headline, remark, has_link) = match event {
            ChannelEvent::ArticlePublished => (words.published(&about), "", true),
            ChannelEvent::ArticleUpdated => (words.updated(&about), "", true),
            ChannelEvent::ArticleUnpublished => (words.unpublished(&about), "", false),
            ChannelEvent::MeetingRequested => (words.meeting_requested(&about), "", true),
            ChannelEvent::MeetingConfirmed => (words.meeting_confirmed(&about), "", true),
            ChannelEvent::MeetingChanged => (words.meeting_changed(&about), "", true),
            ChannelEvent::MeetingStarted => (words.meeting_started(&about), "", true),
            ChannelEvent::MeetingEnded => (words.meeting_ended(&about), "", true),
            ChannelEvent::MeetingCancelled => (words.meeting_cancelled(&about), "", true),
            ChannelEvent::ArticleSubmitted => (words.submitted(&about), "", true),
            ChannelEvent::ArticleApproved => (words.approved(&about), "", true),
            ChannelEvent::ArticleSentBack => (words.sent_back(&about), "", true),
            ChannelEvent::ArticleHeld => (words.held(&about), "", true),
            ChannelEvent::ArticleReleased => (words.released(&about), "", true),
            ChannelEvent::ApprovalExpired => (words.approval_expired(&about), "", true),
            ChannelEvent::TaskFailed => (words.task_failed(&about), "", true),
            ChannelEvent::TaskMissed => (words.task_missed(&about), "", true),
            ChannelEvent::Message | ChannelEvent::PostPrepared | ChannelEvent::PostSeen => return None,
            ChannelEvent::Test => {
                (words.test(&one_line(&data.channel.unwrap_or_default())), words.test_remark(), false)
            }
        };
        let link = has_link.then(|| format!("{site}{path}"));
        let link = link.map(|link| url::Url::parse(&link).map_or(link, String::from));
        Some(Self { event, at, headline, remark, link, read_on: words.read_more() })
    }

    /// Returns the short message. If it is too long, the headline is cut, not the link.
    #[must_use]
    pub fn short(&self) -> String {
        let link = self.link.as_deref().map(|link| format!(" {link}")).unwrap_or_default();
        let room = MAX_SMS_CHARS.saturating_sub(link.chars().count());
        let whole = self.headline.chars().count() <= room;
        let mut text: String = match whole {
            true => self.headline.clone(),
            false => self.headline.chars().take(room.saturating_sub(1)).chain(['…']).collect(),
        };
        text.push_str(&link);
        text.chars().take(MAX_SMS_CHARS).collect()
    }
}

/// Replaces line breaks and other control characters, because the text is used in headers.
fn one_line(text: &str) -> String {
    let is_break = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    text.chars().map(|c| if is_break(c) { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn text(title: &str) -> MessageText {
        let data = json!({"title": title, "path": "/site/news"});
        let body = json!({"type": "article.published", "timestamp": Timestamp::from_millis(0), "data": data});
        MessageText::read(&body.to_string(), Language::En, "https://example.org").unwrap()
    }

    #[test]
    fn a_short_message_keeps_its_link() {
        assert_eq!(text("Hello").short(), "Published: Hello https://example.org/site/news");
        let long = text(&"字".repeat(900)).short();
        assert_eq!(long.chars().count(), MAX_SMS_CHARS);
        assert!(long.ends_with("字… https://example.org/site/news"), "{long}");
    }

    #[test]
    fn every_event_of_a_channel_has_a_headline_with_its_title_and_a_link() {
        for event in ChannelEvent::CHOICES {
            for language in Language::ALL.iter().copied() {
                let data = json!({"title": "Plan", "path": "/tasks/1", "reason": "late"});
                let body = json!({"type": event, "timestamp": Timestamp::from_millis(0), "data": data});
                let text = MessageText::read(&body.to_string(), language, "https://example.org").unwrap();
                assert!(
                    text.headline.contains("Plan") && text.headline.len() > 8,
                    "{event}: {}",
                    text.headline
                );
                let has_page = event != ChannelEvent::ArticleUnpublished;
                assert_eq!(
                    text.link.as_deref(),
                    has_page.then_some("https://example.org/tasks/1"),
                    "{event}"
                );
            }
        }
    }

    #[test]
    fn a_headline_is_one_line() {
        assert_eq!(text("A\r\nBcc: eve@example.org").headline, "Published: A  Bcc: eve@example.org");
    }
}
