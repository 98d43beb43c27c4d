//! One file: found, read, taken apart, checked.

use super::{
    date,
    matter::{self, Matter, Said},
    problem::Problem,
};
use crate::text::{slug, words};
use chrono_tz::Tz;
use comrak::{
    Arena, Options,
    nodes::{AstNode, NodeValue},
};
use domain::{Timestamp, limit};
use sha2::{Digest as _, Sha256};
use std::path::{Path, PathBuf};

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
    /// Its text, Markdown.
    pub body: String,
    /// Words in it.
    pub words: u32,
    /// When it is or was published, as the file says.
    pub date: Option<Timestamp>,
    /// Whether the file says that it is not to be published.
    pub is_draft: bool,
    /// Pictures it shows that are not there, with their lines.
    pub missing: Vec<Problem>,
}

/// All Markdown files below a folder, in the order of their paths; and what could not be looked into.
pub fn find(folder: &Path) -> (Vec<PathBuf>, Vec<(PathBuf, String)>) {
    let (mut files, mut unseen) = (Vec::new(), Vec::new());
    for entry in walkdir::WalkDir::new(folder).follow_links(false).sort_by_file_name() {
        match entry {
            Ok(entry) if is_markdown(entry.path()) && entry.path().is_file() => files.push(entry.into_path()),
            Ok(_) => {}
            Err(error) => {
                let path = error.path().unwrap_or(folder).to_path_buf();
                unseen.push((path, error.to_string()));
            }
        }
    }
    (files, unseen)
}

fn is_markdown(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("md"))
}

/// The path below the folder, with `/`; what cannot be read of a name is replaced.
#[must_use]
pub fn below(folder: &Path, path: &Path) -> String {
    let rest = path.strip_prefix(folder).unwrap_or(path);
    rest.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

/// Reads one file; wall times in it are times of `zone`.
pub fn read(folder: &Path, path: &Path, zone: Tz) -> Result<File, Problem> {
    if path.to_str().is_none() {
        return Err(Problem::at(1, "its name is not UTF-8"));
    }
    let bytes = std::fs::read(path).map_err(|why| Problem::at(1, format!("it cannot be read: {why}")))?;
    let text = clean(&bytes)?;
    let parted = matter::part(&text)?;
    let name = below(folder, path);
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let arena = Arena::new();
    let tree = comrak::parse_document(&arena, parted.body, &Options::default());
    let title = title(&parted.matter, tree, &stem);
    let file = File {
        hash: Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect(),
        slug: wanted_slug(&parted.matter, &stem)?,
        date: when(&parted.matter, &stem, zone)?,
        words: words::count(parted.body),
        is_draft: parted.matter.is_draft,
        missing: missing(tree, folder, path, parted.body_line),
        body: parted.body.to_owned(),
        title: title.text.clone(),
        path: name,
    };
    check(&file, &title, parted.body_line)?;
    Ok(file)
}

/// The file as text: UTF-8 without a byte order mark, lines ending with `\n`.
fn clean(bytes: &[u8]) -> Result<String, Problem> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let line_at = |place: usize| bytes[..place].iter().filter(|byte| **byte == b'\n').count() + 1;
    let text = std::str::from_utf8(bytes).map_err(|error| {
        Problem::at(line_at(error.valid_up_to()), "it is not UTF-8; save it in that encoding")
    })?;
    if let Some(place) = text.find('\0') {
        return Err(Problem::at(line_at(place), "it holds a NUL character; it is not a text"));
    }
    Ok(text.replace("\r\n", "\n"))
}

fn title<'a>(matter: &Matter, tree: &'a AstNode<'a>, stem: &str) -> Said {
    let heading = || {
        let node =
            tree.descendants().find(|node| matches!(node.data.borrow().value, NodeValue::Heading(_)))?;
        let text = node.descendants().filter_map(words_of).collect::<String>();
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let line = node.data.borrow().sourcepos.start.line;
        Some(Said { text, line }).filter(|said| !said.text.is_empty())
    };
    matter.title.clone().or_else(heading).unwrap_or_else(|| Said { text: stem.to_owned(), line: 1 })
}

/// What a piece of a heading reads like.
fn words_of<'a>(node: &'a AstNode<'a>) -> Option<String> {
    match &node.data.borrow().value {
        NodeValue::Text(text) => Some(text.to_string()),
        NodeValue::Code(code) => Some(code.literal.clone()),
        NodeValue::SoftBreak | NodeValue::LineBreak => Some(" ".to_owned()),
        _ => None,
    }
}

fn wanted_slug(matter: &Matter, stem: &str) -> Result<String, Problem> {
    if let Some(said) = &matter.slug {
        let slug = slug::of(&said.text);
        let nothing = || Problem::at(said.line, format!("the slug {:?} has no letter or digit", said.text));
        return if slug.is_empty() { Err(nothing()) } else { Ok(slug) };
    }
    let name = date::of_file(stem).map_or(stem, |(_, name)| name);
    let slug = slug::of(name);
    Ok(if slug.is_empty() { "article".to_owned() } else { slug })
}

/// When the file says it is or was published: its `date`, else the day in its `path`, else the day in its name.
fn when(matter: &Matter, stem: &str, zone: Tz) -> Result<Option<Timestamp>, Problem> {
    let (text, line) = match (&matter.date, matter.path.as_ref()) {
        (Some(said), _) => (said.text.as_str(), said.line),
        (None, Some(said)) if date::of_path(&said.text).is_some() => {
            (date::of_path(&said.text).unwrap_or_default(), said.line)
        }
        _ => match date::of_file(stem) {
            Some((day, _)) => (day, 1),
            None => return Ok(None),
        },
    };
    let at = date::moment(text, zone).ok_or_else(|| {
        Problem::at(line, format!("{text:?} is not a date; write it like 2026-06-09 09:00"))
    })?;
    // Articles of the last century are welcome; what the desk would have to plan must be plannable.
    let is_thinkable = at <= Timestamp::LAST && at.utc().timestamp() >= -2_208_988_800;
    if is_thinkable {
        Ok(Some(at))
    } else {
        Err(Problem::at(line, format!("the date {text} is not between the years 1900 and 2199")))
    }
}

/// The desk's own limits, with the line that breaks them.
fn check(file: &File, title: &Said, body_line: usize) -> Result<(), Problem> {
    if file.title.chars().count() > limit::TITLE_CHARS {
        return Err(Problem::at(
            title.line,
            format!("the title is longer than {} characters", limit::TITLE_CHARS),
        ));
    }
    if file.title.chars().any(char::is_control) {
        return Err(Problem::at(title.line, "the title holds characters that are not allowed"));
    }
    if file.body.len() > limit::BODY_BYTES {
        return Err(Problem::at(body_line, format!("the text is larger than {} bytes", limit::BODY_BYTES)));
    }
    Ok(())
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
