//! Formats numbers, the same in all languages, and says which plural form they take.

use crate::Language;
use domain::engine::MAX_COUNTED;

/// A plural form, as the files of texts name it. `build/plurals.rs` lists the forms of each language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// One thing.
    One,
    /// Any other number.
    Other,
}

/// The plural form of a number.
pub(crate) fn form(language: Language, count: u64) -> Form {
    match (language, count) {
        (Language::En | Language::De, 1) => Form::One,
        (Language::En | Language::Zh | Language::De, _) => Form::Other,
    }
}

/// `1,234`; `10,000+` above the maximum that is counted.
#[must_use]
pub fn counted(count: u64) -> String {
    if count > MAX_COUNTED { format!("{}+", grouped(MAX_COUNTED)) } else { grouped(count) }
}

/// `1,234,567`.
#[must_use]
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `812 B`, `1.4 MiB`.
#[must_use]
pub fn bytes(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    if bytes < 1_024 {
        return format!("{bytes} B");
    }
    let (mut tenths, mut unit) = (bytes * 10 / 1_024, 0);
    while tenths >= 10_240 && unit + 1 < UNITS.len() {
        tenths /= 1_024;
        unit += 1;
    }
    format!("{}.{} {}", tenths / 10, tenths % 10, UNITS[unit])
}

#[cfg(test)]
mod tests {
    use crate::number::*;

    #[test]
    fn numbers_are_grouped_and_large_counts_are_capped() {
        assert_eq!([0, 999, 1_000, 10_000].map(counted), ["0", "999", "1,000", "10,000"]);
        assert_eq!(counted(10_001), "10,000+");
        assert_eq!(grouped(1_234_567), "1,234,567");
    }

    #[test]
    fn bytes_are_formatted_in_their_largest_unit() {
        assert_eq!([12, 1_024, 1_536, 1_048_576].map(bytes), ["12 B", "1.0 KiB", "1.5 KiB", "1.0 MiB"]);
        assert_eq!(bytes(3 * 1_073_741_824), "3.0 GiB");
    }
}
