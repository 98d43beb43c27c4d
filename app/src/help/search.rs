//! The search in help.

use super::phrase::Phrase;
use texts::Language;

/// What was searched for: words that all must occur, in any language.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Search {
    words: Vec<String>,
}

impl Search {
    /// Reads what was typed; nothing finds everything.
    pub fn new(typed: &str) -> Self {
        Self { words: typed.split_whitespace().map(str::to_lowercase).collect() }
    }

    /// Whether all words occur in these texts, in any language, or in the names of keys.
    pub fn finds(&self, phrases: &[Phrase], keys: &str) -> bool {
        let contains = |text: &str, word: &str| text.to_lowercase().contains(word);
        let occurs = |word: &String| {
            let in_any = |phrase: &Phrase| {
                Language::ALL.iter().any(|language| contains(phrase.in_language(*language), word))
            };
            contains(keys, word) || phrases.iter().any(in_any)
        };
        self.words.iter().all(occurs)
    }
}

#[cfg(test)]
mod tests {
    use super::{Language, Phrase, Search};

    #[test]
    fn a_search_finds_texts_with_all_its_words_in_either_language() {
        const TEXTS: [Phrase; 2] = [
            Phrase(|language| if language == Language::En { "Posting slot" } else { "发布时段" }),
            Phrase(|language| if language == Language::En { "A usual time" } else { "常用时间" }),
        ];
        for (typed, is_found) in
            [("", true), ("SLOT", true), ("usual posting", true), ("时段", true), ("slot release", false)]
        {
            assert_eq!(Search::new(typed).finds(&TEXTS, ""), is_found, "{typed}");
        }
    }
}
