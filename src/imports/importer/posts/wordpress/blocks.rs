//! Blocks of WordPress: reused ones are put in, text beside blocks keeps its lines, footnotes follow the
//! text, and blocks without a text in the export are named.

use super::reader::Item;
use crate::{
    imports::importer::{
        hold::gate::{self, Comment},
        posts::html::{FOOTNOTE, LINES, MARK, MAX_HTML_BYTES},
    },
    text::html::escape,
};
use serde::Deserialize;
use serde_json::Value;
use std::{
    collections::{BTreeSet, HashMap, HashSet},
    fmt::Write as _,
};

/// Begin of every block.
pub const BLOCK: &str = "<!-- wp:";
/// Maximum size of all reused blocks, bytes.
const MAX_REUSED_BYTES: usize = 20_000_000;
/// Maximum number of reused blocks inside of each other.
const MAX_REUSED_DEPTH: usize = 8;
/// Blocks that have no text anywhere.
const SILENT: [&str; 6] = ["block", "footnotes", "more", "nextpage", "separator", "spacer"];
/// Blocks whose text has blank lines between paragraphs, as text without a block.
const WITH_LINES: [&str; 2] = ["freeform", "shortcode"];

/// Blocks that posts use by their id.
#[derive(Default)]
pub struct Reused {
    texts: HashMap<u64, String>,
    /// Titles of all of them that the export has.
    titles: Vec<(u64, String)>,
    /// Ids that posts show.
    used: HashSet<u64>,
    bytes: usize,
}

impl Reused {
    /// Reads a reused block. One that is not public is never put in.
    pub fn add(&mut self, item: &Item) {
        let Ok(id) = item.text("wp:post_id").parse() else { return };
        let text = item.text("content:encoded");
        self.titles.push((id, item.text("title").to_owned()));
        let has_password = item.texts.get("wp:post_password").is_some_and(|password| !password.is_empty());
        if item.text("wp:status") != "publish" || has_password || self.bytes + text.len() > MAX_REUSED_BYTES {
            return;
        }
        self.bytes += text.len();
        self.texts.insert(id, text.to_owned());
    }

    /// Notes which blocks the text of a post shows.
    pub fn refer(&mut self, text: &str) {
        self.used.extend(shown(text));
    }

    /// Returns the titles of those that no post shows, neither itself nor in another reused block.
    pub fn unused(&self) -> impl Iterator<Item = &str> {
        let (mut used, mut waiting) = (HashSet::new(), self.used.iter().copied().collect::<Vec<_>>());
        while let Some(id) = waiting.pop() {
            if let Some(text) = self.texts.get(&id)
                && used.insert(id)
            {
                waiting.extend(shown(text));
            }
        }
        self.titles.iter().filter(move |(id, _)| !used.contains(id)).map(|(_, title)| title.as_str())
    }
}

/// Returns the ids of the reused blocks that a text shows.
fn shown(text: &str) -> impl Iterator<Item = u64> {
    let comments = text.contains(BLOCK).then(|| gate::comments(text)).into_iter().flatten();
    let found = comments.filter_map(|comment| reference(comment.inside));
    found.filter(|found| !found.is_gated && !found.is_in_comment).map(|found| found.id)
}

/// A text in which reused blocks are put.
pub struct WithReused<'r> {
    reused: &'r Reused,
    open: Vec<u64>,
    bytes: usize,
    /// Ids that the export does not have, or that are not public.
    missing: BTreeSet<u64>,
    /// Ids of those behind the begin of another comment, which browsers may hide.
    in_comments: BTreeSet<u64>,
    has_changes: bool,
    /// What was left out because it is not for everyone.
    pub gated: Vec<String>,
}

impl<'r> WithReused<'r> {
    /// Nothing is put in yet.
    pub fn new(reused: &'r Reused) -> Self {
        let (missing, in_comments) = (BTreeSet::new(), BTreeSet::new());
        Self {
            reused,
            open: Vec::new(),
            bytes: 0,
            missing,
            in_comments,
            has_changes: false,
            gated: Vec::new(),
        }
    }

    /// Returns a text with the blocks that it uses.
    pub fn put_in(&mut self, text: &str) -> String {
        if !text.contains(BLOCK) {
            return text.to_owned();
        }
        let (reused, mut out, mut copied) = (self.reused, String::with_capacity(text.len()), 0);
        for Comment { start, end, inside } in gate::comments(text) {
            let Some(Reference { id, is_gated, is_in_comment, has_changes }) = reference(inside) else {
                continue;
            };
            out.push_str(text.get(copied..start).unwrap_or_default());
            copied = end;
            self.has_changes |= has_changes && !is_in_comment;
            let is_usable =
                !self.open.contains(&id) && self.open.len() < MAX_REUSED_DEPTH && self.bytes < MAX_HTML_BYTES;
            match reused.texts.get(&id) {
                _ if is_gated => self.gated.push("a reused block".to_owned()),
                Some(inner) if ends_outer_block(inner) => {
                    self.gated.push("a reused block that ends a block it does not begin".to_owned());
                }
                _ if is_in_comment => {
                    self.in_comments.insert(id);
                }
                Some(inner) if is_usable => {
                    self.bytes += inner.len();
                    self.open.push(id);
                    let inner = self.put_in(inner);
                    self.open.pop();
                    out.push_str(&inner);
                }
                _ => {
                    self.missing.insert(id);
                }
            }
        }
        out.push_str(text.get(copied..).unwrap_or_default());
        out
    }

    /// Returns warnings about blocks that could not be put in as they are shown.
    pub fn warnings(&self) -> Vec<String> {
        let left_out = |what: &str, ids: &BTreeSet<u64>| {
            let ids = ids.iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
            (!ids.is_empty()).then(|| format!("left out of the text: reused blocks {what}, {ids}"))
        };
        let missing = left_out("that the export does not show", &self.missing);
        let in_comments = left_out("behind the begin of a comment", &self.in_comments);
        let changed = self.has_changes.then(|| {
            "a reused block has its original text; the changes of this post are left out".to_owned()
        });
        missing.into_iter().chain(in_comments).chain(changed).collect()
    }
}

/// Whether a reused block has the end of a block without its beginning. Put into a post, it would end a block of
/// the post, which may be one that only some readers see.
fn ends_outer_block(inner: &str) -> bool {
    let mut open: Vec<&str> = Vec::new();
    for Comment { inside, .. } in gate::comments(inner) {
        let block = gate::block_of(inside);
        if let Some(rest) = block.strip_prefix("/wp:") {
            let ended = rest.split_whitespace().next();
            let Some(place) = open.iter().rposition(|known| Some(*known) == ended) else { return true };
            open.truncate(place);
        } else if let Some(rest) = block.strip_prefix("wp:").filter(|rest| !rest.ends_with('/')) {
            open.push(rest.split_whitespace().next().unwrap_or_default());
        }
    }
    false
}

/// Use of a reused block.
struct Reference {
    id: u64,
    /// Whether only some readers see it.
    is_gated: bool,
    /// Whether it is behind the begin of another comment.
    is_in_comment: bool,
    /// Whether the post changes its text.
    has_changes: bool,
}

/// Reads `wp:block {"ref":5} /`.
fn reference(inside: &str) -> Option<Reference> {
    let block = gate::block_of(inside);
    let settings = block.strip_prefix("wp:block").or_else(|| block.strip_prefix("wp:core/block"))?;
    let settings = settings.strip_prefix(char::is_whitespace)?.trim_end_matches('/').trim();
    let values: Value = serde_json::from_str(settings).ok()?;
    let id = values.get("ref")?.as_u64()?;
    let has_changes = values.get("content").is_some_and(|content| !content.is_null());
    let is_in_comment = block.len() < inside.len();
    Some(Reference { id, is_gated: gate::has_gate_setting(settings), is_in_comment, has_changes })
}

/// A text whose lines outside of blocks are marked, followed by its footnotes.
#[derive(Default)]
pub struct Arranged {
    /// HTML.
    pub html: String,
    /// Warnings about what it lacks.
    pub warnings: Vec<String>,
}

/// A footnote of a post.
#[derive(Deserialize)]
struct Footnote {
    id: String,
    content: String,
}

/// Marks what is outside of blocks and appends the footnotes, which are a field of the post.
pub fn arranged(html: &str, footnotes: &str) -> Arranged {
    if !html.contains(BLOCK) {
        return Arranged { html: html.to_owned(), warnings: Vec::new() };
    }
    let (mut out, mut begin) = (String::with_capacity(html.len() + html.len() / 8), 0);
    let (mut open, mut without_text, mut has_footnotes): (Vec<&str>, _, _) =
        (Vec::new(), BTreeSet::new(), false);
    for Comment { start, end, inside } in gate::comments(html) {
        let inside = gate::block_of(inside);
        let (is_end, block) = match (inside.strip_prefix("/wp:"), inside.strip_prefix("wp:")) {
            (Some(block), _) => (true, block),
            (None, Some(block)) => (false, block),
            (None, None) => continue,
        };
        let name = block.split(|letter: char| letter.is_whitespace()).next().unwrap_or_default();
        let name = name.strip_prefix("core/").unwrap_or(name).trim_end_matches('/');
        if WITH_LINES.contains(&name) {
            continue;
        }
        let was_outside = open.is_empty();
        if is_end {
            if let Some(place) = open.iter().rposition(|known| *known == name) {
                open.truncate(place);
            }
        } else if block.ends_with('/') {
            has_footnotes |= name == "footnotes";
            if !SILENT.contains(&name) {
                without_text.insert(name);
            }
        } else {
            open.push(name);
        }
        let part = html.get(begin..start).unwrap_or_default();
        push(part, was_outside, &mut out);
        out.push_str(html.get(start..end).unwrap_or_default());
        begin = end;
    }
    push(html.get(begin..).unwrap_or_default(), open.is_empty(), &mut out);
    let names = without_text.into_iter().collect::<Vec<_>>().join(", ");
    let without_text =
        (!names.is_empty()).then(|| format!("blocks whose text is not in the export: {names}"));
    let unread = push_footnotes(footnotes, has_footnotes, &mut out);
    Arranged { html: out, warnings: without_text.into_iter().chain(unread).collect() }
}

/// Appends a part of a text. What is outside of blocks has blank lines between paragraphs.
fn push(part: &str, is_outside: bool, out: &mut String) {
    if is_outside && !part.trim().is_empty() {
        let _ = write!(out, "<div {MARK}=\"{LINES}\">{part}</div>");
    } else {
        out.push_str(part);
    }
}

/// Appends the footnotes of a post, if it shows them. Returns a warning about those that are left out.
fn push_footnotes(footnotes: &str, is_shown: bool, out: &mut String) -> Option<String> {
    if footnotes.is_empty() {
        return is_shown.then(|| "its footnotes are not in the export".to_owned());
    }
    match serde_json::from_str::<Vec<Footnote>>(footnotes) {
        Err(_) => Some("its footnotes cannot be read and are left out".to_owned()),
        Ok(all) if all.is_empty() => None,
        Ok(_) if !is_shown => Some("its footnotes are left out, because it does not show them".to_owned()),
        Ok(all) => {
            for Footnote { id, content } in all {
                let id = escape(&id);
                let _ = write!(out, "<div {MARK}=\"{FOOTNOTE}\" data-fn=\"{id}\">{content}</div>");
            }
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_beside_blocks_is_marked_and_blocks_without_text_are_named() {
        let Arranged { html, warnings } = arranged(
            "a\n\nb<!-- wp:columns --><p>c</p><!-- wp:latest-posts /--><p>d</p><!-- /wp:columns -->\n\n<!-- wp:spacer /-->e<!--more-->f",
            "",
        );
        let lines = |text: &str| format!("<div data-presstime=\"lines\">{text}</div>");
        assert!(html.starts_with(&lines("a\n\nb")) && html.ends_with(&lines("e<!--more-->f")), "{html}");
        assert_eq!(html.matches("<div").count(), 2, "{html}");
        assert_eq!(warnings, ["blocks whose text is not in the export: latest-posts"]);
        assert_eq!(arranged("a\n\nb", "[]").html, "a\n\nb");
    }

    #[test]
    fn footnotes_follow_a_text_that_shows_them() {
        let footnotes = "[{\"id\":\"x\",\"content\":\"<em>One</em>\"}]";
        let shown = arranged("<!-- wp:footnotes /-->", footnotes);
        assert!(shown.html.ends_with("data-fn=\"x\"><em>One</em></div>") && shown.warnings.is_empty());
        for (html, footnotes) in [
            ("<!-- wp:spacer /-->", footnotes),
            ("<!-- wp:footnotes /-->", ""),
            ("<!-- wp:footnotes /-->", "{"),
        ] {
            let Arranged { html, warnings } = arranged(html, footnotes);
            assert!(!html.contains("One") && warnings.len() == 1, "{html}: {warnings:?}");
        }
    }

    fn item(id: u64, status: &str, content: &str) -> Item {
        let (number, title) = (id.to_string(), format!("Block {id}"));
        let texts = [
            ("wp:post_id", number.as_str()),
            ("title", title.as_str()),
            ("wp:status", status),
            ("content:encoded", content),
        ]
        .map(|(name, text)| (name.to_owned(), text.to_owned()));
        Item { texts: texts.into(), ..Item::default() }
    }

    #[test]
    fn reused_blocks_are_put_in_never_without_end_and_never_if_they_are_not_public() {
        let mut reused = Reused::default();
        reused.add(&item(1, "publish", "one <!-- wp:block {\"ref\":2} /-->"));
        reused.add(&item(2, "publish", "two <!-- wp:block {\"ref\":1} /-->"));
        reused.add(&item(3, "draft", "SECRET"));
        let read = |text: &str| {
            let mut with = WithReused::new(&reused);
            (with.put_in(text), with.warnings().len(), with.gated.len())
        };
        assert_eq!(read("a <!-- wp:block {\"ref\":1} /--> b"), ("a one two  b".to_owned(), 1, 0));
        assert_eq!(read("<!-- wp:block {\"ref\":3} /-->"), (String::new(), 1, 0));
        assert_eq!(read("<!-- wp:block {\"ref\":1,\"hideBlock\":true} /-->"), (String::new(), 0, 1));
        assert_eq!(read("<!-- wp:blocks {\"ref\":1} /-->").0, "<!-- wp:blocks {\"ref\":1} /-->");
        // One that would open a block of the post to everyone.
        reused.add(&item(4, "publish", "<!-- wp:p --><p>in</p><!-- /wp:p --><!-- /wp:paywall --> out"));
        let read = |text: &str| {
            let mut with = WithReused::new(&reused);
            (with.put_in(text), with.warnings().len(), with.gated.len())
        };
        let post = "<!-- wp:paywall -->a<!-- wp:block {\"ref\":4} /-->SECRET<!-- /wp:paywall -->";
        assert_eq!(read(post), ("<!-- wp:paywall -->aSECRET<!-- /wp:paywall -->".to_owned(), 0, 1));
        // Behind the begin of another comment.
        assert_eq!(read("a<!-- b <!-- wp:block {\"ref\":1} /-->c"), ("ac".to_owned(), 1, 0));
        assert_eq!(read("a<!-- <!-- wp:block {\"ref\":1,\"hideBlock\":true} /-->c"), ("ac".to_owned(), 0, 1));
        let behind = arranged("<!-- <!-- wp:acme/rates /-->", "");
        assert_eq!(behind.warnings, ["blocks whose text is not in the export: acme/rates"]);
    }

    #[test]
    fn reused_blocks_that_no_post_shows_are_named() {
        let mut reused = Reused::default();
        for (id, content) in [
            (1, "<!-- wp:block {\"ref\":2} /-->"),
            (2, "<!-- wp:block {\"ref\":1} /-->"),
            (3, "<!-- wp:block {\"ref\":4} /-->"),
            (4, "<!-- wp:block {\"ref\":3} /-->"),
            (5, "behind the begin of a comment"),
            (6, "for some readers"),
        ] {
            reused.add(&item(id, "publish", content));
        }
        reused.refer(
            "<!-- wp:block {\"ref\":1} /--><!-- <!-- wp:block {\"ref\":5} /-->\
             <!-- wp:block {\"ref\":6,\"hideBlock\":true} /-->",
        );
        assert_eq!(reused.unused().collect::<Vec<_>>(), ["Block 3", "Block 4", "Block 5", "Block 6"]);
    }
}
