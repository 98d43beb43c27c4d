//! Exports of Ghost 4, 5 and 6 (JSON).

mod cards;
mod named;
mod source;
mod values;

use super::{
    Next, PostSource, Stop,
    html::{MAX_HTML_BYTES, plain_text},
    post::{Post, Timing},
};
use crate::{
    imports::importer::{date, find::LeftOut, hold::gate},
    services::hex,
    zone::Zone,
};
use domain::Timestamp;
use serde::Deserialize;
use serde_json::Value;
use source::Source;
use std::{
    collections::{BTreeMap, HashMap},
    fs::File,
    io::{BufReader, Read as _},
    path::Path,
};
use url::Url;
use values::{is_set, is_true, word};

/// Maximum size of an export, bytes.
const MAX_BYTES: u64 = 100_000_000;
/// Main versions that are read.
const VERSIONS: [&str; 3] = ["4", "5", "6"];
/// Warning about a text that names the address of the site, if that is unknown.
pub const NO_SITE: &str = "its pictures and links name no site; give the address of the site";
/// Stands for the address of the site in texts.
const SITE: &str = "__GHOST_URL__";

#[derive(Deserialize)]
struct Export {
    #[serde(default)]
    db: Vec<Database>,
    meta: Option<Meta>,
    data: Option<Tables>,
}

#[derive(Deserialize)]
struct Database {
    meta: Meta,
    data: Tables,
}

#[derive(Deserialize)]
struct Meta {
    #[serde(default)]
    version: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Tables {
    posts: Vec<Row>,
    posts_meta: Vec<PostMeta>,
    posts_tags: Vec<PostTag>,
    posts_authors: Vec<PostAuthor>,
    tags: Vec<Named>,
    users: Vec<Named>,
    settings: Vec<Setting>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Setting {
    key: Value,
    value: Value,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Row {
    id: Value,
    title: Option<String>,
    slug: Option<String>,
    html: Option<String>,
    plaintext: Option<String>,
    lexical: Option<String>,
    mobiledoc: Option<String>,
    feature_image: Option<String>,
    featured: Value,
    r#type: Option<String>,
    page: Value,
    status: Option<String>,
    visibility: Option<String>,
    published_at: Value,
    updated_at: Value,
    custom_excerpt: Option<String>,
    canonical_url: Option<String>,
    codeinjection_head: Option<String>,
    codeinjection_foot: Option<String>,
    email_only: Value,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct PostMeta {
    post_id: Value,
    email_only: Value,
    feature_image_alt: Option<String>,
    feature_image_caption: Option<String>,
    meta_description: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct PostTag {
    post_id: Value,
    tag_id: Value,
    sort_order: i64,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct PostAuthor {
    post_id: Value,
    author_id: Value,
    sort_order: i64,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Named {
    id: Value,
    name: Option<String>,
    visibility: Option<String>,
}

/// An export.
pub struct Ghost {
    posts: std::vec::IntoIter<Row>,
    names: Vec<String>,
    site: Option<Url>,
    tags: HashMap<String, Vec<String>>,
    authors: HashMap<String, Vec<String>>,
    details: HashMap<String, PostMeta>,
    left_out: BTreeMap<String, LeftOut>,
    /// Whether the whole site has a password.
    is_private: bool,
    stop: Stop,
}

impl Ghost {
    /// Reads a file. `site`: address of the site, which exports do not contain.
    pub fn open(path: &Path, site: Option<Url>, stop: Stop) -> Result<Self, String> {
        let unread = |why: std::io::Error| format!("{} cannot be read: {why}", path.display());
        let file = File::open(path).map_err(unread)?;
        if file.metadata().map_err(unread)?.len() > MAX_BYTES {
            return Err("the file is larger than 100 MB; export fewer posts".to_owned());
        }
        let export: Export = serde_json::from_reader(BufReader::new(stop.reader(file.take(MAX_BYTES))))
            .map_err(|why| format!("this is not an export of Ghost: {why}"))?;
        let (meta, tables) = match (export.db.into_iter().next(), export.meta, export.data) {
            (Some(Database { meta, data }), ..) => (meta, data),
            (None, Some(meta), Some(data)) => (meta, data),
            _ => return Err("this is not an export of Ghost: it has no posts".to_owned()),
        };
        let main = meta.version.split('.').next().unwrap_or_default();
        if !VERSIONS.contains(&main) {
            let version = if main.is_empty() { "an unknown version" } else { &meta.version };
            return Err(format!(
                "this file is from Ghost {version}; exports of Ghost 4, 5 and 6 can be imported. \
                 Update Ghost, then export again"
            ));
        }
        Ok(Self::of(tables, site, stop))
    }

    fn of(tables: Tables, site: Option<Url>, stop: Stop) -> Self {
        let is_private = |one: &Setting| one.key.as_str() == Some("is_private") && is_set(&one.value);
        let names = tables.posts.iter().map(|row| name_of(&row.id)).collect();
        let left_out = named::of_site(&tables);
        let is_public = |one: &Named| one.visibility.as_deref() != Some("internal");
        let tag_names = by_id(tables.tags.into_iter().filter(is_public));
        let user_names = by_id(tables.users.into_iter());
        let tags = tables.posts_tags.into_iter().map(|one| (one.sort_order, one.post_id, one.tag_id));
        let authors =
            tables.posts_authors.into_iter().map(|one| (one.sort_order, one.post_id, one.author_id));
        Self {
            names,
            site,
            stop,
            left_out,
            is_private: tables.settings.iter().any(is_private),
            tags: grouped(tags.collect(), &tag_names),
            authors: grouped(authors.collect(), &user_names),
            details: tables.posts_meta.into_iter().map(|one| (word(&one.post_id), one)).collect(),
            posts: tables.posts.into_iter(),
        }
    }

    fn post(&mut self, mut row: Row) -> (Post, Timing) {
        let (id, name, budget) = (word(&row.id), name_of(&row.id), self.stop.budget());
        let details = self.details.remove(&id).unwrap_or_default();
        // An empty text is none: the source or the plain text may have one.
        row.html = row.html.filter(|html| !html.trim().is_empty());
        let mut warnings = named::of_post(&row, &details);
        let held = self.held(&row, &details);
        let (date, timing) = (timestamp(&row.published_at), timing(&row));
        let text = self.text(&mut row, &mut warnings);
        let html = text.html;
        let keeps_lines = !html.contains('<');
        let slug = row.slug.unwrap_or_default();
        let cover = self.located(&row.feature_image.unwrap_or_default(), &mut warnings);
        let mut post = Post {
            id: name,
            hash: String::new(),
            title: row.title.unwrap_or_default(),
            base: self.site.as_ref().and_then(|site| site.join(&format!("{slug}/")).ok()),
            slug,
            former_slugs: Vec::new(),
            html,
            keeps_lines,
            held: held.or(text.held),
            date,
            updated: timestamp(&row.updated_at),
            author: self.authors.remove(&id).unwrap_or_default().join(", "),
            summary: [row.custom_excerpt, details.meta_description]
                .into_iter()
                .flatten()
                .find(|summary| !summary.trim().is_empty())
                .unwrap_or_default(),
            tags: self.tags.remove(&id).unwrap_or_default(),
            cover,
            cover_alt: details.feature_image_alt.unwrap_or_default(),
            cover_caption: plain_text(&details.feature_image_caption.unwrap_or_default(), &budget),
            canonical: row.canonical_url.unwrap_or_default(),
            is_page: row.r#type.as_deref() == Some("page") || is_true(&row.page),
            is_featured: is_true(&row.featured),
            warnings,
        };
        if post.canonical.starts_with(SITE) {
            post.canonical = String::new();
        }
        post.hold_gated(&text.left_out);
        post.hash = hex::sha256(format!("{post:?}").as_bytes());
        (post, timing)
    }

    /// Takes the text of a post, without what is not for everyone.
    fn text(&self, row: &mut Row, warnings: &mut Vec<String>) -> Text {
        let is_for_some = readers(row) != "public";
        let source = match &row.html {
            Some(_) => None,
            None => source::read(row.lexical.as_deref(), row.mobiledoc.as_deref()),
        };
        let held = source
            .is_some()
            .then(|| "the export has only the source of its text; check what it shows".to_owned());
        let html = row.html.take().or_else(|| {
            let Source { html, left_out } = source?;
            warnings
                .push("its text is read from its source, because the export has no HTML of it".to_owned());
            warnings.extend(left_out.into_iter().map(|name| format!("left out of the text: {name}")));
            Some(html)
        });
        match (html, row.plaintext.take()) {
            (Some(html), _) => {
                let ungated = gate::ghost(&html, is_for_some);
                let html = self.located(&ungated.html, warnings);
                Text { html, left_out: ungated.left_out, held }
            }
            (None, Some(text)) if !text.trim().is_empty() => {
                warnings.push("the export has only its plain text, without links and pictures".to_owned());
                Text { html: crate::text::html::escape(&text), ..Text::default() }
            }
            _ => Text::default(),
        }
    }

    /// Returns why strangers do not see a post, now or at its time.
    fn held(&self, row: &Row, details: &PostMeta) -> Option<String> {
        let (status, readers) = (row.status.as_deref().unwrap_or_default(), readers(row));
        let kind = row.r#type.as_deref().unwrap_or("post");
        match status {
            "sent" => return Some("it was sent by mail only".to_owned()),
            "published" | "scheduled" => {}
            "" => return Some("it has no state".to_owned()),
            other => return Some(format!("its state is {other}")),
        }
        if is_set(&details.email_only) || is_set(&row.email_only) {
            return Some("it is sent by mail only".to_owned());
        }
        if readers != "public" {
            return Some(format!("its visibility is {readers}"));
        }
        if !matches!(kind, "post" | "page") {
            return Some(format!("its type is {kind}"));
        }
        if self.is_private {
            return Some("the whole site is private".to_owned());
        }
        if row.html.is_none() && row.plaintext.as_ref().is_some_and(|text| !text.trim().is_empty()) {
            return Some("its plain text does not show which parts are for members".to_owned());
        }
        timestamp(&row.published_at).is_none().then(|| "it has no date".to_owned())
    }

    /// Puts the address of the site into a text.
    fn located(&self, text: &str, warnings: &mut Vec<String>) -> String {
        // What is too large is refused later.
        if text.len() > MAX_HTML_BYTES || !text.contains(SITE) {
            return text.to_owned();
        }
        if self.site.is_none() && !warnings.iter().any(|known| known == NO_SITE) {
            warnings.push(NO_SITE.to_owned());
        }
        text.replace(SITE, self.site.as_ref().map_or("", |site| site.as_str().trim_end_matches('/')))
    }
}

/// The text of a post.
#[derive(Default)]
struct Text {
    html: String,
    /// What is left out because it is not for everyone.
    left_out: Vec<String>,
    /// Why the post is held.
    held: Option<String>,
}

impl PostSource for Ghost {
    fn names(&self) -> &[String] {
        &self.names
    }

    fn left_out(&mut self) -> BTreeMap<String, LeftOut> {
        std::mem::take(&mut self.left_out)
    }

    fn next(&mut self) -> Result<Option<Next>, String> {
        self.stop.check()?;
        let Some(row) = self.posts.next() else { return Ok(None) };
        let (post, timing) = self.post(row);
        Ok(Some(Next::Post(Box::new(post), timing)))
    }
}

fn name_of(id: &Value) -> String {
    format!("ghost:{}", word(id))
}

fn by_id(all: impl Iterator<Item = Named>) -> HashMap<String, String> {
    all.filter_map(|one| Some((word(&one.id), one.name?))).collect()
}

fn grouped(
    mut all: Vec<(i64, Value, Value)>,
    names: &HashMap<String, String>,
) -> HashMap<String, Vec<String>> {
    all.sort_by_key(|(order, ..)| *order);
    let mut groups: HashMap<String, Vec<String>> = HashMap::new();
    for (_, post, other) in all {
        if let Some(name) = names.get(&word(&other)) {
            groups.entry(word(&post)).or_default().push(name.clone());
        }
    }
    groups
}

fn timestamp(value: &Value) -> Option<Timestamp> {
    match value {
        Value::String(text) => date::parse_date(text, Zone::UTC).map(|date| date.at),
        Value::Number(millis) => millis.as_i64().map(Timestamp::from_millis),
        _ => None,
    }
}

/// Who may read a post.
fn readers(row: &Row) -> &str {
    row.visibility.as_deref().unwrap_or("public")
}

/// When strangers see a post.
fn timing(row: &Row) -> Timing {
    match row.status.as_deref() {
        Some("published") => Timing::Public,
        _ => Timing::Scheduled(None),
    }
}
