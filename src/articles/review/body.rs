//! Word lists and hits as the API shows them.

use crate::http::api::extract::word;
use domain::{
    DomainError, Timestamp, Version,
    review::{
        Action, FoundTerm, FoundTerms, ListLanguage, Term, WordList, WordListEdit, WordListRow,
        WordListSettings,
    },
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// A term: a text, or an object with more.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(untagged, expecting = "must be a text, or an object with the text as `term`")]
pub enum TermBody {
    /// A word or a phrase.
    Text(String),
    /// A term with exceptions, a replacement, or a regular expression.
    Full(FullTermBody),
}

/// A term with exceptions, a replacement, or a regular expression.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FullTermBody {
    /// A word or a phrase; letters of scripts with spaces at its ends stand at the ends of words, unless `*`
    /// is there. Or a regular expression.
    #[schema(max_length = 1000)]
    term: String,
    /// Longer phrases in which it is no hit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(max_items = 50)]
    exceptions: Vec<String>,
    /// What replaces it; required if the list replaces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 200)]
    replacement: Option<String>,
    /// Whether it is a regular expression, searched in the lowercase text.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_pattern: bool,
}

impl From<TermBody> for Term {
    fn from(body: TermBody) -> Self {
        match body {
            TermBody::Text(term) => Self { term, ..Self::default() },
            TermBody::Full(FullTermBody { term, exceptions, replacement, is_pattern }) => {
                Self { term, exceptions, replacement, is_pattern }
            }
        }
    }
}

impl From<Term> for TermBody {
    fn from(term: Term) -> Self {
        let is_plain = term.exceptions.is_empty() && term.replacement.is_none() && !term.is_pattern;
        let Term { term, exceptions, replacement, is_pattern } = term;
        if is_plain {
            Self::Text(term)
        } else {
            Self::Full(FullTermBody { term, exceptions, replacement, is_pattern })
        }
    }
}

/// A new word list.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewWordListBody {
    /// Unique name.
    #[schema(max_length = 100)]
    name: String,
    /// `any` (if absent), `en` or `zh`; a label.
    language: Option<String>,
    /// `block`, `needs_approval`, `flag` or `replace`.
    action: String,
    /// Its terms, at most 100,000 and 5 MB.
    #[serde(default)]
    terms: Vec<TermBody>,
}

impl NewWordListBody {
    pub(super) fn read(self) -> Result<(WordListSettings, Vec<Term>), DomainError> {
        let language = self.language.as_deref().unwrap_or("any");
        let settings = WordListSettings {
            language: word("language", language, ListLanguage::NAMES)?,
            action: word("action", &self.action, Action::NAMES)?,
            name: self.name,
        };
        Ok((settings, self.terms.into_iter().map(Term::from).collect()))
    }
}

/// A change of a word list; what is absent stays.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WordListEditBody {
    /// Unique name.
    #[schema(max_length = 100)]
    name: Option<String>,
    /// `any`, `en` or `zh`; a label.
    language: Option<String>,
    /// `block`, `needs_approval`, `flag` or `replace`.
    action: Option<String>,
    /// `version` of the list that the caller saw; a different current one is a conflict. Absent: any.
    pub(super) seen_version: Option<i32>,
}

impl WordListEditBody {
    pub(super) fn read(self) -> Result<WordListEdit, DomainError> {
        let language = self.language.map(|name| word("language", &name, ListLanguage::NAMES)).transpose()?;
        let action = self.action.map(|name| word("action", &name, Action::NAMES)).transpose()?;
        Ok(WordListEdit { name: self.name, language, action })
    }
}

/// The terms of a word list.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TermsBody {
    /// All its terms, at most 100,000 and 5 MB.
    pub(super) terms: Vec<TermBody>,
    /// `version` of the list that the caller saw; a different current one is a conflict. Absent: any.
    pub(super) seen_version: Option<i32>,
}

/// Converts a version as sent by the caller.
pub(super) fn seen(version: Option<i32>) -> Option<Version> {
    version.map(Version)
}

/// A word list without its terms.
#[derive(Debug, Serialize, ToSchema)]
pub struct WordListBody {
    /// Id of the list.
    #[schema(value_type = String, format = Uuid)]
    id: Uuid,
    /// Its name.
    name: String,
    /// `any`, `en` or `zh`.
    language: &'static str,
    /// `block`, `needs_approval`, `flag` or `replace`.
    action: &'static str,
    /// Number of its terms.
    term_count: u64,
    /// Incremented by every change; send it back as `seen_version`.
    version: i32,
    /// When it was changed.
    #[schema(value_type = String, format = DateTime)]
    changed_at: Timestamp,
}

impl From<WordListRow> for WordListBody {
    fn from(row: WordListRow) -> Self {
        Self {
            id: row.id.0,
            name: row.settings.name,
            language: row.settings.language.as_str(),
            action: row.settings.action.as_str(),
            term_count: row.terms,
            version: row.version.0,
            changed_at: row.changed_at.at,
        }
    }
}

/// A word list with its terms.
#[derive(Debug, Serialize, ToSchema)]
pub struct FullWordListBody {
    #[serde(flatten)]
    list: WordListBody,
    /// Its terms, as entered.
    terms: Vec<TermBody>,
}

impl From<WordList> for FullWordListBody {
    fn from(list: WordList) -> Self {
        Self { list: list.row.into(), terms: list.terms.into_iter().map(TermBody::from).collect() }
    }
}

/// All word lists.
#[derive(Debug, Serialize, ToSchema)]
pub struct WordListPage {
    /// The lists, by name.
    pub(super) items: Vec<WordListBody>,
}

/// A text to check.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CheckBody {
    /// The title.
    #[schema(max_length = 300)]
    pub(super) title: Option<String>,
    /// The summary.
    #[schema(max_length = 2000)]
    pub(super) summary: Option<String>,
    /// Markdown, at most 500,000 bytes.
    pub(super) text: String,
}

/// Result of a check.
#[derive(Debug, Serialize, ToSchema)]
pub struct CheckedBody {
    /// `clean`, `flag`, `needs_approval` or `block`: the strictest action of all hits; `flag` also if
    /// terms are only replaced.
    verdict: &'static str,
    /// Hits by field and place, at most 1,000.
    hits: Vec<HitBody>,
    /// Number of all hits.
    hit_count: usize,
    /// The text with replacements; null: nothing is replaced in it.
    replaced: Option<String>,
    /// The title with replacements; null: nothing is replaced in it.
    replaced_title: Option<String>,
}

/// A term in a text.
#[derive(Debug, Serialize, ToSchema)]
pub struct HitBody {
    /// The term as it is in the list.
    term: String,
    /// Id of its list.
    #[schema(value_type = String, format = Uuid)]
    list_id: Uuid,
    /// `block`, `needs_approval`, `flag` or `replace`.
    action: &'static str,
    /// `title`, `summary` or `text`.
    field: &'static str,
    /// Begin in the source of the field, in characters (Unicode code points).
    start: usize,
    /// End in the source of the field, in characters.
    end: usize,
    /// What replaces it; null: nothing.
    replacement: Option<String>,
}

impl From<FoundTerms> for CheckedBody {
    fn from(found: FoundTerms) -> Self {
        Self {
            verdict: found.verdict.as_str(),
            hits: found.hits.into_iter().map(HitBody::from).collect(),
            hit_count: found.count,
            replaced: found.replaced,
            replaced_title: found.replaced_title,
        }
    }
}

impl From<FoundTerm> for HitBody {
    fn from(hit: FoundTerm) -> Self {
        Self {
            term: hit.term,
            list_id: hit.list.0,
            action: hit.action.as_str(),
            field: hit.field.as_str(),
            start: hit.start,
            end: hit.end,
            replacement: hit.replacement,
        }
    }
}
