//! Durations as users write them: `30s`, `5m`, `1h 30m`.

use domain::text::slice_text;
use serde::{Deserialize, Deserializer, de::Error as _};
use std::{fmt, str::FromStr, time::Duration};

/// A duration: numbers with `ms`, `s`, `m`, `h` or `d`, which are added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HumanDuration(pub Duration);

impl HumanDuration {
    /// Duration in milliseconds.
    #[must_use]
    pub fn millis(self) -> i64 {
        i64::try_from(self.0.as_millis()).unwrap_or(i64::MAX)
    }
}

impl FromStr for HumanDuration {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("{text:?} is not a duration; write it like 30s, 5m or 1h");
        let mut rest = text.trim();
        let mut millis: u64 = 0;
        while !rest.is_empty() {
            let digits = rest.find(|c: char| !c.is_ascii_digit()).ok_or_else(wrong)?;
            let number: u64 = slice_text(rest, ..digits).parse().map_err(|_| wrong())?;
            rest = slice_text(rest, digits..).trim_start();
            let letters = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
            let unit = unit_millis(slice_text(rest, ..letters)).ok_or_else(wrong)?;
            rest = slice_text(rest, letters..).trim_start();
            millis = number.checked_mul(unit).and_then(|part| millis.checked_add(part)).ok_or_else(wrong)?;
        }
        if millis == 0 { Err(wrong()) } else { Ok(Self(Duration::from_millis(millis))) }
    }
}

fn unit_millis(unit: &str) -> Option<u64> {
    Some(match unit {
        "ms" => 1,
        "s" => 1_000,
        "m" | "min" => 60_000,
        "h" => 3_600_000,
        "d" => 86_400_000,
        _ => return None,
    })
}

impl fmt::Display for HumanDuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let millis = self.0.as_millis();
        match () {
            () if millis.is_multiple_of(3_600_000) => write!(f, "{}h", millis / 3_600_000),
            () if millis.is_multiple_of(60_000) => write!(f, "{}m", millis / 60_000),
            () if millis.is_multiple_of(1_000) => write!(f, "{}s", millis / 1_000),
            () => write!(f, "{millis}ms"),
        }
    }
}

impl<'de> Deserialize<'de> for HumanDuration {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_parsed() {
        for (text, millis) in [("30s", 30_000), ("1h 30m", 5_400_000), ("250ms", 250), ("2 d", 172_800_000)] {
            assert_eq!(text.parse::<HumanDuration>().map(HumanDuration::millis), Ok(millis), "{text}");
        }
        for wrong in ["", "5", "s", "-1s", "5 parsecs", "0s", "99999999999999999999h"] {
            assert!(wrong.parse::<HumanDuration>().is_err(), "{wrong}");
        }
    }
}
