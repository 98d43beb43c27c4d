//! Parses a search text into a condition over tokens.

use super::{
    pieces::{Piece, each_piece},
    spelling::strip_diacritics,
    tokens::{INCOMPLETE, Tokens, each_adjacency, field, grams, token},
};

/// Maximum number of words in a query; further words are ignored.
const MAX_WORDS: usize = 40;
/// Minimum length of a word that is searched as a prefix, in characters. Shorter words are prefixes
/// in titles only.
const PREFIX_CHARS: usize = 3;

/// A search. All words must occur; the last one may be a prefix; quoted words must be adjacent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Query {
    pub(super) words: Vec<Word>,
    /// Phrases without diacritics. Pairs of characters cannot express adjacency, so the texts are
    /// checked.
    pub(super) phrases: Vec<Phrase>,
    /// Tokens that every text with these phrases has, see [`each_adjacency`].
    adjacencies: Vec<String>,
    /// What is marked in an excerpt, without diacritics.
    pub(super) marks: Vec<Highlight>,
}

/// A required token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    exact: String,
    loose: String,
    /// Whether longer words with this prefix match.
    is_prefix: bool,
}

/// Adjacent pieces, with spaces between and around them where words end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Phrase(String);

/// A piece to mark in an excerpt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Highlight {
    pub(super) text: String,
    pub(super) is_prefix: bool,
    /// Whether it matches anywhere in a run of its script.
    pub(super) is_gram: bool,
}

/// A condition over tokens.
#[derive(Debug, Clone)]
pub(super) enum Condition {
    Token {
        text: String,
        is_prefix: bool,
    },
    All(Vec<Condition>),
    Any(Vec<Condition>),
    /// The first, but not the second.
    Without(Box<Condition>, Box<Condition>),
}

/// Number of ranks, see [`Query::rank`].
pub(super) const RANKS: u8 = 4;

impl Query {
    /// Parses a search text. Never fails: a character without a meaning is a gap between words.
    #[must_use]
    pub fn parse(typed: &str) -> Self {
        let typed: String = typed.chars().map(|c| if is_quote(c) { '"' } else { c }).collect();
        let parts: Vec<&str> = typed.split('"').collect();
        let mut query = Self::default();
        for (place, part) in parts.iter().enumerate() {
            // An unclosed quote is ignored.
            let is_quoted = place % 2 == 1 && place + 1 < parts.len();
            query.add(part, is_quoted);
        }
        let ends_open = parts.last().is_some_and(|part| !part.trim().is_empty());
        query.open_last(ends_open);
        query
    }

    /// Whether it has no searchable word: it finds nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    fn add(&mut self, part: &str, is_quoted: bool) {
        let (mut count, mut begins_with_gram) = (0, false);
        each_piece(part, |piece| {
            let plain = strip_diacritics(piece.text());
            // Combining marks without a base letter are no word.
            if self.words.len() >= MAX_WORDS || plain.is_empty() {
                return;
            }
            self.add_piece(piece, &plain, is_quoted);
            begins_with_gram |= count == 0 && matches!(piece, Piece::Gram(_));
            count += 1;
        });
        if is_quoted && count > 1 {
            each_adjacency(part, |token| self.adjacencies.push(token));
            let together = normalize_for_phrases(part);
            self.phrases.push(Phrase(if begins_with_gram {
                together.trim_start().to_owned()
            } else {
                together
            }));
        }
    }

    fn add_piece(&mut self, piece: Piece<'_>, plain: &str, is_quoted: bool) {
        let is_gram = matches!(piece, Piece::Gram(_));
        self.marks.push(Highlight { text: plain.to_owned(), is_prefix: false, is_gram });
        let Piece::Gram(letters) = piece else {
            return self.words.push(Word::new(piece.text(), plain));
        };
        let length = letters.chars().count();
        for (exact, plain) in grams(letters, length.min(2)).zip(grams(plain, length.min(2))) {
            self.words.push(Word::new(exact, plain));
        }
        if length > 2 && !is_quoted {
            each_adjacency(plain, |token| self.adjacencies.push(token));
            self.phrases.push(Phrase(plain.to_owned()));
        }
    }

    /// Makes the last word a prefix.
    fn open_last(&mut self, ends_open: bool) {
        let Some(mark) = self.marks.last_mut().filter(|mark| ends_open && !mark.is_gram) else { return };
        mark.is_prefix = true;
        if let Some(word) = self.words.last_mut() {
            word.is_prefix = true;
        }
    }

    /// Returns the condition of a rank, from 1: all words in the title as spelled; in the title
    /// without diacritics; anywhere as spelled; anywhere without diacritics. Each article has one
    /// rank.
    pub(super) fn rank(&self, rank: u8) -> Condition {
        let all = |of: &dyn Fn(&Word) -> Condition| Condition::All(self.words.iter().map(of).collect());
        let title_exact = || all(&|word| word.find(field::TITLE, &word.exact));
        let title = || {
            all(&|word| {
                let spellings = [field::TITLE, field::TITLE_LOOSE].map(|field| word.find(field, &word.loose));
                Condition::Any(spellings.to_vec())
            })
        };
        let text_exact = || all(&|word| word.find(field::ANY, &word.exact));
        let text = || {
            all(&|word| {
                let spellings = [field::ANY, field::ANY_LOOSE].map(|field| word.find(field, &word.loose));
                Condition::Any(spellings.to_vec())
            })
        };
        let condition = match rank {
            1 => title_exact(),
            2 => title().without(title_exact()),
            3 => text_exact().without(title()),
            _ => text().without(Condition::Any(vec![title(), text_exact()])),
        };
        self.with_adjacencies(condition)
    }

    fn with_adjacencies(&self, condition: Condition) -> Condition {
        if self.adjacencies.is_empty() {
            return condition;
        }
        let exact = |text: &str| Condition::Token { text: text.to_owned(), is_prefix: false };
        let all = Condition::All(self.adjacencies.iter().map(|token| exact(token)).collect());
        Condition::All(vec![condition, Condition::Any(vec![all, exact(INCOMPLETE)])])
    }

    /// Returns the condition that the current or a previous name of an article contains the words.
    pub(crate) fn name(&self) -> NameCondition {
        NameCondition(Condition::All(
            self.words.iter().map(|word| word.find(field::NAME, &word.loose)).collect(),
        ))
    }

    /// Whether a title and a text contain all words, regardless of the index. Takes milliseconds for a
    /// long text.
    #[must_use]
    pub fn matches_text(&self, title: &str, text: &str) -> bool {
        let tokens = Tokens::of_body(text).and_text(title);
        let has = |word: &Word| {
            let is_prefix = word.is_prefix && word.loose.chars().count() >= PREFIX_CHARS;
            [field::ANY, field::ANY_LOOSE].into_iter().any(|field| tokens.has(field, &word.loose, is_prefix))
        };
        self.words.iter().all(has) && self.holds_phrases(&[title, text])
    }

    /// Whether each phrase occurs in one of these texts.
    pub(super) fn holds_phrases(&self, texts: &[&str]) -> bool {
        self.phrases.is_empty() || {
            let texts: Vec<String> = texts.iter().map(|text| normalize_for_phrases(text)).collect();
            self.phrases.iter().all(|phrase| texts.iter().any(|text| text.contains(&phrase.0)))
        }
    }
}

/// A condition on the names of a task's target.
pub(crate) struct NameCondition(Condition);

impl NameCondition {
    /// Returns it as an operand of SQLite's `match`. Tokens contain no quotes.
    pub(crate) fn fts(&self) -> String {
        self.0.fts()
    }

    /// Returns it as a PostgreSQL `tsquery`.
    pub(crate) fn tsquery(&self) -> String {
        self.0.tsquery()
    }
}

impl Word {
    fn new(exact: &str, loose: &str) -> Self {
        Self { exact: exact.to_owned(), loose: loose.to_owned(), is_prefix: false }
    }

    fn find(&self, place: char, spelling: &str) -> Condition {
        let is_text = matches!(place, field::ANY | field::ANY_LOOSE);
        let is_prefix = self.is_prefix && (!is_text || spelling.chars().count() >= PREFIX_CHARS);
        Condition::Token { text: token(place, spelling), is_prefix }
    }
}

impl Condition {
    fn without(self, other: Self) -> Self {
        Self::Without(Box::new(self), Box::new(other))
    }

    /// Returns it as an operand of SQLite's `match`. Tokens contain no quotes.
    pub(super) fn fts(&self) -> String {
        self.written(" AND ", " OR ", " NOT ", '"', " *")
    }

    /// Returns it as a PostgreSQL `tsquery`.
    pub(super) fn tsquery(&self) -> String {
        self.written(" & ", " | ", " & !", '\'', ":*")
    }

    fn written(&self, and: &str, or: &str, not: &str, quote: char, star: &str) -> String {
        let parts = |parts: &[Self], between: &str| {
            let parts: Vec<String> =
                parts.iter().map(|part| part.written(and, or, not, quote, star)).collect();
            format!("({})", parts.join(between))
        };
        match self {
            Self::Token { text, is_prefix } => {
                format!("{quote}{text}{quote}{}", if *is_prefix { star } else { "" })
            }
            Self::All(all) => parts(all, and),
            Self::Any(any) => parts(any, or),
            Self::Without(one, other) => {
                let [one, other] = [one, other].map(|part| part.written(and, or, not, quote, star));
                format!("({one}{not}{other})")
            }
        }
    }
}

fn is_quote(letter: char) -> bool {
    matches!(letter, '"' | '“' | '”' | '„' | '«' | '»' | '＂' | '「' | '」')
}

/// Normalizes a text for phrase search: words between spaces, scripts without spaces as they are.
fn normalize_for_phrases(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push(' ');
    let mut was_gram = false;
    each_piece(text, |piece| {
        let is_gram = matches!(piece, Piece::Gram(_));
        if was_gram && !is_gram {
            out.push(' ');
        }
        out.push_str(&strip_diacritics(piece.text()));
        if !is_gram {
            out.push(' ');
        }
        was_gram = is_gram;
    });
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_words_are_required_and_the_last_one_is_a_prefix() {
        let query = Query::parse("Über den Flu");
        assert_eq!(query.rank(1).fts(), r#"("aüber" AND "aden" AND "aflu" *)"#);
        assert_eq!(query.rank(1).tsquery(), "('aüber' & 'aden' & 'aflu':*)");
        assert!(query.rank(2).tsquery().ends_with(" & !('aüber' & 'aden' & 'aflu':*))"));
        assert!(query.rank(4).fts().starts_with(r#"((("duber" OR "euber") AND"#));
        assert_eq!(Query::parse("e").rank(3).fts(), r#"(("de") NOT (("ae" * OR "be" *)))"#);
    }

    #[test]
    fn quoted_words_must_be_adjacent() {
        let holds = |typed: &str, text: &str| Query::parse(typed).holds_phrases(&[text]);
        assert!(holds("\"uber den\"", "Über den Fluss") && !holds("\"den uber\"", "Über den Fluss"));
        assert!(!holds("\"ber den\"", "Über den Fluss"));
        assert!(holds("“den fluss”", "über DEN, Fluss!"));
        assert!(holds("北京公园", "在北京公园里") && !holds("北京公园", "北京的京公和公园"));
        assert!(holds("\"在 iphone 上\"", "他在iPhone上看"));
        assert!(holds("\"fluss den", "den Fluss"));
    }

    #[test]
    fn phrases_need_the_tokens_of_adjacent_pieces() {
        let tokens = |text: &str| {
            let mut all = Vec::new();
            each_adjacency(text, |token| all.push(token));
            all
        };
        for (typed, text) in [("\"uber den Fluss\"", "Weit über DEN, Fluss!"), ("北京公园", "在北京公园里")]
        {
            let (query, text) = (Query::parse(typed), tokens(text));
            assert_eq!(query.adjacencies.len(), 2, "{typed}");
            assert!(query.adjacencies.iter().all(|token| text.contains(token)), "{typed}");
            assert!(query.rank(3).tsquery().ends_with(" | 'q'))"), "{}", query.rank(3).tsquery());
        }
        assert!(Query::parse("uber den Fluss 北京").adjacencies.is_empty());
    }

    #[test]
    fn no_search_text_is_an_error() {
        for typed in [
            "",
            "!!!",
            "\"",
            "\"\"",
            "* ^ - : ( ) { } NEAR/2",
            "a\0b",
            "AND OR NOT",
            &"x ".repeat(5_000),
            "\u{301}",
        ] {
            let query = Query::parse(typed);
            assert!(query.words.len() <= MAX_WORDS);
        }
        assert!(Query::parse("!!! … —").is_empty());
        assert_eq!(Query::parse("AND").rank(1).fts(), r#"("aand" *)"#);
    }
}
