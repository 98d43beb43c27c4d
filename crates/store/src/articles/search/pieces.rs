//! Splits a text into searchable pieces.

use super::spelling::fold_case;
use domain::text::slice_text;
use std::{borrow::Cow, ops::Range};
use unicode_normalization::{UnicodeNormalization as _, char::is_combining_mark};

/// Class of a character in the search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    /// Part of a word between gaps.
    Word,
    /// Part of a script without spaces between words: searched by pairs of characters.
    Gram,
    /// An emoji or another symbol, a piece by itself.
    Sign,
    /// Invisible: neither ends a word nor is part of one.
    Invisible,
    /// Separator between words.
    Gap,
}

/// A piece of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Piece<'t> {
    /// A word.
    Word(&'t str),
    /// Characters of a script without spaces.
    Gram(&'t str),
    /// One symbol.
    Sign(&'t str),
}

impl<'t> Piece<'t> {
    /// Returns its text.
    pub(super) fn text(self) -> &'t str {
        match self {
            Self::Word(text) | Self::Gram(text) | Self::Sign(text) => text,
        }
    }
}

fn class(letter: char) -> Class {
    if letter.is_ascii() {
        return if letter.is_ascii_alphanumeric() { Class::Word } else { Class::Gap };
    }
    if is_invisible(letter) {
        return Class::Invisible;
    }
    if letter.is_alphanumeric() || is_combining_mark(letter) || matches!(letter, '\u{FF9E}' | '\u{FF9F}') {
        return if is_gram(letter) { Class::Gram } else { Class::Word };
    }
    match letter {
        '\u{2100}'..='\u{214F}' | '\u{3200}'..='\u{33FF}' => class_of_meaning(letter),
        _ if is_sign(letter) => Class::Sign,
        _ => Class::Gap,
    }
}

/// Returns the class of what a compatibility letter stands for: `℡` is a word, `㍿` is Han. Trade marks
/// are no part of the word before them.
fn class_of_meaning(letter: char) -> Class {
    let mut meaning = letter.nfkc().filter(|meaning| meaning.is_alphanumeric()).peekable();
    match letter {
        '℠' | '™' => Class::Gap,
        _ if meaning.peek().is_none() => Class::Gap,
        _ if meaning.any(is_gram) => Class::Gram,
        _ => Class::Word,
    }
}

/// Soft hyphens, joiners, direction marks, variation selectors, skin tones.
fn is_invisible(letter: char) -> bool {
    matches!(u32::from(letter),
        0xAD | 0x34F | 0x61C | 0x180B..=0x180F | 0x200C..=0x200F | 0x202A..=0x202E | 0x2060..=0x206F
        | 0xFE00..=0xFE0F | 0xFEFF | 0x1_F3FB..=0x1_F3FF | 0xE_0000..=0xE_0FFF)
}

/// Han, kana, hangul, bopomofo; Thai, Lao, Myanmar, Khmer.
fn is_gram(letter: char) -> bool {
    matches!(u32::from(letter),
        0xE00..=0xEFF | 0x1000..=0x11FF | 0x1780..=0x17FF | 0x2E80..=0x2FDF | 0x3005..=0x3007 | 0x3021..=0x31FF
        | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xA960..=0xA97F | 0xAC00..=0xD7FF | 0xF900..=0xFAFF
        | 0xFF66..=0xFFDC | 0x1_AFF0..=0x1_B16F | 0x2_0000..=0x3_FFFF)
        && !matches!(u32::from(letter), 0x10A0..=0x10FF)
}

fn is_sign(letter: char) -> bool {
    matches!(u32::from(letter), 0x2190..=0x21FF | 0x2300..=0x23FF | 0x2460..=0x27BF | 0x2900..=0x297F | 0x2B00..=0x2BFF | 0x1_F000..=0x1_FAFF)
}

/// Splits a text into runs between gaps, with their byte ranges. A line break within a script
/// without spaces does not end a run.
pub(super) fn runs(text: &str) -> impl Iterator<Item = (Range<usize>, &str)> {
    let mut rest = 0;
    std::iter::from_fn(move || {
        let first =
            slice_text(text, rest..).char_indices().find(|(_, letter)| class(*letter) != Class::Gap)?.0
                + rest;
        let end = end_of_run(text, first);
        rest = end;
        Some((first..end, slice_text(text, first..end)))
    })
}

fn end_of_run(text: &str, first: usize) -> usize {
    let mut last = Class::Invisible;
    let mut letters = slice_text(text, first..).char_indices().peekable();
    while let Some((place, letter)) = letters.next() {
        match class(letter) {
            Class::Gap => {
                let goes_on = letter == '\n'
                    && last == Class::Gram
                    && letters.peek().is_some_and(|(_, next)| class(*next) == Class::Gram);
                if !goes_on {
                    return first + place;
                }
            }
            Class::Invisible => {}
            seen => last = seen,
        }
    }
    text.len()
}

/// Returns a run with case and width folded, without invisible characters.
pub(super) fn normalize_run(run: &str) -> Cow<'_, str> {
    if run.is_ascii() {
        return fold_case(run);
    }
    let is_left_out = |letter: char| letter == '\n' || is_invisible(letter);
    if run.contains(is_left_out) {
        return Cow::Owned(fold_case(&run.replace(is_left_out, "")).into_owned());
    }
    fold_case(run)
}

/// Splits a normalized run into pieces.
pub(super) fn pieces(plain: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = plain;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(|letter| matches!(class(letter), Class::Gap | Class::Invisible));
        let kind = class(rest.chars().next()?);
        let end = match kind {
            Class::Sign => rest.chars().next()?.len_utf8(),
            _ => rest.find(|letter| class(letter) != kind).unwrap_or(rest.len()),
        };
        let (piece, after) = rest.split_at(end);
        rest = after;
        Some(match kind {
            Class::Gram => Piece::Gram(piece),
            Class::Sign => Piece::Sign(piece),
            _ => Piece::Word(piece),
        })
    })
}

/// Calls `see` with each piece of a text.
pub(super) fn each_piece(text: &str, mut see: impl FnMut(Piece<'_>)) {
    for (_, run) in runs(text) {
        pieces(&normalize_run(run)).for_each(&mut see);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Vec<String> {
        let mut all = Vec::new();
        each_piece(text, |piece| {
            all.push(match piece {
                Piece::Word(word) => word.to_owned(),
                Piece::Gram(gram) => format!("[{gram}]"),
                Piece::Sign(sign) => format!("<{sign}>"),
            });
        });
        all
    }

    #[test]
    fn words_are_split_at_gaps_and_scripts_without_spaces_are_kept_whole() {
        assert_eq!(all("L'École, c\u{AD}ou\u{200D}pée 3.14 C++"), ["l", "école", "coupée", "3", "14", "c"]);
        assert_eq!(all("在iPhone上的公园。"), ["[在]", "iphone", "[上的公园]"]);
        assert_eq!(all("北京\n公园 a\nb"), ["[北京公园]", "a", "b"]);
        assert_eq!(all("ｶﾞｲﾄﾞ・ＡＢＣ"), ["[ガイド]", "abc"]);
        assert_eq!(all("👩‍👩‍👧🎉️ ok!"), ["<👩>", "<👩>", "<👧>", "<🎉>", "ok"]);
        assert_eq!(all("㈱ガイド ℡ 03 20℃ ℞"), ["[株]", "[ガイド]", "tel", "03", "20", "c"]);
        assert_eq!(all("(⑴) — … !!! \u{0}"), ["1"]);
        assert_eq!(all("हिन्दी नमस्ते"), ["हिन्दी", "नमस्ते"]);
        assert_eq!(all("ภาษาไทย"), ["[ภาษาไทย]"]);
        assert_eq!(all("\u{202E}שלום\u{202C} عالم"), ["שלום", "عالم"]);
    }
}
