//! Letters in the form in which terms and texts are compared.

use super::visible::Letter;
use std::{collections::HashMap, sync::LazyLock};
use unicode_normalization::{UnicodeNormalization as _, char::is_combining_mark};

/// Maximum number of characters between two Chinese ones that are skipped.
const MAX_SEPARATORS: usize = 16;

static SIMPLIFIED: LazyLock<HashMap<char, char>> =
    LazyLock::new(|| pairs(include_str!("data/simplified.txt")));
static CONFUSABLES: LazyLock<HashMap<char, char>> =
    LazyLock::new(|| pairs(include_str!("data/confusables.txt")));

/// The pairs of characters of a table, one a line.
fn pairs(table: &str) -> HashMap<char, char> {
    let lines = table.lines().filter(|line| !line.starts_with("# "));
    let pair = |line: &str| {
        let mut letters = line.chars();
        Some((letters.next()?, letters.next()?))
    };
    lines.filter_map(pair).collect()
}

/// A compared letter, and where it is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Normal {
    /// Compatibility form, lowercase, simplified.
    pub letter: char,
    /// The Latin letter that it looks like; else the same.
    pub like: char,
    /// Place in the source, in bytes.
    pub begin: u32,
    /// End of its place.
    pub end: u32,
}

/// What stands before a letter and is skipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gap {
    None,
    /// Blanks and marks.
    Marks,
    /// Punctuation that ends or divides a sentence, or a new line.
    Sentence,
}

/// Letters without separators between Chinese ones: the place of each in the normal letters, and
/// what was skipped before it.
pub(super) type Joined = Vec<(usize, Gap)>;

/// Normalises letters. Invisible ones and marks that do not combine are left out.
pub(super) fn normalise(letters: &[Letter]) -> Vec<Normal> {
    let mut normal = Vec::with_capacity(letters.len());
    let mut visible = letters.iter().filter(|letter| !is_invisible(letter.letter)).copied().peekable();
    let mut cluster = String::new();
    while let Some(first) = visible.next() {
        if first.letter.is_ascii() && visible.peek().is_none_or(|next| next.letter.is_ascii()) {
            push(&mut normal, first.letter, (first.begin, first.end));
            continue;
        }
        cluster.clear();
        cluster.push(first.letter);
        let mut end = first.end;
        while let Some(mark) = visible.next_if(|next| is_combining_mark(next.letter)) {
            // A letter has few marks; the rest are decoration.
            if cluster.len() < 32 {
                cluster.push(mark.letter);
            }
            end = mark.end;
        }
        for letter in cluster.nfkc().filter(|letter| !is_combining_mark(*letter) && !is_invisible(*letter)) {
            push(&mut normal, letter, (first.begin, end));
        }
    }
    normal
}

fn push(normal: &mut Vec<Normal>, letter: char, (begin, end): (u32, u32)) {
    if letter.is_ascii() {
        let letter = letter.to_ascii_lowercase();
        normal.push(Normal { letter, like: letter, begin, end });
        return;
    }
    let like = CONFUSABLES.get(&letter).copied();
    let simplified = SIMPLIFIED.get(&letter).copied().unwrap_or(letter);
    let folded: &mut dyn Iterator<Item = char> = match simplified {
        'ß' | 'ẞ' => &mut ['s', 's'].into_iter(),
        'ς' => &mut ['σ'].into_iter(),
        other => &mut other.to_lowercase().filter(|letter| !is_combining_mark(*letter)),
    };
    for letter in folded {
        let like = like.or_else(|| CONFUSABLES.get(&letter).copied()).unwrap_or(letter);
        normal.push(Normal { letter, like, begin, end });
    }
}

/// Leaves out the separators between Chinese characters, but not across an empty line.
pub(super) fn join(normal: &[Normal]) -> Joined {
    let mut joined: Joined = Vec::with_capacity(normal.len());
    let (mut at, mut gap) = (0, Gap::None);
    while let Some(letter) = normal.get(at) {
        joined.push((at, gap));
        at += 1;
        let separators = if is_chinese(letter.letter) { separators(&normal[at..]) } else { None };
        gap = separators.map_or(Gap::None, |(_, gap)| gap);
        at += separators.map_or(0, |(count, _)| count);
    }
    joined
}

/// The number and kind of the separators at the beginning, if a Chinese character follows.
fn separators(rest: &[Normal]) -> Option<(usize, Gap)> {
    let count =
        rest.iter().take(MAX_SEPARATORS + 1).take_while(|next| !next.letter.is_alphanumeric()).count();
    let skipped = rest.get(..count).filter(|_| (1..=MAX_SEPARATORS).contains(&count))?;
    let divides = |letter: char| matches!(letter, ',' | '!' | '?' | ';' | ':' | '。' | '、' | '\n');
    let is_sentence = skipped.iter().any(|skipped| divides(skipped.letter));
    let has_empty_line = skipped.iter().filter(|skipped| skipped.letter == '\n').count() > 1;
    let is_followed = rest.get(count).is_some_and(|next| is_chinese(next.letter));
    let gap = if is_sentence { Gap::Sentence } else { Gap::Marks };
    (is_followed && !has_empty_line).then_some((count, gap))
}

/// Whether a character is a Chinese one.
pub(super) fn is_chinese(letter: char) -> bool {
    matches!(letter, '\u{3007}' | '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}

/// Whether a character belongs to a word of letters.
pub(super) fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() && !is_chinese(letter)
}

/// Whether a character is not seen: controls of the direction, joiners, tags, fillers, selectors.
fn is_invisible(letter: char) -> bool {
    matches!(letter,
        '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}'
        | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}' | '\u{3164}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFA0}'
        | '\u{FFF9}'..='\u{FFFB}' | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E0FFF}')
        || (letter.is_control() && !matches!(letter, '\n' | '\t' | '\r'))
}
