//! Particles and endings that follow a Korean word without a space.

/// Maximum number of letters of the particles after a word.
const MAX_LETTERS: usize = 8;
/// Place of `ㄹ` among the final consonants.
const FINAL_L: u32 = 8;

/// After a final consonant.
const AFTER_CONSONANT: &[&str] = &[
    "은",
    "이",
    "을",
    "과",
    "이나",
    "이랑",
    "이라",
    "이라고",
    "이라는",
    "이란",
    "이다",
    "이며",
    "이고",
    "이지만",
    "이면",
    "이든",
    "이었다",
    "이었던",
    "이에요",
    "이야말로",
    "이라도",
    "이죠",
];
/// After a vowel.
const AFTER_VOWEL: &[&str] = &[
    "는",
    "가",
    "를",
    "와",
    "나",
    "랑",
    "라고",
    "라는",
    "란",
    "다",
    "며",
    "지만",
    "면",
    "든",
    "였다",
    "였던",
    "예요",
    "야말로",
    "라도",
    "죠",
];
/// After a final consonant other than `ㄹ`.
const AFTER_OTHER_CONSONANT: &[&str] = &["으로", "으로서", "으로써", "으로부터"];
/// After a vowel or `ㄹ`.
const AFTER_VOWEL_OR_L: &[&str] = &["로", "로서", "로써", "로부터"];
/// After all letters; from `하다` on they make a verb of a noun.
const AFTER_ALL: &[&str] = &[
    "의",
    "에",
    "에서",
    "에게",
    "에게서",
    "한테",
    "한테서",
    "께",
    "께서",
    "도",
    "만",
    "뿐",
    "까지",
    "부터",
    "마저",
    "조차",
    "처럼",
    "같은",
    "같이",
    "보다",
    "밖에",
    "마다",
    "커녕",
    "들",
    "인",
    "인데",
    "입니다",
    "입니까",
    "이나마",
    "하고",
    "따위",
    "등",
    "하다",
    "하는",
    "하며",
    "하면",
    "하여",
    "하지",
    "하기",
    "하자",
    "하려",
    "한",
    "한다",
    "할",
    "함",
    "해",
    "해서",
    "해야",
    "했다",
    "했던",
    "했습니다",
    "합니다",
    "하세요",
    "하지만",
    "되다",
    "되는",
    "되어",
    "된",
    "된다",
    "될",
    "돼",
    "됐다",
    "됩니다",
    "됐습니다",
];
/// After words of one letter, which other particles make another word of: `바` and `바다`.
const AFTER_ONE_LETTER: &[&str] = &["은", "는", "을", "를", "에서", "에게", "으로", "까지", "부터"];

/// Whether a letter is a syllable of Hangul.
pub(in crate::review) fn is_hangul(letter: char) -> bool {
    matches!(letter, '\u{AC00}'..='\u{D7A3}')
}

/// Whether the letters after a word of `length` letters that ends in `last` are particles.
pub(in crate::review) fn is_particles(last: char, length: usize, rest: impl Iterator<Item = char>) -> bool {
    let rest: Vec<char> = rest.take_while(|letter| is_hangul(*letter)).take(MAX_LETTERS + 1).collect();
    let text: String = rest.iter().collect();
    match length {
        _ if rest.len() > MAX_LETTERS => false,
        1 => AFTER_ONE_LETTER.contains(&text.as_str()),
        _ => are_particles(last, &text),
    }
}

/// Whether a text is nothing but particles, the first after the letter `last`.
fn are_particles(last: char, text: &str) -> bool {
    text.is_empty()
        || particles_after(last).any(|particle| {
            let rest = text.strip_prefix(particle);
            rest.is_some_and(|rest| are_particles(particle.chars().next_back().unwrap_or(last), rest))
        })
}

fn particles_after(last: char) -> impl Iterator<Item = &'static str> {
    let end = u32::from(last).wrapping_sub(0xAC00) % 28;
    let (own, direction) = match end {
        0 => (AFTER_VOWEL, AFTER_VOWEL_OR_L),
        FINAL_L => (AFTER_CONSONANT, AFTER_VOWEL_OR_L),
        _ => (AFTER_CONSONANT, AFTER_OTHER_CONSONANT),
    };
    own.iter().chain(direction).chain(AFTER_ALL).copied()
}
