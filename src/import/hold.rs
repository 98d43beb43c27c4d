//! Whether a file says that it is not for the public. What cannot be understood is refused, never taken as public.

use super::{
    date,
    problem::Problem,
    values::{Entry, Values, scalar_text},
};
use serde_json::Value;

/// Names whose truth holds a file back.
const HELD_IF_TRUE: [&str; 11] = [
    "draft",
    "isdraft",
    "unpublished",
    "private",
    "isprivate",
    "protected",
    "unlisted",
    "hidden",
    "hide",
    "headless",
    "eleventyexcludefromcollections",
];
/// Names whose untruth holds a file back.
const HELD_IF_FALSE: [&str; 7] =
    ["published", "ispublished", "publish", "public", "ispublic", "listed", "visible"];
/// Names that may hold a date in place of a flag.
const FLAG_OR_DATE: [&str; 2] = ["published", "publish"];
/// Names whose word says who may see it.
const STATUS: [&str; 4] = ["status", "poststatus", "publishstatus", "visibility"];
/// The words that mean the public.
const PUBLIC_WORDS: [&str; 9] =
    ["publish", "published", "public", "live", "final", "online", "released", "scheduled", "future"];
/// Names of the address that a file has elsewhere: without one it is not shown there.
const ADDRESS: [&str; 2] = ["permalink", "render"];
/// Names that hold back what is below a folder, where its own page has them.
const OF_FOLDER: [&str; 13] = [
    "draft",
    "isdraft",
    "unpublished",
    "private",
    "isprivate",
    "protected",
    "published",
    "ispublished",
    "public",
    "ispublic",
    "status",
    "poststatus",
    "password",
];

/// Why the file is held back, with the line that says so; `None`: nothing holds it back.
pub fn of_file(values: &Values) -> Result<Option<Problem>, Problem> {
    first(values.iter())
}

/// The same for all that lies below a folder, by the values of its own page (`_index.md`).
pub fn of_folder(values: &Values) -> Result<Option<Problem>, Problem> {
    for entry in values.iter().filter(|entry| entry.key == "cascade") {
        for inside in Values::inside(entry) {
            if let Some(held) = first(inside.iter())? {
                return Ok(Some(held));
            }
        }
    }
    first(values.iter().filter(|entry| OF_FOLDER.contains(&entry.key.as_str())))
}

fn first<'v>(entries: impl Iterator<Item = &'v Entry>) -> Result<Option<Problem>, Problem> {
    let mut held = None;
    for entry in entries {
        // All are looked at: a later one that cannot be understood is refused all the same.
        if let Some(why) = of_entry(entry)? {
            held = held.or_else(|| Some(Problem::at(entry.line, why)));
        }
    }
    Ok(held)
}

fn of_entry(entry: &Entry) -> Result<Option<String>, Problem> {
    let key = entry.key.as_str();
    let says = || format!("{} is {}", entry.name, shown(&entry.value));
    let is_held = if key == "hide" && matches!(entry.value, Value::Array(_)) {
        // The parts of a page that a theme leaves out.
        false
    } else if HELD_IF_TRUE.contains(&key) {
        flag(entry)?
    } else if HELD_IF_FALSE.contains(&key) {
        let is_date = FLAG_OR_DATE.contains(&key) && date::is_date(&scalar_text(&entry.value));
        let is_flag = meaning(&entry.value).is_some();
        (is_flag || !is_date) && !flag(entry)?
    } else if ADDRESS.contains(&key) {
        meaning(&entry.value) == Some(false)
    } else if STATUS.contains(&key) {
        !is_public_word(entry)?
    } else if key == "password" {
        !matches!(&entry.value, Value::Null | Value::Bool(false)) && !scalar_text(&entry.value).is_empty()
    } else if key == "build" {
        return of_build(entry);
    } else {
        false
    };
    Ok(is_held.then(|| if key == "password" { "it has a password".to_owned() } else { says() }))
}

/// Hugo's `build`: whether the page is made, and whether lists name it.
fn of_build(entry: &Entry) -> Result<Option<String>, Problem> {
    if !entry.value.is_object() {
        let why = format!(
            "{} is {}, which cannot be understood; write render or list below it",
            entry.name,
            shown(&entry.value)
        );
        return Err(Problem::at(entry.line, why));
    }
    for inside in Values::inside(entry).iter().flat_map(Values::iter) {
        if !matches!(inside.key.as_str(), "render" | "list") {
            continue;
        }
        let word = scalar_text(&inside.value).to_lowercase();
        match word.as_str() {
            "always" | "true" | "local" => {}
            "never" | "false" | "link" => return Ok(Some(format!("{} is {word}", inside.name))),
            _ => {
                let why = format!("{} is {}; write always or never", inside.name, shown(&inside.value));
                return Err(Problem::at(inside.line, why));
            }
        }
    }
    Ok(None)
}

/// An unknown word is no promise that everybody may see it.
fn is_public_word(entry: &Entry) -> Result<bool, Problem> {
    let word = scalar_text(&entry.value).to_lowercase();
    match &entry.value {
        Value::Null => Err(no_value(entry)),
        Value::Bool(flag) => Ok(*flag),
        _ if word.is_empty() => Err(no_value(entry)),
        _ => Ok(PUBLIC_WORDS.contains(&word.as_str())),
    }
}

/// Whether a text is a flag, not a date.
#[must_use]
pub fn is_flag(text: &str) -> bool {
    meaning(&Value::String(text.to_owned())).is_some()
}

fn flag(entry: &Entry) -> Result<bool, Problem> {
    if matches!(&entry.value, Value::Null) || entry.value.as_str().is_some_and(|text| text.trim().is_empty())
    {
        return Err(no_value(entry));
    }
    meaning(&entry.value).ok_or_else(|| {
        let why = format!(
            "{} is {}, which is neither yes nor no; write true or false",
            entry.name,
            shown(&entry.value)
        );
        Problem::at(entry.line, why)
    })
}

fn no_value(entry: &Entry) -> Problem {
    Problem::at(entry.line, format!("{} has no value; write true or false, or remove it", entry.name))
}

/// What a flag means: the words of YAML 1.1 and 1.2 in any case, quoted or not, and 0 and 1. `None`: neither.
fn meaning(value: &Value) -> Option<bool> {
    let text = match value {
        Value::Bool(flag) => return Some(*flag),
        Value::Number(number) => match number.as_f64()? {
            1.0 => return Some(true),
            0.0 => return Some(false),
            _ => return None,
        },
        Value::String(text) => text.trim().to_lowercase(),
        _ => return None,
    };
    match text.as_str() {
        "true" | "yes" | "on" | "y" | "t" | "1" | "1.0" => Some(true),
        "false" | "no" | "off" | "n" | "f" | "0" | "0.0" => Some(false),
        _ => None,
    }
}

fn shown(value: &Value) -> String {
    let text = match value {
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "a table".to_owned(),
        Value::String(text) => format!("{text:?}"),
        scalar => scalar.to_string(),
    };
    text.chars().take(60).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::front;

    fn read(front: &str) -> Result<bool, usize> {
        let parted = front::part(front).map_err(|problem| problem.line)?;
        of_file(&parted.values).map(|held| held.is_some()).map_err(|problem| problem.line)
    }

    fn yaml(line: &str) -> Result<bool, usize> {
        read(&format!("---\ntitle: A\n{line}\n---\nText"))
    }

    fn toml(line: &str) -> Result<bool, usize> {
        read(&format!("+++\ntitle = \"A\"\n{line}\n+++\nText"))
    }

    #[test]
    fn flags_are_understood_by_their_meaning() {
        let yes = ["true", "True", "TRUE", "yes", "Yes", "on", "ON", "y", "1", "1.0", "t"];
        let no = ["false", "False", "FALSE", "no", "No", "off", "n", "N", "0", "f"];
        for (words, is_true) in [(yes.as_slice(), true), (no.as_slice(), false)] {
            for word in words {
                for text in [(*word).to_owned(), format!("\"{word}\""), format!("' {word} '")] {
                    for key in
                        ["draft", "Draft", "DRAFT", "is_draft", "private", "unlisted", "hidden", "headless"]
                    {
                        assert_eq!(yaml(&format!("{key}: {text}")), Ok(is_true), "{key}: {text}");
                    }
                    for key in ["published", "publish", "public"] {
                        assert_eq!(yaml(&format!("{key}: {text}")), Ok(!is_true), "{key}: {text}");
                    }
                }
                assert_eq!(toml(&format!("draft = \"{word}\"")), Ok(is_true), "{word}");
                assert_eq!(toml(&format!("published = \"{word}\"")), Ok(!is_true), "{word}");
            }
        }
        assert_eq!(
            (toml("draft = true"), toml("draft = 1"), toml("draft = false")),
            (Ok(true), Ok(true), Ok(false))
        );
        assert_eq!(read("{\"draft\": \"yes\"}\nText"), Ok(true));
        assert_eq!(read("{\"draft\": true, \"draft\": false}\nText"), Ok(true));
    }

    #[test]
    fn what_cannot_be_understood_is_refused_with_its_line() {
        for line in [
            "draft: maybe",
            "draft: 2",
            "draft: [true]",
            "draft: {a: 1}",
            "draft:",
            "draft: ~",
            "draft: \"\"",
            "published: soon",
            "published:",
            "private: friends",
            "build: 7",
            "build: {render: perhaps}",
            "status:",
        ] {
            assert_eq!(yaml(line), Err(3), "{line}");
        }
        assert_eq!(toml("draft = \"later\""), Err(3));
        assert_eq!(yaml("draft: true\nprivate: friends"), Err(4), "all are looked at");
    }

    #[test]
    fn every_way_to_hold_a_file_back_is_known() {
        for line in [
            "status: draft",
            "status: Private",
            "status: pending",
            "post_status: trash",
            "status: evergreen",
            "visibility: members",
            "password: secret",
            "build: {render: never}",
            "build: {list: never}",
            "_build: {render: false}",
            "build:\n  render: link",
            "permalink: false",
            "render: false",
            "unpublished: yes",
            "draft: false\nDraft: true",
            "published: true\nstatus: draft",
        ] {
            assert_eq!(yaml(line), Ok(true), "{line}");
        }
        assert_eq!(toml("[build]\nrender = \"never\""), Ok(true));
        for line in [
            "status: published",
            "published: 2027-03-01",
            "published: 20270301",
            "password: \"\"",
            "build: {render: always, list: local}",
            "permalink: /a/",
            "hide: [navigation, toc]",
            "tags: [draft]",
            "extra: {draft: true, hidden: true}",
            "params:\n  private: true",
        ] {
            assert_eq!(yaml(line), Ok(false), "{line}");
        }
        assert_eq!(toml("[extra]\ndraft = true"), Ok(false));
    }

    #[test]
    fn a_folder_holds_back_what_is_below_it() {
        let folder = |front: &str| of_folder(&front::part(front).unwrap().values).map(|held| held.is_some());
        for front in [
            "---\ndraft: true\n---\n",
            "---\ncascade:\n  draft: yes\n---\n",
            "---\ncascade:\n  - build:\n      render: never\n    target: {kind: page}\n---\n",
            "+++\n[cascade]\nprivate = \"true\"\n+++\n",
        ] {
            assert_eq!(folder(front), Ok(true), "{front}");
        }
        for front in
            ["---\ntitle: Blog\n---\n", "---\nbuild: {render: never}\n---\n", "+++\nrender = false\n+++\n"]
        {
            assert_eq!(folder(front), Ok(false), "{front}");
        }
    }
}
