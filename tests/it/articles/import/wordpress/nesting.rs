//! Generated posts of WordPress whose blocks are inside of each other: groups, columns, reused blocks that use
//! each other, broken comments and parts for some readers. An article has the words that everyone sees, in their
//! order and nothing else; what it lacks is named.

use super::{file, item, run, words};
use crate::{
    articles::import::{articles, only_public::Rng, put},
    test_server::{Backend, TestServer},
};
use std::collections::{BTreeMap, BTreeSet};

/// Number of exports.
const EXPORTS: usize = 20;
/// Number of posts of an export.
const POSTS: usize = 5;
/// Number of reused blocks of an export.
const REUSED: usize = 6;
/// A text that no reader may see.
const HIDDEN: &str = "HIDDENPART";
const PAST: &str = "2018-09-13 10:00:00";

/// A part of a text.
#[derive(Debug, Clone)]
enum Part {
    /// A word that everyone sees.
    Word(String),
    /// A use of a reused block.
    Reused(usize),
    /// What is left out by this name.
    Named(String),
    /// Parts that only some readers see.
    Gated(Vec<Part>),
}

/// A generator of texts.
struct Writer<'r> {
    rng: &'r mut Rng,
    /// Number of words so far.
    words: usize,
    /// Ids of reused blocks; the export does not have the last one.
    ids: Vec<usize>,
}

impl Writer<'_> {
    fn word(&mut self) -> String {
        self.words += 1;
        format!("w{}x", self.words)
    }

    /// Some blocks, with at most this number of blocks around each other.
    fn blocks(&mut self, depth: usize) -> (String, Vec<Part>) {
        let (mut text, mut parts) = (String::new(), Vec::new());
        for _ in 0..=self.rng.below(3) {
            let (block, mut of_block) = self.block(depth);
            text += &block;
            text.push_str("\n\n");
            parts.append(&mut of_block);
        }
        (text, parts)
    }

    fn block(&mut self, depth: usize) -> (String, Vec<Part>) {
        let kind = self.rng.below(if depth == 0 { 7 } else { 11 });
        let (word, id) = (self.word(), self.rng.of(&self.ids));
        let paragraph = |word: &str| format!("wp:paragraph --><p>{word}</p><!-- /wp:paragraph -->");
        match kind {
            0 => (format!("<!-- {}", paragraph(&word)), vec![Part::Word(word)]),
            1 => (word.clone(), vec![Part::Word(word)]),
            2 => (format!("<!-- wp:block {{\"ref\":{id}}} /-->"), vec![Part::Reused(id)]),
            3 => {
                let text = format!("<!-- {HIDDEN} <!-- wp:block {{\"ref\":{id}}} /-->");
                (text, vec![Part::Named(id.to_string())])
            }
            4 => (format!("<!-- {HIDDEN} <!-- {}", paragraph(&word)), vec![Part::Word(word)]),
            5 => (format!("<!-- wp:acme/{word} /-->"), vec![Part::Named(format!("acme/{word}"))]),
            6 => (self.rng.of(&[format!("<!-- {HIDDEN} -->"), format!("<!--{HIDDEN}--!>")]), Vec::new()),
            7 => {
                let (inner, parts) = self.blocks(depth - 1);
                (
                    format!("<!-- wp:group --><div class=\"wp-block-group\">{inner}</div><!-- /wp:group -->"),
                    parts,
                )
            }
            8 => self.columns(depth),
            _ => {
                let (begin, end) = self.rng.of(&[
                    ("wp:group {\"blockVisibility\":{\"controlSets\":[{\"id\":1}]}}", "wp:group"),
                    ("wp:premium-content/container", "wp:premium-content/container"),
                    ("HIDDENPART <!-- wp:pmpro/membership", "wp:pmpro/membership"),
                ]);
                let (inner, parts) = self.blocks(depth - 1);
                (
                    format!("<!-- {begin} --><div>{inner}{HIDDEN}</div><!-- /{end} -->"),
                    vec![Part::Gated(parts)],
                )
            }
        }
    }

    fn columns(&mut self, depth: usize) -> (String, Vec<Part>) {
        let (mut text, mut parts) = (String::new(), Vec::new());
        for _ in 0..2 {
            let (inner, mut of_column) = self.blocks(depth - 1);
            text +=
                &format!("<!-- wp:column --><div class=\"wp-block-column\">{inner}</div><!-- /wp:column -->");
            parts.append(&mut of_column);
        }
        let text =
            format!("<!-- wp:columns --><div class=\"wp-block-columns\">{text}</div><!-- /wp:columns -->");
        (text, parts)
    }
}

/// What is expected of a post.
#[derive(Debug, Default)]
struct Expected {
    words: Vec<String>,
    named: BTreeSet<String>,
    used: BTreeSet<usize>,
    is_gated: bool,
}

impl Expected {
    /// Adds parts of a text. `reused`: the public reused blocks; `open`: those around the parts.
    fn add(&mut self, parts: &[Part], reused: &BTreeMap<usize, Vec<Part>>, open: &mut Vec<usize>) {
        for part in parts {
            match part {
                Part::Word(word) => self.words.push(word.clone()),
                Part::Named(name) => {
                    self.named.insert(name.clone());
                }
                Part::Reused(id) => match reused.get(id).filter(|_| !open.contains(id)) {
                    Some(inner) => {
                        self.used.insert(*id);
                        open.push(*id);
                        self.add(inner, reused, open);
                        open.pop();
                    }
                    None => {
                        self.named.insert(id.to_string());
                    }
                },
                Part::Gated(parts) => {
                    self.is_gated = true;
                    let mut hidden = Self::default();
                    hidden.add(parts, reused, open);
                    self.used.extend(hidden.used);
                }
            }
        }
    }
}

/// The generated words of a text, in their order.
fn words_of(body: &str) -> Vec<String> {
    let is_word = |word: &&str| {
        let number = word.strip_prefix('w').and_then(|word| word.strip_suffix('x'));
        number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
    };
    body.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(is_word).map(str::to_owned).collect()
}

/// An export: its file, what is expected of each post by its id, and the titles of reused blocks that are named.
fn export(rng: &mut Rng, number: usize) -> (String, BTreeMap<usize, Expected>, BTreeSet<String>) {
    let base = number * 100;
    let ids: Vec<usize> = (base + 50..=base + 50 + REUSED).collect();
    let mut writer = Writer { rng, words: 0, ids: ids.clone() };
    let (mut items, mut reused, mut unused) = (Vec::new(), BTreeMap::new(), BTreeSet::new());
    let kind = "<wp:post_type>wp_block</wp:post_type>";
    for id in &ids[..REUSED] {
        let (text, parts) = writer.blocks(1);
        let status = writer.rng.first_or("publish", &["draft"]);
        if status == "publish" {
            reused.insert(*id, parts);
        }
        let title = format!("Reused {id}");
        items.push(item((*id, &title, status, PAST), kind, &text));
        unused.insert(title);
    }
    let mut posts = BTreeMap::new();
    for id in base + 1..=base + POSTS {
        let first = writer.word();
        let (text, parts) = writer.blocks(3);
        let text = format!("<!-- wp:paragraph --><p>{first}</p><!-- /wp:paragraph -->{text}");
        items.push(item((id, &format!("Nested {id}"), "publish", PAST), "", &text));
        let mut expected = Expected { words: vec![first], ..Expected::default() };
        expected.add(&parts, &reused, &mut Vec::new());
        for used in &expected.used {
            unused.remove(&format!("Reused {used}"));
        }
        posts.insert(id, expected);
    }
    (file(&items), posts, unused)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn blocks_inside_of_each_other_keep_their_words_or_are_named() {
    let server = TestServer::start(Backend::Embedded).await;
    let folder = tempfile::tempdir().expect("a folder");
    let mut rng = Rng(0x2545_F491_4F6C_DD1D);
    let (mut gated, mut named, mut left_out) = (0, 0, 0);
    for number in 1..=EXPORTS {
        let (export, posts, unused) = export(&mut rng, number);
        put(folder.path(), "export.xml", &export);
        let report = run(&server, &folder.path().join("export.xml"), None, false).await;
        let lines = report.lines();
        assert_eq!(report.created, POSTS, "{lines:?}");
        let blocks = report.left_out.get("items of the type wp_block");
        let blocks: BTreeSet<String> =
            blocks.into_iter().flat_map(|blocks| blocks.names.iter().cloned()).collect();
        assert_eq!(blocks, unused, "{export}");
        left_out += unused.len();
        let slugs: Vec<String> = posts.keys().map(|id| format!("nested-{id}")).collect();
        let bodies = words::bodies(&server, &slugs.iter().map(String::as_str).collect::<Vec<_>>()).await;
        let states: BTreeMap<_, _> =
            articles(&server).await.into_iter().map(|(slug, _, state)| (slug, state)).collect();
        for (id, expected) in &posts {
            let slug = format!("nested-{id}");
            let body = bodies.get(&slug).expect("an article");
            assert_eq!(words_of(body), expected.words, "{id}: {body}\n{export}");
            assert!(!body.contains(HIDDEN), "{id}: {body}\n{export}");
            let state = if expected.is_gated { "draft" } else { "published" };
            assert_eq!(states.get(&slug), Some(&state), "{id}: {lines:?}\n{export}");
            let own = format!("wordpress:old.invalid/{id}");
            for name in &expected.named {
                let mut warnings = report.warnings.iter().filter(|(post, _)| *post == own);
                let is_named = warnings.any(|(_, problem)| problem.why.contains(name.as_str()));
                assert!(is_named, "{id}: {name} in {lines:?}\n{export}");
            }
            gated += usize::from(expected.is_gated);
            named += expected.named.len();
        }
    }
    let counts = [gated, EXPORTS * POSTS - gated, named, left_out];
    assert!(counts.iter().all(|count| *count >= 15), "{counts:?}: the test shows little");
}
