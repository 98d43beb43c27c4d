//! Reads the files of texts, and checks that all languages say the same.

use crate::plurals::{self, OTHER};
use std::collections::{BTreeMap, BTreeSet};
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

/// The language that the others are compared with.
pub const BASE: &str = "en";

/// Types of arguments that select a plural form.
const COUNTS: [&str; 6] = ["i32", "i64", "u16", "u32", "u64", "usize"];
/// Types of other arguments.
const WORDS: [&str; 2] = ["String", "&str"];

/// A file of texts.
pub struct Source {
    /// Language, such as `en`.
    pub language: String,
    /// Feature: the name of the file.
    pub feature: String,
    /// The file.
    pub text: String,
}

impl Source {
    /// The file, as messages name it.
    fn path(&self) -> String {
        format!("crates/texts/texts/{}/{}.toml", self.language, self.feature)
    }
}

/// A set of texts in all languages.
#[derive(Debug)]
pub struct Set {
    /// Feature that it belongs to.
    pub feature: String,
    /// Name of its type.
    pub name: String,
    /// The comment above it in the English file, line by line.
    pub docs: Vec<String>,
    /// Its texts, in the order of the English file.
    pub texts: Vec<Text>,
}

/// A text in all languages.
#[derive(Debug)]
pub struct Text {
    /// Name of its function.
    pub name: String,
    /// Names and types of its arguments.
    pub arguments: Vec<(String, String)>,
    /// What it says, by language.
    pub words: BTreeMap<String, Words>,
}

/// What a text says in a language.
#[derive(Debug)]
pub enum Words {
    /// The same for all numbers.
    One(String),
    /// A text for each plural form.
    ByCount(BTreeMap<String, String>),
}

/// A set in one language.
struct Section {
    at: usize,
    name: String,
    docs: Vec<String>,
    entries: Vec<Entry>,
}

/// A text in one language.
struct Entry {
    at: usize,
    name: String,
    /// Between the parentheses of the key; only in English files.
    arguments: Option<String>,
    words: Words,
}

/// Reads all files. The errors name file, set and key.
pub fn read(sources: &[Source]) -> Result<Vec<Set>, Vec<String>> {
    let (mut sets, mut errors) = (Vec::new(), Vec::new());
    let languages: BTreeSet<&str> = sources.iter().map(|source| source.language.as_str()).collect();
    let (base, others): (Vec<_>, Vec<_>) = sources.iter().partition(|source| source.language == BASE);
    for source in &base {
        let sections = sections(source, &mut errors);
        let of_file = sections.into_iter().map(|section| new_set(source, section, &mut errors));
        let mut of_file: Vec<Set> = of_file.collect();
        for language in languages.iter().filter(|language| **language != BASE) {
            match others.iter().find(|other| other.language == **language && other.feature == source.feature)
            {
                Some(other) => add_language(other, &mut of_file, &mut errors),
                None => {
                    errors.push(format!("crates/texts/texts/{language}/{}.toml is missing", source.feature))
                }
            }
        }
        sets.append(&mut of_file);
    }
    for other in others.iter().filter(|other| !base.iter().any(|source| source.feature == other.feature)) {
        errors.push(format!("{}: there is no English file of this name", other.path()));
    }
    if errors.is_empty() { Ok(sets) } else { Err(errors) }
}

/// The sets of a file, in its order.
fn sections(source: &Source, errors: &mut Vec<String>) -> Vec<Section> {
    let table = match DeTable::parse(&source.text) {
        Ok(table) => table.into_inner(),
        Err(error) => {
            errors.push(format!("{}: {error}", source.path()));
            return Vec::new();
        }
    };
    let mut sections = Vec::new();
    for (name, value) in table {
        let DeValue::Table(entries) = value.into_inner() else {
            errors.push(format!("{}: {}: a text needs a set above it", source.path(), name.get_ref()));
            continue;
        };
        let at = name.span().start;
        let name = name.into_inner().into_owned();
        let location = format!("{}: [{name}]", source.path());
        let entries = entries.into_iter().filter_map(|(key, value)| entry(&location, &key, value, errors));
        let mut entries: Vec<Entry> = entries.collect();
        entries.sort_by_key(|entry| entry.at);
        let docs = docs_before(&source.text, at);
        sections.push(Section { at, name, docs, entries });
    }
    sections.sort_by_key(|section| section.at);
    sections
}

/// The lines of comment above the line with this offset.
fn docs_before(text: &str, at: usize) -> Vec<String> {
    let before = text.get(..at).unwrap_or_default();
    let comments = before.lines().rev().skip(1).map_while(|line| line.strip_prefix('#'));
    let mut docs: Vec<String> = comments.map(|line| line.trim().to_owned()).collect();
    docs.reverse();
    docs
}

fn entry(
    location: &str,
    key: &Spanned<std::borrow::Cow<'_, str>>,
    value: Spanned<DeValue<'_>>,
    errors: &mut Vec<String>,
) -> Option<Entry> {
    let at = key.span().start;
    let (name, arguments) = match key.get_ref().split_once('(') {
        Some((name, rest)) => (name.trim().to_owned(), Some(rest.trim_end_matches(')').to_owned())),
        None => (key.get_ref().clone().into_owned(), None),
    };
    let is_empty = |text: &str| text.trim().is_empty();
    let words = match value.into_inner() {
        DeValue::String(text) if !is_empty(&text) => Words::One(text.into_owned()),
        DeValue::Table(forms) => {
            let text = |value: &DeValue<'_>| value.as_str().filter(|text| !is_empty(text)).map(str::to_owned);
            let forms = forms.iter().map(|(form, value)| {
                text(value.get_ref()).map(|text| (form.get_ref().clone().into_owned(), text))
            });
            match forms.collect::<Option<BTreeMap<String, String>>>() {
                Some(forms) => Words::ByCount(forms),
                None => {
                    errors.push(format!("{location} {name}: a plural form is empty or not a text"));
                    return None;
                }
            }
        }
        _ => {
            errors.push(format!("{location} {name}: the text is empty or not a text"));
            return None;
        }
    };
    Some(Entry { at, name, arguments, words })
}

/// A set with its English texts.
fn new_set(source: &Source, section: Section, errors: &mut Vec<String>) -> Set {
    let Section { name, docs, entries, .. } = section;
    if docs.is_empty() {
        errors.push(format!("{}: [{name}]: a comment above the set says what it is about", source.path()));
    }
    let mut texts: Vec<Text> = Vec::new();
    for Entry { name: key, arguments, words, .. } in entries {
        let location = format!("{}: [{name}] {key}", source.path());
        if texts.iter().any(|text| text.name == key) {
            errors.push(format!("{location}: there are two texts of this name"));
        }
        let arguments = parse_arguments(&location, arguments.as_deref(), errors);
        if let Words::ByCount(_) = words
            && !arguments.first().is_some_and(|(_, kind)| COUNTS.contains(&kind.as_str()))
        {
            errors.push(format!("{location}: the first argument of a text with plural forms is a number"));
        }
        let mut text = Text { name: key, arguments, words: BTreeMap::new() };
        check_words(&location, &text, BASE, &words, errors);
        text.words.insert(BASE.to_owned(), words);
        texts.push(text);
    }
    Set { feature: source.feature.clone(), name, docs, texts }
}

fn parse_arguments(location: &str, list: Option<&str>, errors: &mut Vec<String>) -> Vec<(String, String)> {
    let mut arguments = Vec::new();
    for argument in list.unwrap_or_default().split(',').filter(|argument| !argument.trim().is_empty()) {
        let (name, kind) = argument.split_once(':').unwrap_or((argument, ""));
        let (name, kind) = (name.trim(), kind.trim());
        if !COUNTS.contains(&kind) && !WORDS.contains(&kind) {
            errors.push(format!("{location}: the type of {name} is not one of {COUNTS:?}, {WORDS:?}"));
        }
        arguments.push((name.to_owned(), kind.to_owned()));
    }
    arguments
}

/// Adds the texts of another language to the sets of a feature.
fn add_language(source: &Source, sets: &mut [Set], errors: &mut Vec<String>) {
    let mut sections = sections(source, errors);
    for set in sets.iter_mut() {
        let location = format!("{}: [{}]", source.path(), set.name);
        let Some(place) = sections.iter().position(|section| section.name == set.name) else {
            errors.push(format!("{location}: the set is missing"));
            continue;
        };
        let mut entries = sections.swap_remove(place).entries;
        for text in &mut set.texts {
            let location = format!("{location} {}", text.name);
            let Some(place) = entries.iter().position(|entry| entry.name == text.name) else {
                errors.push(format!("{location}: the text is missing"));
                continue;
            };
            let words = entries.swap_remove(place).words;
            check_words(&location, text, &source.language, &words, errors);
            text.words.insert(source.language.clone(), words);
        }
        errors.extend(
            entries
                .iter()
                .map(|entry| format!("{location} {}: the English file has no text of this name", entry.name)),
        );
    }
    errors.extend(sections.iter().map(|section| {
        format!("{}: [{}]: the English file has no set of this name", source.path(), section.name)
    }));
}

/// Checks the plural forms and the placeholders of a text in a language.
fn check_words(location: &str, text: &Text, language: &str, words: &Words, errors: &mut Vec<String>) {
    let Some(forms) = plurals::forms(language) else {
        errors
            .push(format!("{location}: crates/texts/build/plurals.rs does not know the language {language}"));
        return;
    };
    let is_counted = matches!(words, Words::ByCount(_)) || text.is_counted();
    match words {
        Words::One(said) => {
            if text.is_counted() && forms.len() > 1 {
                errors.push(format!("{location}: the text needs the plural forms {}", forms.join(", ")));
            }
            check_placeholders(location, text, said, is_counted.then_some(OTHER), errors);
        }
        Words::ByCount(said) => {
            if language != BASE && !text.is_counted() {
                errors.push(format!("{location}: the English text has no plural forms"));
            }
            if !said.keys().map(String::as_str).eq(forms.iter().copied()) {
                errors.push(format!("{location}: the plural forms are {}", forms.join(", ")));
            }
            for (form, said) in said {
                check_placeholders(location, text, said, Some(form), errors);
            }
        }
    }
}

/// `form`: the plural form; `None`: the text has none.
fn check_placeholders(location: &str, text: &Text, said: &str, form: Option<&str>, errors: &mut Vec<String>) {
    if text.arguments.is_empty() {
        // Shown as it is: what stands in braces must be the same in all languages.
        if let Some(Words::One(base)) = text.words.get(BASE)
            && names_in_braces(base) != names_in_braces(said)
        {
            errors.push(format!("{location}: what stands in braces differs from the English text"));
        }
        return;
    }
    let found = match placeholders(said) {
        Ok(found) => found,
        Err(why) => return errors.push(format!("{location}: {why}")),
    };
    for name in &found {
        if !text.arguments.iter().any(|(argument, _)| argument == name) {
            errors.push(format!("{location}: there is no placeholder {{{name}}}"));
        }
    }
    for (index, (name, _)) in text.arguments.iter().enumerate() {
        // A form need not show its number; only the form for most numbers says everything else.
        let is_optional = form.is_some_and(|form| index == 0 || form != OTHER);
        if !is_optional && !found.contains(name.as_str()) {
            errors.push(format!("{location}: the placeholder {{{name}}} is missing"));
        }
    }
}

impl Text {
    /// Whether it has plural forms.
    pub fn is_counted(&self) -> bool {
        matches!(self.words.get(BASE), Some(Words::ByCount(_)))
    }
}

/// Names of the placeholders of a text; `{{` and `}}` are braces.
pub fn placeholders(text: &str) -> Result<BTreeSet<&str>, String> {
    let mut found = BTreeSet::new();
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}']) {
        let from = rest.get(at..).unwrap_or_default();
        if from.starts_with("{{") || from.starts_with("}}") {
            rest = from.get(2..).unwrap_or_default();
            continue;
        }
        let inner = from.strip_prefix('{').and_then(|inner| inner.split_once('}'));
        let Some((name, after)) = inner else { return Err("a brace has no other side".to_owned()) };
        found.insert(name.split(':').next().unwrap_or_default());
        rest = after;
    }
    Ok(found)
}

/// Names such as `{to}` in a text without arguments.
fn names_in_braces(text: &str) -> BTreeSet<&str> {
    let parts = text.split('{').skip(1).filter_map(|part| part.split_once('}'));
    let is_name = |name: &str| name.chars().all(|letter| letter.is_ascii_lowercase() || letter == '_');
    parts.map(|(name, _)| name).filter(|name| !name.is_empty() && is_name(name)).collect()
}
