//! Word lists in the form in which texts are searched.

use super::{
    field::{Action, Field},
    normal::{self, Normal},
    problem::TermProblem,
    visible,
    word_list::{MAX_PATTERN_BYTES, Term},
};
use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use regex::{Match, Regex, RegexBuilder};
use regex_syntax::ParserBuilder;

/// Maximum size of a compiled regular expression, in bytes.
const MAX_PATTERN_SIZE: usize = 1_000_000;
/// Texts of which a pattern that matches everything matches all.
const SAMPLES: [&str; 6] = ["a", "z", "0", "的", " ", "."];

/// Texts that are repeated to find out how long a pattern takes, and the length of the result.
const SPEED_SAMPLES: [&str; 3] = ["a", "1", "The ship left port 12 at 9:30, 船在九点离港。"];
const SPEED_SAMPLE_CHARS: usize = 4_096;
/// Maximum number of steps on one of these texts: half of what a pattern takes that reads the rest of the text
/// for each letter.
const MAX_SPEED_STEPS: usize = SPEED_SAMPLE_CHARS * SPEED_SAMPLE_CHARS / 4;

/// A term of a compiled list.
#[derive(Debug)]
pub(super) struct Entry {
    /// As entered.
    pub term: String,
    /// Place of its list.
    pub list: u32,
    pub action: Action,
    pub replacement: Option<String>,
    /// Whether a word may go on before it.
    pub is_open_before: bool,
    /// Whether a word may go on after it.
    pub is_open_after: bool,
    pub has_exceptions: bool,
}

/// What a pattern of the automaton stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Needle {
    Term(u32),
    /// The Latin letters that a term of another script looks like.
    LookAlike(u32),
    Exception(u32),
}

/// Compiled word lists.
#[derive(Debug)]
pub struct CompiledLists {
    pub(super) entries: Vec<Entry>,
    /// What each pattern of the automaton stands for.
    pub(super) needles: Vec<Needle>,
    pub(super) automaton: Option<AhoCorasick>,
    pub(super) patterns: Vec<Pattern>,
}

/// A regular expression.
#[derive(Debug)]
pub(super) struct Pattern {
    pub entry: u32,
    regex: Regex,
    /// Maximum length of a match in bytes: so much may be read to find out that none begins there. `None`: any length.
    longest: Option<usize>,
}

impl Pattern {
    /// Compiles the pattern of an entry.
    pub fn new(entry: u32, text: &str) -> Result<Self, TermProblem> {
        let regex = pattern(text)?;
        let parsed = ParserBuilder::new().case_insensitive(true).build().parse(text);
        let longest = parsed.ok().and_then(|parsed| parsed.properties().maximum_len());
        Ok(Self { entry, regex, longest })
    }

    /// Returns the matches in a text, each with the number of steps to find it: the letters that were read since the
    /// match before. To know that no longer match begins there, it may have read the text to its end.
    pub fn matches<'t>(&'t self, text: &'t str) -> impl Iterator<Item = (usize, Match<'t>)> {
        let mut from = 0;
        self.regex.find_iter(text).map(move |one| {
            let longest = self.longest.map_or(usize::MAX, |longest| one.start().saturating_add(longest));
            let read = text.len().min(longest.max(one.end()));
            let steps = read.saturating_sub(from);
            from = one.end();
            (steps, one)
        })
    }
}

/// The needles that are collected for the automaton.
#[derive(Default)]
struct Needles {
    texts: Vec<String>,
    kinds: Vec<Needle>,
}

impl Needles {
    /// Adds the text in both forms.
    fn add(&mut self, letters: &[Normal], kind: Needle) {
        let joined = normal::join(letters);
        let text = |letter: fn(&Normal) -> char| {
            joined.iter().map(|(at, _)| letter(&letters[*at])).collect::<String>()
        };
        let (plain, like) = (text(|one| one.letter), text(|one| one.like));
        if like != plain {
            self.texts.push(like);
            self.kinds.push(match kind {
                Needle::Term(entry) => Needle::LookAlike(entry),
                other => other,
            });
        }
        self.texts.push(plain);
        self.kinds.push(kind);
    }
}

/// The compared form of a text without markup.
fn normal_text(text: &str) -> Vec<Normal> {
    let mut letters = normal::normalise(&visible::plain(Field::Text, text).letters);
    let is_blank = |one: &Normal| one.letter.is_whitespace();
    while letters.last().is_some_and(is_blank) {
        letters.pop();
    }
    let blanks = letters.iter().take_while(|one| is_blank(one)).count();
    letters.drain(..blanks);
    letters
}

/// Reads a term without the `*` at its ends: whether there was one before and after, and the rest.
fn without_stars(term: &str) -> (bool, bool, &str) {
    let term = term.trim();
    let begin = term.trim_start_matches('*');
    let middle = begin.trim_end_matches('*');
    (begin.len() < term.len(), middle.len() < begin.len(), middle)
}

/// Checks a term as it is entered.
pub fn check_term(term: &Term, action: Action) -> Result<(), TermProblem> {
    if action == Action::Replace && term.replacement.is_none() {
        return Err(TermProblem::NoReplacement);
    }
    if term.is_pattern {
        return pattern(&term.term).map(|_| ());
    }
    let has_text = |text: &str| !normal_text(text).is_empty();
    if !has_text(without_stars(&term.term).2) || !term.exceptions.iter().all(|text| has_text(text)) {
        return Err(TermProblem::NothingVisible);
    }
    Ok(())
}

fn pattern(text: &str) -> Result<Regex, TermProblem> {
    if text.len() > MAX_PATTERN_BYTES {
        return Err(TermProblem::TooLargePattern);
    }
    let compiled = RegexBuilder::new(text)
        .case_insensitive(true)
        .size_limit(MAX_PATTERN_SIZE)
        .dfa_size_limit(MAX_PATTERN_SIZE)
        .nest_limit(50)
        .build()
        .map_err(|error| match error {
            regex::Error::CompiledTooBig(_) => TermProblem::TooLargePattern,
            // The last line says why; those before it repeat the pattern.
            other => {
                let text = other.to_string();
                let why = text.lines().last().unwrap_or_default().trim_start_matches("error: ");
                TermProblem::NotAPattern { why: why.chars().take(120).collect() }
            }
        })?;
    if compiled.is_match("") || SAMPLES.iter().all(|sample| compiled.is_match(sample)) {
        return Err(TermProblem::MatchesEverything);
    }
    Ok(compiled)
}

impl CompiledLists {
    /// Compiles lists: the action and the terms of each. A term that is no longer accepted is left
    /// out. Takes up to a second for 100,000 terms.
    #[must_use]
    pub fn new(lists: &[(Action, Vec<Term>)]) -> Self {
        let (mut entries, mut needles, mut patterns) = (Vec::new(), Needles::default(), Vec::new());
        for (list, (action, terms)) in lists.iter().enumerate() {
            for term in terms.iter().filter(|term| check_term(term, *action).is_ok()) {
                let index = u32::try_from(entries.len()).unwrap_or(u32::MAX);
                let (is_open_before, is_open_after, text) = without_stars(&term.term);
                if term.is_pattern {
                    patterns.extend(Pattern::new(index, &term.term));
                } else {
                    needles.add(&normal_text(text), Needle::Term(index));
                    for exception in &term.exceptions {
                        needles.add(&normal_text(exception), Needle::Exception(index));
                    }
                }
                entries.push(Entry {
                    term: term.term.clone(),
                    list: u32::try_from(list).unwrap_or(u32::MAX),
                    action: *action,
                    replacement: term.replacement.clone(),
                    is_open_before,
                    is_open_after,
                    has_exceptions: !term.exceptions.is_empty() && !term.is_pattern,
                });
            }
        }
        let automaton = AhoCorasick::builder()
            .match_kind(MatchKind::Standard)
            .kind(Some(AhoCorasickKind::ContiguousNFA))
            .build(&needles.texts);
        Self { entries, needles: needles.kinds, automaton: automaton.ok(), patterns }
    }
}

/// Refuses a pattern that would take too long on a long text: the time of some grows with the square of the
/// length. Counts steps on standard texts. Only for new terms: one of a stored list is looked for all the same.
pub fn check_speed(term: &Term) -> Result<(), TermProblem> {
    if !term.is_pattern {
        return Ok(());
    }
    let pattern = Pattern::new(0, &term.term)?;
    for sample in SPEED_SAMPLES {
        let text = sample.repeat(SPEED_SAMPLE_CHARS / sample.chars().count());
        let mut steps = 0_usize;
        for (more, _) in pattern.matches(&text) {
            steps = steps.saturating_add(more);
            if steps > MAX_SPEED_STEPS {
                return Err(TermProblem::TooSlowPattern);
            }
        }
    }
    Ok(())
}
