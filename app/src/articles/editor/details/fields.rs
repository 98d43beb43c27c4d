//! The fields of the details as texts, as a form sends them.

#[cfg(feature = "ssr")]
use domain::{
    DomainError,
    articles::details::{DetailsEdit, Template, split_tags},
    error::ValidationError,
};
use domain::{article::ArticleAuthor, articles::details::ArticleDetails};
use leptos::prelude::document;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use wasm_bindgen::{JsCast, JsValue};

/// Names of the fields.
pub const NAMES: [&str; 13] = [
    "summary",
    "tags",
    "authors",
    "cover",
    "cover_alt",
    "cover_caption",
    "dated",
    "language",
    "canonical",
    "translation_of",
    "template",
    "featured",
    "noindex",
];
/// Names of the fields that are checkboxes; their value is `on` or absent.
pub const CHECKBOXES: [&str; 2] = ["featured", "noindex"];

/// Values by name; a name that is absent is empty. The template is always there: a form without any
/// value would be sent as no details.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct DetailFields(BTreeMap<String, String>);

impl Default for DetailFields {
    fn default() -> Self {
        Self::of(std::iter::empty())
    }
}

impl From<&ArticleDetails> for DetailFields {
    fn from(details: &ArticleDetails) -> Self {
        let flag = |flag: bool| if flag { "on" } else { "" }.to_owned();
        let values = [
            details.summary.clone(),
            details.tags.join(", "),
            details.authors.join(", "),
            details.cover.clone(),
            details.cover_alt.clone(),
            details.cover_caption.clone(),
            details.dated.clone(),
            details.language.clone(),
            details.canonical.clone(),
            details.translation_of.clone(),
            details.template.as_str().to_owned(),
            flag(details.is_featured),
            flag(details.is_noindex),
        ];
        Self::of(NAMES.into_iter().zip(values))
    }
}

impl DetailFields {
    fn of(values: impl Iterator<Item = (&'static str, String)>) -> Self {
        let given = values.filter(|(_, value)| !value.is_empty());
        let mut all: BTreeMap<_, _> = given.map(|(name, value)| (name.to_owned(), value)).collect();
        all.entry("template".to_owned()).or_insert_with(|| "article".to_owned());
        Self(all)
    }

    /// Returns details with the names of the authors instead of their ids.
    #[must_use]
    pub fn with_names((details, authors): (&ArticleDetails, &[ArticleAuthor])) -> Self {
        let mut fields = Self::from(details);
        let names: Vec<&str> = authors.iter().map(|author| author.typed.as_str()).collect();
        if !names.is_empty() {
            fields.0.insert("authors".to_owned(), names.join(", "));
        }
        fields
    }

    /// Returns the input of a refused form.
    #[must_use]
    pub fn typed(typed: impl Fn(&str) -> String) -> Self {
        Self::of(NAMES.into_iter().map(|name| (name, typed(&form_name(name)))))
    }

    /// Returns the content of the fields on this page; `None`: it has none.
    #[must_use]
    pub fn read() -> Option<Self> {
        let value = |name: &'static str| {
            let field: JsValue = document().get_element_by_id(&element_id(name))?.unchecked_into();
            let property = |of: &str| js_sys::Reflect::get(&field, &of.into()).ok();
            let text = match CHECKBOXES.contains(&name) {
                true => if property("checked")?.is_truthy() { "on" } else { "" }.to_owned(),
                false => property("value")?.as_string()?,
            };
            Some((name, text))
        };
        let values = NAMES.into_iter().map(value).collect::<Option<Vec<_>>>()?;
        Some(Self::of(values.into_iter()))
    }

    /// Sets the content of the fields on this page.
    pub fn show(&self) {
        for name in NAMES {
            let Some(field) = document().get_element_by_id(&element_id(name)) else { continue };
            _ = match CHECKBOXES.contains(&name) {
                true => js_sys::Reflect::set(&field, &"checked".into(), &(self.get(name) == "on").into()),
                false => js_sys::Reflect::set(&field, &"value".into(), &self.get(name).into()),
            };
        }
    }

    /// Returns the value of a field.
    #[must_use]
    pub fn get(&self, name: &str) -> &str {
        self.0.get(name).map_or("", String::as_str)
    }

    /// What the closed panel shows: the tags, else the summary.
    #[must_use]
    pub fn summary_line(&self) -> String {
        let line = if self.get("tags").is_empty() { self.get("summary") } else { self.get("tags") };
        line.chars().take(80).collect()
    }

    /// Returns the change of all details.
    #[cfg(feature = "ssr")]
    pub fn edit(&self) -> Result<DetailsEdit, DomainError> {
        let text = |name: &str| Some(self.get(name).to_owned());
        let flag = |name: &str| Some(!self.get(name).is_empty());
        let template = match self.get("template") {
            "" => Template::Article,
            word => word.parse().map_err(|_| {
                let words = Template::NAMES.join(", ");
                DomainError::invalid("template", ValidationError::NotOneOf { words })
            })?,
        };
        Ok(DetailsEdit {
            summary: text("summary"),
            tags: Some(split_tags(self.get("tags"))),
            authors: Some(split_tags(self.get("authors"))),
            cover: text("cover"),
            cover_alt: text("cover_alt"),
            cover_caption: text("cover_caption"),
            language: text("language"),
            canonical: text("canonical"),
            translation_of: text("translation_of"),
            is_noindex: flag("noindex"),
            is_featured: flag("featured"),
            dated: text("dated"),
            template: Some(template),
        })
    }
}

/// Name of a field in the form.
pub fn form_name(name: &str) -> String {
    format!("details[{name}]")
}

/// Id of the element of a field.
pub fn element_id(name: &str) -> String {
    format!("details-{name}")
}

#[cfg(all(test, feature = "ssr"))]
mod tests {
    use super::*;

    #[test]
    fn details_survive_the_form() {
        let details = ArticleDetails {
            summary: "About".to_owned(),
            tags: vec!["a".to_owned(), "b c".to_owned()],
            is_featured: true,
            template: Template::Page,
            ..ArticleDetails::default()
        };
        let fields = DetailFields::from(&details);
        assert_eq!(fields.edit().unwrap().apply(ArticleDetails::default()), details);
        assert_eq!(fields.summary_line(), "a, b c");
    }
}
