//! Scripts: which marks are part of a letter, where a syllable ends, and what is written without
//! spaces.

mod korean;

use icu_properties::{CodePointMapData, props::Script};
use unicode_normalization::char::is_combining_mark;

pub(super) use korean::{is_hangul, is_particles};

/// Scripts whose marks may be left out in writing, and marks of no script.
const SCRIPTS_WITHOUT_MARKS: [Script; 10] = [
    Script::Common,
    Script::Inherited,
    Script::Latin,
    Script::Greek,
    Script::Cyrillic,
    Script::Arabic,
    Script::Hebrew,
    Script::Syriac,
    Script::Coptic,
    Script::Hangul,
];

fn script_of(letter: char) -> Script {
    CodePointMapData::<Script>::new().get(letter)
}

/// Whether a character is compared together with the one before it: a combining mark, the voicing
/// mark of half-width kana, a vowel or a final consonant of decomposed Hangul.
pub(super) fn is_joined(letter: char) -> bool {
    is_combining_mark(letter) || matches!(letter, '\u{FF9E}' | '\u{FF9F}' | '\u{1161}'..='\u{11FF}')
}

/// Whether a mark makes another word of its letter, as vowel signs of Indic scripts and tones of
/// Thai do. Others are left out: `é` of two characters, Arabic and Hebrew vowels, decoration.
pub(super) fn is_kept_mark(mark: char, base: char) -> bool {
    let script = script_of(mark);
    script == script_of(base) && !SCRIPTS_WITHOUT_MARKS.contains(&script)
}

/// Whether a letter is of a script that is written without spaces between words: kana, Thai, Lao,
/// Burmese, Khmer and their neighbours. Chinese characters have their own check.
pub(super) fn is_unspaced(letter: char) -> bool {
    matches!(letter,
        '\u{E00}'..='\u{EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}' | '\u{1950}'..='\u{19DF}'
        | '\u{1A20}'..='\u{1AAF}' | '\u{3040}'..='\u{30FF}' | '\u{31F0}'..='\u{31FF}'
        | '\u{A9E0}'..='\u{A9FF}' | '\u{AA60}'..='\u{AADF}')
}

/// Whether a letter belongs to the syllable of the letter before it: marks, Thai and Lao vowels that
/// follow a consonant, small kana and the long-vowel mark.
pub(super) fn ends_syllable(letter: char) -> bool {
    is_combining_mark(letter)
        || matches!(
            letter,
            '\u{E30}'
                | '\u{E32}'
                | '\u{E45}'
                | '\u{EB0}'
                | '\u{EB2}'
                | '\u{EBD}'
                | 'ー'
                | 'ぁ'
                | 'ぃ'
                | 'ぅ'
                | 'ぇ'
                | 'ぉ'
                | 'ゃ'
                | 'ゅ'
                | 'ょ'
                | 'ゎ'
                | 'ァ'
                | 'ィ'
                | 'ゥ'
                | 'ェ'
                | 'ォ'
                | 'ャ'
                | 'ュ'
                | 'ョ'
                | 'ヮ'
        )
}

/// Whether the next letter belongs to the syllable of this one: Thai and Lao vowels before their
/// consonant, signs that stack consonants.
pub(super) fn begins_syllable(letter: char) -> bool {
    matches!(letter, '\u{E40}'..='\u{E44}' | '\u{EC0}'..='\u{EC4}' | '\u{1039}' | '\u{17D2}' | '\u{1A60}')
}

/// Whether the sign after a Burmese consonant makes it the end of the syllable before.
pub(super) fn closes_syllable(sign: char) -> bool {
    matches!(sign, '\u{1039}' | '\u{103A}')
}

/// Whether a word has letters of more than one script, as no honest word has (UTS #39).
pub(super) fn is_mixed(letters: impl Iterator<Item = char>) -> bool {
    let is_of_any = |script: &Script| ![Script::Common, Script::Inherited].contains(script);
    let mut scripts = letters.map(script_of).filter(is_of_any);
    let first = scripts.next();
    scripts.any(|script| Some(script) != first)
}

/// Whether a letter is a Latin one.
pub(super) fn is_latin(letter: char) -> bool {
    script_of(letter) == Script::Latin
}
