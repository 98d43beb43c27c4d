//! Finds the Markdown files below a folder, and reports which files are refused or left out.

use super::{front_matter, hold, problem::Problem, source};
use crate::files::manifest::{MANIFEST, MEDIA, REVISIONS};
use std::{
    cell::RefCell,
    collections::{BTreeMap, HashMap, HashSet},
    fs::{self, FileType},
    path::{Path, PathBuf},
};
use unicode_normalization::UnicodeNormalization as _;

/// File extensions of Markdown, in any case.
const MARKDOWN: [&str; 4] = ["md", "markdown", "mdown", "mkd"];
/// Names of folders whose files are drafts, in any case.
const DRAFT_FOLDERS: [&str; 6] = ["_drafts", "_draft", "drafts", "_private", "_unpublished", "_embargo"];
/// Maximum number of names that the report lists for each kind of files left out.
const MAX_REPORTED_NAMES: usize = 10;

/// Result of a search.
#[derive(Debug, Default)]
pub struct Found {
    /// Files to import, ordered by path.
    pub files: Vec<Entry>,
    /// Files that look like articles but cannot be imported, with their paths below the folder.
    pub refused: Vec<(String, Problem)>,
    /// Files that are not articles, by kind.
    pub left_out: BTreeMap<String, LeftOut>,
}

/// A file to import.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Path of the file.
    pub path: PathBuf,
    /// Path below the folder, with `/`, in NFC. It identifies the article.
    pub name: String,
    /// Why one of its folders is marked as not public.
    pub held: Option<Problem>,
}

/// Files of one kind that are left out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Number of files.
    pub count: usize,
    /// The first names.
    pub names: Vec<String>,
}

/// Searches a folder. Links in it are not followed; the folder itself may be a link.
pub fn find(folder: &Path) -> Found {
    let (mut found, hidden) = (Found::default(), RefCell::new(Vec::new()));
    let mut held = HashMap::new();
    let walk = walkdir::WalkDir::new(folder).follow_links(false).sort_by_file_name().into_iter();
    let is_export = folder.join(MANIFEST).is_file();
    let is_shown = |entry: &walkdir::DirEntry| {
        // They are read by what the manifest and the articles say.
        if is_export && entry.depth() == 1 && is_part_of_export(entry) {
            return false;
        }
        let is_shown = entry.depth() == 0 || !is_hidden(entry.path());
        if !is_shown {
            hidden.borrow_mut().push(relative_path(folder, entry.path()));
        }
        is_shown
    };
    for entry in walk.filter_entry(is_shown) {
        match entry {
            Ok(entry) if entry.file_type().is_dir() => {
                let why =
                    hold_of_parent(&held, entry.path()).or_else(|| hold_of_folder(folder, entry.path()));
                if let Some(why) = why {
                    held.insert(entry.into_path(), why);
                }
            }
            Ok(entry) => {
                found.add(folder, entry.path(), entry.file_type(), hold_of_parent(&held, entry.path()))
            }
            Err(error) => {
                let path = error.path().unwrap_or(folder);
                found.refused.push((
                    relative_path(folder, path),
                    Problem::at(1, format!("it cannot be read: {error}")),
                ));
            }
        }
    }
    for name in hidden.into_inner() {
        found.leave_out("hidden files and folders".to_owned(), name);
    }
    if is_export {
        found.leave_out_revisions(folder);
    }
    found
}

impl Found {
    fn add(&mut self, folder: &Path, path: &Path, kind: FileType, held: Option<Problem>) {
        let name = relative_path(folder, path);
        if !kind.is_file() && may_be_intended(path) {
            let what = if kind.is_symlink() { "a link" } else { "not a regular file" };
            let why = format!(
                "it is {what}; only regular files below the folder are read: put a copy in its place"
            );
            self.refused.push((name, Problem::at(1, why)));
        } else if kind.is_file() && is_markdown(path) && !is_section(path) {
            let held = held.or_else(|| hold_of_name(path));
            self.files.push(Entry { path: path.to_path_buf(), name, held });
        } else {
            self.leave_out(kind_of(path), name);
        }
    }

    /// Names the revisions whose articles the export does not have.
    fn leave_out_revisions(&mut self, folder: &Path) {
        let entries = fs::read_dir(folder.join(REVISIONS)).into_iter().flatten().flatten();
        let mut names: Vec<String> = entries.map(|entry| relative_path(folder, &entry.path())).collect();
        names.sort_unstable();
        let articles: HashSet<String> = self.files.iter().map(|file| file.name.clone()).collect();
        let article = |name: &str| {
            let stem = name.strip_prefix(REVISIONS)?.strip_suffix(".jsonl")?;
            Some(format!("articles{stem}.md"))
        };
        for name in names {
            if article(&name).is_none_or(|article| !articles.contains(&article)) {
                self.leave_out("revisions without an article".to_owned(), name);
            }
        }
    }

    fn leave_out(&mut self, kind: String, name: String) {
        let left_out = self.left_out.entry(kind).or_default();
        left_out.count += 1;
        if left_out.names.len() < MAX_REPORTED_NAMES {
            left_out.names.push(name);
        }
    }
}

/// Whether an export has it besides its articles.
fn is_part_of_export(entry: &walkdir::DirEntry) -> bool {
    let name = entry.file_name().to_str().unwrap_or_default();
    name == MANIFEST || (entry.file_type().is_dir() && [MEDIA, REVISIONS].contains(&name))
}

/// Returns why the folder of a path is marked as not public.
fn hold_of_parent(held: &HashMap<PathBuf, Problem>, path: &Path) -> Option<Problem> {
    held.get(path.parent()?).cloned()
}

/// Returns why a folder is marked as not public: by its name, or by its `_index` page.
fn hold_of_folder(root: &Path, folder: &Path) -> Option<Problem> {
    let name = folder.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
    if folder != root && DRAFT_FOLDERS.contains(&name.as_str()) {
        return Some(Problem::at(1, format!("it is in a folder {name}")));
    }
    let pages = MARKDOWN.map(|ending| folder.join(format!("_index.{ending}")));
    let page = pages.into_iter().find(|page| page.symlink_metadata().is_ok())?;
    let at = relative_path(root, &page);
    let held = source::read(root, &page).and_then(|text| {
        let split = front_matter::split(&text.text)?;
        hold::of_folder(&split.values)
    });
    match held {
        Ok(held) => held.map(|held| Problem::at(1, format!("{at}, line {}: {}", held.line, held.why))),
        Err(problem) => Some(Problem::at(
            1,
            format!("{at}, line {}, cannot be understood: {}", problem.line, problem.why),
        )),
    }
}

/// Returns why the name of a file marks it as not public: many generators leave such files out.
fn hold_of_name(path: &Path) -> Option<Problem> {
    let is_marked = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"_"));
    is_marked.then(|| Problem::at(1, "its name begins with _"))
}

/// Whether a link or device may be intended as an article or a folder.
fn may_be_intended(path: &Path) -> bool {
    is_markdown(path) || path.extension().is_none() || path.metadata().is_ok_and(|target| target.is_dir())
}

/// Whether it is Markdown by its name.
pub fn is_markdown(path: &Path) -> bool {
    path.extension().is_some_and(|ending| MARKDOWN.iter().any(|known| ending.eq_ignore_ascii_case(known)))
}

/// Whether it is the page of a section in Hugo or Zola, which is not an article.
fn is_section(path: &Path) -> bool {
    path.file_stem().is_some_and(|stem| stem == "_index" || stem.to_string_lossy().starts_with("_index."))
}

fn is_hidden(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
}

/// Returns the name of the kind of a file in the report.
fn kind_of(path: &Path) -> String {
    if is_markdown(path) {
        return "pages of folders (_index)".to_owned();
    }
    match path.extension() {
        Some(ending) => format!(".{}", ending.to_string_lossy().to_lowercase()),
        None => "files without an ending".to_owned(),
    }
}

/// Returns the path below the folder, with `/`, in NFC: file systems store the same name in several
/// forms. Invalid characters are replaced.
#[must_use]
pub fn relative_path(folder: &Path, path: &Path) -> String {
    let rest = path.strip_prefix(folder).unwrap_or(path);
    let name = rest.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/");
    name.nfc().collect()
}
