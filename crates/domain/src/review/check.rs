//! Searches a text for the terms of word lists.

use super::{
    compiled::{CompiledLists, Needle},
    field::{Action, Field, Verdict},
    normal::{self, Gap, Joined, Normal, is_chinese, is_within_word},
    script,
    visible::{self, Piece},
    word_list::MAX_HITS,
};
use std::{
    collections::{HashMap, HashSet},
    convert::Infallible,
};

/// A text to check.
#[derive(Debug, Clone, Copy, Default)]
pub struct CheckedText<'a> {
    /// The title.
    pub title: &'a str,
    /// The summary.
    pub summary: &'a str,
    /// Markdown.
    pub text: &'a str,
}

impl<'a> CheckedText<'a> {
    /// The source of a field.
    const fn source(&self, field: Field) -> &'a str {
        match field {
            Field::Title => self.title,
            Field::Summary => self.summary,
            Field::Text => self.text,
        }
    }
}

/// A term in a text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hit {
    /// Field of the text.
    pub field: Field,
    /// Begin in the source of the field, in bytes.
    pub begin: usize,
    /// End in the source of the field, in bytes.
    pub end: usize,
    /// What its list does.
    pub action: Action,
    /// The term as it is in the list.
    pub term: String,
    /// Place of its list.
    pub list: u32,
    /// What replaces it, with the marks of emphasis whose other end is outside of it.
    pub replacement: Option<String>,
}

/// Result of a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checked {
    /// The strictest action of all hits.
    pub verdict: Verdict,
    /// Hits by field and place, at most [`MAX_HITS`].
    pub hits: Vec<Hit>,
    /// Number of all hits.
    pub count: usize,
    /// The title with replacements; `None`: nothing is replaced in it.
    pub replaced_title: Option<String>,
    /// The text with replacements; `None`: nothing is replaced in it.
    pub replaced_text: Option<String>,
}

/// A hit in normal letters: entry, begin and end.
type Found = (u32, usize, usize);

/// Number of matches between two looks at the time.
const MATCHES_BETWEEN_CHECKS: usize = 1_024;

/// Number of letters that patterns read between two looks at the time.
const STEPS_BETWEEN_CHECKS: usize = 1 << 20;

/// Looks at the time for every 1,024th match.
fn check_time<E>(count: usize, time: &dyn Fn(usize) -> Result<(), E>) -> Result<(), E> {
    if count.is_multiple_of(MATCHES_BETWEEN_CHECKS) {
        time(count.min(MATCHES_BETWEEN_CHECKS))
    } else {
        Ok(())
    }
}

/// A check that was ended before all terms were looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unfinished<E> {
    /// Why.
    pub why: E,
    /// The pattern that was looked for, and the place of its list; `None`: it was no pattern.
    pub term: Option<(String, u32)>,
}

impl<E> From<E> for Unfinished<E> {
    fn from(why: E) -> Self {
        Self { why, term: None }
    }
}

impl CompiledLists {
    /// Checks a text. Takes time linear in its length and in the number of hits, except for some patterns.
    #[must_use]
    pub fn check(&self, checked: &CheckedText<'_>) -> Checked {
        let Ok(checked) = self.check_in_time(checked, &|_| Ok::<(), Infallible>(()));
        checked
    }

    /// Like [`CompiledLists::check`], until `time` returns an error. It is called between matches, with the number of
    /// steps since the last call: letters read, or at most that many, and matches.
    pub fn check_in_time<E>(
        &self,
        checked: &CheckedText<'_>,
        time: &dyn Fn(usize) -> Result<(), E>,
    ) -> Result<Checked, Unfinished<E>> {
        let mut pieces = vec![
            visible::plain(Field::Title, checked.title),
            visible::plain(Field::Summary, checked.summary),
        ];
        pieces.extend(visible::markdown(Field::Text, checked.text));
        let mut hits = HashSet::new();
        for piece in pieces {
            self.search(&piece, time, &mut hits)?;
        }
        let mut hits: Vec<(Field, usize, usize, u32)> = hits.into_iter().collect();
        hits.sort_unstable();
        let strictest =
            hits.iter().map(|(.., entry)| Verdict::from(self.entries[*entry as usize].action)).max();
        let replaced =
            |field: Field, source: &str| self.replace(source, hits.iter().filter(|hit| hit.0 == field));
        Ok(Checked {
            verdict: strictest.unwrap_or(Verdict::Clean),
            count: hits.len(),
            replaced_title: replaced(Field::Title, checked.title),
            replaced_text: replaced(Field::Text, checked.text),
            hits: hits.iter().take(MAX_HITS).map(|hit| self.hit(*hit, checked)).collect(),
        })
    }

    fn hit(&self, (field, begin, end, entry): (Field, usize, usize, u32), checked: &CheckedText<'_>) -> Hit {
        let (entry, source) = (&self.entries[entry as usize], checked.source(field));
        let replacement = entry.replacement.as_deref().filter(|_| entry.action == Action::Replace);
        let replacement = replacement.and_then(|text| with_marks(source, (begin, end), text));
        Hit {
            field,
            begin,
            end,
            action: entry.action,
            term: entry.term.clone(),
            list: entry.list,
            replacement,
        }
    }

    fn search<E>(
        &self,
        piece: &Piece,
        time: &dyn Fn(usize) -> Result<(), E>,
        hits: &mut HashSet<(Field, usize, usize, u32)>,
    ) -> Result<(), Unfinished<E>> {
        time(piece.letters.len())?;
        let mut normal = normal::normalise(&piece.letters);
        normal::keep_look_alikes(&mut normal);
        let joined = normal::join(&normal);
        let mut found = HashSet::new();
        let text = (normal.as_slice(), &joined);
        self.search_terms(text, |one| one.letter, time, &mut found)?;
        if normal.iter().any(|one| one.like != one.letter) {
            self.search_terms(text, |one| one.like, time, &mut found)?;
        }
        self.search_patterns(&normal, time, &mut found)?;
        hits.extend(found.into_iter().map(|(entry, begin, end)| {
            let (first, last) = (normal[begin], normal[end - 1]);
            (piece.field, first.begin as usize, last.end as usize, entry)
        }));
        Ok(())
    }

    fn search_terms<E>(
        &self,
        (normal, joined): (&[Normal], &Joined),
        letter: fn(&Normal) -> char,
        time: &dyn Fn(usize) -> Result<(), E>,
        found: &mut HashSet<Found>,
    ) -> Result<(), E> {
        let Some(automaton) = &self.automaton else { return Ok(()) };
        let mut text = String::with_capacity(joined.len() * 2);
        // For each byte of the text, the place of its letter.
        let mut places = Vec::with_capacity(joined.len() * 2);
        for (place, (at, _)) in joined.iter().enumerate() {
            text.push(letter(&normal[*at]));
            places.resize(text.len(), place);
        }
        let mut terms = Vec::new();
        let mut exceptions: HashMap<u32, Vec<(usize, usize)>> = HashMap::new();
        for (count, one) in automaton.find_overlapping_iter(&text).enumerate() {
            check_time(count, time)?;
            let (begin, end) = (places[one.start()], places[one.end() - 1] + 1);
            match self.needles[one.pattern().as_usize()] {
                Needle::Exception(entry) => exceptions.entry(entry).or_default().push((begin, end)),
                Needle::Term(entry) if self.is_whole(entry, &joined[begin..end], normal) => {
                    terms.push((entry, begin, end));
                }
                Needle::LookAlike(entry)
                    if joined[begin..end].iter().any(|(at, _)| normal[*at].like != normal[*at].letter)
                        && self.is_whole(entry, &joined[begin..end], normal) =>
                {
                    terms.push((entry, begin, end));
                }
                Needle::Term(_) | Needle::LookAlike(_) => {}
            }
        }
        for (entry, begin, end) in terms {
            let covering = exceptions.get(&entry).filter(|_| self.entries[entry as usize].has_exceptions);
            let is_excepted = covering.is_some_and(|all| is_covered(all, begin, end));
            if !is_excepted {
                found.insert((entry, joined[begin].0, joined[end - 1].0 + 1));
            }
        }
        Ok(())
    }

    /// Whether the letters are the term and not a part of a longer word, and whether what is skipped
    /// between them is no sentence that ends there.
    fn is_whole(&self, entry: u32, letters: &[(usize, Gap)], normal: &[Normal]) -> bool {
        let entry = &self.entries[entry as usize];
        let (Some((first, _)), Some((last, _))) = (letters.first(), letters.last()) else { return false };
        let letter = |at: usize| normal.get(at).map(|one| one.letter);
        let before = first.checked_sub(1).and_then(letter);
        let (begin, end, after) = (normal[*first].letter, normal[*last].letter, letter(last + 1));
        if before.is_some_and(script::begins_syllable) || is_syllable_open(after, letter(last + 2)) {
            return false;
        }
        let is_joined_before = before.is_some_and(|before| is_within_word(before, begin));
        let is_joined_after = after.is_some_and(|after| is_within_word(end, after));
        let rest = || normal[last + 1..].iter().map(|one| one.letter);
        let has_particles = || script::is_hangul(end) && script::is_particles(end, letters.len(), rest());
        if (!entry.is_open_before && is_joined_before)
            || (!entry.is_open_after && is_joined_after && !has_particles())
        {
            return false;
        }
        let mut gaps = letters.iter().skip(1).map(|(_, gap)| *gap);
        let has_sentence = gaps.clone().any(|gap| gap == Gap::Sentence);
        let is_spaced = gaps.all(|gap| gap != Gap::None) && letters.len() > 2;
        !has_sentence || (is_spaced && letters.iter().all(|(at, _)| is_chinese(normal[*at].letter)))
    }

    fn search_patterns<E>(
        &self,
        normal: &[Normal],
        time: &dyn Fn(usize) -> Result<(), E>,
        found: &mut HashSet<Found>,
    ) -> Result<(), Unfinished<E>> {
        if self.patterns.is_empty() {
            return Ok(());
        }
        let mut text = String::with_capacity(normal.len() * 2);
        let mut places = Vec::with_capacity(normal.len() * 2);
        for (place, one) in normal.iter().enumerate() {
            text.push(one.letter);
            places.resize(text.len(), place);
        }
        let mut steps = 0;
        for pattern in &self.patterns {
            let look = |steps: &mut usize| {
                if *steps < STEPS_BETWEEN_CHECKS {
                    return Ok(());
                }
                let listed = &self.entries[pattern.entry as usize];
                let unfinished = |why| Unfinished { why, term: Some((listed.term.clone(), listed.list)) };
                time(std::mem::take(steps)).map_err(unfinished)
            };
            for (more, one) in pattern.matches(&text) {
                steps += more;
                look(&mut steps)?;
                if !one.is_empty() {
                    found.insert((pattern.entry, places[one.start()], places[one.end() - 1] + 1));
                }
            }
            steps += text.len();
            look(&mut steps)?;
        }
        time(steps).map_err(Unfinished::from)
    }

    /// Replaces hits, the longest first; `None`: there are none to replace.
    fn replace<'a>(
        &self,
        source: &str,
        hits: impl Iterator<Item = &'a (Field, usize, usize, u32)>,
    ) -> Option<String> {
        let replaces = |entry: u32| self.entries[entry as usize].action == Action::Replace;
        let mut all: Vec<(usize, usize, u32)> =
            hits.filter(|hit| replaces(hit.3)).map(|hit| (hit.1, hit.2, hit.3)).collect();
        all.sort_by_key(|(begin, end, _)| (std::cmp::Reverse(end - begin), *begin));
        // Begin and end of what is replaced, by begin.
        let mut taken: std::collections::BTreeMap<usize, (usize, u32)> = std::collections::BTreeMap::new();
        for (begin, end, entry) in all {
            let before = taken.range(..end).next_back();
            if before.is_none_or(|(_, (before_end, _))| *before_end <= begin) {
                taken.insert(begin, (end, entry));
            }
        }
        let (mut text, mut at) = (String::with_capacity(source.len()), 0);
        for (begin, (end, entry)) in &taken {
            text.push_str(source.get(at..*begin)?);
            let replacement = self.entries[*entry as usize].replacement.as_deref().unwrap_or_default();
            text.push_str(&with_marks(source, (*begin, *end), replacement)?);
            at = *end;
        }
        text.push_str(source.get(at..)?);
        (!taken.is_empty()).then_some(text)
    }
}

/// Whether the next letters belong to the syllable before them.
fn is_syllable_open(next: Option<char>, after_next: Option<char>) -> bool {
    let is_closed_by = next.filter(|next| matches!(next, '\u{1000}'..='\u{102A}')).and(after_next);
    next.is_some_and(script::ends_syllable) || is_closed_by.is_some_and(script::closes_syllable)
}

/// Returns the replacement of a part, with the marks of emphasis whose other end is outside of it.
/// `None`: the part is not in the source.
fn with_marks(source: &str, (begin, end): (usize, usize), replacement: &str) -> Option<String> {
    let marks = open_marks(source.get(begin..end)?);
    // The other end of the marks is behind, or before.
    let is_behind = source.get(end..)?.starts_with(marks);
    Some(if is_behind { format!("{marks}{replacement}") } else { format!("{replacement}{marks}") })
}

/// Marks of emphasis in a replaced part whose other end is outside of it.
fn open_marks(part: &str) -> &'static str {
    let count = part.chars().filter(|letter| *letter == '*').count();
    let pairs = part.matches("**").count();
    match (count, pairs) {
        (2, 1) => "**",
        (1, 0) => "*",
        _ => "",
    }
}

/// Whether a span lies in one of these, which are in order of their ends.
fn is_covered(spans: &[(usize, usize)], begin: usize, end: usize) -> bool {
    let first = spans.partition_point(|(_, other_end)| *other_end < end);
    // Exceptions are at most a few hundred letters long.
    spans[first..]
        .iter()
        .take_while(|(_, other_end)| *other_end < end + 1_000)
        .any(|(other, _)| *other <= begin)
}
