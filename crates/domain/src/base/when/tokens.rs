//! Splits a text into words and numbers.

use super::{
    holidays, places,
    problem::WhenProblem,
    words::{CHINESE, ENGLISH, MONTHS, TRADITIONAL, WEEKDAYS, Word},
};

/// Maximum number of characters of a part that is named in a refusal.
const MAX_PART_CHARS: usize = 24;

/// A word and where it is in the text, in characters.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token {
    pub word: Word,
    pub begin: usize,
    pub end: usize,
}

/// The text: in plain characters to read, and as typed to name what is not understood.
pub(super) struct Text<'a> {
    typed: &'a str,
    pub plain: Vec<char>,
}

impl<'a> Text<'a> {
    pub fn new(typed: &'a str) -> Self {
        Self { typed, plain: typed.chars().map(plain).collect() }
    }

    /// Splits the text; fillers are left out.
    pub fn tokens(&self) -> Result<Vec<Token>, WhenProblem> {
        self.refuse_holiday()?;
        let (mut tokens, mut at): (Vec<Token>, usize) = (Vec::new(), 0);
        while let Some(letter) = self.plain.get(at).copied() {
            let is_separator = letter == ' ' || letter == ',' || (letter == '.' && at > 0);
            let before = tokens.last().filter(|token| token.end == at).map(|token| token.word);
            let is_iso = letter == 't' && matches!(before, Some(Word::Date(..))) && self.is_digit(at + 1);
            if is_separator || is_iso {
                at += 1;
                continue;
            }
            let found = match letter {
                '0'..='9' => self.number(at),
                '+' | '-' if self.follows_iso_clock(&tokens, at) => self.offset(at),
                '+' => Some((Word::Plus, 1)),
                '-' => Some((Word::Or, 1)),
                '@' => Some((Word::At, 1)),
                'a'..='z' => self.latin(at),
                _ => self
                    .numeral(at)
                    .or_else(|| self.chinese(at))
                    .filter(|word| !self.is_longer_place(at, word.1)),
            };
            let (word, length) = found.or_else(|| self.place(at)).ok_or_else(|| self.unknown(at))?;
            if word != Word::Filler {
                tokens.push(Token { word, begin: at, end: at + length });
            }
            at += length;
        }
        Ok(tokens)
    }

    /// The part of the text between two places, as typed.
    pub fn part(&self, begin: usize, end: usize) -> String {
        let count = (end - begin).min(MAX_PART_CHARS);
        self.typed.chars().skip(begin).take(count).collect::<String>().trim().to_owned()
    }

    /// Says that the word which begins here is not understood.
    fn unknown(&self, begin: usize) -> WhenProblem {
        let rest = self.plain.get(begin..).unwrap_or_default();
        let length = rest.iter().position(|letter| matches!(letter, ' ' | ',')).unwrap_or(rest.len());
        WhenProblem::NotUnderstood { part: self.part(begin, begin + length) }
    }

    fn is_digit(&self, at: usize) -> bool {
        self.plain.get(at).is_some_and(char::is_ascii_digit)
    }

    fn starts_with(&self, at: usize, word: &str) -> bool {
        let rest = self.plain.get(at..).unwrap_or_default();
        let mut letters = rest.iter();
        word.chars().all(|letter| letters.next() == Some(&letter))
    }

    /// Up to four digits: their value, and how many they are; 5 and more are no number.
    fn digits(&self, at: usize) -> Option<(u16, usize)> {
        let rest = self.plain.get(at..)?;
        let length = rest.iter().take_while(|letter| letter.is_ascii_digit()).count();
        let digits = rest.get(..length).filter(|digits| (1..=4).contains(&digits.len()))?;
        let value = digits.iter().fold(0, |value, digit| value * 10 + digit.to_digit(10).unwrap_or(0));
        Some((u16::try_from(value).ok()?, length))
    }

    /// A number, a clock time or a date in digits, with its length.
    pub fn number(&self, at: usize) -> Option<(Word, usize)> {
        let (first, length) = self.digits(at)?;
        let end = at + length;
        let number = Some((Word::Number(first, u8::try_from(length).ok()?), length));
        let Some(separator @ (':' | '-' | '/' | '.')) = self.plain.get(end).copied() else {
            let is_ordinal =
                length < 3 && ["st", "nd", "rd", "th"].iter().any(|it| self.starts_with(end, it));
            return if is_ordinal { Some((Word::Ordinal(first), length + 2)) } else { number };
        };
        let Some((second, second_length)) = self.digits(end + 1) else { return number };
        let second_end = end + 1 + second_length;
        let is_third = self.plain.get(second_end) == Some(&separator);
        let third = if is_third { self.digits(second_end + 1) } else { None };
        if is_third && third.is_none() && separator != '.' {
            return None;
        }
        let all = second_end + third.map_or(usize::from(is_third), |(_, length)| length + 1);
        let lengths = (length, second_length, third.map_or(0, |(_, length)| length));
        let values = (first, second, third.map_or(0, |(value, _)| value));
        let small = |value: u16| u8::try_from(value).ok();
        let year = |value: u16| i16::try_from(value).ok();
        let word = match (separator, lengths) {
            (':', (1 | 2, 2, 0 | 2)) => Word::Clock(small(values.0)?, small(values.1)?, small(values.2)?),
            ('-' | '/' | '.', (4, 1 | 2, 1 | 2)) => {
                Word::Date(Some(year(values.0)?), small(values.1)?, small(values.2)?)
            }
            ('.', (1 | 2, 1 | 2, 4)) => Word::Date(Some(year(values.2)?), small(values.1)?, small(values.0)?),
            ('.', (1 | 2, 1 | 2, 0)) if is_third => Word::Date(None, small(values.1)?, small(values.0)?),
            ('.', (1 | 2, 1 | 2, 0)) => {
                Word::Decimal(first, second, small(u16::try_from(second_length).ok()?)?)
            }
            ('/', (1 | 2, 1 | 2, 0)) => Word::Slash(small(first)?, small(second)?, None),
            ('/', (1 | 2, 1 | 2, 4)) => Word::Slash(small(first)?, small(second)?, Some(year(values.2)?)),
            ('-', (1 | 2, 1 | 2, 0)) => return number,
            _ => return None,
        };
        // `1.2.3.4` and `9:00:00.5` are none of these.
        let is_cut = matches!(self.plain.get(all), Some(':' | '/')) || self.is_digit(all);
        let is_fraction = self.plain.get(all) == Some(&'.') && self.is_digit(all + 1);
        let zeros = if is_fraction && separator == ':' { self.zero_fraction(all) } else { None };
        let is_whole = !is_cut && (!is_fraction || zeros.is_some());
        is_whole.then(|| (word, all + zeros.unwrap_or(0) - at))
    }

    /// The length of `.000`; `None`: another fraction.
    fn zero_fraction(&self, at: usize) -> Option<usize> {
        let (value, length) = self.digits(at + 1)?;
        (value == 0).then_some(length + 1)
    }

    /// Whether a clock time right after a date and a `T` ends here.
    fn follows_iso_clock(&self, tokens: &[Token], at: usize) -> bool {
        let [.., date, clock] = tokens else { return false };
        let is_joined = date.end + 1 == clock.begin && self.plain.get(date.end) == Some(&'t');
        is_joined && clock.end == at && matches!(clock.word, Word::Clock(..))
    }

    /// `+02:00`, `-0500`.
    fn offset(&self, at: usize) -> Option<(Word, usize)> {
        let (hours, length) = self.digits(at + 1)?;
        let (hours, minutes, end) = match (length, self.plain.get(at + 3)) {
            (2, Some(':')) => (hours, self.digits(at + 4).filter(|(_, length)| *length == 2)?.0, at + 6),
            (4, _) => (hours / 100, hours % 100, at + 5),
            _ => return None,
        };
        let seconds = i32::from(hours) * 3_600 + i32::from(minutes) * 60;
        let is_offset = hours <= 14 && minutes < 60;
        let seconds = if self.plain.get(at) == Some(&'-') { -seconds } else { seconds };
        is_offset.then_some((Word::Offset(seconds), end - at))
    }

    pub fn latin(&self, at: usize) -> Option<(Word, usize)> {
        for (half, is_afternoon) in [("a.m.", false), ("p.m.", true)] {
            if self.starts_with(at, half) {
                return Some((Word::Half(is_afternoon), 4));
            }
        }
        let rest = self.plain.get(at..)?;
        let length = rest.iter().take_while(|letter| matches!(letter, 'a'..='z' | '\'')).count();
        // `são paulo` does not begin with the unit `s`.
        if rest.get(length).is_some_and(|next| matches!(next, '\u{C0}'..='\u{24F}')) {
            return None;
        }
        let word: String = rest.get(..length)?.iter().collect();
        let known = ENGLISH.iter().find(|(name, _)| *name == word).map(|(_, word)| *word);
        let place = |names: &[&str]| {
            let is_short = |name: &&str| word.len() >= 3 && name.starts_with(word.as_str());
            names.iter().position(is_short)
        };
        let month = || u8::try_from(place(&MONTHS)? + 1).ok().map(Word::Month);
        let weekday = || i8::try_from(place(&WEEKDAYS)?).ok().map(Word::Weekday);
        // A city may begin with such a word.
        let known = known.or_else(month).or_else(weekday)?;
        Some((known, length))
    }

    fn chinese(&self, at: usize) -> Option<(Word, usize)> {
        // `星期四` and `礼拜四` are `周四`.
        for week in ["星期", "礼拜"] {
            if self.starts_with(at, week) {
                let day = self.plain.get(at + 2).copied();
                let found = CHINESE.iter().find(|(name, word)| {
                    let mut letters = name.chars();
                    matches!(word, Word::Weekday(_)) && letters.next() == Some('周') && letters.next() == day
                });
                let week = (Word::Unit(super::words::Unit::Week), 2);
                return Some(found.map_or(week, |(_, word)| (*word, 3)));
            }
        }
        let matching = CHINESE.iter().filter(|(name, _)| self.starts_with(at, name));
        let (name, word) = matching.max_by_key(|(name, _)| name.len())?;
        Some((*word, name.chars().count()))
    }

    /// A number in Chinese numerals.
    fn numeral(&self, at: usize) -> Option<(Word, usize)> {
        let rest = self.plain.get(at..)?;
        let length = rest.iter().take_while(|letter| numeral_value(**letter).is_some()).count();
        let values: Vec<u16> = rest.get(..length.min(6))?.iter().copied().filter_map(numeral_value).collect();
        match values[..] {
            [] => None,
            // `七八点`: seven or eight. The second one is read next.
            [one @ 1..=8, next] if next == one + 1 => Some((Word::Number(one, 0), 1)),
            _ if length > values.len() => None,
            [a, b, c, d] if values.iter().all(|value| *value < 10) && a > 0 => {
                Some((Word::Number(a * 1_000 + b * 100 + c * 10 + d, 4), 4))
            }
            _ => Some((Word::Number(value_of_numerals(&values)?, 0), length)),
        }
    }

    pub fn place(&self, at: usize) -> Option<(Word, usize)> {
        let rest: String = self.plain.get(at..)?.iter().collect();
        let (word, length) = places::at_start(&rest)?;
        Some((word, rest.get(..length)?.chars().count()))
    }

    /// Whether a place begins here whose name is longer: `下太子区` does not begin with `下`.
    fn is_longer_place(&self, at: usize, length: usize) -> bool {
        self.place(at).is_some_and(|(_, longer)| longer > length)
    }

    /// Refuses a text that names a holiday, anywhere: no other word then has a meaning of its own.
    pub fn refuse_holiday(&self) -> Result<(), WhenProblem> {
        for (at, letter) in self.plain.iter().enumerate() {
            let before = at.checked_sub(1).and_then(|before| self.plain.get(before));
            if letter.is_ascii() && before.is_some_and(char::is_ascii_alphanumeric) {
                continue;
            }
            let Some(length) = holidays::length_at_start(self.plain.get(at..).unwrap_or_default()) else {
                continue;
            };
            // `Christmas Island` and `复活节岛` are places.
            if !self.is_longer_place(at, length) {
                return Err(WhenProblem::Holiday { name: self.part(at, at + length) });
            }
        }
        Ok(())
    }
}

/// Lowercase, narrow and simplified.
fn plain(letter: char) -> char {
    match letter {
        '\u{3000}' | '\u{a0}' | '\t' => ' ',
        '，' | '、' | '。' | ';' | '；' => ',',
        '–' | '—' | '~' | '～' | '−' => '-',
        '’' | '‘' => '\'',
        '\u{FF01}'..='\u{FF5E}' => {
            let narrow = char::from_u32(u32::from(letter) - 0xFEE0).unwrap_or(letter);
            narrow.to_ascii_lowercase()
        }
        'A'..='Z' => letter.to_ascii_lowercase(),
        'Ä' => 'ä',
        'Ö' => 'ö',
        'Ü' => 'ü',
        _ => TRADITIONAL.iter().find(|(from, _)| *from == letter).map_or(letter, |(_, to)| *to),
    }
}

/// The value of one numeral; 10 and 100 multiply.
fn numeral_value(letter: char) -> Option<u16> {
    const NUMERALS: [char; 11] = ['零', '一', '二', '三', '四', '五', '六', '七', '八', '九', '十'];
    match letter {
        '〇' => Some(0),
        '两' => Some(2),
        '百' => Some(100),
        _ => NUMERALS.iter().position(|numeral| *numeral == letter).and_then(|at| u16::try_from(at).ok()),
    }
}

/// `二十五` is 25, `一百二十` is 120, `零五` is 5, `三〇` is 30; `None`: no such number.
fn value_of_numerals(values: &[u16]) -> Option<u16> {
    match *values {
        [10] => Some(10),
        [digit @ 0..=9] | [0, digit @ 0..=9] => Some(digit),
        [tens @ 1..=9, 0] => Some(tens * 10),
        [10, digit @ 1..=9] => Some(10 + digit),
        [tens @ 1..=9, 10] => Some(tens * 10),
        [tens @ 1..=9, 10, digit @ 1..=9] => Some(tens * 10 + digit),
        [hundreds @ 1..=9, 100] => Some(hundreds * 100),
        [hundreds @ 1..=9, 100, tens @ 1..=9, 10] => Some(hundreds * 100 + tens * 10),
        [hundreds @ 1..=9, 100, tens @ 1..=9, 10, digit @ 1..=9] => Some(hundreds * 100 + tens * 10 + digit),
        _ => None,
    }
}
