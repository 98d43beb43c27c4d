//! Cities of time zones, in English, Chinese and German. The names are from Unicode CLDR; see `generate.mjs`.

use std::{borrow::Cow, collections::HashMap, sync::LazyLock};

const TABLE: &str = include_str!("cities.tsv");

/// Maximum length of a typed name that is searched, in bytes.
const MAX_TYPED_BYTES: usize = 128;

/// The city after which a time zone is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct City {
    /// IANA name of the time zone.
    pub zone: &'static str,
    english: &'static str,
    /// Its name in Chinese.
    pub chinese: &'static str,
    /// Empty: it is that in English.
    german: &'static str,
    /// Other names of the time zone, separated by spaces.
    others: &'static str,
}

/// A city whose name begins a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CityAtStart {
    /// The city.
    pub city: City,
    /// Number of bytes of its name in the text.
    pub length: usize,
    /// What the text names it by.
    pub kind: NameKind,
}

/// What a text names a city by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameKind {
    /// Its whole name, in one of the languages.
    Whole,
    /// Only the beginning of its name, which is the last part of its zone: `Wake` for `Wake Island`.
    Part,
    /// The whole IANA name of its zone, with its area.
    Zone,
}

const UTC: City = City { zone: "UTC", english: "UTC", chinese: "UTC", german: "", others: "Etc/UTC" };

static CITIES: LazyLock<Vec<City>> = LazyLock::new(|| {
    let lines = TABLE.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(read_line).chain([UTC]).collect()
});

/// The cities by all names of their zones.
static BY_ZONE: LazyLock<HashMap<&'static str, City>> = LazyLock::new(|| {
    let names = CITIES.iter().flat_map(|city| city.zones().map(|zone| (zone, *city)));
    first_of_each(names)
});

/// The cities by their normalised names.
static BY_NAME: LazyLock<HashMap<String, City>> =
    LazyLock::new(|| first_of_each(CITIES.iter().flat_map(|city| city.names().map(|name| (name, *city)))));

/// A name that may begin a text, what it is, and its city.
type NameAtStart = (&'static str, NameKind, City);

/// The names that may begin a text, by their first letters.
static BY_FIRST_LETTER: LazyLock<HashMap<char, Vec<NameAtStart>>> = LazyLock::new(|| {
    let mut found: HashMap<char, Vec<_>> = HashMap::new();
    for name in CITIES.iter().flat_map(|city| city.names_at_start()) {
        if let Some(first) = first_letter(name.0) {
            found.entry(first).or_default().push(name);
        }
    }
    found
});

fn first_of_each<K: std::hash::Hash + Eq>(cities: impl Iterator<Item = (K, City)>) -> HashMap<K, City> {
    let mut found = HashMap::new();
    for (name, city) in cities {
        found.entry(name).or_insert(city);
    }
    found
}

fn read_line(line: &'static str) -> Option<City> {
    let mut parts = line.split('\t');
    let (zone, english, chinese) = (parts.next()?, parts.next()?, parts.next()?);
    let mut rest = || parts.next().unwrap_or_default();
    Some(City { zone, english, chinese, german: rest(), others: rest() })
}

impl City {
    /// Its name in English.
    #[must_use]
    pub fn english(self) -> Cow<'static, str> {
        if self.english.is_empty() { last_part(self.zone) } else { self.english.into() }
    }

    /// Its name in German.
    #[must_use]
    pub fn german(self) -> Cow<'static, str> {
        if self.german.is_empty() { self.english() } else { self.german.into() }
    }

    /// All cities, by the name of their zone.
    pub fn all() -> impl Iterator<Item = Self> {
        CITIES.iter().copied()
    }

    /// The city of a zone with this IANA name, current or former.
    #[must_use]
    pub fn of_zone(zone: &str) -> Option<Self> {
        BY_ZONE.get(zone).copied()
    }

    /// The city that a user names: in one of the languages, or by the name of its zone.
    #[must_use]
    pub fn named(typed: &str) -> Option<Self> {
        let typed = Some(plain(typed)).filter(|typed| !typed.is_empty() && typed.len() <= MAX_TYPED_BYTES)?;
        BY_NAME.get(&typed).copied()
    }

    /// Cities whose name in one of the languages, or whose zone, contains the typed text; the best
    /// matches first.
    #[must_use]
    pub fn search(typed: &str, limit: usize) -> Vec<Self> {
        let typed = plain(typed);
        if typed.is_empty() || typed.len() > MAX_TYPED_BYTES {
            return Vec::new();
        }
        let mut found: Vec<_> = CITIES.iter().filter_map(|city| Some((city.rank(&typed)?, *city))).collect();
        found.sort_by_key(|(rank, _)| *rank);
        found.into_iter().take(limit).map(|(_, city)| city).collect()
    }

    /// The city whose name, in one of the languages, or whose zone begins the text; the longest such
    /// name. A name in Latin letters ends at the end of a word.
    #[must_use]
    pub fn at_start(text: &str) -> Option<CityAtStart> {
        let first = first_letter(text)?;
        let mut best: Option<CityAtStart> = None;
        for (name, kind, city) in BY_FIRST_LETTER.get(&first)? {
            let Some(length) = length_at_start(text, name) else { continue };
            if best.is_none_or(|best| length > best.length) {
                best = Some(CityAtStart { city: *city, length, kind: *kind });
            }
        }
        best
    }

    /// Its names as they begin a text, with what each is.
    fn names_at_start(self) -> impl Iterator<Item = NameAtStart> {
        let whole = [self.english, self.chinese].map(|name| (name, NameKind::Whole));
        let parts = self.zones().map(move |zone| {
            let part = zone.rsplit('/').next().unwrap_or(zone);
            (part, if self.is_whole(part) { NameKind::Whole } else { NameKind::Part })
        });
        let zones = self.zones().map(|zone| (zone, NameKind::Zone));
        let german = (self.german, NameKind::Whole);
        whole
            .into_iter()
            .chain(parts)
            .chain(zones)
            .chain([german])
            .map(move |(name, kind)| (name, kind, self))
    }

    /// Whether two names are the same but for case, accents, points and hyphens.
    #[must_use]
    pub fn is_same_name(one: &str, other: &str) -> bool {
        plain(one) == plain(other)
    }

    /// Whether the last part of its zone is its name, not the beginning of a longer one: `Wake` of
    /// `Wake Island` is not.
    fn is_whole(self, part: &str) -> bool {
        let (english, part) = (plain(&self.english()), plain(part));
        let rest = english.strip_prefix(part.as_str());
        rest.is_none_or(|rest| !rest.starts_with(|next: char| !next.is_alphanumeric()))
    }

    fn zones(self) -> impl Iterator<Item = &'static str> {
        [self.zone].into_iter().chain(self.others.split(' ').filter(|name| !name.is_empty()))
    }

    /// Its normalised names and those of its zone.
    fn names(self) -> impl Iterator<Item = String> {
        let names = [plain(&self.english()), self.chinese.to_owned(), plain(&self.german())];
        let zones = self.zones().map(plain);
        let cities = self.zones().map(|zone| plain(&last_part(zone)));
        names.into_iter().chain(cities).chain(zones)
    }

    /// How well a normalised text names it; `None`: not at all.
    fn rank(self, typed: &str) -> Option<Rank> {
        self.names().filter_map(|name| rank_of(&name, typed)).min()
    }
}

/// How well a text names a city; the best one first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Whole,
    Start,
    StartOfWord,
    Inside,
}

fn rank_of(name: &str, typed: &str) -> Option<Rank> {
    let at = name.find(typed)?;
    Some(match name.get(..at).and_then(|before| before.chars().next_back()) {
        None if name.len() == typed.len() => Rank::Whole,
        None => Rank::Start,
        Some(before) if !before.is_alphanumeric() => Rank::StartOfWord,
        Some(_) => Rank::Inside,
    })
}

/// Number of bytes at the beginning of the text that are this name; `None`: it does not begin with
/// the name.
fn length_at_start(text: &str, name: &str) -> Option<usize> {
    let mut letters = text.char_indices();
    let mut is_latin = false;
    for wanted in name.chars().flat_map(char::to_lowercase).filter_map(plain_letter) {
        let (_, found) = letters.by_ref().find_map(|(at, letter)| {
            let lowercase = letter.to_lowercase().next().unwrap_or(letter);
            plain_letter(lowercase).map(|letter| (at, letter))
        })?;
        if found != wanted {
            return None;
        }
        is_latin = wanted.is_ascii();
    }
    let rest = letters.as_str();
    let continues = |next: char| next.is_ascii_alphanumeric() || matches!(next, '\u{C0}'..='\u{24F}');
    let ends_word = !is_latin || !rest.starts_with(continues);
    (ends_word && !name.is_empty()).then(|| text.len() - rest.len())
}

/// `New York` of `America/New_York`.
fn last_part(zone: &'static str) -> Cow<'static, str> {
    let part = zone.rsplit('/').next().unwrap_or(zone);
    if part.contains('_') { part.replace('_', " ").into() } else { part.into() }
}

/// The first letter of a name or a text that is compared.
fn first_letter(text: &str) -> Option<char> {
    text.chars().flat_map(char::to_lowercase).find_map(plain_letter)
}

/// Normalises a name: lowercase, no accents, spaces for `_` and `-`.
fn plain(name: &str) -> String {
    let letters = name.trim().chars().flat_map(char::to_lowercase);
    letters.filter_map(plain_letter).collect()
}

/// One letter without its accent; `None` for a letter that people leave out.
fn plain_letter(letter: char) -> Option<char> {
    Some(match letter {
        'á' | 'à' | 'â' | 'ã' | 'ä' | 'å' | 'ă' => 'a',
        'ç' => 'c',
        'é' | 'è' | 'ê' | 'ë' => 'e',
        'í' | 'ì' | 'î' | 'ï' => 'i',
        'ñ' => 'n',
        'ș' | 'ş' => 's',
        'ó' | 'ò' | 'ô' | 'õ' | 'ö' | 'ø' => 'o',
        'ú' | 'ù' | 'û' | 'ü' => 'u',
        '_' | '-' => ' ',
        '.' | '\'' | '’' | 'ʻ' => return None,
        other => other,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zones(typed: &str) -> Vec<&'static str> {
        City::search(typed, 8).into_iter().map(|city| city.zone).collect()
    }

    #[test]
    fn a_city_is_found_in_all_languages() {
        assert_eq!(zones("柏林"), ["Europe/Berlin", "Europe/Dublin"]);
        for (typed, zone) in [
            ("Wien", "Europe/Vienna"),
            ("Zürich", "Europe/Zurich"),
            ("Rom", "Europe/Rome"),
            ("Warschau", "Europe/Warsaw"),
            ("Mexiko Stadt", "America/Mexico_City"),
            ("Aşgabat", "Asia/Ashgabat"),
        ] {
            assert_eq!(zones(typed)[0], zone, "{typed}");
        }
        assert_eq!(zones("berl")[0], "Europe/Berlin");
        assert_eq!(zones("new york"), ["America/New_York"]);
        assert_eq!(zones("new_york"), ["America/New_York"]);
        assert_eq!(zones("sao paulo"), ["America/Sao_Paulo"]);
        assert_eq!(zones("saigon"), ["Asia/Ho_Chi_Minh"]);
        assert_eq!(zones("utc"), ["UTC"]);
        assert!(zones("").is_empty() && zones("nowhere at all").is_empty());
        assert!(zones(&"berlin".repeat(100)).is_empty());
    }

    #[test]
    fn the_best_match_comes_first_and_the_number_is_limited() {
        assert_eq!(zones("san").len(), 8);
        assert_eq!(zones("shang")[0], "Asia/Shanghai");
        assert_eq!(zones("paul")[0], "America/Sao_Paulo", "the start of a word");
    }

    #[test]
    fn a_whole_name_names_one_city() {
        for typed in ["Berlin", " berlin ", "europe/berlin", "柏林"] {
            assert_eq!(City::named(typed).map(|city| city.zone), Some("Europe/Berlin"), "{typed}");
        }
        assert_eq!(City::named("berl"), None);
        assert_eq!(City::named(""), None);
    }

    #[test]
    fn a_former_zone_has_the_current_name_of_its_city() {
        let city = City::of_zone("Asia/Calcutta").unwrap();
        assert_eq!((city.english().as_ref(), city.chinese), ("Kolkata", "加尔各答"));
        assert_eq!(city.german(), "Kalkutta");
    }

    #[test]
    fn a_city_begins_a_text() {
        let found = |text| City::at_start(text).map(|found| (found.city.zone, found.length));
        assert_eq!(found("New York time"), Some(("America/New_York", 8)));
        assert_eq!(found("america/new_york"), Some(("America/New_York", 16)));
        assert_eq!(found("柏林时间"), Some(("Europe/Berlin", 6)));
        assert_eq!(found("Brüssel 9"), Some(("Europe/Brussels", 8)));
        assert_eq!(found("são paulo 9"), Some(("America/Sao_Paulo", 10)));
        assert_eq!(found("berliner"), None);
        assert_eq!(found("limañ"), None);
        assert_eq!(found(""), None);
    }

    #[test]
    fn the_beginning_of_a_longer_name_is_not_the_whole_name() {
        let kind = |text| City::at_start(text).map(|found| found.kind);
        for whole in [
            "berlin",
            "圣诞岛",
            "christmas island",
            "saigon",
            "montreal",
            "st. john's",
            "center, north dakota",
        ] {
            assert_eq!(kind(whole), Some(NameKind::Whole), "{whole}");
        }
        for part in ["christmas", "easter", "wake", "midway", "center", "troll", "ho chi minh"] {
            assert_eq!(kind(part), Some(NameKind::Part), "{part}");
        }
        assert_eq!(kind("indian/christmas"), Some(NameKind::Zone));
    }

    #[test]
    fn no_two_cities_share_a_name() {
        for city in CITIES.iter() {
            assert_eq!(City::named(&city.english()), Some(*city));
            assert_eq!(City::named(city.chinese), Some(*city));
        }
    }
}
