//! One file: read, taken apart, checked.

use super::{
    date::{self, ADVICE},
    find::Entry,
    front, heading, hold,
    problem::Problem,
    source, tags,
    values::{Said, Values},
};
use crate::{
    text::{input, render, slug, words},
    zone::Zone,
};
use comrak::{
    Arena, Options,
    nodes::{AstNode, NodeValue},
};
use domain::{Timestamp, refusal};
use std::path::Path;
use store::rendered::Rendering;

/// Names of the moment from which a file is public; any of them decides over its date.
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
/// Names of the moment from which it is public no more.
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
/// Names of the moment of its last change.
const UPDATE_DATES: [&str; 10] = [
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
];

/// A file that can be taken over.
#[derive(Debug, Clone, PartialEq)]
pub struct File {
    /// Its path below the folder, with `/`: its identity.
    pub path: String,
    /// Hash of its bytes.
    pub hash: String,
    /// Title: front matter, else the first heading, else the file's name.
    pub title: String,
    /// Wanted name in the address; may be taken.
    pub slug: String,
    /// Its text, Markdown, without the heading that is its title.
    pub body: String,
    /// Words in it.
    pub words: u32,
    /// From when it is public, as the file says.
    pub date: Option<Timestamp>,
    /// From when it is public no more, as the file says.
    pub expires: Option<Timestamp>,
    /// When it was changed last, as the file says.
    pub updated: Option<Timestamp>,
    /// Why the file, or its folder, says that it is not to be published.
    pub held: Option<Problem>,
    /// What ought to be looked at.
    pub warnings: Vec<Problem>,
    /// The line its text begins on.
    pub body_line: usize,
    /// Its text as readers will see it.
    pub rendering: Option<Rendering>,
}

/// Reads one file; wall-clock times in it are times of `zone`.
pub fn read(folder: &Path, entry: &Entry, zone: Zone) -> Result<File, Problem> {
    let source = source::read(folder, &entry.path)?;
    let parted = front::part(&source.text)?;
    let (values, body_line) = (&parted.values, parted.body_line);
    let body = text_of(parted.body, body_line)?;
    let name = name_of(&entry.name);
    let arena = Arena::new();
    let tree = comrak::parse_document(&arena, &body, &Options::default());
    let titled = heading::titled(values.text("title")?, tree, (&body, body_line), name)?;
    let mut warnings = missing(tree, folder, &entry.path, body_line);
    warnings.extend(tags::left_in(tree, &body, body_line));
    Ok(File {
        path: entry.name.clone(),
        hash: source.hash,
        slug: wanted_slug(values, name)?,
        date: published(values, name, zone)?,
        expires: latest(values, &EXPIRY_DATES, zone, Pick::First)?,
        updated: latest(values, &UPDATE_DATES, zone, Pick::Last)?,
        held: hold::of_file(values)?.or_else(|| entry.held.clone()),
        words: words::count(&titled.body),
        title: titled.title,
        body: titled.body,
        warnings,
        body_line,
        rendering: None,
    })
}

/// The text as the desk takes it, within the limits of parsing; the line it begins on stands for what is wrong with it.
fn text_of(body: &str, line: usize) -> Result<String, Problem> {
    let wrong = |problem: refusal::Problem| Problem::at(line, format!("the text {problem}"));
    let body = input::body(body).map_err(wrong)?;
    render::check(&body).map_err(|limit| wrong(limit.into()))?;
    Ok(body)
}

/// The name of a file without its ending; of an `index` file, which stands for its folder, that of the folder.
fn name_of(path: &str) -> &str {
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let parent = folder.rsplit('/').next().unwrap_or_default();
    if stem.eq_ignore_ascii_case("index") && !parent.is_empty() { parent } else { stem }
}

fn wanted_slug(values: &Values, name: &str) -> Result<String, Problem> {
    if let Some(said) = values.text("slug")? {
        let slug = slug::of(&said.text);
        let nothing = || Problem::at(said.line, format!("the slug {:?} has no letter or digit", said.text));
        return if slug.is_empty() { Err(nothing()) } else { Ok(slug) };
    }
    let name = date::of_file(name).map_or(name, |(_, name)| name);
    let slug = slug::of(name);
    Ok(if slug.is_empty() { "article".to_owned() } else { slug })
}

/// From when the file says that it is public: its publish date, else its date, else the day in its `path`, else the day in its name.
fn published(values: &Values, name: &str, zone: Zone) -> Result<Option<Timestamp>, Problem> {
    if let Some(at) = latest(values, &PUBLISH_DATES, zone, Pick::Last)? {
        return Ok(Some(at));
    }
    let date = values.text("date")?;
    let path = values.text("path")?;
    let in_path = path.and_then(|said| Some(Said { text: date::of_path(&said.text)?.to_owned(), ..said }));
    let in_name = || date::of_file(name).map(|(day, _)| Said { text: day.to_owned(), line: 1 });
    date.or(in_path).or_else(in_name).map(|said| moment(&said, zone)).transpose()
}

/// Which of several dates counts: always the one that shows the article for a shorter time.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pick {
    First,
    Last,
}

/// The date that counts among those of these names.
fn latest(values: &Values, names: &[&str], zone: Zone, pick: Pick) -> Result<Option<Timestamp>, Problem> {
    let mut found: Option<Timestamp> = None;
    for key in names {
        let Some(said) = values.text(key)? else { continue };
        // Whether a flag holds the file back is decided elsewhere.
        if hold::is_flag(&said.text) {
            continue;
        }
        let at = moment(&said, zone)?;
        found =
            Some(found.map_or(at, |other| if pick == Pick::Last { other.max(at) } else { other.min(at) }));
    }
    Ok(found)
}

fn moment(said: &Said, zone: Zone) -> Result<Timestamp, Problem> {
    let text = &said.text;
    let unread =
        || Problem::at(said.line, format!("{text:?} is not a date that can be understood; {ADVICE}"));
    let at = date::moment(text, zone).ok_or_else(unread)?;
    // Articles of the last century are welcome; what the desk would have to plan must be plannable.
    let is_thinkable = at <= Timestamp::LAST && at.utc().timestamp() >= -2_208_988_800;
    if is_thinkable {
        Ok(at)
    } else {
        Err(Problem::at(said.line, format!("the date {text} is not between the years 1900 and 2199")))
    }
}

/// Pictures of the text that ought to lie beside it and do not.
fn missing<'a>(tree: &'a AstNode<'a>, folder: &Path, path: &Path, body_line: usize) -> Vec<Problem> {
    let beside = path.parent().unwrap_or(folder);
    let absent = |node: &'a AstNode<'a>| {
        let data = node.data.borrow();
        let NodeValue::Image(image) = &data.value else { return None };
        let name = image.url.split(['?', '#']).next().unwrap_or_default();
        if name.is_empty()
            || name.starts_with("//")
            || name.split('/').next().is_some_and(|part| part.contains(':'))
        {
            return None;
        }
        let place = name.strip_prefix('/').map_or_else(|| beside.join(name), |name| folder.join(name));
        let line = data.sourcepos.start.line + body_line - 1;
        (!place.exists()).then(|| Problem::at(line, format!("the picture {name} is not there")))
    };
    tree.descendants().filter_map(absent).collect()
}
