//! What lies below a folder: Markdown to take over, what is refused, and what is left out.

use super::{front, hold, problem::Problem, source};
use std::{
    cell::RefCell,
    collections::{BTreeMap, HashMap},
    fs::FileType,
    path::{Path, PathBuf},
};
use unicode_normalization::UnicodeNormalization as _;

/// Endings of names that are Markdown, in any case.
const MARKDOWN: [&str; 4] = ["md", "markdown", "mdown", "mkd"];
/// Names of folders whose files are drafts, in any case.
const DRAFT_FOLDERS: [&str; 3] = ["_drafts", "_draft", "drafts"];
/// Maximum number of names that the report lists of each kind of what is left out.
const MAX_NAMES: usize = 10;

/// What was found.
#[derive(Debug, Default)]
pub struct Found {
    /// Files to take over, in the order of their paths.
    pub files: Vec<Entry>,
    /// What cannot be taken over although it looks as if it should, with its path below the folder.
    pub refused: Vec<(String, Problem)>,
    /// What is no article, by its kind.
    pub left_out: BTreeMap<String, LeftOut>,
}

/// A file to take over.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Where it lies.
    pub path: PathBuf,
    /// Its path below the folder, with `/`, composed: its identity.
    pub name: String,
    /// Why all below one of its folders is held back.
    pub held: Option<Problem>,
}

/// Files of one kind that are left out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// How many.
    pub count: usize,
    /// The first of them.
    pub names: Vec<String>,
}

/// Looks through a folder. Links in it are not followed; the folder itself may be one.
pub fn find(folder: &Path) -> Found {
    let (mut found, hidden) = (Found::default(), RefCell::new(Vec::new()));
    let mut held = HashMap::new();
    let walk = walkdir::WalkDir::new(folder).follow_links(false).sort_by_file_name().into_iter();
    let is_shown = |entry: &walkdir::DirEntry| {
        let is_shown = entry.depth() == 0 || !is_hidden(entry.path());
        if !is_shown {
            hidden.borrow_mut().push(below(folder, entry.path()));
        }
        is_shown
    };
    for entry in walk.filter_entry(is_shown) {
        match entry {
            Ok(entry) if entry.file_type().is_dir() => {
                let why = above(&held, entry.path()).or_else(|| of_folder(folder, entry.path()));
                if let Some(why) = why {
                    held.insert(entry.into_path(), why);
                }
            }
            Ok(entry) => found.add(folder, entry.path(), entry.file_type(), above(&held, entry.path())),
            Err(error) => {
                let path = error.path().unwrap_or(folder);
                found
                    .refused
                    .push((below(folder, path), Problem::at(1, format!("it cannot be read: {error}"))));
            }
        }
    }
    for name in hidden.into_inner() {
        found.leave_out("hidden files and folders".to_owned(), name);
    }
    found
}

impl Found {
    fn add(&mut self, folder: &Path, path: &Path, kind: FileType, held: Option<Problem>) {
        let name = below(folder, path);
        if !kind.is_file() && may_be_meant(path) {
            let what = if kind.is_symlink() { "a link" } else { "no regular file" };
            let why = format!(
                "it is {what}; only regular files below the folder are read: put a copy in its place"
            );
            self.refused.push((name, Problem::at(1, why)));
        } else if kind.is_file() && is_markdown(path) && !is_section(path) {
            self.files.push(Entry { path: path.to_path_buf(), name, held });
        } else {
            self.leave_out(kind_of(path), name);
        }
    }

    fn leave_out(&mut self, kind: String, name: String) {
        let left_out = self.left_out.entry(kind).or_default();
        left_out.count += 1;
        if left_out.names.len() < MAX_NAMES {
            left_out.names.push(name);
        }
    }
}

/// Why what lies in the folder of a path is held back.
fn above(held: &HashMap<PathBuf, Problem>, path: &Path) -> Option<Problem> {
    held.get(path.parent()?).cloned()
}

/// Why all below a folder is held back: by its name, or by its own page.
fn of_folder(root: &Path, folder: &Path) -> Option<Problem> {
    let name = folder.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
    if folder != root && DRAFT_FOLDERS.contains(&name.as_str()) {
        return Some(Problem::at(1, format!("it lies in a folder {name}")));
    }
    let pages = MARKDOWN.map(|ending| folder.join(format!("_index.{ending}")));
    let page = pages.into_iter().find(|page| page.symlink_metadata().is_ok())?;
    let at = below(root, &page);
    let told = source::read(root, &page).and_then(|text| {
        let parted = front::part(&text.text)?;
        hold::of_folder(&parted.values)
    });
    match told {
        Ok(held) => held.map(|held| Problem::at(1, format!("{at}, line {}: {}", held.line, held.why))),
        Err(problem) => Some(Problem::at(
            1,
            format!("{at}, line {}, cannot be understood: {}", problem.line, problem.why),
        )),
    }
}

/// Whether somebody may have meant a link or a device to be an article, or a folder of them.
fn may_be_meant(path: &Path) -> bool {
    is_markdown(path) || path.extension().is_none() || path.metadata().is_ok_and(|target| target.is_dir())
}

fn is_markdown(path: &Path) -> bool {
    path.extension().is_some_and(|ending| MARKDOWN.iter().any(|known| ending.eq_ignore_ascii_case(known)))
}

/// Whether it is the page of a folder in Hugo and Zola: it lists others and is no article.
fn is_section(path: &Path) -> bool {
    path.file_stem().is_some_and(|stem| stem == "_index" || stem.to_string_lossy().starts_with("_index."))
}

fn is_hidden(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
}

/// What a file that is left out is called in the report.
fn kind_of(path: &Path) -> String {
    if is_markdown(path) {
        return "pages of folders (_index)".to_owned();
    }
    match path.extension() {
        Some(ending) => format!(".{}", ending.to_string_lossy().to_lowercase()),
        None => "files without an ending".to_owned(),
    }
}

/// The path below the folder, with `/`, composed (NFC): file systems keep the same name in several forms. What cannot be read of a
/// name is replaced.
#[must_use]
pub fn below(folder: &Path, path: &Path) -> String {
    let rest = path.strip_prefix(folder).unwrap_or(path);
    let name = rest.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/");
    name.nfc().collect()
}
