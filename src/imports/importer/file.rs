//! Reads, parses and validates one file.

use super::{
    date::{self, ADVICE, ParsedDate},
    find::{self, Entry},
    front_matter::{
        self, aliases, details,
        values::{LocatedText, Values},
    },
    heading, hold,
    problem::Problem,
    source, tags,
};
use crate::{
    files::manifest::{MARK, REVISION_NUMBERS, SavedRevision},
    text::{input, render, slug, words},
    zone::Zone,
};
use comrak::{
    Arena, Options,
    nodes::{AstNode, NodeValue},
};
use domain::{Timestamp, articles::details::ArticleDetails, error};
use std::path::{Path, PathBuf};
use store::{
    import_plan::{ImportedRevision, ImportedSave},
    rendered::Rendering,
};

/// Names of the publish date. Each of them overrides `date`.
const PUBLISH_DATES: [&str; 12] = [
    "publishdate",
    "pubdate",
    "publisheddate",
    "datepublished",
    "publishedat",
    "publishedon",
    "publishat",
    "publishon",
    "publicationdate",
    "releasedate",
    "published",
    "publish",
];
/// Names of the date from which it is no longer public.
const EXPIRY_DATES: [&str; 11] = [
    "expirydate",
    "expirationdate",
    "expiration",
    "expiry",
    "expires",
    "expiresat",
    "expireson",
    "unpublishdate",
    "unpublishat",
    "unpublishon",
    "unpublish",
];
/// Names of the date of its last change.
const UPDATE_DATES: [&str; 11] = [
    "lastmod",
    "lastmodified",
    "lastmodifiedat",
    "modified",
    "modifiedat",
    "datemodified",
    "updated",
    "updatedat",
    "updateddate",
    "lastupdated",
    "dateupdated",
];

/// When strangers see a text where it comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// Unknown: its date decides.
    ByDate,
    /// They see it already, whatever its date is.
    Public,
    /// From its date on, if the other system publishes it then.
    FromDate,
}

/// A file that can be imported.
#[derive(Debug, Clone, PartialEq)]
pub struct File {
    /// Path below the folder, with `/`. It identifies the article.
    pub path: String,
    /// Hash of its bytes.
    pub hash: String,
    /// Title: from the front matter, else the first heading, else the file name.
    pub title: String,
    /// Requested slug; may be taken.
    pub slug: String,
    /// Whether the file or post names its slug.
    pub is_slug_given: bool,
    /// Earlier slugs, which redirect to it.
    pub former_slugs: Vec<String>,
    /// Markdown text, without the heading that is the title.
    pub body: String,
    /// Details in the file, without a date.
    pub details: ArticleDetails,
    /// A cover that is not in the details because it is no address: it may be a file of the import.
    pub cover_file: Option<String>,
    /// Instant of the date in the details.
    pub dated: Option<Timestamp>,
    /// Number of words.
    pub words: u32,
    /// Publish date in the file.
    pub date: Option<ParsedDate>,
    /// Expiry date in the file.
    pub expires: Option<ParsedDate>,
    /// Date of the last change in the file.
    pub updated: Option<Timestamp>,
    /// Why the file or its folder is marked as not public; `None`: it is not.
    pub held: Option<Problem>,
    /// When strangers see it where it comes from.
    pub shown: Shown,
    /// Warnings about the file.
    pub warnings: Vec<Problem>,
    /// Line on which the text begins.
    pub body_line: usize,
    /// Rendering of the text.
    pub rendering: Option<Rendering>,
    /// Who saved the text on the desk of an export, and when; `None`: it is no export.
    pub saved: Option<SavedRevision>,
    /// The same with an account of this desk; `None`: the article is not new.
    pub save: Option<ImportedSave>,
    /// The other revisions that the export has.
    pub others: Vec<ImportedRevision>,
}

/// Reads a file. Local times in it are in `zone`.
pub fn read(folder: &Path, entry: &Entry, zone: Zone) -> Result<File, Problem> {
    let source = source::read(folder, &entry.path)?;
    let split = front_matter::split(&source.text)?;
    let (values, body_line) = (&split.values, split.body_line);
    let body = text_of(split.body, body_line)?;
    let name = name_of(&entry.name);
    let arena = Arena::new();
    let tree = comrak::parse_document(&arena, &body, &Options::default());
    let given = values.written_text("title")?;
    let mut warnings = Vec::new();
    let titled = match given {
        // The text of an export is complete.
        Some(title) if values.text(MARK)?.is_some() => heading::as_given(&title, &body)?,
        given => {
            warnings.extend(references(tree, folder, &entry.path, body_line));
            warnings.extend(tags::find_tags(tree, &body, body_line));
            heading::title_and_body(given, tree, (&body, body_line), name)?
        }
    };
    let details::Found { mut details, warnings: left_out, cover_file } = details::read(values);
    warnings.extend(left_out);
    let dated = date::parse_date(&details.dated, zone).map(|date| date.at);
    if dated.is_none() {
        details.dated = String::new();
    }
    Ok(File {
        cover_file,
        path: entry.name.clone(),
        hash: source.hash,
        slug: requested_slug(values, name)?,
        is_slug_given: values.text("slug")?.is_some(),
        former_slugs: aliases::read(values),
        date: publish_date(values, name, zone)?,
        expires: date_of(values, &EXPIRY_DATES, zone, Pick::First)?,
        updated: date_of(values, &UPDATE_DATES, zone, Pick::Last)?.map(|date| date.at),
        held: hold::of_file(values)?
            .or_else(|| entry.held.clone())
            .or_else(|| hold::of_text(&titled.body, body_line)),
        shown: Shown::ByDate,
        words: words::count(&titled.body),
        title: titled.title,
        details,
        dated,
        body: titled.body,
        warnings,
        body_line,
        rendering: None,
        saved: saved(values),
        save: None,
        others: Vec::new(),
    })
}

/// Returns who saved the text of an export.
fn saved(values: &Values) -> Option<SavedRevision> {
    let entry = values.iter().find(|entry| entry.key == "revision")?;
    let saved: SavedRevision = serde_json::from_value(entry.value.clone()).ok()?;
    Some(saved).filter(|saved| REVISION_NUMBERS.contains(&saved.number))
}

/// Validates the text. An error names the line on which the text begins.
fn text_of(body: &str, line: usize) -> Result<String, Problem> {
    let wrong = |problem: error::ValidationError| Problem::at(line, format!("the text {problem}"));
    let body = input::body(body).map_err(wrong)?;
    render::check(&body).map_err(|limit| wrong(limit.into()))?;
    Ok(body)
}

/// Returns the name of a file without its extension; for an `index` file the name of its folder.
fn name_of(path: &str) -> &str {
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let parent = folder.rsplit('/').next().unwrap_or_default();
    if stem.eq_ignore_ascii_case("index") && !parent.is_empty() { parent } else { stem }
}

fn requested_slug(values: &Values, name: &str) -> Result<String, Problem> {
    if let Some(given) = values.written_text("slug")? {
        // Docusaurus writes a path.
        let name =
            given.text.trim_end_matches('/').rsplit('/').next().filter(|_| given.text.starts_with('/'));
        let slug = slug::from_title(name.unwrap_or(&given.text));
        let nothing = || Problem::at(given.line, format!("the slug {:?} has no letter or digit", given.text));
        return if slug.is_empty() { Err(nothing()) } else { Ok(slug) };
    }
    let name = date::from_file_name(name).map_or(name, |(_, name)| name);
    let slug = slug::from_title(name);
    Ok(if slug.is_empty() { "article".to_owned() } else { slug })
}

/// Returns the publish date: a publish date, else `date`, else the day in `path`, else the day in
/// the file name.
fn publish_date(values: &Values, name: &str, zone: Zone) -> Result<Option<ParsedDate>, Problem> {
    if let Some(at) = date_of(values, &PUBLISH_DATES, zone, Pick::Last)? {
        return Ok(Some(at));
    }
    let date = values.text("date")?;
    let path = values.text("path")?;
    let in_path =
        path.and_then(|path| Some(LocatedText { text: date::from_path(&path.text)?.to_owned(), ..path }));
    let in_name = || date::from_file_name(name).map(|(day, _)| LocatedText { text: day.to_owned(), line: 1 });
    date.or(in_path).or_else(in_name).map(|date| parse(&date, zone)).transpose()
}

/// Which of several dates counts: always the one with the shorter time of publication.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pick {
    First,
    Last,
}

/// Returns the date that counts among those with these names.
fn date_of(values: &Values, names: &[&str], zone: Zone, pick: Pick) -> Result<Option<ParsedDate>, Problem> {
    let mut found: Option<ParsedDate> = None;
    for key in names {
        let Some(date) = values.text(key)? else { continue };
        // Flags are handled in `hold`.
        if hold::is_flag(&date.text) {
            continue;
        }
        let at = parse(&date, zone)?;
        found =
            Some(found.map_or(at, |other| if pick == Pick::Last { other.max(at) } else { other.min(at) }));
    }
    Ok(found)
}

fn parse(date: &LocatedText, zone: Zone) -> Result<ParsedDate, Problem> {
    let text = &date.text;
    let unread =
        || Problem::at(date.line, format!("{text:?} is not a date that can be understood; {ADVICE}"));
    let parsed = date::parse_date(text, zone).ok_or_else(unread)?;
    let at = parsed.at;
    // Dates of the last century are accepted; later ones must be within the range of the scheduler.
    let is_in_range = at <= Timestamp::LATEST && at.utc().timestamp() >= -2_208_988_800;
    if is_in_range {
        Ok(parsed)
    } else {
        Err(Problem::at(date.line, format!("the date {text} is not between the years 1900 and 2199")))
    }
}

/// Returns warnings about images whose files do not exist, and about links to files of the import, whose
/// addresses change.
fn references<'a>(tree: &'a AstNode<'a>, folder: &Path, path: &Path, body_line: usize) -> Vec<Problem> {
    let beside = path.parent().unwrap_or(folder);
    let problem = |node: &'a AstNode<'a>| {
        let data = node.data.borrow();
        let why = match &data.value {
            NodeValue::Image(image) => {
                let (name, file) = file_of(&image.url, beside, folder)?;
                (!file.exists()).then(|| format!("the image {name} does not exist"))
            }
            NodeValue::Link(link) => {
                let (name, file) = file_of(&link.url, beside, folder)?;
                let file = file.canonicalize().ok()?;
                let is_inside = folder.canonicalize().is_ok_and(|folder| file.starts_with(folder));
                (is_inside && file.is_file()).then(|| {
                    if find::is_markdown(&file) {
                        format!("the link {name} leads to a file of this import; give it the address of the article")
                    } else {
                        format!("the file {name}, to which a link leads, is not imported")
                    }
                })
            }
            _ => None,
        };
        Some(Problem::at(data.sourcepos.start.line + body_line - 1, why?))
    };
    tree.descendants().filter_map(problem).collect()
}

/// Returns the name and the path of a file that an address leads to, beside a text or from the root;
/// `None`: the address leads elsewhere.
fn file_of<'u>(address: &'u str, beside: &Path, folder: &Path) -> Option<(&'u str, PathBuf)> {
    let name = address.split(['?', '#']).next().unwrap_or_default();
    let has_scheme = name.split('/').next().is_some_and(|part| part.contains(':'));
    if name.is_empty() || name.starts_with("//") || has_scheme {
        return None;
    }
    Some((name, name.strip_prefix('/').map_or_else(|| beside.join(name), |name| folder.join(name))))
}
