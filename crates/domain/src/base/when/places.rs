//! Places in a text: which of their names say a time zone.

use super::words::Word;
use crate::base::city::{City, CityAtStart, NameKind};

/// Names of places that are also words, or names of better known places in other time zones; lowercase,
/// without accents. They say a zone only as an IANA name, `America/Phoenix`.
const UNCLEAR: &[&str] = &[
    "canaries",
    "canary",
    "canton",
    "cayenne",
    "chihuahua",
    "coral harbour",
    "cordoba",
    "davis",
    "goose bay",
    "jersey",
    "la rioja",
    "marengo",
    "merida",
    "oral",
    "phoenix",
    "rainy river",
    "resolute",
    "reunion",
    "samoa",
    "san juan",
    "san luis",
    "south pole",
    "swift current",
    "thunder bay",
    "virgin",
    "yap",
    "昭和",
];

/// The place that begins a text, and its length in bytes.
pub(super) fn at_start(text: &str) -> Option<(Word, usize)> {
    let CityAtStart { city, length, kind } = City::at_start(text)?;
    let name = text.get(..length)?;
    let word = match kind {
        NameKind::Zone => Word::Zone(city.zone),
        NameKind::Whole if city.zone == "UTC" => Word::Zone(city.zone),
        NameKind::Part => Word::Unclear(city.zone),
        NameKind::Whole if is_unclear(name) => Word::Unclear(city.zone),
        NameKind::Whole => Word::Place(city.zone),
    };
    Some((word, length))
}

/// Accents, points and hyphens do not matter.
fn is_unclear(name: &str) -> bool {
    UNCLEAR.iter().any(|unclear| City::is_same_name(name, unclear))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_or_a_part_of_a_name_says_no_zone() {
        let read = |text| at_start(text).map(|(word, _)| word);
        assert_eq!(read("new york"), Some(Word::Place("America/New_York")));
        assert_eq!(read("utc"), Some(Word::Zone("UTC")));
        assert_eq!(read("america/phoenix"), Some(Word::Zone("America/Phoenix")));
        for unclear in UNCLEAR.iter().copied().chain(["réunion", "wake", "center", "casey", "knox"]) {
            assert!(matches!(read(unclear), Some(Word::Unclear(_))), "{unclear}");
        }
    }
}
