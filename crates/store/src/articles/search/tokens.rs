//! The tokens of an article, which its index entry holds.

use super::{
    pieces::{Piece, each_piece},
    spelling::strip_diacritics,
};
use domain::text::slice_text;
use std::collections::HashSet;

/// Maximum length of a word, bytes; longer words are cut, in articles and in queries.
const TOKEN_BYTES: usize = 90;
/// Maximum number of tokens of one article, and their bytes (a tsvector holds 1 MiB). The rest of a
/// longer text is not indexed.
const MAX_TOKENS: usize = 60_000;
const MAX_BYTES: usize = 700_000;
/// Maximum number of adjacency tokens of one article, 8 bytes each.
const MAX_ADJACENCIES: usize = 25_000;
/// Token of an article with more adjacencies: phrases must be looked for in its text.
pub(super) const INCOMPLETE: &str = "q";

/// Field of a token: its first letter.
pub(super) mod field {
    /// A word of the title as spelled.
    pub const TITLE: char = 'a';
    /// A word of the title without diacritics, if it has some.
    pub const TITLE_LOOSE: char = 'b';
    /// A word of title, slug or body as spelled.
    pub const ANY: char = 'd';
    /// The same without diacritics, if it has some.
    pub const ANY_LOOSE: char = 'e';
    /// A word, without diacritics, of a current or previous title or slug; task lists show previous
    /// titles.
    pub const NAME: char = 'h';
    /// Hash of two adjacent words, or of three adjacent characters of a script without spaces.
    pub const ADJACENT: char = 'p';
}

/// Distinct tokens of one article.
#[derive(Debug, Clone, Default)]
pub struct Tokens {
    all: HashSet<String>,
    bytes: usize,
    adjacencies: usize,
}

impl Tokens {
    /// Returns the tokens of a body. Call it before the transaction begins: a long text takes a
    /// while.
    #[must_use]
    pub fn of_body(body: &str) -> Self {
        let mut tokens = Self::default();
        tokens.add_text(body);
        tokens
    }

    /// Adds other text that is searched like the body, such as the summary and the tags.
    #[must_use]
    pub fn and_text(mut self, text: &str) -> Self {
        self.add_text(text);
        self
    }

    pub(super) fn add_title(&mut self, title: &str) {
        each_word(title, |word| {
            let plain = strip_diacritics(word);
            self.add(field::TITLE, word);
            if plain != word {
                self.add(field::TITLE_LOOSE, &plain);
            }
        });
        self.add_text(title);
        self.add_name(title);
    }

    pub(super) fn add_slug(&mut self, slug: &str) {
        self.add_text(slug);
        self.add_name(slug);
    }

    /// Adds a current or previous title or slug.
    pub(super) fn add_name(&mut self, name: &str) {
        each_word(name, |word| self.add(field::NAME, &strip_diacritics(word)));
    }

    fn add_text(&mut self, text: &str) {
        each_word(text, |word| {
            let plain = strip_diacritics(word);
            self.add(field::ANY, word);
            if plain != word {
                self.add(field::ANY_LOOSE, &plain);
            }
        });
        each_adjacency(text, |token| self.add_adjacency(token));
    }

    fn add_adjacency(&mut self, token: String) {
        if self.adjacencies == MAX_ADJACENCIES && !self.all.contains(&token) {
            self.all.insert(INCOMPLETE.to_owned());
        } else if self.all.insert(token) {
            self.adjacencies += 1;
        }
    }

    fn add(&mut self, field: char, word: &str) {
        let token = token(field, word);
        let is_full = self.all.len() >= MAX_TOKENS || self.bytes + token.len() > MAX_BYTES;
        // Names are few and come last: a long body must not displace them.
        let is_room = !is_full || matches!(field, field::TITLE | field::TITLE_LOOSE | field::NAME);
        if is_room && !self.all.contains(&token) {
            self.bytes += token.len();
            self.all.insert(token);
        }
    }

    /// Whether a field has a word, or a word that begins with it.
    pub(super) fn has(&self, field: char, word: &str, is_prefix: bool) -> bool {
        let token = token(field, word);
        self.all.contains(&token) || (is_prefix && self.all.iter().any(|known| known.starts_with(&token)))
    }

    /// Returns all tokens, separated by spaces. No token contains a space.
    pub(super) fn joined(&self) -> String {
        let mut text = String::with_capacity(self.bytes + self.all.len() + 8 * self.adjacencies);
        for token in &self.all {
            text.push_str(token);
            text.push(' ');
        }
        text.truncate(text.trim_end().len());
        text
    }
}

/// Returns the token of a word in a field.
pub(super) fn token(field: char, word: &str) -> String {
    let mut token = String::with_capacity(word.len() + 1);
    token.push(field);
    token.push_str(slice_text(word, ..word.floor_char_boundary(TOKEN_BYTES)));
    token
}

/// Calls `see` with each searchable unit: words, symbols, and for scripts without spaces each
/// character and each pair.
fn each_word(text: &str, mut see: impl FnMut(&str)) {
    each_piece(text, |piece| match piece {
        Piece::Word(word) | Piece::Sign(word) => see(word),
        Piece::Gram(letters) => {
            grams(letters, 1).for_each(&mut see);
            grams(letters, 2).for_each(&mut see);
        }
    });
}

/// Calls `see` with the token of each two adjacent words, and of each three adjacent characters of a
/// script without spaces, without diacritics. A phrase occurs only where all its tokens do.
pub(super) fn each_adjacency(text: &str, mut see: impl FnMut(String)) {
    let mut previous: Option<String> = None;
    each_piece(text, |piece| {
        let plain = strip_diacritics(piece.text());
        if matches!(piece, Piece::Gram(_)) {
            grams(&plain, 3).map(adjacency).for_each(&mut see);
            previous = None;
        } else if !plain.is_empty() {
            if let Some(previous) = &previous {
                see(adjacency(&format!("{previous} {plain}")));
            }
            previous = Some(plain.into_owned());
        }
    });
}

/// Returns the token of adjacent pieces: 35 bits of an FNV-1a hash. Different texts may have the
/// same token, so phrases are checked in the texts of the hits.
fn adjacency(pieces: &str) -> String {
    let hash = pieces.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let digit =
        |place: u32| char::from(b"0123456789abcdefghijklmnopqrstuv"[(hash >> (5 * place)) as usize % 32]);
    std::iter::once(field::ADJACENT).chain((0..7).map(digit)).collect()
}

/// Returns all substrings of `length` characters.
pub(super) fn grams(letters: &str, length: usize) -> impl Iterator<Item = &str> {
    let mut ends: Vec<usize> = letters.char_indices().map(|(place, _)| place).collect();
    ends.push(letters.len());
    (0..ends.len().saturating_sub(length))
        .map(move |first| slice_text(letters, ends[first]..ends[first + length]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_stays_within_the_limits_of_both_engines() {
        let body: String =
            (0..166_000u32).map(|n| char::from_u32(0x4E00 + (n * 7_919) % 20_000).unwrap()).collect();
        let mut tokens = Tokens::of_body(&body);
        tokens.add_title("Last words");
        assert!(tokens.joined().len() < 1_000_000);
        assert!(tokens.all.contains("alast") && tokens.all.contains("hwords"));
        let long = "x".repeat(5_000);
        assert_eq!(Tokens::of_body(&long).joined().len(), TOKEN_BYTES + 1);
    }

    #[test]
    fn a_script_without_spaces_gives_pairs_and_single_characters() {
        assert_eq!(grams("公园里", 2).collect::<Vec<_>>(), ["公园", "园里"]);
        assert_eq!(grams("公", 2).count(), 0);
        assert_eq!(grams("公", 1).collect::<Vec<_>>(), ["公"]);
    }
}
