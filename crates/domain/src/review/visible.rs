//! The text of an article that readers see, with a map back to its source.
//!
//! This is no Markdown renderer: it leaves out what is markup, and keeps where each letter is from.
//! What it leaves out wrongly only brings letters together that a reader sees apart.

use super::field::Field;
use std::{
    collections::{HashMap, HashSet},
    sync::LazyLock,
};

/// Maximum length of the target of a link, in characters.
const MAX_TARGET_CHARS: usize = 4_000;
/// Maximum length of an entity, in characters.
const MAX_ENTITY_CHARS: usize = 32;

/// A letter, and the bytes of the source that it is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Letter {
    pub letter: char,
    pub begin: u32,
    pub end: u32,
}

/// A text that is read as one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Piece {
    pub field: Field,
    pub letters: Vec<Letter>,
}

/// A text without markup.
pub(super) fn plain(field: Field, text: &str) -> Piece {
    let letters = positions(text).map(|(begin, letter)| letter_at(letter, begin, begin + letter.len_utf8()));
    Piece { field, letters: letters.collect() }
}

/// The visible text of Markdown, then the targets and titles of its links and its HTML tags.
pub(super) fn markdown(field: Field, text: &str) -> Vec<Piece> {
    let letters: Vec<(usize, char)> = positions(text).collect();
    let mut scanner = Scanner {
        ends: closing_brackets(&letters),
        budget: letters.len() * 16,
        letters,
        size: text.len(),
        at: 0,
        main: Vec::new(),
        more: Vec::new(),
    };
    scanner.run();
    let pieces = [scanner.main].into_iter().chain(scanner.more);
    pieces.filter(|letters| !letters.is_empty()).map(|letters| Piece { field, letters }).collect()
}

fn positions(text: &str) -> impl Iterator<Item = (usize, char)> {
    text.char_indices()
}

fn letter_at(letter: char, begin: usize, end: usize) -> Letter {
    let place = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    Letter { letter, begin: place(begin), end: place(end) }
}

/// For each `[`, the place of its `]`.
fn closing_brackets(letters: &[(usize, char)]) -> HashMap<usize, usize> {
    let (mut open, mut ends, mut is_escaped) = (Vec::new(), HashMap::new(), false);
    for (at, (_, letter)) in letters.iter().enumerate() {
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '[' => open.push(at),
            ']' => _ = open.pop().map(|begin| ends.insert(begin, at)),
            _ => {}
        }
    }
    ends
}

struct Scanner {
    letters: Vec<(usize, char)>,
    /// For each `[`, the place of its `]`.
    ends: HashMap<usize, usize>,
    /// Length of the source in bytes.
    size: usize,
    /// Number of letters that may still be searched ahead, so that many open links and tags take
    /// linear time. When it is used up, the rest has neither.
    budget: usize,
    at: usize,
    main: Vec<Letter>,
    more: Vec<Vec<Letter>>,
}

impl Scanner {
    fn run(&mut self) {
        // The places of brackets that close the text of a link.
        let mut link_ends: HashSet<usize> = HashSet::new();
        let mut begins_line = true;
        while let Some(letter) = self.peek(0) {
            if begins_line {
                begins_line = false;
                self.skip_line_markup();
                continue;
            }
            match letter {
                '\n' => {
                    begins_line = true;
                    self.keep(1);
                }
                '\\' if self.peek(1).is_some_and(|next| next.is_ascii_punctuation()) => {
                    self.at += 1;
                    self.keep(1);
                }
                '&' => self.entity(),
                '<' => self.tag(),
                '!' if self.peek(1) == Some('[') && self.is_link(self.at + 1) => self.at += 1,
                '[' if self.is_link(self.at) => {
                    link_ends.extend(self.ends.get(&self.at));
                    self.at += 1;
                }
                ']' if link_ends.remove(&self.at) => self.target(),
                '*' | '_' | '~' | '`' => self.delimiter(letter),
                _ => self.keep(1),
            }
        }
    }

    fn peek(&self, ahead: usize) -> Option<char> {
        self.letters.get(self.at + ahead).map(|(_, letter)| *letter)
    }

    fn begin(&self, at: usize) -> usize {
        self.letters.get(at).map_or(self.size, |(begin, _)| *begin)
    }

    fn letter(&self, at: usize) -> Option<Letter> {
        let (begin, letter) = *self.letters.get(at)?;
        Some(letter_at(letter, begin, self.begin(at + 1)))
    }

    fn keep(&mut self, count: usize) {
        for _ in 0..count {
            self.main.extend(self.letter(self.at));
            self.at += 1;
        }
    }

    /// Skips indentation, and the marks of quotes, lists and headings.
    fn skip_line_markup(&mut self) {
        loop {
            let digits =
                (0..9).take_while(|ahead| self.peek(*ahead).is_some_and(|it| it.is_ascii_digit())).count();
            let is_number = digits > 0 && matches!(self.peek(digits), Some('.' | ')'));
            let hashes = (0..7).take_while(|ahead| self.peek(*ahead) == Some('#')).count();
            let is_space = |ahead: usize| matches!(self.peek(ahead), Some(' ' | '\t' | '\n') | None);
            match self.peek(0) {
                Some(' ' | '\t' | '>') => self.at += 1,
                Some('-' | '*' | '+') if is_space(1) => self.at += 1,
                Some('#') if hashes < 7 && is_space(hashes) => self.at += hashes,
                _ if is_number && is_space(digits + 1) => self.keep(digits + 1),
                _ => return,
            }
        }
    }

    /// Whether the text of a link begins at this `[`.
    fn is_link(&self, at: usize) -> bool {
        let after = self.ends.get(&at).and_then(|end| self.letters.get(end + 1));
        matches!(after, Some((_, '(' | '[' | ':')))
    }

    /// Skips `](target "title")`, `][name]` or `]:`; the target and the title are read apart.
    fn target(&mut self) {
        self.at += 1;
        match self.peek(0) {
            Some('[') => {
                let end = self.ends.get(&self.at).copied();
                self.at = end.map_or(self.at + 1, |end| end + 1);
            }
            Some(':') => {
                let length = (0..MAX_TARGET_CHARS)
                    .take_while(|ahead| self.peek(*ahead).is_some_and(|letter| letter != '\n'))
                    .count();
                self.read_apart(self.at + 1, self.at + length);
                self.at += length;
            }
            _ => {
                let (mut depth, mut length) = (0_usize, 0);
                while length < MAX_TARGET_CHARS && self.budget > 0 {
                    self.budget -= 1;
                    match self.peek(length) {
                        None => break,
                        Some('\\') => length += 1,
                        Some('(') => depth += 1,
                        Some(')') if depth == 1 => {
                            self.read_apart(self.at + 1, self.at + length);
                            self.at += length + 1;
                            return;
                        }
                        Some(')') => depth -= 1,
                        Some(_) => {}
                    }
                    length += 1;
                }
            }
        }
    }

    /// Reads a part of the source as a text of its own: percent-encoded, with entities.
    fn read_apart(&mut self, begin: usize, end: usize) {
        let mut piece = Vec::new();
        let mut at = begin;
        while at < end {
            let (letters, count) = self
                .percent(at, end)
                .or_else(|| self.decoded_entity(at))
                .unwrap_or_else(|| (self.letter(at).into_iter().collect(), 1));
            piece.extend(letters);
            at += count;
        }
        self.more.push(piece);
    }

    /// Decodes one character of UTF-8 in `%E6%B3%95`.
    fn percent(&self, at: usize, end: usize) -> Option<(Vec<Letter>, usize)> {
        let byte = |at: usize| {
            let digit = |at: usize| self.letters.get(at).and_then(|(_, letter)| letter.to_digit(16));
            let is_encoded = at + 3 <= end && self.letters.get(at)?.1 == '%';
            is_encoded.then(|| u8::try_from(digit(at + 1)? * 16 + digit(at + 2)?).ok())?
        };
        let bytes: Vec<u8> = (0..4).map_while(|index| byte(at + index * 3)).collect();
        let found = (1..=bytes.len())
            .find_map(|count| Some((std::str::from_utf8(bytes.get(..count)?).ok()?.chars().next()?, count)));
        let (letter, count) = found?;
        Some((vec![letter_at(letter, self.begin(at), self.begin(at + count * 3))], count * 3))
    }

    fn entity(&mut self) {
        match self.decoded_entity(self.at) {
            Some((letters, count)) => {
                self.main.extend(letters);
                self.at += count;
            }
            None => self.keep(1),
        }
    }

    /// The letters of an entity, and its length.
    fn decoded_entity(&self, at: usize) -> Option<(Vec<Letter>, usize)> {
        let rest = self.letters.get(at..)?;
        if rest.first()?.1 != '&' {
            return None;
        }
        let end = rest.iter().take(MAX_ENTITY_CHARS).position(|(_, letter)| *letter == ';')?;
        let name: String = rest.get(1..end)?.iter().map(|(_, letter)| *letter).collect();
        let (begin, end_byte) = (self.begin(at), self.begin(at + end + 1));
        let number = name.strip_prefix('#').map(|digits| match digits.strip_prefix(['x', 'X']) {
            Some(digits) => u32::from_str_radix(digits, 16),
            None => digits.parse(),
        });
        let text = match number {
            Some(number) => number.ok().and_then(char::from_u32)?.to_string(),
            None => (*ENTITIES.get(name.as_str())?).to_owned(),
        };
        Some((text.chars().map(|letter| letter_at(letter, begin, end_byte)).collect(), end + 1))
    }

    /// Skips an HTML tag or a comment; the text in a tag is read apart. `<https://…>` is kept.
    fn tag(&mut self) {
        let is_tag =
            self.peek(1).is_some_and(|next| next.is_ascii_alphabetic() || matches!(next, '/' | '!' | '?'));
        let longest = if is_tag { MAX_TARGET_CHARS.min(self.budget) } else { 0 };
        let length = (1..longest).find(|ahead| self.peek(*ahead) == Some('>'));
        self.budget -= length.unwrap_or(longest);
        let Some(length) = length else { return self.keep(1) };
        let is_comment = self.peek(1) == Some('!');
        let name =
            (1..=length).take_while(|ahead| self.peek(*ahead).is_some_and(|it| it.is_ascii_alphanumeric()));
        let is_address = self.peek(name.count() + 1) == Some(':');
        if is_address {
            self.at += 1;
            self.keep(length - 1);
        } else {
            if !is_comment {
                self.read_apart(self.at + 1, self.at + length);
            }
            self.at += length;
        }
        self.at += 1;
    }

    /// Skips marks of emphasis and code; they are letters between blanks, and `_` inside a word.
    fn delimiter(&mut self, mark: char) {
        let length = (0..).take_while(|ahead| self.peek(*ahead) == Some(mark)).count();
        let before = self.at.checked_sub(1).and_then(|at| self.letters.get(at)).map(|(_, letter)| *letter);
        let after = self.peek(length);
        let is_blank = |letter: Option<char>| letter.is_none_or(char::is_whitespace);
        let is_word = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
        if (is_blank(before) && is_blank(after)) || (mark == '_' && is_word(before) && is_word(after)) {
            self.keep(length);
        } else {
            self.at += length;
        }
    }
}

/// Names of HTML entities, and their text.
static ENTITIES: LazyLock<HashMap<&'static str, &'static str>> = LazyLock::new(|| {
    let names = entities::ENTITIES
        .iter()
        .filter_map(|entity| Some((entity.entity.strip_prefix('&')?.strip_suffix(';')?, entity.characters)));
    names.collect()
});

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(source: &str) -> Vec<String> {
        let pieces = markdown(Field::Text, source);
        pieces.iter().map(|piece| piece.letters.iter().map(|letter| letter.letter).collect()).collect()
    }

    #[test]
    fn markup_is_left_out() {
        for (source, visible) in [
            ("cl**as**sic", "classic"),
            ("cl*as*sic", "classic"),
            ("~~bad~~ `code`", "bad code"),
            ("# Heading\n\n> quote\n- item", "Heading\n\nquote\nitem"),
            ("snake_case_name and _this_", "snake_case_name and this"),
            ("2 * 3 * 4", "2 * 3 * 4"),
            ("&#27861;&#x8F6E;&amp;&zwj;", "法轮&\u{200D}"),
            (r"b\ad \*", r"b\ad *"),
            ("a<b>b</b>c<!-- no -->d", "abcd"),
            ("1 < 2 & 3", "1 < 2 & 3"),
            ("[not a link] [", "[not a link] ["),
        ] {
            assert_eq!(texts(source)[0], visible, "{source}");
        }
    }

    #[test]
    fn targets_titles_and_tags_are_read_apart() {
        assert_eq!(
            texts("f[oo](https://a.b/%E6%B3%95(x) \"Title\")bar"),
            ["foobar", "https://a.b/法(x) \"Title\""]
        );
        assert_eq!(texts("![alt](x.png) <https://a.b>"), ["alt https://a.b", "x.png"]);
        assert_eq!(texts("[a][b]\n\n[b]: /c \"d\""), ["a\n\nb", " /c \"d\""]);
        assert_eq!(texts("<img alt=\"no\">x"), ["x", "img alt=\"no\""]);
    }

    #[test]
    fn each_letter_knows_where_it_is_from() {
        let source = "x **法**&#36718;";
        let letters = &markdown(Field::Text, source)[0].letters;
        let from = |index: usize| &source[letters[index].begin as usize..letters[index].end as usize];
        assert_eq!((from(0), from(2), from(3)), ("x", "法", "&#36718;"));
    }

    #[test]
    fn hostile_markdown_is_read_in_linear_time() {
        for source in [
            "[".repeat(200_000),
            "[](".repeat(60_000),
            "<a ".repeat(60_000),
            "&".repeat(200_000),
            "*".repeat(200_000),
        ] {
            assert!(!markdown(Field::Text, &source).is_empty() || source.starts_with('*'));
        }
    }
}
