//! Durations: `in 2 hours`, `+90m`, `两小时后`.

use super::words::{Unit, Word as W};

/// A duration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Amount {
    pub seconds: i64,
    pub days: i64,
    pub months: i64,
}

/// The duration at the beginning that says that it begins now, and its number of words.
pub(super) fn after(words: &[W]) -> Option<(Amount, usize)> {
    let leading = usize::from(matches!(words.first(), Some(W::In | W::Plus)));
    let mut amount = Amount::default();
    let mut at = leading;
    while let Some(count) = amount.add(words.get(at..)?) {
        at += count;
        if matches!(words.get(at), Some(W::And)) && Amount::default().add(&words[at + 1..]).is_some() {
            at += 1;
        }
    }
    let count = match words.get(at..)? {
        _ if at == leading => return None,
        [W::From, W::Now, ..] if leading == 0 => 2,
        [W::After | W::Later, ..] if leading == 0 => 1,
        // `in 2 days and a half`, `in an hour after`: not as it begins.
        [W::And | W::After | W::Later | W::HalfOf, ..] => return None,
        _ if leading == 1 => 0,
        _ => return None,
    };
    Some((amount, at + count))
}

impl Amount {
    /// Adds the number and unit at the beginning; returns their number of words.
    fn add(&mut self, words: &[W]) -> Option<usize> {
        let words_without = |count: usize| words.get(count..).unwrap_or_default();
        let skip = |count: usize| count + usize::from(matches!(words.get(count), Some(W::Measure)));
        // In sixtieths, so that halves and decimals are whole.
        let (sixtieths, count) = match *words {
            [W::HalfOf, W::One, ..] => (30, 2),
            [W::HalfOf, ..] => (30, skip(1)),
            [W::One, W::HalfOf, ..] => return None,
            [W::One, ..] => (60, 1),
            [W::Number(n, _), W::Measure, W::HalfOf, ..] => (i64::from(n) * 60 + 30, 3),
            [W::Number(n, _), W::HalfOf, ..] => (i64::from(n) * 60 + 30, skip(2)),
            [W::Number(n, _), ..] => (i64::from(n) * 60, skip(1)),
            [W::Decimal(n, tenths, 1), ..] => (i64::from(n) * 60 + i64::from(tenths) * 6, 1),
            _ => return None,
        };
        let [W::Unit(unit), ..] = words_without(count) else { return None };
        let is_whole = sixtieths % 60 == 0;
        let (seconds, days, months) = match unit {
            Unit::Second if is_whole => (sixtieths / 60, 0, 0),
            Unit::Minute => (sixtieths, 0, 0),
            Unit::Quarter => (sixtieths * 15, 0, 0),
            Unit::Hour => (sixtieths * 60, 0, 0),
            Unit::Day if is_whole => (0, sixtieths / 60, 0),
            Unit::Week if is_whole => (0, sixtieths / 60 * 7, 0),
            Unit::Month if is_whole => (0, 0, sixtieths / 60),
            _ => return None,
        };
        self.seconds += seconds;
        self.days += days;
        self.months += months;
        Some(count + 1)
    }
}
