//! Checks of texts against word lists.

mod scripts;

use super::{
    Action, CheckedText, CompiledLists, Field, Term, Verdict, check_speed, check_term, problem::TermProblem,
};
use serde::Deserialize;
use std::collections::BTreeMap;

const TERMS: &str = include_str!("../../../../../tests/review/terms.json");
const EVASIONS: &str = include_str!("../../../../../tests/review/evasions.json");
const INNOCENT: &str = include_str!("../../../../../tests/review/innocent.json");

#[derive(Deserialize)]
struct Evasion {
    form: String,
    term: String,
    text: String,
}

fn term(text: &str) -> Term {
    Term { term: text.to_owned(), ..Term::default() }
}

fn pattern(text: &str) -> Term {
    Term { is_pattern: true, ..term(text) }
}

fn replaced(text: &str, replacement: &str) -> Term {
    Term { replacement: Some(replacement.to_owned()), ..term(text) }
}

fn compiled(action: Action, terms: &[&str]) -> CompiledLists {
    CompiledLists::new(&[(action, terms.iter().map(|text| term(text)).collect())])
}

fn text(text: &str) -> CheckedText<'_> {
    CheckedText { text, ..CheckedText::default() }
}

/// The parts of the text that are hits.
fn hits<'a>(lists: &CompiledLists, source: &'a str) -> Vec<&'a str> {
    lists.check(&text(source)).hits.iter().map(|hit| &source[hit.begin..hit.end]).collect()
}

#[test]
fn hidden_terms_are_found() {
    let terms: Vec<Term> = serde_json::from_str(TERMS).unwrap();
    let lists = CompiledLists::new(&[(Action::Block, terms)]);
    let evasions: Vec<Evasion> = serde_json::from_str(EVASIONS).unwrap();
    let is_found = |one: &&Evasion| lists.check(&text(&one.text)).hits.iter().any(|hit| hit.term == one.term);
    let missed: Vec<&Evasion> = evasions.iter().filter(|one| !is_found(one)).collect();
    let mut forms: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for one in &missed {
        forms.entry(&one.form).or_default().push(&one.text);
    }
    assert!(evasions.len() >= 200, "{}", evasions.len());
    assert!(missed.len() * 20 <= evasions.len(), "{} of {} missed: {forms:#?}", missed.len(), evasions.len());
}

#[test]
fn innocent_texts_have_no_hits() {
    let terms: Vec<Term> = serde_json::from_str(TERMS).unwrap();
    let lists = CompiledLists::new(&[(Action::Block, terms)]);
    let innocent: Vec<String> = serde_json::from_str(INNOCENT).unwrap();
    let wrong: Vec<(&String, Vec<&str>)> =
        innocent.iter().map(|one| (one, hits(&lists, one))).filter(|(_, hits)| !hits.is_empty()).collect();
    assert!(innocent.len() >= 100, "{}", innocent.len());
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_latin_term_is_a_word_unless_a_star_opens_it() {
    assert_eq!(hits(&compiled(Action::Flag, &["ass"]), "ass, class, assess, ASS!"), ["ass", "ASS"]);
    assert_eq!(hits(&compiled(Action::Flag, &["ass*"]), "ass, class, assess"), ["ass", "ass"]);
    assert_eq!(hits(&compiled(Action::Flag, &["*ass"]), "ass, class, assess"), ["ass", "ass"]);
    assert_eq!(hits(&compiled(Action::Flag, &["*ass*"]), "class"), ["ass"]);
    assert_eq!(hits(&compiled(Action::Flag, &["а*"]), "абв"), ["а"], "Cyrillic");
    assert_eq!(hits(&compiled(Action::Flag, &["ab中"]), "xab中国 ab中国"), ["ab中"]);
}

#[test]
fn an_exception_covers_its_term_only() {
    let exceptions = vec!["路口交通".to_owned()];
    let lists = CompiledLists::new(&[(Action::Block, vec![Term { exceptions, ..term("口交") }, term("通")])]);
    assert_eq!(hits(&lists, "路口交通"), ["通"]);
    assert_eq!(hits(&lists, "路口交通，口交"), ["通", "口交"]);
    assert_eq!(hits(&lists, "路 口 交 通"), ["通"]);
}

#[test]
fn the_strictest_action_wins_and_overlapping_hits_are_all_named() {
    let lists = CompiledLists::new(&[
        (Action::Flag, vec![term("bad word")]),
        (Action::NeedsApproval, vec![term("word")]),
        (Action::Replace, vec![replaced("bad", "good")]),
    ]);
    let checked = lists.check(&text("a bad word"));
    assert_eq!(checked.verdict, Verdict::NeedsApproval);
    assert_eq!(checked.hits.iter().map(|hit| hit.list).collect::<Vec<_>>(), [2, 0, 1]);
    assert_eq!(checked.replaced_text.as_deref(), Some("a good word"));
    assert_eq!(lists.check(&text("a word")).replaced_text, None);
    assert_eq!(lists.check(&text("fine")).verdict, Verdict::Clean);
    let title = lists.check(&CheckedText { title: "bad", ..CheckedText::default() });
    assert_eq!((title.verdict, title.hits[0].field), (Verdict::Flag, Field::Title));
    assert_eq!(title.replaced_title.as_deref(), Some("good"));
}

#[test]
fn the_longest_term_is_replaced() {
    let terms =
        vec![replaced("ab", "1"), replaced("ab cd", "2"), replaced("cd ef", "3"), replaced("ef", "4")];
    let lists = CompiledLists::new(&[(Action::Replace, terms)]);
    let replace = |source: &str| lists.check(&text(source)).replaced_text.unwrap();
    assert_eq!(replace("ab cd ef"), "2 4");
    assert_eq!(replace("x ab, ef"), "x 1, 4");
    assert_eq!(replace("**a**b"), "**1**", "the marks stay in pairs");
    assert_eq!(replace("a**b**!"), "**1**!");
    let checked = lists.check(&text("**a**b, ef"));
    let replacements: Vec<_> = checked.hits.iter().map(|hit| hit.replacement.as_deref()).collect();
    assert_eq!(replacements, [Some("1**"), Some("4")], "of each hit, with its marks");
}

#[test]
fn patterns_are_searched_in_the_normal_text() {
    let lists = CompiledLists::new(&[(Action::Flag, vec![pattern(r"\bqq[ :]*\d{5,}")])]);
    assert_eq!(hits(&lists, "加 ＱＱ：１２３４５６ 吧"), ["ＱＱ：１２３４５６"]);
    assert_eq!(hits(&lists, "Q**Q** 12345"), ["Q**Q** 12345"]);
    assert!(hits(&lists, "qq 1234").is_empty());
}

#[test]
fn terms_that_cannot_be_used_are_refused() {
    let problem = |term: Term| check_term(&term, Action::Block).unwrap_err();
    for text in ["", " ", "*", "**", "\u{200b}\u{200b}", "\u{3000}"] {
        assert_eq!(problem(term(text)), TermProblem::NothingVisible, "{text:?}");
    }
    for text in ["", ".*", "a*", "(?s).", r"[\s\S]", "x|"] {
        assert_eq!(problem(pattern(text)), TermProblem::MatchesEverything, "{text}");
    }
    assert!(matches!(problem(pattern("(a")), TermProblem::NotAPattern { why } if why.contains("unclosed")));
    assert_eq!(problem(pattern("(a{1000}){1000}")), TermProblem::TooLargePattern);
    assert!(matches!(problem(pattern(&"(".repeat(500))), TermProblem::NotAPattern { .. }));
    assert_eq!(check_term(&term("x"), Action::Replace), Err(TermProblem::NoReplacement));
    let empty_exception = Term { exceptions: vec![" ".to_owned()], ..term("x") };
    assert_eq!(problem(empty_exception), TermProblem::NothingVisible);
    // Linear here: elsewhere it runs for ever.
    let lists = CompiledLists::new(&[(Action::Block, vec![pattern("(a+)+$x")])]);
    assert!(hits(&lists, &"a".repeat(50_000)).is_empty());
}

#[test]
fn sentences_are_no_separators_unless_all_letters_stand_apart() {
    let lists = compiled(Action::Block, &["法轮功", "了轮"]);
    assert!(hits(&lists, "他来了。轮到你").is_empty());
    assert_eq!(hits(&lists, "法，轮，功"), ["法，轮，功"]);
    assert_eq!(hits(&lists, "法\n轮\n功"), ["法\n轮\n功"]);
    assert!(hits(&lists, "法\n\n轮\n\n功").is_empty(), "paragraphs");
    assert!(hits(&compiled(Action::Block, &["ab"]), "a b").is_empty(), "Latin letters");
}

#[test]
fn a_text_without_anything_visible_is_clean() {
    let lists = compiled(Action::Block, &["x", "的"]);
    for source in ["", "\u{200b}".repeat(1_000).as_str(), "**", "<!-- x -->", "\u{202e}\u{2066}"] {
        assert_eq!(lists.check(&text(source)).verdict, Verdict::Clean, "{source:?}");
    }
    assert_eq!(CompiledLists::new(&[]).check(&text("x")).verdict, Verdict::Clean);
}

#[test]
fn the_number_of_returned_hits_is_limited_and_all_are_counted() {
    let checked = compiled(Action::Block, &["的"]).check(&text(&"的".repeat(10_000)));
    assert_eq!((checked.count, checked.hits.len()), (10_000, super::MAX_HITS));
}

#[test]
fn a_check_ends_when_its_time_is_over() {
    let lists = CompiledLists::new(&[(Action::Flag, vec![term("a"), pattern("b")])]);
    let source = "a b ".repeat(5_000);
    for looks in [0, 1, 2, 5, 9] {
        let calls = std::cell::Cell::new(0);
        let time = |_: usize| {
            calls.set(calls.get() + 1);
            if calls.get() > looks { Err("over") } else { Ok(()) }
        };
        let checked = lists.check_in_time(&text(&source), &time).map_err(|unfinished| unfinished.why);
        assert_eq!(checked.map(|checked| checked.count), Err("over"));
        assert_eq!(calls.get(), looks + 1, "it ends at once");
    }
    let all = lists.check_in_time(&text(&source), &|_| Ok::<(), ()>(())).unwrap();
    assert_eq!(all, lists.check(&text(&source)));
}

/// A pattern that reads the rest of a line to find each of its matches.
const SLOW: &str = "[a-z]*[0-9]|[a-z]";

#[test]
fn a_pattern_whose_time_grows_with_the_square_of_the_length_is_refused() {
    for slow in [SLOW, "[0-9]*x|[0-9]", "a{0,3000}x|a"] {
        assert_eq!(check_term(&pattern(slow), Action::Block), Ok(()), "{slow}");
        assert_eq!(check_speed(&pattern(slow)), Err(TermProblem::TooSlowPattern), "{slow}");
    }
    for quick in ["a", "[a-z]", r"\d{3}", r"\w+ing", r"\bqq[ :]*\d{5,}", "spam.*now", r"\w+", "a{0,100}x|a"] {
        assert_eq!(check_speed(&pattern(quick)), Ok(()), "{quick}");
    }
}

#[test]
fn a_check_that_is_ended_names_the_pattern_that_took_its_steps() {
    let lists = CompiledLists::new(&[(Action::Flag, vec![term("x")]), (Action::Block, vec![pattern(SLOW)])]);
    let steps = std::cell::Cell::new(0);
    let count = |more: usize| {
        steps.set(steps.get() + more);
        if steps.get() > 2_000_000 { Err(()) } else { Ok(()) }
    };
    let unfinished = lists.check_in_time(&text(&"a".repeat(8_000)), &count).unwrap_err();
    assert_eq!(unfinished.term, Some((SLOW.to_owned(), 1)));
    assert!(steps.get() < 4_000_000, "it ends soon: {}", steps.get());
}
