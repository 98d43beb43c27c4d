//! Every page, every key and every word that pages show has help, in all languages.

use super::{
    keys::KeyGroup,
    paths::{GENERAL, topic_of},
    phrase::Phrase,
    topics::{self, Group, Topic},
    words,
};
use ::texts::Language;
use std::{collections::BTreeSet, fs, path::Path};

const ROUTES: &str = include_str!("../lib.rs");
const GLOSSARY: &str = include_str!("../../../docs/GLOSSARY.md");
const MAX_WORDS_PER_SENTENCE: usize = 30;

/// Paths of all routes, with an id for each parameter.
fn routes() -> Vec<String> {
    let paths = ROUTES.split("path!(\"").skip(1).filter_map(|rest| rest.split_once("\")"));
    let with_id = |part: &str| if part.starts_with(':') { "e3e70682".to_owned() } else { part.to_owned() };
    paths.map(|(path, _)| path.split('/').map(with_id).collect::<Vec<_>>().join("/")).collect()
}

/// All texts of help.
fn texts() -> Vec<Phrase> {
    let topics = topics::all().flat_map(|topic| [topic.title, topic.what, topic.then]);
    let words = words::all().flat_map(|word| [word.name, word.meaning, word.example]);
    let keys = KeyGroup::ALL.into_iter().flat_map(|group| group.keys().iter().map(|key| key.what));
    let titles = Group::ALL.map(Group::title).into_iter().chain(KeyGroup::ALL.map(KeyGroup::title));
    topics.chain(words).chain(keys).chain(titles).collect()
}

#[test]
fn every_page_has_a_topic() {
    let routes = routes();
    assert!(routes.len() > 50, "{routes:?}");
    for route in routes.iter().filter(|route| !route.starts_with("/help")) {
        let slug = topic_of(route);
        assert_ne!(slug, GENERAL, "{route} has no help: add it to help/paths.rs and a topic to help/topics/");
        assert!(Topic::find(slug).is_some(), "{route}: no topic {slug} in help/topics/");
    }
    assert!(Topic::find(GENERAL).is_some() && topic_of("/help/calendar") == GENERAL);
}

#[test]
fn every_topic_belongs_to_a_page() {
    let used: BTreeSet<&str> = routes().iter().map(|route| topic_of(route)).collect();
    let unused: Vec<_> =
        topics::all().filter(|topic| !used.contains(topic.slug)).map(|topic| topic.slug).collect();
    assert!(unused.is_empty(), "no page leads to {unused:?}");
    let slugs: BTreeSet<&str> = topics::all().map(|topic| topic.slug).collect();
    assert_eq!(slugs.len(), topics::all().count(), "two topics have one slug");
    assert_eq!(Group::ALL.into_iter().flat_map(Group::topics).count(), slugs.len());
    assert!(!slugs.contains("for"), "the address of a path");
}

#[test]
fn every_page_shows_words_that_are_explained() {
    for topic in topics::all() {
        assert!(topic.words().count() >= 1, "{} has no word", topic.slug);
        assert_eq!(topic.words().count(), topic.word_slugs.len(), "{}: an unknown word", topic.slug);
    }
}

#[test]
fn every_key_is_a_keycap_with_a_text() {
    let mut shown = BTreeSet::new();
    for group in KeyGroup::ALL {
        for key in group.keys() {
            for cap in key.alternatives().flatten() {
                assert!(!cap.is_empty() && cap.chars().count() <= 5, "{:?} in {group:?}", key.keys);
                shown.insert(cap);
            }
        }
        let is_shown =
            group == KeyGroup::Everywhere || topics::all().any(|topic| topic.keys.contains(&group));
        assert!(is_shown, "no topic shows {group:?}");
    }
    // The letters that the script of the shortcuts opens pages with.
    let script = include_str!("../shell/palette/palette.js");
    let pages = script.split_once("PAGES = {").and_then(|(_, rest)| rest.split_once('}')).unwrap().0;
    for letter in pages.split(", ").flat_map(|page| page.split_once(':')).map(|(letter, _)| letter.trim()) {
        let keys = format!("G {}", letter.to_uppercase());
        assert!(KeyGroup::Everywhere.keys().iter().any(|key| key.keys == keys), "{keys} has no text");
    }
    // The keys that buttons and links name.
    for letter in ["A", "E", "H", "K", "L", "M", "S", "T", "X", "P", "Z", "N", "1", "2", "3", "4", "?", "/"] {
        assert!(shown.contains(letter), "{letter} has no text");
    }
}

#[test]
fn every_word_that_pages_show_is_explained() {
    let (_, list) = GLOSSARY.split_once("a test fails if one has no text there:").unwrap();
    let shown: Vec<String> =
        list.trim().trim_end_matches('.').split(',').map(|word| word.trim().to_lowercase()).collect();
    assert!(shown.len() > 60, "{shown:?}");
    let known: BTreeSet<String> =
        words::all().map(|word| word.name.in_language(Language::En).to_lowercase()).collect();
    let missing: Vec<_> = shown.iter().filter(|word| !known.contains(*word)).collect();
    assert!(missing.is_empty(), "no text in help/words/ for {missing:?}");
    let unlisted: Vec<_> = known.iter().filter(|word| !shown.contains(word)).collect();
    assert!(unlisted.is_empty(), "not listed in docs/GLOSSARY.md: {unlisted:?}");
    let slugs: BTreeSet<&str> = words::all().map(|word| word.slug).collect();
    assert_eq!(slugs.len(), words::all().count(), "two words have one slug");
}

/// Adds the arguments of all links to words below a folder: topic and word.
fn find_word_links(folder: &Path, found: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            find_word_links(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs")
            && !path.ends_with("help/tests.rs")
        {
            let text = fs::read_to_string(&path).unwrap();
            for link in text.split("<WordLink topic=\"").skip(1) {
                let mut parts = link.split('"');
                found.push((parts.next().unwrap().to_owned(), parts.nth(1).unwrap().to_owned()));
            }
        }
    }
}

#[test]
fn every_link_to_a_word_leads_to_it() {
    let mut links = Vec::new();
    find_word_links(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut links);
    // The words that a page uses before it could explain them.
    for word in ["release", "posting-slot", "signal", "channel", "held", "revision", "grace", "wait"] {
        assert!(links.iter().any(|(_, linked)| linked == word), "no page explains {word} where it stands");
    }
    for (topic, word) in links {
        let is_there = Topic::find(&topic).is_some_and(|topic| topic.word_slugs.contains(&word.as_str()));
        assert!(is_there, "help about {topic} does not explain {word}");
    }
}

#[test]
fn every_word_is_shown_with_a_page() {
    let used: BTreeSet<&str> = topics::all().flat_map(|topic| topic.words().map(|word| word.slug)).collect();
    let unused: Vec<_> =
        words::all().filter(|word| !used.contains(word.slug)).map(|word| word.slug).collect();
    assert!(unused.is_empty(), "no topic shows {unused:?}");
}

#[test]
fn texts_are_short_and_in_all_languages() {
    for phrase in texts() {
        let [en, zh, de] =
            [Language::En, Language::Zh, Language::De].map(|language| phrase.in_language(language));
        assert!([en, zh, de].iter().all(|text| !text.trim().is_empty()), "{en} / {zh} / {de}");
        assert!(
            zh == "Webhook"
                || zh.chars().any(|letter| letter > '\u{2e7f}')
                || !zh.chars().any(char::is_alphabetic),
            "{zh}"
        );
        for sentence in en.split(". ") {
            let count = sentence.split_whitespace().count();
            assert!(count <= MAX_WORDS_PER_SENTENCE, "{count} words: {sentence}");
        }
    }
}
