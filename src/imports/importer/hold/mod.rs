//! Decides from the front matter whether a file is not public. Unclear values are refused, never
//! treated as public.

pub mod comment;
pub mod gate;
mod inside;
#[cfg(test)]
mod tests;

use super::{
    date,
    front_matter::values::{Entry, Values, scalar_text},
    problem::Problem,
};
use serde_json::Value;

/// Names that mark a file as not public if their value is true.
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
/// Names that mark a file as not public if their value is false.
const HELD_IF_FALSE: [&str; 7] =
    ["published", "ispublished", "publish", "public", "ispublic", "listed", "visible"];
/// Names that mark a file as not for everyone if they have any value but no.
const HELD_IF_SET: [&str; 19] = [
    "embargo",
    "embargoed",
    "embargoat",
    "embargodate",
    "embargoedtill",
    "embargoeduntil",
    "embargotill",
    "embargountil",
    "emailonly",
    "gated",
    "mailonly",
    "memberonly",
    "membersonly",
    "newsletteronly",
    "paidonly",
    "paywall",
    "paywalled",
    "subscriberonly",
    "subscribersonly",
];
/// Names that do so if their value is yes; other values say something else.
const HELD_IF_YES: [&str; 10] = [
    "confidential",
    "internal",
    "locked",
    "members",
    "notpublic",
    "paid",
    "premium",
    "restricted",
    "secret",
    "wip",
];
/// Names whose value may be a word for readers or for a state.
const READERS_NAMES: [&str; 14] = [
    "access",
    "accesslevel",
    "audience",
    "draftstatus",
    "membership",
    "publishingstatus",
    "readers",
    "reviewstatus",
    "stage",
    "state",
    "tier",
    "tiers",
    "type",
    "workflow",
];
/// Words for readers or states that are not everyone.
const NOT_PUBLIC_WORDS: [&str; 26] = [
    "authenticated",
    "confidential",
    "draft",
    "embargo",
    "embargoed",
    "hidden",
    "internal",
    "loggedin",
    "member",
    "members",
    "membersonly",
    "onlypaid",
    "paid",
    "paidmembers",
    "pending",
    "premium",
    "private",
    "protected",
    "restricted",
    "secret",
    "subscriber",
    "subscribers",
    "unlisted",
    "unpublished",
    "wip",
    "password",
];
/// Names whose value may be a date instead of a flag.
const FLAG_OR_DATE: [&str; 2] = ["published", "publish"];
/// Names whose value is a word for the visibility.
const STATUS_NAMES: [&str; 4] = ["status", "poststatus", "publishstatus", "visibility"];
/// Words for public.
const PUBLIC_WORDS: [&str; 9] =
    ["publish", "published", "public", "live", "final", "online", "released", "scheduled", "future"];
/// Names of the URL in other generators. False: the file has no page there.
const URL_NAMES: [&str; 2] = ["permalink", "render"];
/// Names that apply to all files below a folder if its `_index` page has them.
const FOLDER_NAMES: [&str; 16] = [
    "embargo",
    "membersonly",
    "visibility",
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

/// Returns why a file is not public, with the line; `None`: it is public.
pub fn of_file(values: &Values) -> Result<Option<Problem>, Problem> {
    first(values.iter())
}

/// Returns why a text has parts that are not for everyone, with its first line.
pub fn of_text(body: &str, line: usize) -> Option<Problem> {
    let why = "its text has marks of Ghost for parts that are not for everyone";
    gate::has_marks(body).then(|| Problem::at(line, why))
}

/// Returns why all files below a folder are not public, by the values of its page (`_index.md`).
pub fn of_folder(values: &Values) -> Result<Option<Problem>, Problem> {
    for entry in values.iter().filter(|entry| entry.key == "cascade") {
        for inside in Values::inside(entry) {
            if let Some(held) = first(inside.iter())? {
                return Ok(Some(held));
            }
        }
    }
    first(values.iter().filter(|entry| FOLDER_NAMES.contains(&entry.key.as_str())))
}

fn first<'v>(entries: impl Iterator<Item = &'v Entry>) -> Result<Option<Problem>, Problem> {
    let mut held = None;
    for entry in entries {
        // All entries are checked: an unclear value is refused even after a match.
        if let Some(why) = of_entry(entry)? {
            held = held.or_else(|| Some(Problem::at(entry.line, why)));
        }
    }
    Ok(held)
}

fn of_entry(entry: &Entry) -> Result<Option<String>, Problem> {
    let key = entry.key.as_str();
    let reason = || format!("{} is {}", entry.name, shown(&entry.value));
    let is_held = if key == "hide" && matches!(entry.value, Value::Array(_)) {
        // Here `hide` lists parts of a page that a theme omits.
        false
    } else if HELD_IF_TRUE.contains(&key) {
        flag(entry)?
    } else if HELD_IF_FALSE.contains(&key) {
        let is_date = FLAG_OR_DATE.contains(&key) && date::is_date(&scalar_text(&entry.value));
        let is_flag = parse_flag(&entry.value).is_some();
        (is_flag || !is_date) && !flag(entry)?
    } else if URL_NAMES.contains(&key) {
        parse_flag(&entry.value) == Some(false)
    } else if STATUS_NAMES.contains(&key) {
        !is_public_word(entry)?
    } else if HELD_IF_SET.contains(&key) {
        is_set(&entry.value)
    } else if HELD_IF_YES.contains(&key) {
        parse_flag(&entry.value) == Some(true)
    } else if READERS_NAMES.contains(&key) {
        names_some_readers(&entry.value)
    } else if key == "password" {
        !matches!(&entry.value, Value::Null | Value::Bool(false)) && !scalar_text(&entry.value).is_empty()
    } else if key == "build" {
        return of_build(entry);
    } else {
        return Ok(inside::held(entry));
    };
    Ok(is_held.then(|| if key == "password" { "it has a password".to_owned() } else { reason() }))
}

/// Whether a value is there and does not say no.
fn is_set(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Array(items) => !items.is_empty(),
        Value::Object(map) => !map.is_empty(),
        scalar => parse_flag(scalar) != Some(false) && !scalar_text(scalar).is_empty(),
    }
}

/// Whether a value, or one of a list, names readers or a state that are not public.
fn names_some_readers(value: &Value) -> bool {
    match value {
        Value::String(text) => {
            let word: String =
                text.to_lowercase().chars().filter(|letter| letter.is_alphanumeric()).collect();
            NOT_PUBLIC_WORDS.contains(&word.as_str())
        }
        Value::Array(items) => items.iter().any(names_some_readers),
        _ => false,
    }
}

/// Checks Hugo's `build`: whether the page is rendered and listed.
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

/// Whether a word means public. Unknown words are refused.
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
    parse_flag(&Value::String(text.to_owned())).is_some()
}

fn flag(entry: &Entry) -> Result<bool, Problem> {
    if matches!(&entry.value, Value::Null) || entry.value.as_str().is_some_and(|text| text.trim().is_empty())
    {
        return Err(no_value(entry));
    }
    parse_flag(&entry.value).ok_or_else(|| {
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

/// Parses a flag: the words of YAML 1.1 and 1.2 in any case, quoted or not, 0 and 1. `None`: it is
/// not a flag.
fn parse_flag(value: &Value) -> Option<bool> {
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
