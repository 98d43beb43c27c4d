//! A post of another system, and the article that it becomes.

use super::html::{self, Reading};
use crate::{
    articles::checked_details,
    imports::importer::{
        Problem,
        date::ParsedDate,
        file::{File, Shown},
    },
    text::{
        input,
        render::{self, Budget},
        slug, words,
    },
};
use domain::{
    DomainError, Timestamp,
    articles::details::{ArticleDetails, MAX_SUMMARY_CHARS, MAX_TAGS, TAG_SEPARATORS, Template},
    input_limits::MAX_SLUG_CHARS,
    text::slice_text,
};
use std::collections::{BTreeMap, BTreeSet};
use url::Url;

/// Maximum number of previous slugs of a post.
const MAX_FORMER_SLUGS: usize = 20;

/// A post or page of another system.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Post {
    /// Identifies it for every later import.
    pub id: String,
    /// Hash of everything that the import reads of it.
    pub hash: String,
    /// Title; may be empty.
    pub title: String,
    /// Slug; may be empty.
    pub slug: String,
    /// Earlier slugs.
    pub former_slugs: Vec<String>,
    /// HTML of its text.
    pub html: String,
    /// Whether blank lines separate paragraphs.
    pub keeps_lines: bool,
    /// Its address.
    pub base: Option<Url>,
    /// Why it is not public; `None`: it is, from its date on.
    pub held: Option<String>,
    /// Publication time.
    pub date: Option<Timestamp>,
    /// Time of the last change.
    pub updated: Option<Timestamp>,
    /// Name of its author.
    pub author: String,
    /// Summary as plain text.
    pub summary: String,
    /// Tags and categories.
    pub tags: Vec<String>,
    /// Address of the cover; empty: none.
    pub cover: String,
    /// Alternative text of the cover.
    pub cover_alt: String,
    /// Caption of the cover.
    pub cover_caption: String,
    /// Address of the original.
    pub canonical: String,
    /// Whether it is a page such as "About".
    pub is_page: bool,
    /// Whether it is shown first.
    pub is_featured: bool,
    /// Warnings about it.
    pub warnings: Vec<String>,
}

/// When strangers see a post in the other system, unless it is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Timing {
    /// They see it already.
    Public,
    /// From its date on. With the time zone of that date, if the user gave it.
    Scheduled(Option<&'static str>),
}

impl Timing {
    /// Says in a file when strangers see it.
    pub fn apply(self, file: &mut File) {
        let zone = match self {
            Self::Public => {
                file.shown = Shown::Public;
                None
            }
            Self::Scheduled(zone) => {
                file.shown = Shown::FromDate;
                zone
            }
        };
        if let Some(date) = &mut file.date {
            date.zone = zone;
        }
    }
}

impl Post {
    /// Says that parts of it are not for everyone, so that it becomes a draft without them.
    pub fn hold_gated(&mut self, left_out: &[String]) {
        if left_out.is_empty() {
            return;
        }
        let names = left_out.join(", ");
        self.held.get_or_insert_with(|| format!("a part of it is not for everyone: {names}"));
        self.warnings.push(format!("left out of the text, because it is not for everyone: {names}"));
    }

    /// Returns the addresses of its pictures.
    #[must_use]
    pub fn pictures(&self, budget: &Budget) -> BTreeSet<String> {
        let mut found = html::pictures(&self.html, self.base.as_ref(), budget);
        if !self.cover.is_empty() {
            found.insert(self.cover.clone());
        }
        found
    }

    /// Returns the file of an article that was imported before and has not changed since.
    #[must_use]
    pub fn unchanged(self) -> File {
        let held = self.held.map(|why| Problem::at(0, why));
        let date = self.date.map(|at| ParsedDate { at, zone: None });
        File { held, date, ..empty_file(self.id, self.hash) }
    }

    /// Converts it. `pictures`: the paths that replace addresses of pictures.
    pub fn into_file(self, pictures: BTreeMap<String, String>, budget: &Budget) -> Result<File, Problem> {
        let cover = pictures.get(&self.cover).cloned().unwrap_or_else(|| self.cover.clone());
        let reading = Reading { keeps_lines: self.keeps_lines, base: self.base.clone(), pictures };
        let converted = html::to_markdown(&self.html, &reading, budget)
            .map_err(|limit| Problem::at(0, limit.to_string()))?;
        let mut body: String = converted.markdown;
        body.retain(|letter| !letter.is_control() || matches!(letter, '\n' | '\t'));
        let wrong = |problem: domain::error::ValidationError| Problem::at(0, format!("the text {problem}"));
        let body = input::body(&body).map_err(wrong)?;
        render::check(&body).map_err(|limit| wrong(limit.into()))?;
        let title = self.title.split_whitespace().collect::<Vec<_>>().join(" ");
        let title = if title.is_empty() { "Untitled".to_owned() } else { title };
        let title = input::title(&title).map_err(|problem| Problem::at(0, format!("the title {problem}")))?;
        let mut warnings: Vec<Problem> =
            self.warnings.iter().map(|why| Problem::at(0, why.as_str())).collect();
        if !converted.left_out.is_empty() {
            let names = converted.left_out.into_iter().collect::<Vec<_>>().join(", ");
            warnings.push(Problem::at(0, format!("left out of the text: {names}")));
        }
        let details = self.details(cover, &mut warnings);
        let (slug, former_slugs) = self.slugs(&title);
        Ok(File {
            title,
            is_slug_given: !self.slug.is_empty(),
            slug,
            former_slugs,
            words: words::count(&body),
            body,
            details,
            warnings,
            updated: self.updated,
            date: self.date.map(|at| ParsedDate { at, zone: None }),
            held: self.held.map(|why| Problem::at(0, why)),
            ..empty_file(self.id, self.hash)
        })
    }

    /// Returns the slug, and the slugs that redirect to it.
    fn slugs(&self, title: &str) -> (String, Vec<String>) {
        let given = slug::from_title(&self.slug);
        let slug = if given.is_empty() { slug::from_title(title) } else { given };
        let slug = if slug.is_empty() { "article".to_owned() } else { slug };
        let is_usable = |former: &&String| {
            !former.is_empty()
                && **former != slug
                && former.chars().count() <= MAX_SLUG_CHARS
                && former.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '-' | '_' | '.'))
        };
        let former = self.former_slugs.iter().chain(std::iter::once(&self.slug)).filter(is_usable);
        let former: BTreeSet<String> = former.take(MAX_FORMER_SLUGS).cloned().collect();
        (slug, former.into_iter().collect())
    }

    /// Returns the details. A value that cannot be used is left out, with a warning.
    fn details(&self, cover: String, warnings: &mut Vec<Problem>) -> ArticleDetails {
        let template = if self.is_page { Template::Page } else { Template::Article };
        let mut details =
            ArticleDetails { template, is_featured: self.is_featured, ..ArticleDetails::default() };
        let mut set = |set: &dyn Fn(&mut ArticleDetails)| {
            let mut with = details.clone();
            set(&mut with);
            match checked_details(with) {
                Ok(checked) => details = checked,
                Err(DomainError::Invalid { field, problem }) => {
                    warnings.push(Problem::at(0, format!("{field} is left out: it {problem}")));
                }
                Err(refusal) => warnings.push(Problem::at(0, refusal.to_string())),
            }
        };
        set(&|details| details.summary = cut(&self.summary, MAX_SUMMARY_CHARS));
        set(&|details| details.cover.clone_from(&cover));
        if !cover.is_empty() {
            set(&|details| details.cover_alt.clone_from(&self.cover_alt));
            set(&|details| details.cover_caption.clone_from(&self.cover_caption));
        }
        set(&|details| details.canonical.clone_from(&self.canonical));
        let plain = |tag: &String| tag.replace('/', "-").replace(TAG_SEPARATORS, " ");
        for tag in self.tags.iter().take(MAX_TAGS).map(plain) {
            set(&|details| details.tags.push(tag.clone()));
        }
        if self.tags.len() > MAX_TAGS {
            let why = format!("it has more than {MAX_TAGS} tags and categories; the others are left out");
            warnings.push(Problem::at(0, why));
        }
        details
    }
}

fn empty_file(path: String, hash: String) -> File {
    File {
        path,
        hash,
        title: String::new(),
        slug: String::new(),
        is_slug_given: false,
        former_slugs: Vec::new(),
        body: String::new(),
        details: ArticleDetails::default(),
        cover_file: None,
        words: 0,
        dated: None,
        date: None,
        expires: None,
        updated: None,
        held: None,
        shown: Shown::Public,
        warnings: Vec::new(),
        body_line: 0,
        rendering: None,
        saved: None,
        save: None,
        others: Vec::new(),
    }
}

/// Cuts a text after a word.
fn cut(text: &str, max: usize) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.chars().count() <= max {
        return text;
    }
    let short: String = text.chars().take(max - 1).collect();
    let end = short.rfind(char::is_whitespace).filter(|end| *end > max / 2).unwrap_or(short.len());
    format!("{}…", slice_text(&short, ..end))
}
