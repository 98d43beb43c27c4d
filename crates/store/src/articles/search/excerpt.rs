//! Excerpts: the sentence with the first hit.

use super::{
    Query,
    pieces::{Piece, normalize_run, pieces, runs},
    query::Highlight,
    spelling::strip_diacritics,
};
use domain::{article::ExcerptPart, text::slice_text};
use std::ops::Range;
use unicode_segmentation::{GraphemeCursor, UnicodeSegmentation as _};

/// Maximum number of characters and bytes shown before the hit, and from its start. A long word is cut
/// too: between clusters of characters, and inside of one with many marks.
const MAX_CHARS_BEFORE: usize = 90;
const MAX_BYTES_BEFORE: usize = 320;
const MAX_CHARS_AFTER: usize = 170;
const MAX_BYTES_AFTER: usize = 640;
/// Maximum number of bytes of a cluster of characters that is shown whole or not at all.
const MAX_WHOLE_CLUSTER_BYTES: usize = 64;
/// Maximum number of bytes of a cluster of characters that are folded; the rest are marks.
const MAX_CLUSTER_BYTES: usize = 128;

impl Query {
    /// Returns the sentence of the text with the first hit, with all hits in it marked; empty:
    /// there is no hit. At most 1,000 bytes.
    #[must_use]
    pub fn excerpt(&self, text: &str) -> Vec<ExcerptPart> {
        let Some(first) = self.first_hit(text) else { return Vec::new() };
        let window = Window::around(text, &first);
        let Range { start, end } = window.range;
        let mut parts = Parts::default();
        parts.add(if window.is_cut_before { "… " } else { "" }, false);
        let mut done = start;
        for hit in [first.clone()].into_iter().chain(self.hits_after(text, first.end..end)) {
            // Hits overlap where one letter folds to several words, as `½` does.
            let hit = hit.start.max(done)..hit.end.min(end);
            if !hit.is_empty() {
                parts.add(slice_text(text, done..hit.start), false);
                parts.add(slice_text(text, hit.clone()), true);
                done = hit.end;
            }
        }
        parts.add(slice_text(text, done..end), false);
        parts.add(if window.is_cut_after { " …" } else { "" }, false);
        parts.0
    }

    fn first_hit(&self, text: &str) -> Option<Range<usize>> {
        runs(text).find_map(|(place, run)| {
            let hit = self.hits(run, 1).pop()?;
            Some(place.start + hit.start..place.start + hit.end)
        })
    }

    /// Returns the hits in a part of a text.
    fn hits_after(&self, text: &str, rest: Range<usize>) -> Vec<Range<usize>> {
        let mut hits = Vec::new();
        for (place, run) in runs(slice_text(text, rest.clone())) {
            let begin = rest.start + place.start;
            hits.extend(self.hits(run, usize::MAX).into_iter().map(|hit| begin + hit.start..begin + hit.end));
        }
        hits
    }

    /// Returns the first hits within a run, in order. Two hits overlap if they are in one letter.
    fn hits(&self, run: &str, max: usize) -> Vec<Range<usize>> {
        if !self.is_in(run) {
            return Vec::new();
        }
        let folded = Folded::new(run);
        let mut hits: Vec<Range<usize>> = Vec::new();
        let mut from = 0;
        while let Some(hit) = self.next_hit(&folded.text, from).filter(|_| hits.len() < max) {
            from = hit.end;
            hits.push(folded.original(&hit));
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

/// A folded run, and where its parts are in the original.
struct Folded {
    text: String,
    /// Byte offsets in the folded and in the original run, one pair for each cluster of characters and
    /// one for the end; both ascend.
    places: Vec<(usize, usize)>,
}

impl Folded {
    /// Folds one cluster at a time: one letter may become several, and several may become one.
    fn new(run: &str) -> Self {
        let (mut text, mut places) = (String::with_capacity(run.len()), Vec::new());
        for (place, cluster) in run.grapheme_indices(true) {
            places.push((text.len(), place));
            text.push_str(&strip_diacritics(&normalize_run(slice_text(cluster, ..MAX_CLUSTER_BYTES))));
        }
        places.push((text.len(), run.len()));
        Self { text, places }
    }

    /// The whole clusters of the original that a part of the folded text is from.
    fn original(&self, folded: &Range<usize>) -> Range<usize> {
        let after_start = self.places.partition_point(|(at, _)| *at <= folded.start);
        let end = self.places.partition_point(|(at, _)| *at < folded.end);
        let place =
            |index: usize| self.places.get(index).or(self.places.last()).map_or(0, |(_, place)| *place);
        place(after_start.saturating_sub(1))..place(end)
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

/// The sentence around a hit; a long one is cut between words, a long word anywhere.
struct Window {
    range: Range<usize>,
    is_cut_before: bool,
    is_cut_after: bool,
}

impl Window {
    fn around(text: &str, hit: &Range<usize>) -> Self {
        let (start, is_cut_before) = start(text, hit.start);
        let (end, is_cut_after) = end(text, hit);
        let before = slice_text(text, start..hit.start);
        let blanks = before.len() - before.trim_start().len();
        Self { range: start + blanks..end, is_cut_before, is_cut_after }
    }
}

/// Returns the start of the sentence, and whether it is cut there.
fn start(text: &str, hit: usize) -> (usize, bool) {
    let mut place = hit;
    for (at, letter) in slice_text(text, ..hit).char_indices().rev().take(MAX_CHARS_BEFORE) {
        if is_end(text, at, letter) {
            return (at + letter.len_utf8(), false);
        }
        if hit - at > MAX_BYTES_BEFORE {
            break;
        }
        place = at;
    }
    if place == 0 {
        return (0, false);
    }
    let gap = slice_text(text, place..hit).find(char::is_whitespace);
    (gap.map_or_else(|| next_boundary(text, place).min(hit), |gap| place + gap), true)
}

/// Returns the end of the sentence, and whether it is cut there. A sentence does not end in the hit.
fn end(text: &str, hit: &Range<usize>) -> (usize, bool) {
    let mut place = hit.start;
    for (at, letter) in slice_text(text, hit.start..).char_indices().take(MAX_CHARS_AFTER) {
        let (at, next) = (hit.start + at, hit.start + at + letter.len_utf8());
        if at >= hit.end && is_end(text, at, letter) {
            return (if letter == '\n' { at } else { next }, false);
        }
        if next - hit.start > MAX_BYTES_AFTER {
            break;
        }
        place = next;
    }
    if place >= text.len() {
        return (place, false);
    }
    let gap = slice_text(text, hit.end..place).rfind(char::is_whitespace).filter(|gap| *gap > 0);
    let whole = || Some(previous_boundary(text, place)).filter(|whole| *whole > hit.start).unwrap_or(place);
    (gap.map_or_else(whole, |gap| hit.end + gap), true)
}

/// Returns the first place from `place` on that is between clusters of characters; `place`: its cluster
/// is long.
fn next_boundary(text: &str, place: usize) -> usize {
    let mut places = place..=place + MAX_WHOLE_CLUSTER_BYTES;
    places.find(|at| is_boundary(text, *at)).unwrap_or(place)
}

/// Returns the last place up to `place` that is between clusters of characters; `place`: its cluster is
/// long.
fn previous_boundary(text: &str, place: usize) -> usize {
    let mut places = (place.saturating_sub(MAX_WHOLE_CLUSTER_BYTES)..=place).rev();
    places.find(|at| is_boundary(text, *at)).unwrap_or(place)
}

fn is_boundary(text: &str, at: usize) -> bool {
    text.is_char_boundary(at)
        && GraphemeCursor::new(at, text.len(), true).is_boundary(text, 0).is_ok_and(|is_boundary| is_boundary)
}

/// Whether a sentence ends with this character.
fn is_end(text: &str, at: usize, letter: char) -> bool {
    match letter {
        '\n' | '!' | '?' | '。' | '！' | '？' | '؟' | '।' => true,
        '.' => slice_text(text, at + 1..).chars().next().is_none_or(char::is_whitespace),
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
    fn a_letter_that_folds_to_several_is_marked_as_a_whole() {
        assert_eq!(shown("1 2", "take ½ cup"), "take [½] cup");
        assert_eq!(shown("½", "take ½ cup"), "take [½] cup");
        assert_eq!(shown("🇩🇪", "flag 🇩🇪 here"), "flag [🇩🇪] here");
        assert_eq!(shown("👩", "a 👩‍👩‍👧 family"), "a [👩‍👩‍👧] family");
        assert_eq!(shown("ﷺ", "x ﷺ y"), "x [ﷺ] y");
        assert_eq!(shown("صلى", "x ﷺ y"), "x [ﷺ] y");
    }

    #[test]
    fn a_long_sentence_is_cut_between_words() {
        let text = format!("{} needle {}", "word ".repeat(100), "more ".repeat(100));
        let shown = shown("needle", &text);
        assert!(shown.starts_with("… word ") && shown.ends_with(" …"), "{shown}");
        assert!(shown.contains(" [needle] ") && shown.chars().count() < 300, "{shown}");
    }

    #[test]
    fn a_long_word_is_cut_between_clusters_of_characters() {
        let thai = "ที่ๆ".repeat(100);
        let excerpt = shown("กข", &format!("{thai}กข{thai}"));
        assert!(excerpt.starts_with("… ๆที่ๆ") && excerpt.contains("ๆ[กข]ที่"), "{excerpt}");
        let family = "👩\u{200d}👩\u{200d}👧";
        let excerpt = shown("needle", &format!("needle{}", family.repeat(60)));
        assert_eq!(excerpt, format!("[needle]{} …", family.repeat(32)));
    }

    #[test]
    fn compatibility_letters_are_found_by_what_they_mean() {
        for (typed, letter) in [("株式会社", "㍿"), ("株", "㈱"), ("tel", "℡"), ("kg", "㎏"), ("令和", "㋿")]
        {
            for typed in [typed, letter] {
                assert_eq!(shown(typed, &format!("a {letter} b")), format!("a [{letter}] b"), "{typed}");
            }
        }
        assert_eq!(shown("acme", "Acme™ Ltd"), "[Acme]™ Ltd");
    }

    #[test]
    fn a_long_word_is_cut_too() {
        let marks = format!("a{}", "\u{301}".repeat(24_500));
        let word = "a".repeat(49_000);
        let han = "公".repeat(16_000);
        let emoji = "🎉".repeat(12_000);
        for (typed, text) in [("a", &marks), ("aaaa", &word), ("公", &han), ("🎉", &emoji)] {
            for text in [text.clone(), format!("{text} {text}"), format!("some words {text}")] {
                let parts = Query::parse(typed).excerpt(&text);
                let bytes: usize = parts.iter().map(|part| part.text.len()).sum();
                assert!(bytes <= 1_000, "{typed}: {bytes}");
                assert!(parts.iter().any(|part| part.is_hit), "{typed}");
            }
        }
    }

    /// The excerpt is a part of the text, and short.
    fn check(typed: &str, text: &str) -> bool {
        let parts = Query::parse(typed).excerpt(text);
        let whole: String = parts.iter().map(|part| part.text.as_str()).collect();
        let plain = whole.strip_prefix("… ").unwrap_or(&whole);
        let plain = plain.strip_suffix(" …").unwrap_or(plain);
        assert!(text.contains(plain) && whole.len() <= 1_000, "{typed:?} in {text:?}: {parts:?}");
        assert!(parts.iter().all(|part| !part.text.is_empty()), "{typed:?} in {text:?}: {parts:?}");
        assert_eq!(parts.iter().any(|part| part.is_hit), !parts.is_empty(), "{typed:?} in {text:?}");
        !parts.is_empty()
    }

    /// All characters that case folding, compatibility or the removal of diacritics changes, and emoji.
    fn folded_chars() -> Vec<char> {
        let is_changed = |letter: &char| {
            let text = letter.to_string();
            normalize_run(&text) != text || strip_diacritics(&text) != text
        };
        ('\u{80}'..=char::MAX)
            .filter(|letter| is_changed(letter) || ('\u{1F1E6}'..='\u{1F6FF}').contains(letter))
            .collect()
    }

    #[test]
    fn each_character_that_folds_is_found_and_marked() {
        let all = folded_chars();
        assert!(all.len() > 5_000, "{}", all.len());
        for letter in all {
            let typed = letter.to_string();
            let text = format!("x {letter}. {letter}{letter}b a{letter} y");
            let is_found = check(&typed, &text);
            assert!(is_found || Query::parse(&typed).is_empty(), "{letter:?}");
            let folded = strip_diacritics(&normalize_run(&typed)).into_owned();
            for typed in [folded.chars().next(), folded.chars().last()].into_iter().flatten() {
                check(&typed.to_string(), &text);
            }
            check(&folded, &text);
        }
    }

    #[test]
    fn no_mixture_of_characters_panics() {
        let all = folded_chars();
        let others =
            ['a', 'I', ' ', '.', '\n', '公', 'ก', '\u{301}', '\u{200D}', '\u{FE0F}', '\u{AD}', '🏽', '1'];
        let mut state: u64 = 81;
        let mut next = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(state >> 33).unwrap() % below
        };
        for _ in 0..3_000 {
            let letters: Vec<char> = (0..12)
                .map(|_| if next(2) == 0 { all[next(all.len())] } else { others[next(others.len())] })
                .collect();
            let text: String = letters.iter().collect();
            let begin = next(letters.len());
            let typed: String = letters[begin..].iter().take(1 + next(3)).collect();
            check(&typed, &text);
        }
    }
}
