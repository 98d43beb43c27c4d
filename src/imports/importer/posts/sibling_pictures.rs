//! Pictures beside Markdown files: stored in the media library, and the text shows them from there.

use super::PictureSource;
use super::pictures::Pictures;
use crate::imports::importer::{
    Import, Importer, Problem, Report, file::File, front_matter::details::COVER_LEFT_OUT,
};
use comrak::{Arena, Options, nodes::NodeValue};
use domain::Actor;
use domain::text::slice_text;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Component, Path, PathBuf},
};

/// Stores the pictures of Markdown files.
pub struct BesidePictures<'s> {
    pictures: Pictures<'s>,
    root: PathBuf,
}

impl<'s> BesidePictures<'s> {
    /// Takes pictures from the folder of the import, and fetches none.
    pub fn new(importer: &'s Importer, actor: &'s Actor, import: &Import) -> Self {
        let source = PictureSource { folder: Some(import.folder.clone()), is_fetching: false };
        Self { pictures: Pictures::new(importer, actor, source), root: import.folder.clone() }
    }

    /// Stores the pictures of a file and replaces their addresses in its text. With `is_dry_run` it only
    /// counts them.
    pub async fn replace(&self, file: &mut File, is_dry_run: bool, report: &mut Report) {
        let found = found(&self.root, file);
        let cover = file.cover_file.take();
        let cover = cover.and_then(|address| name_of(&self.root, &file.path, &address));
        let pictures = found.values().map(|picture| picture.name.clone());
        let names: BTreeSet<String> = pictures.chain(cover.clone()).collect();
        if cover.is_some() {
            file.warnings.retain(|warning| !warning.why.starts_with(COVER_LEFT_OUT));
        }
        if is_dry_run {
            report.pictures += names.len();
            return;
        }
        let stored = self.pictures.store(names).await;
        report.pictures += stored.paths.len();
        for (name, why) in stored.missing {
            let why = format!("the picture {name} is not shown: {why}");
            report.warn(&file.path, Problem::at(file.body_line, why));
        }
        if let Some(path) = cover.and_then(|name| stored.paths.get(&name)) {
            file.details.cover.clone_from(path);
        }
        for (address, picture) in found {
            if let Some(path) = stored.paths.get(&picture.name) {
                // A text with many pictures must not keep a cancelled import running.
                tokio::task::yield_now().await;
                file.body = replaced(&file.body, &address, path, &picture.lines);
            }
        }
    }
}

/// A picture of a text.
struct Picture {
    /// Its path below the folder of the import.
    name: String,
    /// The lines that show it, first and last.
    lines: Vec<(usize, usize)>,
}

/// The pictures of a text that are files of the import, by the address that the text has.
fn found(root: &Path, file: &File) -> BTreeMap<String, Picture> {
    let arena = Arena::new();
    let tree = comrak::parse_document(&arena, &file.body, &Options::default());
    let mut found: BTreeMap<String, Picture> = BTreeMap::new();
    for node in tree.descendants() {
        let data = node.data.borrow();
        let NodeValue::Image(image) = &data.value else { continue };
        let lines = (data.sourcepos.start.line, data.sourcepos.end.line);
        if let Some(picture) = found.get_mut(&image.url) {
            picture.lines.push(lines);
        } else if let Some(name) = name_of(root, &file.path, &image.url) {
            found.insert(image.url.clone(), Picture { name, lines: vec![lines] });
        }
    }
    found
}

/// Returns the path of a picture below the folder, if it is a file there: beside the text, else below the
/// folder itself or its `static` folder, as Hugo and Zola have it.
fn name_of(root: &Path, path: &str, address: &str) -> Option<String> {
    let address = address.split(['?', '#']).next().unwrap_or_default();
    let has_scheme = address.split('/').next().is_some_and(|part| part.contains(':'));
    if address.is_empty() || has_scheme || address.starts_with("//") || address.starts_with("/media/") {
        return None;
    }
    let address = crate::text::percent::decoded(address);
    let beside = Path::new(path).parent().unwrap_or(Path::new(""));
    let candidates = match address.strip_prefix('/') {
        Some(rest) => vec![PathBuf::from(rest), Path::new("static").join(rest)],
        None => vec![beside.join(&address), Path::new("static").join(&address)],
    };
    let mut plain = candidates.iter().filter_map(|candidate| without_dots(candidate));
    plain.find(|name| root.join(name).symlink_metadata().is_ok_and(|data| data.is_file()))
}

/// Resolves `.` and `..`; `None`: the path leads out of the folder.
fn without_dots(path: &Path) -> Option<String> {
    let mut parts = Vec::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => parts.push(name.to_str()?),
            Component::CurDir => {}
            Component::ParentDir => drop(parts.pop()?),
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(parts.join("/"))
}

/// Replaces an address in the pictures of these lines, and where the text defines it by reference.
fn replaced(body: &str, address: &str, path: &str, lines: &[(usize, usize)]) -> String {
    let inline = [format!("](<{address}>"), format!("]({address}")];
    let defined = [format!("]: <{address}>"), format!("]: {address}")];
    let mut all = String::with_capacity(body.len());
    for (number, line) in body.split_inclusive('\n').enumerate() {
        let is_shown = lines.iter().any(|(first, last)| (*first..=*last).contains(&(number + 1)));
        let mut line = line.to_owned();
        for pattern in inline.iter().filter(|_| is_shown) {
            line = replaced_in(&line, pattern, &format!("]({path}"));
        }
        let is_definition = line.trim_start().starts_with('[');
        for pattern in defined.iter().filter(|_| is_definition) {
            line = replaced_in(&line, pattern, &format!("]: {path}"));
        }
        all.push_str(&line);
    }
    all
}

/// Replaces a pattern where the address ends with it.
fn replaced_in(line: &str, pattern: &str, new: &str) -> String {
    let (mut all, mut rest) = (String::with_capacity(line.len()), line);
    while let Some(at) = rest.find(pattern) {
        let (before, after) = (slice_text(rest, ..at), slice_text(rest, at + pattern.len()..));
        let is_end = after.chars().next().is_none_or(|next| next == ')' || next.is_whitespace());
        all.push_str(before);
        all.push_str(if is_end { new } else { pattern });
        rest = after;
    }
    all.push_str(rest);
    all
}

#[cfg(test)]
mod tests {
    use crate::imports::importer::posts::sibling_pictures::*;

    #[test]
    fn addresses_are_replaced_in_pictures_only() {
        let body =
            "![A](a.png) and ![B](<a.png> \"title\")\n`](a.png)`\n![C][c] ![D](a.png.old)\n\n[c]: a.png\n";
        let new = replaced(body, "a.png", "/media/x.png", &[(1, 1), (3, 3)]);
        assert_eq!(
            new,
            "![A](/media/x.png) and ![B](/media/x.png \"title\")\n`](a.png)`\n![C][c] ![D](a.png.old)\n\n[c]: /media/x.png\n"
        );
    }

    #[test]
    fn a_path_never_leads_out_of_the_folder() {
        assert_eq!(without_dots(Path::new("posts/../img/./a.png")).as_deref(), Some("img/a.png"));
        for bad in ["../a.png", "posts/../../a.png", "/a.png"] {
            assert_eq!(without_dots(Path::new(bad)), None, "{bad}");
        }
    }
}
