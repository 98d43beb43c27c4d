//! Excerpts: the sentence with the first hit.

use super::{
    Query,
    pieces::{Piece, normalize_run, pieces, runs},
    query::Highlight,
    spelling::strip_diacritics,
};
use domain::article::ExcerptPart;
use std::ops::Range;
use unicode_segmentation::UnicodeSegmentation as _;

/// Maximum number of characters shown before the hit, and after its start.
const MAX_CHARS_BEFORE: usize = 90;
const MAX_CHARS_AFTER: usize = 170;

impl Query {
    /// Returns the sentence of the text with the first hit, with all hits in it marked; empty:
    /// there is no hit.
    #[must_use]
    pub fn excerpt(&self, text: &str) -> Vec<ExcerptPart> {
        let Some(first) = self.first_hit(text) else { return Vec::new() };
        let window = Window::around(text, &first);
        let sentence = &text[window.range.clone()];
        let mut parts = Parts::default();
        parts.add(if window.is_cut_before { "… " } else { "" }, false);
        let mut done = 0;
        for (place, run) in runs(sentence) {
            for hit in self.hits(run) {
                let hit = place.start + hit.start..place.start + hit.end;
                parts.add(&sentence[done..hit.start], false);
                parts.add(&sentence[hit.clone()], true);
                done = hit.end;
            }
        }
        parts.add(&sentence[done..], false);
        parts.add(if window.is_cut_after { " …" } else { "" }, false);
        parts.0
    }

    fn first_hit(&self, text: &str) -> Option<Range<usize>> {
        runs(text).find_map(|(place, run)| {
            let hit = self.hits(run).into_iter().next()?;
            Some(place.start + hit.start..place.start + hit.end)
        })
    }

    /// Returns the hits within a run, in order, without overlaps.
    fn hits(&self, run: &str) -> Vec<Range<usize>> {
        if !self.is_in(run) {
            return Vec::new();
        }
        // Fold one grapheme cluster at a time, to map positions in the folded text to the original.
        let (mut folded, mut places) = (String::new(), Vec::new());
        for (place, cluster) in run.grapheme_indices(true) {
            places.push((folded.len(), place));
            folded.push_str(&strip_diacritics(&normalize_run(cluster)));
        }
        places.push((folded.len(), run.len()));
        let mut hits: Vec<Range<usize>> = Vec::new();
        let mut from = 0;
        while let Some(hit) = self.next_hit(&folded, from) {
            from = hit.end;
            let start = places.iter().rev().find(|(at, _)| *at <= hit.start).map_or(0, |(_, place)| *place);
            let end = places.iter().find(|(at, _)| *at >= hit.end).map_or(run.len(), |(_, place)| *place);
            hits.push(start..end);
        }
        hits
    }

    fn is_in(&self, run: &str) -> bool {
        let plain = normalize_run(run);
        let is_hit = |piece: Piece<'_>| self.marks.iter().any(|mark| mark.is_in(piece).is_some());
        pieces(&plain).any(is_hit)
    }

    /// Returns the next hit in a folded run, from position `from`.
    fn next_hit(&self, folded: &str, from: usize) -> Option<Range<usize>> {
        let rest = folded.get(from..)?;
        let begin = rest.as_ptr() as usize;
        pieces(rest).find_map(|piece| {
            let first = from + (piece.text().as_ptr() as usize - begin);
            let hits = self.marks.iter().filter_map(|mark| mark.is_in(piece));
            let hit = hits.min_by_key(|hit| (hit.start, usize::MAX - hit.end))?;
            // After a hit inside a word, the rest of the word starts within it.
            Some(first + hit.start..first + hit.end)
        })
    }
}

impl Highlight {
    /// Returns its range in a piece: all of a word, or part of a script without spaces.
    fn is_in(&self, piece: Piece<'_>) -> Option<Range<usize>> {
        let text = piece.text();
        match piece {
            Piece::Gram(_) if self.is_gram => text.find(&self.text).map(|at| at..at + self.text.len()),
            Piece::Gram(_) => None,
            _ if self.is_gram => None,
            _ => {
                let word = strip_diacritics(text);
                let is_hit = word == self.text || self.is_prefix && word.starts_with(&self.text);
                is_hit.then_some(0..text.len())
            }
        }
    }
}

/// The sentence around a hit; a long one is cut between words.
struct Window {
    range: Range<usize>,
    is_cut_before: bool,
    is_cut_after: bool,
}

impl Window {
    fn around(text: &str, hit: &Range<usize>) -> Self {
        let (start, is_cut_before) = start(text, hit.start);
        let (end, is_cut_after) = end(text, hit.end);
        let blanks = text[start..hit.start].len() - text[start..hit.start].trim_start().len();
        Self { range: start + blanks..end, is_cut_before, is_cut_after }
    }
}

/// Returns the start of the sentence, and whether it is cut there.
fn start(text: &str, hit: usize) -> (usize, bool) {
    let mut place = hit;
    for (at, letter) in text[..hit].char_indices().rev().take(MAX_CHARS_BEFORE) {
        if is_end(text, at, letter) {
            return (at + letter.len_utf8(), false);
        }
        place = at;
    }
    if place == 0 {
        return (0, false);
    }
    let gap = text[place..hit].find(char::is_whitespace);
    (gap.map_or(place, |gap| place + gap), true)
}

/// Returns the end of the sentence, and whether it is cut there.
fn end(text: &str, hit: usize) -> (usize, bool) {
    let mut place = hit;
    for (at, letter) in text[hit..].char_indices().take(MAX_CHARS_AFTER) {
        let at = hit + at;
        if is_end(text, at, letter) {
            return (if letter == '\n' { at } else { at + letter.len_utf8() }, false);
        }
        place = at + letter.len_utf8();
    }
    if place == text.len() {
        return (place, false);
    }
    let gap = text[hit..place].rfind(char::is_whitespace).filter(|gap| *gap > 0);
    (gap.map_or(place, |gap| hit + gap), true)
}

/// Whether a sentence ends with this character.
fn is_end(text: &str, at: usize, letter: char) -> bool {
    match letter {
        '\n' | '!' | '?' | '。' | '！' | '？' | '؟' | '।' => true,
        '.' => text[at + 1..].chars().next().is_none_or(char::is_whitespace),
        _ => false,
    }
}

/// Collects the parts of an excerpt; joins adjacent parts of one kind.
#[derive(Default)]
struct Parts(Vec<ExcerptPart>);

impl Parts {
    fn add(&mut self, text: &str, is_hit: bool) {
        if text.is_empty() {
            return;
        }
        match self.0.last_mut() {
            Some(last) if last.is_hit == is_hit => last.text.push_str(text),
            _ => self.0.push(ExcerptPart { text: text.to_owned(), is_hit }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the excerpt with its hits in brackets.
    fn shown(typed: &str, text: &str) -> String {
        let parts = Query::parse(typed).excerpt(text);
        parts
            .iter()
            .map(|part| if part.is_hit { format!("[{}]", part.text) } else { part.text.clone() })
            .collect()
    }

    #[test]
    fn an_excerpt_is_the_sentence_with_the_hit() {
        let text = "Zuerst nichts! Wir gingen über den Fluss zum Fluß. Danach?";
        assert_eq!(shown("UBER fluss", text), "Wir gingen [über] den [Fluss] zum [Fluß].");
        assert_eq!(
            shown("公园", "昨天。我们在公园里散步，公园很大。今天"),
            "我们在[公园]里散步，[公园]很大。"
        );
        assert_eq!(shown("ガイド", "新しいｶﾞｲﾄﾞです"), "新しい[ｶﾞｲﾄﾞ]です");
        assert_eq!(shown("flu", "A fluent <b>flute</b>"), "A [fluent] <b>[flute]</b>");
        assert_eq!(shown("zug", "nothing of it"), "");
        assert_eq!(shown("🎉", "party 🎉 time"), "party [🎉] time");
        assert_eq!(shown("cafe", "le cafe\u{301} noir"), "le [cafe\u{301}] noir");
    }

    #[test]
    fn a_long_sentence_is_cut_between_words() {
        let text = format!("{} needle {}", "word ".repeat(100), "more ".repeat(100));
        let shown = shown("needle", &text);
        assert!(shown.starts_with("… word ") && shown.ends_with(" …"), "{shown}");
        assert!(shown.contains(" [needle] ") && shown.chars().count() < 300, "{shown}");
    }
}
