//! All sentences of the user interface in one file, `target/texts.md`, to be read from top to bottom; and the
//! words that they do not use.

#![expect(clippy::unwrap_used, reason = "a test fails by a panic")]

use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    str::Chars,
};

/// Folders and files that declare texts, from the root of the project.
const SOURCES: [&str; 2] = ["crates/texts/src", "app/src"];
/// Words of English sentences, each with the better ones.
const ENGLISH: [(&str, &str); 6] = [
    ("Empty: ", "Leave empty for …"),
    ("one a line", "one per line"),
    ("as it may", "the limit"),
    ("hear of", "be notified"),
    ("does not take place", "is cancelled"),
    ("Undo cancel", "Undo: … again"),
];
/// Words of Chinese sentences, each with the better ones.
const CHINESE: [(&str, &str); 6] = [
    ("往前", "上一…"),
    ("往后", "下一…"),
    ("账户", "账号"),
    ("参加者", "参会者"),
    ("审核者", "审核人"),
    ("保留给管理员", "搁置，由管理员处理"),
];

/// A text in both languages.
struct Text {
    file: String,
    english: String,
    chinese: String,
}

/// Adds the Rust files below a folder, in order.
fn add_files(folder: &Path, files: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            add_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// Reads a string literal to its end.
fn literal(letters: &mut Chars<'_>) -> String {
    let mut text = String::new();
    while let Some(letter) = letters.next() {
        match letter {
            '"' => break,
            '\\' => text.extend(['\\'].into_iter().chain(letters.next())),
            other => text.push(other),
        }
    }
    text
}

/// The texts that a file declares.
fn texts_of(file: &str, source: &str) -> Vec<Text> {
    let mut texts = Vec::new();
    for block in source.split("\ntexts! {").skip(1) {
        let mut letters = block.split("\n}").next().unwrap_or_default().chars();
        let mut literals = Vec::new();
        while let Some(letter) = letters.next() {
            match letter {
                '"' => literals.push(literal(&mut letters)),
                ';' => {
                    if let [english, chinese] = literals.as_slice() {
                        let (english, chinese) = (english.clone(), chinese.clone());
                        texts.push(Text { file: file.to_owned(), english, chinese });
                    }
                    literals.clear();
                }
                _ => {}
            }
        }
    }
    texts
}

fn all_texts() -> Vec<Text> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    for source in SOURCES {
        add_files(&root.join(source), &mut files);
    }
    let read = |path: &PathBuf| {
        let name = path.strip_prefix(&root).unwrap().display().to_string();
        texts_of(&name, &fs::read_to_string(path).unwrap())
    };
    files.iter().flat_map(read).collect()
}

#[test]
fn all_sentences_are_written_to_one_file() {
    let texts = all_texts();
    assert!(texts.len() > 1_500, "{} texts", texts.len());
    let (mut list, mut file) = ("# All texts\n".to_owned(), "");
    for text in &texts {
        if text.file != file {
            file = &text.file;
            write!(list, "\n## {file}\n\n").unwrap();
        }
        writeln!(list, "- {}\n  {}", text.english, text.chinese).unwrap();
    }
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    fs::write(target.join("texts.md"), list).unwrap();
}

#[test]
fn sentences_use_the_words_of_the_desk() {
    let mut found = Vec::new();
    for text in all_texts() {
        for (sentence, words) in [(&text.english, ENGLISH), (&text.chinese, CHINESE)] {
            for (word, better) in words.iter().filter(|(word, _)| sentence.contains(word)) {
                found.push(format!("{}: {sentence}: {better} instead of {word}", text.file));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
