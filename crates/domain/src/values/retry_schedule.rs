//! Retry schedules: the delays after which a failed operation is retried.

use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// Delays in seconds, one for each retry. As text: `5s, 5m, 30m, 2h`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct RetrySchedule(Vec<u32>);

/// Error for a text that is not a retry schedule.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("must be at most {} delays between 1s and 24h, like 5s, 5m, 30m, 2h", RetrySchedule::MAX_RETRIES)]
pub struct InvalidRetrySchedule;

impl RetrySchedule {
    /// Maximum number of retries.
    pub const MAX_RETRIES: usize = 20;

    /// Returns the default: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h.
    #[must_use]
    pub fn standard() -> Self {
        Self(vec![5, 300, 1_800, 7_200, 18_000, 36_000, 36_000])
    }

    /// Milliseconds to wait after attempt `number` (from 1); `None`: that was the last attempt.
    #[must_use]
    pub fn delay_ms(&self, number: u32) -> Option<i64> {
        let step = usize::try_from(number.checked_sub(1)?).ok()?;
        self.0.get(step).map(|seconds| i64::from(*seconds) * 1_000)
    }

    /// Maximum number of attempts.
    #[must_use]
    pub fn max_attempts(&self) -> u32 {
        u32::try_from(self.0.len()).unwrap_or(u32::MAX).saturating_add(1)
    }
}

impl FromStr for RetrySchedule {
    type Err = InvalidRetrySchedule;
    fn from_str(text: &str) -> Result<Self, InvalidRetrySchedule> {
        let parts = text.split([',', '，', ' ']).map(str::trim).filter(|word| !word.is_empty());
        let delays = parts.map(parse_delay).collect::<Option<Vec<_>>>().ok_or(InvalidRetrySchedule)?;
        if delays.len() > Self::MAX_RETRIES { Err(InvalidRetrySchedule) } else { Ok(Self(delays)) }
    }
}

fn parse_delay(word: &str) -> Option<u32> {
    let unit = word.chars().last()?;
    let number: u32 = word.strip_suffix(unit)?.parse().ok()?;
    let each = match unit {
        's' => 1,
        'm' => 60,
        'h' => 3_600,
        _ => return None,
    };
    number.checked_mul(each).filter(|seconds| (1..=86_400).contains(seconds))
}

impl fmt::Display for RetrySchedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, seconds) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str(", ")?;
            }
            match seconds {
                s if s % 3_600 == 0 => write!(f, "{}h", s / 3_600)?,
                s if s % 60 == 0 => write!(f, "{}m", s / 60)?,
                s => write!(f, "{s}s")?,
            }
        }
        Ok(())
    }
}

impl From<RetrySchedule> for String {
    fn from(schedule: RetrySchedule) -> Self {
        schedule.to_string()
    }
}

impl TryFrom<String> for RetrySchedule {
    type Error = InvalidRetrySchedule;
    fn try_from(text: String) -> Result<Self, InvalidRetrySchedule> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schedule_parses_as_it_is_displayed() {
        let text = "5s, 5m, 30m, 2h, 5h, 10h, 10h";
        assert_eq!(text.parse(), Ok(RetrySchedule::standard()));
        assert_eq!(RetrySchedule::standard().to_string(), text);
        assert_eq!("90s".parse::<RetrySchedule>().map(|schedule| schedule.to_string()), Ok("90s".to_owned()));
        for wrong in ["5", "s", "0s", "25h", "5d", "-1s", "5sé", &"1s ".repeat(21)] {
            assert_eq!(wrong.parse::<RetrySchedule>(), Err(InvalidRetrySchedule), "{wrong}");
        }
    }

    #[test]
    fn the_last_attempt_has_no_wait_after_it() {
        let schedule: RetrySchedule = "5s, 1m".parse().unwrap();
        assert_eq!(
            (schedule.max_attempts(), schedule.delay_ms(1), schedule.delay_ms(2)),
            (3, Some(5_000), Some(60_000))
        );
        assert_eq!((schedule.delay_ms(0), schedule.delay_ms(3)), (None, None));
    }
}
