//! Notices: messages that are repeated by a schedule of their own until they are acknowledged.

use crate::{LocalizedTime, delivery::Outcome, retry_schedule::RetrySchedule};
use serde::{Deserialize, Serialize};

/// Header with the number of the attempt, from 1.
pub const ATTEMPT_HEADER: &str = "Presstime-Attempt";
/// Text of a body that is replaced by the number of the attempt.
pub const ATTEMPT_FIELD: &str = "{{attempt}}";
/// Maximum length of the text that acknowledges a notice, in bytes.
pub const MAX_ACK_BYTES: usize = 200;

/// Names of retry schedules, and their delays. `svix` is the schedule of
/// <https://docs.svix.com/retries>, `alipay` that of
/// <https://global.alipay.com/docs/ac/PC2Mobile/notification>; `presstime` repeats quickly at first
/// and ends after a day.
pub const PRESETS: [(&str, &str); 3] = [
    ("presstime", "15s, 30s, 3m, 10m, 30m, 1h, 2h, 6h, 15h"),
    ("svix", "5s, 5m, 30m, 2h, 5h, 10h, 10h"),
    ("alipay", "2m, 10m, 10m, 1h, 2h, 6h, 15h"),
];

/// Returns the schedule of this name; `None`: there is no such name.
#[must_use]
pub fn preset(name: &str) -> Option<RetrySchedule> {
    let (_, delays) = PRESETS.iter().find(|(known, _)| *known == name)?;
    delays.parse().ok()
}

/// How a notice is repeated, and what ends it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoticeTerms {
    /// Delays after attempts that were not acknowledged.
    pub retry_schedule: RetrySchedule,
    /// What acknowledges it besides a request.
    pub ack: AckRule,
}

/// The response that acknowledges a notice.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AckRule {
    /// The status; `None`: any from 200 to 299.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// The whole text, without white space around it and whatever its case; `None`: any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
}

impl AckRule {
    /// Whether this response acknowledges. No status: the transport has no responses, so that only a
    /// request does.
    #[must_use]
    pub fn accepts(&self, status: Option<u16>, body: Option<&str>) -> bool {
        let is_status = match (status, self.status) {
            (None, _) => false,
            (Some(status), None) => (200..300).contains(&status),
            (Some(status), Some(wanted)) => status == wanted,
        };
        let is_text = |wanted: &String| body.unwrap_or_default().trim().eq_ignore_ascii_case(wanted.trim());
        is_status && self.body.as_ref().is_none_or(is_text)
    }
}

/// One attempt of a notice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoticeMoment {
    /// When it was or will be made; those to come follow one another by the schedule.
    pub at: LocalizedTime,
    /// Whether it was made.
    pub state: MomentState,
}

/// Whether an attempt was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MomentState {
    /// It was made; `None`: its result is not known.
    Made(Option<Outcome>),
    /// It is the next one.
    Next,
    /// It is made if those before are not acknowledged.
    ToCome,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_is_a_schedule() {
        for (name, delays) in PRESETS {
            assert_eq!(preset(name).map(|schedule| schedule.to_string()).as_deref(), Some(delays));
        }
        assert_eq!(preset("other"), None);
    }

    #[test]
    fn a_response_acknowledges_by_status_and_text() {
        let any = AckRule::default();
        assert!(any.accepts(Some(204), None) && any.accepts(Some(200), Some("later")));
        assert!(!any.accepts(Some(302), None) && !any.accepts(None, None));
        let text = AckRule { body: Some("success".to_owned()), ..AckRule::default() };
        assert!(text.accepts(Some(200), Some(" SUCCESS\n")) && !text.accepts(Some(200), Some("success!")));
        assert!(!text.accepts(Some(500), Some("success")) && !text.accepts(Some(200), None));
        let accepted = AckRule { status: Some(202), body: None };
        assert!(accepted.accepts(Some(202), None) && !accepted.accepts(Some(200), None));
    }
}
