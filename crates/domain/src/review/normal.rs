//! Letters in the form in which terms and texts are compared.

use super::{script, visible::Letter};
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

/// Normalises letters. Left out are invisible ones, and marks that make no other word: see
/// [`script::is_kept_mark`].
pub(super) fn normalise(letters: &[Letter]) -> Vec<Normal> {
    let mut normal = Vec::with_capacity(letters.len());
    let mut visible = letters.iter().filter(|letter| !is_invisible(letter.letter)).copied().peekable();
    let mut cluster = String::new();
    while let Some(first) = visible.next() {
        if first.letter.is_ascii() && visible.peek().is_none_or(|next| next.letter.is_ascii()) {
            push(&mut normal, (first.letter, None), (first.begin, first.end));
            continue;
        }
        cluster.clear();
        cluster.push(first.letter);
        let mut end = first.end;
        while let Some(mark) = visible.next_if(|next| script::is_joined(next.letter)) {
            // A letter has few marks; the rest are decoration.
            if cluster.len() < 32 {
                cluster.push(mark.letter);
            }
            end = mark.end;
        }
        // The compatibility form may look otherwise: `ϲ` is a sigma.
        let like = CONFUSABLES.get(&first.letter).copied().filter(|_| end == first.end);
        let is_kept = |letter: char| !is_combining_mark(letter) || script::is_kept_mark(letter, first.letter);
        for letter in cluster.nfkc().filter(|letter| is_kept(*letter) && !is_invisible(*letter)) {
            push(&mut normal, (letter, like), (first.begin, end));
        }
    }
    normal
}

/// Adds a letter. `like`: what the character looks like that it is from, if that is known.
fn push(normal: &mut Vec<Normal>, (letter, like): (char, Option<char>), (begin, end): (u32, u32)) {
    if letter.is_ascii() {
        let letter = letter.to_ascii_lowercase();
        normal.push(Normal { letter, like: letter, begin, end });
        return;
    }
    let like = like.or_else(|| CONFUSABLES.get(&letter).copied());
    let simplified = SIMPLIFIED.get(&letter).copied().unwrap_or(letter);
    let folded: &mut dyn Iterator<Item = char> = match simplified {
        'ß' | 'ẞ' => &mut ['s', 's'].into_iter(),
        'ς' => &mut ['σ'].into_iter(),
        // `İ` becomes a letter and a mark. A mark that was kept is its own small letter.
        other => &mut other.to_lowercase().filter(move |next| *next == other || !is_combining_mark(*next)),
    };
    for letter in folded {
        let like = like.or_else(|| CONFUSABLES.get(&letter).copied()).unwrap_or(letter);
        normal.push(Normal { letter, like, begin, end });
    }
}

/// Letters look like Latin ones only in words that mix scripts: `рот` is no `pot`, `pаypal` with a
/// Cyrillic letter is `paypal`.
pub(super) fn keep_look_alikes(normal: &mut [Normal]) {
    for word in normal.chunk_by_mut(|letter, next| is_within_word(letter.letter, next.letter)) {
        let is_changed = word.iter().any(|one| one.like != one.letter);
        if is_changed && !script::is_mixed(word.iter().map(|one| one.letter)) {
            for one in word.iter_mut().filter(|one| !script::is_latin(one.letter)) {
                one.like = one.letter;
            }
        }
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

/// Whether a character belongs to a word of letters between spaces.
fn is_word(letter: char) -> bool {
    (letter.is_alphanumeric() || is_combining_mark(letter))
        && !is_chinese(letter)
        && !script::is_unspaced(letter)
}

/// Whether a word goes on from a letter to the next. A Korean particle may follow a word of any script.
pub(super) fn is_within_word(letter: char, next: char) -> bool {
    is_word(letter) && is_word(next) && script::is_hangul(letter) == script::is_hangul(next)
}

/// Whether a character is not seen: controls of the direction, joiners, tags, fillers, selectors; and the
/// Arabic one that only lengthens a word.
fn is_invisible(letter: char) -> bool {
    matches!(letter,
        '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{640}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}'
        | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}' | '\u{3164}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFA0}'
        | '\u{FFF9}'..='\u{FFFB}' | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E0FFF}')
        || (letter.is_control() && !matches!(letter, '\n' | '\t' | '\r'))
}
