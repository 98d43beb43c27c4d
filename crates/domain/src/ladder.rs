//! Retry ladders: after which waits something that failed is tried again.

use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// Waits in seconds, one a step. As text: `5s, 5m, 30m, 2h`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Ladder(Vec<u32>);

/// Why a text is no ladder.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("must be at most {} waits between 1s and 24h, like 5s, 5m, 30m, 2h", Ladder::STEPS)]
pub struct NotALadder;

impl Ladder {
    /// Most steps.
    pub const STEPS: usize = 20;

    /// 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h.
    #[must_use]
    pub fn usual() -> Self {
        Self(vec![5, 300, 1_800, 7_200, 18_000, 36_000, 36_000])
    }

    /// Milliseconds to wait after attempt `number` (from 1); `None`: that was the last one.
    #[must_use]
    pub fn wait_ms(&self, number: u32) -> Option<i64> {
        let step = usize::try_from(number.checked_sub(1)?).ok()?;
        self.0.get(step).map(|seconds| i64::from(*seconds) * 1_000)
    }

    /// How often something is tried at most.
    #[must_use]
    pub fn attempts(&self) -> u32 {
        u32::try_from(self.0.len()).unwrap_or(u32::MAX).saturating_add(1)
    }
}

impl FromStr for Ladder {
    type Err = NotALadder;
    fn from_str(text: &str) -> Result<Self, NotALadder> {
        let words = text.split([',', '，', ' ']).map(str::trim).filter(|word| !word.is_empty());
        let steps = words.map(seconds).collect::<Option<Vec<_>>>().ok_or(NotALadder)?;
        if steps.len() > Self::STEPS { Err(NotALadder) } else { Ok(Self(steps)) }
    }
}

fn seconds(word: &str) -> Option<u32> {
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

impl fmt::Display for Ladder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, seconds) in self.0.iter().enumerate() {
            if place > 0 {
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

impl From<Ladder> for String {
    fn from(ladder: Ladder) -> Self {
        ladder.to_string()
    }
}

impl TryFrom<String> for Ladder {
    type Error = NotALadder;
    fn try_from(text: String) -> Result<Self, NotALadder> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ladder_reads_as_it_is_written() {
        let text = "5s, 5m, 30m, 2h, 5h, 10h, 10h";
        assert_eq!(text.parse(), Ok(Ladder::usual()));
        assert_eq!(Ladder::usual().to_string(), text);
        assert_eq!("90s".parse::<Ladder>().map(|ladder| ladder.to_string()), Ok("90s".to_owned()));
        for wrong in ["5", "s", "0s", "25h", "5d", "-1s", "5sé", &"1s ".repeat(21)] {
            assert_eq!(wrong.parse::<Ladder>(), Err(NotALadder), "{wrong}");
        }
    }

    #[test]
    fn the_last_attempt_has_no_wait_after_it() {
        let ladder: Ladder = "5s, 1m".parse().unwrap();
        assert_eq!((ladder.attempts(), ladder.wait_ms(1), ladder.wait_ms(2)), (3, Some(5_000), Some(60_000)));
        assert_eq!((ladder.wait_ms(0), ladder.wait_ms(3)), (None, None));
    }
}
