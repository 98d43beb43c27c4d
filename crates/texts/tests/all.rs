//! All sentences of the user interface in one file, `target/texts.md`, to be read from top to bottom; the words
//! that they do not use; and that the code uses each set and each text.

#![expect(clippy::unwrap_used, reason = "a test fails by a panic")]

#[path = "../build/data.rs"]
mod data;
#[path = "../build/plurals.rs"]
mod plurals;

use data::{Set, Source, Words};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

/// Words of sentences of a language, each with the better ones.
const WORDS: [(&str, &str, &str); 12] = [
    ("en", "Empty: ", "Leave empty for …"),
    ("en", "one a line", "one per line"),
    ("en", "as it may", "the limit"),
    ("en", "hear of", "be notified"),
    ("en", "does not take place", "is cancelled"),
    ("en", "Undo cancel", "Undo: … again"),
    ("zh", "往前", "上一…"),
    ("zh", "往后", "下一…"),
    ("zh", "账户", "账号"),
    ("zh", "参加者", "参会者"),
    ("zh", "审核者", "审核人"),
    ("zh", "保留给管理员", "搁置，由管理员处理"),
];

fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    entries
}

fn all_sets() -> Vec<Set> {
    let name = |path: &Path| path.file_stem().unwrap().to_str().unwrap().to_owned();
    let folders = entries(&Path::new(env!("CARGO_MANIFEST_DIR")).join("texts"));
    let source = |folder: &Path, path: &PathBuf| Source {
        language: name(folder),
        feature: name(path),
        text: fs::read_to_string(path).unwrap(),
    };
    let sources = folders
        .iter()
        .flat_map(|folder| entries(folder).iter().map(|path| source(folder, path)).collect::<Vec<_>>());
    data::read(&sources.collect::<Vec<_>>()).unwrap()
}

/// The sentences of a text by language; those of plural forms follow each other.
fn sentences(words: &BTreeMap<String, Words>) -> impl Iterator<Item = (&str, &str)> {
    words.iter().flat_map(|(language, words)| {
        let said: Vec<&str> = match words {
            Words::One(said) => vec![said],
            Words::ByCount(forms) => forms.values().map(String::as_str).collect(),
        };
        said.into_iter().map(move |said| (language.as_str(), said))
    })
}

#[test]
fn all_sentences_are_written_to_one_file() {
    let (mut list, mut count) = ("# All texts\n".to_owned(), 0);
    for set in all_sets() {
        write!(list, "\n## {} of {}\n\n{}\n\n", set.name, set.feature, set.docs.join(" ")).unwrap();
        for text in &set.texts {
            count += 1;
            let said: Vec<&str> = sentences(&text.words).map(|(_, said)| said).collect();
            assert!(text.arguments.len() <= 5 && !text.name.is_empty(), "{}", text.name);
            writeln!(list, "- {}", said.join("\n  ")).unwrap();
        }
    }
    assert!(count > 3_500, "{count} texts");
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    fs::write(target.join("texts.md"), list).unwrap();
}

/// Whether a text contains a word that does not go on with a letter.
fn contains_word(text: &str, word: &str) -> bool {
    let is_letter = |letter: char| letter.is_ascii_alphabetic();
    text.split(word).skip(1).any(|rest| !(word.ends_with(is_letter) && rest.starts_with(is_letter)))
}

#[test]
fn sentences_use_the_words_of_the_desk() {
    let mut found = Vec::new();
    for set in all_sets() {
        for (language, said) in set.texts.iter().flat_map(|text| sentences(&text.words)) {
            for (_, word, better) in
                WORDS.iter().filter(|(of, word, _)| *of == language && contains_word(said, word))
            {
                found.push(format!("{}: {said}: {better} instead of {word}", set.feature));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// Adds the Rust files below a folder.
fn read_sources(folder: &Path, sources: &mut String) {
    for path in entries(folder) {
        if path.is_dir() {
            read_sources(&path, sources);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            sources.push_str(&fs::read_to_string(&path).unwrap());
        }
    }
}

#[test]
fn every_set_has_a_module() {
    let mut sources = String::new();
    read_sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut sources);
    let included: Vec<&str> =
        sources.split("\nsets!(").skip(1).filter_map(|rest| rest.split(");").next()).collect();
    for set in all_sets() {
        let of_feature = included.iter().filter_map(|sets| sets.strip_prefix(&format!("{}:", set.feature)));
        let is_included = of_feature.flat_map(|sets| sets.split(',')).any(|name| name.trim() == set.name);
        assert!(is_included, "no module includes {} of {}: add sets!(…) or delete it", set.name, set.feature);
    }
}

/// Functions of texts are public, so the compiler reports none.
#[test]
fn no_text_is_unused() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut sources = String::new();
    for folder in ["app/src", "src", "crates/texts/src"] {
        read_sources(&root.join(folder), &mut sources);
    }
    let is_end = |letter: char| !letter.is_ascii_alphanumeric() && letter != '_';
    let used: BTreeSet<&str> =
        sources.split(['.', ':']).filter_map(|rest| rest.split(is_end).next()).collect();
    let mut unused = Vec::new();
    // Names of the texts of help are made by macros.
    for set in all_sets().iter().filter(|set| !set.name.starts_with("Help")) {
        let texts = set.texts.iter().filter(|text| !used.contains(text.name.as_str()));
        unused.extend(texts.map(|text| format!("{}: {}", set.name, text.name)));
    }
    assert!(unused.is_empty(), "delete these texts in all languages:\n{}", unused.join("\n"));
}
