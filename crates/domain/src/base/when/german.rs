//! German words. They are read only in a text that says nothing in the other languages, so that no word changes
//! its meaning there: `am` is one of the morning in English.

use super::{
    tokens::{Text, Token},
    words::{Part, Unit, Word as W},
};

/// Words, in small letters, with `ae`, `oe`, `ue` and `ss` for the letters that only German has.
const WORDS: &[(&str, W)] = &[
    ("heute", W::Day(0)),
    ("gestern", W::Day(-1)),
    ("vorgestern", W::Day(-2)),
    ("uebermorgen", W::Day(2)),
    ("frueh", W::Part(Part::Morning)),
    ("fruehmorgens", W::Part(Part::Morning)),
    ("morgens", W::Part(Part::Morning)),
    ("vormittag", W::Part(Part::Morning)),
    ("vormittags", W::Part(Part::Morning)),
    ("mittag", W::Part(Part::Noon)),
    ("mittags", W::Part(Part::Noon)),
    ("nachmittag", W::Part(Part::Afternoon)),
    ("nachmittags", W::Part(Part::Afternoon)),
    ("abend", W::Part(Part::Evening)),
    ("abends", W::Part(Part::Evening)),
    ("nacht", W::Part(Part::Night)),
    ("nachts", W::Part(Part::Night)),
    ("mitternacht", W::Midnight),
    ("naechste", W::Next),
    ("naechsten", W::Next),
    ("naechster", W::Next),
    ("naechstes", W::Next),
    ("kommende", W::Next),
    ("kommenden", W::Next),
    ("kommender", W::Next),
    ("diese", W::This),
    ("diesen", W::This),
    ("dieser", W::This),
    ("in", W::In),
    ("ein", W::Number(1, 0)),
    ("eine", W::One),
    ("einem", W::One),
    ("einen", W::One),
    ("einer", W::One),
    ("ab", W::From),
    ("jetzt", W::Now),
    ("spaeter", W::Later),
    ("halb", W::HalfTo),
    ("halbe", W::HalfOf),
    ("halben", W::HalfOf),
    ("viertel", W::Quarter),
    ("nach", W::Past),
    ("vor", W::To),
    ("uhr", W::HourMark),
    ("zeit", W::Time),
    ("um", W::At),
    ("am", W::Filler),
    ("an", W::Filler),
    ("den", W::Filler),
    ("der", W::Filler),
    ("dem", W::Filler),
    ("im", W::Filler),
    ("und", W::And),
    ("oder", W::Or),
    ("bis", W::Or),
    ("freie", W::Free),
    ("freien", W::Free),
    ("freier", W::Free),
    ("freies", W::Free),
    ("termin", W::Slot),
    ("zeitfenster", W::Slot),
    ("slot", W::Slot),
    ("sek", W::Unit(Unit::Second)),
    ("sekunde", W::Unit(Unit::Second)),
    ("sekunden", W::Unit(Unit::Second)),
    ("min", W::Unit(Unit::Minute)),
    ("minute", W::Unit(Unit::Minute)),
    ("minuten", W::Unit(Unit::Minute)),
    ("viertelstunde", W::Unit(Unit::Quarter)),
    ("std", W::Unit(Unit::Hour)),
    ("stunde", W::Unit(Unit::Hour)),
    ("stunden", W::Unit(Unit::Hour)),
    ("tag", W::Unit(Unit::Day)),
    ("tage", W::Unit(Unit::Day)),
    ("tagen", W::Unit(Unit::Day)),
    ("woche", W::Unit(Unit::Week)),
    ("wochen", W::Unit(Unit::Week)),
    ("monat", W::Unit(Unit::Month)),
    ("monate", W::Unit(Unit::Month)),
    ("monaten", W::Unit(Unit::Month)),
    ("null", W::Number(0, 0)),
    ("eins", W::Number(1, 0)),
    ("zwei", W::Number(2, 0)),
    ("drei", W::Number(3, 0)),
    ("vier", W::Number(4, 0)),
    ("fuenf", W::Number(5, 0)),
    ("sechs", W::Number(6, 0)),
    ("sieben", W::Number(7, 0)),
    ("acht", W::Number(8, 0)),
    ("neun", W::Number(9, 0)),
    ("zehn", W::Number(10, 0)),
    ("elf", W::Number(11, 0)),
    ("zwoelf", W::Number(12, 0)),
    ("fuenfzehn", W::Number(15, 0)),
    ("zwanzig", W::Number(20, 0)),
    ("dreissig", W::Number(30, 0)),
    ("vierzig", W::Number(40, 0)),
    ("fuenfundvierzig", W::Number(45, 0)),
    ("sechzig", W::Number(60, 0)),
    ("neunzig", W::Number(90, 0)),
    ("anderthalb", W::Decimal(1, 5, 1)),
    ("eineinhalb", W::Decimal(1, 5, 1)),
    ("zweieinhalb", W::Decimal(2, 5, 1)),
    ("ersten", W::Ordinal(1)),
    ("zweiten", W::Ordinal(2)),
    ("dritten", W::Ordinal(3)),
    ("jaenner", W::Month(1)),
    ("feber", W::Month(2)),
    ("mrz", W::Month(3)),
    ("mo", W::Weekday(0)),
    ("di", W::Weekday(1)),
    ("mi", W::Weekday(2)),
    ("do", W::Weekday(3)),
    ("fr", W::Weekday(4)),
    ("sa", W::Weekday(5)),
    ("so", W::Weekday(6)),
    ("sonnabend", W::Weekday(5)),
    ("berliner", W::Place("Europe/Berlin")),
    ("wiener", W::Place("Europe/Vienna")),
    ("zuercher", W::Place("Europe/Zurich")),
    ("londoner", W::Place("Europe/London")),
    ("pekinger", W::Place("Asia/Shanghai")),
    ("peking", W::Place("Asia/Shanghai")),
];

/// Names that may be shortened to three letters or more.
const MONTHS: [&str; 12] = [
    "januar",
    "februar",
    "maerz",
    "april",
    "mai",
    "juni",
    "juli",
    "august",
    "september",
    "oktober",
    "november",
    "dezember",
];
/// A part of the day may follow in the same word: `montagabend`.
const WEEKDAYS: [&str; 7] = ["montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag"];

/// Words that are also English, or names: they do not say that a text is German. `what to do 9:00` is not about a
/// Thursday.
const UNSURE: &[&str] =
    &["ab", "am", "an", "den", "di", "do", "elf", "fr", "mi", "min", "mo", "null", "sa", "slot", "so", "tag"];

/// Splits a text; fillers are left out. `None`: it has a word that is not known, or none that is German for sure.
pub(super) fn tokens(text: &Text<'_>) -> Option<Vec<Token>> {
    text.refuse_holiday().ok()?;
    let mut found = Found::default();
    let mut at = 0;
    while let Some(letter) = text.plain.get(at).copied() {
        let length = match letter {
            ' ' | ',' => 1,
            '.' if at > 0 => 1,
            _ => found.read(text, letter, at)?,
        };
        at += length;
    }
    found.is_german.then_some(found.tokens)
}

/// The words that were read so far.
#[derive(Default)]
struct Found {
    tokens: Vec<Token>,
    is_german: bool,
    /// Whether `am` stands before the next word, which then says a day or a part of it.
    is_after_am: bool,
    /// Whether a short weekday and a comma stand before it: `Do, 3. April`.
    is_after_weekday: bool,
}

impl Found {
    /// Reads the word at a place, and returns its length.
    fn read(&mut self, text: &Text<'_>, letter: char, at: usize) -> Option<usize> {
        let (is_after_am, is_after_weekday) = (self.is_after_am, self.is_after_weekday);
        let (word, length) = match letter {
            '0'..='9' => {
                let number = self.number(text, at)?;
                let has_point = text.plain.get(at + number.1) == Some(&'.');
                let is_day = has_point && matches!(number.0, W::Ordinal(_));
                self.is_german |= is_day && (is_after_weekday || is_after_am);
                number
            }
            '@' => (W::At, 1),
            '-' => (W::Or, 1),
            _ => self.word(text, at).or_else(|| text.place(at))?,
        };
        let typed: String = text.plain.get(at..at + length)?.iter().collect();
        self.is_after_am = typed == "am" || (word == W::Filler && is_after_am);
        self.is_after_weekday =
            matches!(word, W::Weekday(_)) && length == 2 && text.plain.get(at + length) == Some(&',');
        if word != W::Filler {
            self.push(Token { word, begin: at, end: at + length });
        }
        Some(length)
    }

    fn push(&mut self, token: Token) {
        match (token.word, self.tokens.last_mut()) {
            // `14:30 Uhr`
            (W::HourMark, Some(Token { word: W::Clock(..), .. })) => {}
            // `14.30 Uhr`
            (W::HourMark, Some(Token { word, .. })) if clock_of(*word).is_some() => {
                *word = clock_of(*word).unwrap_or(*word);
            }
            // `einer halben Stunde`
            (W::HalfOf, Some(last)) if last.word == W::One => *last = token,
            _ => self.tokens.push(token),
        }
    }

    /// A number; the third of a month with its point, and without it after `am`.
    fn number(&self, text: &Text<'_>, at: usize) -> Option<(W, usize)> {
        let (word, length) = text.number(at)?;
        let W::Number(number, 1 | 2) = word else { return Some((word, length)) };
        let has_point = text.plain.get(at + length) == Some(&'.');
        let is_last = text.plain.get(at + length + 1).is_none();
        let is_ordinal = self.is_after_am || (has_point && !is_last);
        Some(if is_ordinal { (W::Ordinal(number), length) } else { (word, length) })
    }

    fn word(&mut self, text: &Text<'_>, at: usize) -> Option<(W, usize)> {
        let rest = text.plain.get(at..)?;
        let is_letter = |letter: &char| matches!(letter, 'a'..='z' | 'ä' | 'ö' | 'ü' | 'ß');
        let length = rest.iter().take_while(|letter| is_letter(letter)).count();
        if rest.get(length).is_some_and(|next| matches!(next, '\u{C0}'..='\u{24F}')) {
            return None;
        }
        let word = rest.get(..length)?.iter().fold(String::new(), |word, letter| word + &folded(*letter));
        let before = self.tokens.last().map(|token| token.word);
        let known = match (word.as_str(), before) {
            // `heute Morgen`, `Montag Morgen`, `am Morgen`
            ("morgen", Some(W::Day(_) | W::Weekday(_))) => Some(W::Part(Part::Morning)),
            ("morgen", _) if self.is_after_am => Some(W::Part(Part::Morning)),
            ("morgen", _) => Some(W::Day(1)),
            (word, _) => known(word),
        };
        let (found, length) = known.map(|word| (word, length)).or_else(|| weekday(&word))?;
        let is_unsure = UNSURE.contains(&word.as_str()) || matches!(found, W::Place(_));
        self.is_german |= !is_unsure && text.latin(at).is_none();
        Some((found, length))
    }
}

/// The time that a number with a point says before `Uhr`.
fn clock_of(word: W) -> Option<W> {
    let W::Decimal(hour, minute, 2) = word else { return None };
    let small = |number: u16, end: u8| u8::try_from(number).ok().filter(|number| *number < end);
    Some(W::Clock(small(hour, 24)?, small(minute, 60)?, 0))
}

fn folded(letter: char) -> String {
    match letter {
        'ä' => "ae".to_owned(),
        'ö' => "oe".to_owned(),
        'ü' => "ue".to_owned(),
        'ß' => "ss".to_owned(),
        other => other.to_string(),
    }
}

fn known(word: &str) -> Option<W> {
    let of_table = WORDS.iter().find(|(name, _)| *name == word).map(|(_, word)| *word);
    let month = || {
        let at = MONTHS.iter().position(|name| word.len() >= 3 && name.starts_with(word))?;
        u8::try_from(at + 1).ok().map(W::Month)
    };
    of_table.or_else(month)
}

/// The weekday that begins a word, and its length, if a part of the day is the rest.
fn weekday(word: &str) -> Option<(W, usize)> {
    let is_part = |rest: &str| rest == "morgen" || matches!(known(rest), Some(W::Part(_)));
    let (at, name) = WEEKDAYS
        .iter()
        .enumerate()
        .find(|(_, name)| word.strip_prefix(**name).is_some_and(|rest| rest.is_empty() || is_part(rest)))?;
    Some((W::Weekday(i8::try_from(at).ok()?), name.len()))
}
