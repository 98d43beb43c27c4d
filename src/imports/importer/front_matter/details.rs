//! Details of an article in front matter. A value that cannot be used is left out, with a warning.

use super::values::{Entry, Values, scalar_text};
use crate::{articles::checked_details, imports::importer::problem::Problem};
use domain::{
    DomainError,
    articles::details::{ArticleDetails, MAX_SUMMARY_CHARS, MAX_TAGS, Template, split_tags},
    text::slice_text,
};
use serde_json::Value;

/// Names of the summary. The first one that is given counts.
const SUMMARIES: [&str; 3] = ["summary", "description", "excerpt"];
/// Names of lists of tags; all of them count.
const TAGS: [&str; 4] = ["tags", "tag", "categories", "category"];
/// Names of the cover's address.
const COVERS: [&str; 8] =
    ["cover", "coverimage", "featuredimage", "featureimage", "heroimage", "image", "images", "banner"];
/// Names of the alternative text of the cover.
const COVER_ALTS: [&str; 4] = ["coveralt", "coverimagealt", "heroimagealt", "imagealt"];
/// Names of the address inside the table of a cover.
const COVER_ADDRESSES: [&str; 4] = ["image", "src", "url", "path"];

/// Beginning of the warning about a cover that is left out.
pub const COVER_LEFT_OUT: &str = "cover is left out";

/// Details of a file.
#[derive(Debug, Default)]
pub struct Found {
    /// The details.
    pub details: ArticleDetails,
    /// Warnings about values that are left out.
    pub warnings: Vec<Problem>,
    /// A cover that is left out because it is no address: it may be a file of the import.
    pub cover_file: Option<String>,
}

/// Reads the details, with warnings about values that are left out.
pub fn read(values: &Values) -> Found {
    let mut found = Found::default();
    let summary = SUMMARIES.iter().find_map(|key| scalar(values, key));
    found.set(summary, |details, text| details.summary = cut(&text, MAX_SUMMARY_CHARS));
    found.cover(values);
    let alt = COVER_ALTS.iter().find_map(|key| scalar(values, key));
    found.set(alt, |details, text| details.cover_alt = text);
    found.set(scalar(values, "covercaption"), |details, text| details.cover_caption = text);
    let language = scalar(values, "language").or_else(|| scalar(values, "lang"));
    found.set(language, |details, text| details.language = text);
    let canonical = scalar(values, "canonical").or_else(|| scalar(values, "canonicalurl"));
    found.set(canonical, |details, text| details.canonical = text);
    found.set(scalar(values, "translationof"), |details, text| details.translation_of = text);
    found.set(scalar(values, "dated"), |details, text| details.dated = text);
    found.details.is_noindex = flag(values, "noindex");
    found.details.is_featured = flag(values, "featured");
    let is_page =
        ["template", "layout"].iter().any(|key| scalar(values, key).is_some_and(|(text, _)| text == "page"));
    if is_page {
        found.details.template = Template::Page;
    }
    found.tags(values);
    found.authors(values);
    found
}

impl Found {
    /// Sets a value, unless the details would be refused with it.
    fn set(&mut self, value: Option<(String, usize)>, set: impl FnOnce(&mut ArticleDetails, String)) {
        let Some((text, line)) = value else { return };
        let mut with = self.details.clone();
        set(&mut with, text);
        match checked_details(with) {
            Ok(details) => self.details = details,
            Err(DomainError::Invalid { field, problem }) => {
                self.warnings.push(Problem::at(line, format!("{field} is left out: it {problem}")));
            }
            Err(refusal) => self.warnings.push(Problem::at(line, refusal.to_string())),
        }
    }

    /// Reads the cover: an address, or a table with address, alternative text and caption.
    fn cover(&mut self, values: &Values) {
        for entry in values.iter().filter(|entry| COVERS.contains(&entry.key.as_str())) {
            if !self.details.cover.is_empty() {
                return;
            }
            let first = entry.value.as_array().and_then(|all| all.first()).and_then(Value::as_str);
            self.cover_address(text_of(entry).or_else(|| Some((first?.to_owned(), entry.line))));
            for inside in Values::inside(entry) {
                let address = COVER_ADDRESSES.iter().find_map(|key| scalar(&inside, key));
                self.cover_address(address);
                self.set(scalar(&inside, "alt"), |details, text| details.cover_alt = text);
                self.set(scalar(&inside, "caption"), |details, text| details.cover_caption = text);
            }
        }
    }

    fn cover_address(&mut self, value: Option<(String, usize)>) {
        let address = value.as_ref().map(|(text, _)| text.clone());
        self.set(value, |details, text| details.cover = text);
        if self.details.cover.is_empty() && self.cover_file.is_none() {
            self.cover_file = address;
        }
    }

    /// Reads the authors by their names, which are looked up later.
    fn authors(&mut self, values: &Values) {
        for entry in values.iter().filter(|entry| entry.key == "authors") {
            let names = author_names(&entry.written);
            if names.contains(&None) {
                let why = "authors: what is no name is left out".to_owned();
                self.warnings.push(Problem::at(entry.line, why));
            }
            self.details.authors.extend(names.into_iter().flatten());
        }
    }

    /// Reads all tags and categories; each is set or left out on its own.
    fn tags(&mut self, values: &Values) {
        let inside = values.iter().filter(|entry| entry.key == "taxonomies").flat_map(Values::inside);
        for values in std::iter::once(values.clone()).chain(inside) {
            for entry in values.iter().filter(|entry| TAGS.contains(&entry.key.as_str())) {
                for tag in names(&entry.written) {
                    if self.details.tags.len() >= MAX_TAGS {
                        let why = format!("it has more than {MAX_TAGS} tags; the others are left out");
                        self.warnings.push(Problem::at(entry.line, why));
                        return;
                    }
                    self.set(Some((tag, entry.line)), |details, tag| details.tags.push(tag));
                }
            }
        }
    }
}

fn scalar(values: &Values, key: &str) -> Option<(String, usize)> {
    values.iter().filter(|entry| entry.key == key).find_map(text_of)
}

fn text_of(entry: &Entry) -> Option<(String, usize)> {
    let text = match &entry.value {
        Value::Null | Value::Array(_) | Value::Object(_) | Value::Bool(_) => return None,
        _ => scalar_text(&entry.written),
    };
    (!text.is_empty()).then_some((text, entry.line))
}

fn flag(values: &Values, key: &str) -> bool {
    values.iter().any(|entry| {
        entry.key == key
            && match &entry.value {
                Value::Bool(flag) => *flag,
                Value::String(text) => matches!(text.trim().to_lowercase().as_str(), "true" | "yes" | "on"),
                _ => false,
            }
    })
}

/// The names in a list of texts or of objects with a name, or in a text with commas. `None`: an entry is no
/// name.
fn author_names(value: &Value) -> Vec<Option<String>> {
    match value {
        Value::Array(items) => items.iter().flat_map(author_names).collect(),
        Value::String(text) => split_tags(text).into_iter().map(Some).collect(),
        Value::Object(map) => match map.get("name").and_then(Value::as_str).map(str::trim) {
            Some(name) if !name.is_empty() => vec![Some(name.to_owned())],
            _ => vec![None],
        },
        Value::Null => Vec::new(),
        Value::Bool(_) | Value::Number(_) => vec![None],
    }
}

/// The names in a list, or in a text with commas.
fn names(value: &Value) -> Vec<String> {
    match value {
        Value::Array(items) => items.iter().flat_map(names).collect(),
        // Obsidian writes `#tag` and `parent/tag`.
        Value::String(text) => {
            let tags = split_tags(text).into_iter();
            tags.map(|tag| tag.trim_start_matches('#').replace('/', "-"))
                .filter(|tag| !tag.is_empty())
                .collect()
        }
        Value::Number(number) => vec![number.to_string()],
        _ => Vec::new(),
    }
}

/// Cuts a text after a word.
fn cut(text: &str, max: usize) -> String {
    if text.chars().count() <= max {
        return text.to_owned();
    }
    let short: String = text.chars().take(max - 1).collect();
    let end = short.rfind(char::is_whitespace).filter(|end| *end > max / 2).unwrap_or(short.len());
    format!("{}…", slice_text(&short, ..end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::imports::importer::front_matter::values;

    fn of(yaml: &str) -> (ArticleDetails, Vec<String>) {
        let Found { details, warnings, .. } = read(&values::yaml(yaml, 1).unwrap().unwrap_or_default());
        (details, warnings.into_iter().map(|problem| problem.why).collect())
    }

    #[test]
    fn details_are_read_from_the_names_of_several_generators() {
        let (details, warnings) = of("description: About ships\ntags: [Sea, sea, Ports]\ncategories: News\n\
             cover:\n  image: https://a.example/x.png\n  alt: A ship\nlang: de\ntranslation_of: high-tide\nfeatured: true\nnoindex: true\nlayout: page");
        assert_eq!(warnings, [""; 0]);
        assert_eq!(details.summary, "About ships");
        assert_eq!(details.tags, ["Sea", "Ports", "News"]);
        assert_eq!(
            (details.cover.as_str(), details.cover_alt.as_str()),
            ("https://a.example/x.png", "A ship")
        );
        assert_eq!((details.language.as_str(), details.translation_of.as_str()), ("de", "high-tide"));
        assert!(details.is_featured && details.is_noindex && details.template == Template::Page);
    }

    #[test]
    fn tags_are_read_as_they_are_written() {
        let (details, warnings) = of("tags: [1.10, 2.0, no, 0x10, 1e3, 007, 2024-01-05, \"#kiln\"]");
        assert_eq!(warnings, [""; 0]);
        assert_eq!(details.tags, ["1.10", "2.0", "no", "0x10", "1e3", "007", "2024-01-05", "kiln"]);
        let (details, _) = of("images:\n- https://a.example/x.png\nheroImageAlt: A cup\nsummary: 1.10");
        assert_eq!(
            (details.cover.as_str(), details.cover_alt.as_str()),
            ("https://a.example/x.png", "A cup")
        );
        assert_eq!(details.summary, "1.10");
    }

    #[test]
    fn authors_are_texts_or_objects_and_flags_may_be_words() {
        let (details, warnings) =
            of("authors:\n- Ada\n- name: Ben Lee\n  url: https://a.example/\n- {url: x}\nnoindex: \"yes\"");
        assert_eq!(details.authors, ["Ada", "Ben Lee"]);
        assert_eq!(warnings, ["authors: what is no name is left out"]);
        assert!(details.is_noindex && !details.is_featured);
    }

    #[test]
    fn a_value_that_cannot_be_used_is_a_warning() {
        let (details, warnings) = of("cover: images/a.png\ntags: ok\nlanguage: en_US");
        assert_eq!((details.tags, details.cover), (vec!["ok".to_owned()], String::new()));
        assert_eq!(warnings.len(), 2, "{warnings:?}");
    }
}
