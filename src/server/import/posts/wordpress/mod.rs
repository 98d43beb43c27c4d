//! Exports of WordPress (WXR). The file is read twice: first attachments and authors, which posts
//! refer to, then the posts one by one.

mod reader;

use super::{
    Next, PostSource, SHORTCODES_LEFT,
    html::plain_text,
    post::Post,
    shortcodes::{self, GalleryPicture},
};
use crate::{
    server::import::{date, find::LeftOut},
    services::hex,
    text::percent,
    zone::Zone,
};
use domain::Timestamp;
use reader::{Channel, Item, Items};
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    path::Path,
};
use url::Url;

/// Maximum number of attachments and posts.
const MAX_ITEMS: usize = 100_000;
/// Maximum number of pictures of a gallery.
const MAX_GALLERY_PICTURES: usize = 200;
/// Name and slug of the category of posts without one.
const UNCATEGORISED: [&str; 3] = ["Uncategorized", "Uncategorised", "Allgemein"];

/// An export that was read once.
pub struct Wordpress {
    items: Items,
    channel: Channel,
    site: String,
    attachments: HashMap<u64, Attachment>,
    names: Vec<String>,
    left_out: BTreeMap<String, LeftOut>,
}

/// A picture or file of the media library there.
struct Attachment {
    parent: u64,
    picture: GalleryPicture,
}

impl Wordpress {
    /// Reads attachments and authors.
    pub fn open(path: &Path) -> Result<Self, String> {
        let mut items = Items::open(path)?;
        let (mut attachments, mut names, mut left_out) = (HashMap::new(), Vec::new(), BTreeMap::new());
        while let Some(item) = items.next()? {
            if attachments.len() + names.len() > MAX_ITEMS {
                return Err(format!(
                    "the file has more than {MAX_ITEMS} posts and attachments; export it in parts"
                ));
            }
            let id = item.text("wp:post_id").to_owned();
            match item.text("wp:post_type") {
                "attachment" => {
                    if let Ok(id) = id.parse() {
                        attachments.insert(id, attachment(&item));
                    }
                }
                "post" | "page" => names.push(id),
                kind => leave_out(&mut left_out, &format!("items of the type {kind}"), item.text("title")),
            }
            if item.comments > 0 {
                left_out.entry("comments".to_owned()).or_default().count += item.comments;
            }
        }
        let channel = std::mem::take(&mut items.channel);
        if !channel.texts.contains_key("wp:wxr_version") {
            return Err("this is not an export of WordPress: it names no WXR version. \
                        Choose Tools, Export, All content in WordPress"
                .to_owned());
        }
        let site = site_of(&channel);
        let names = names.iter().map(|id| name_of(&site, id)).collect();
        Ok(Self { items: Items::open(path)?, channel, site, attachments, names, left_out })
    }

    fn post(&self, item: &Item) -> Result<Post, String> {
        let status = item.text("wp:status");
        let date = timestamp(item, "wp:post_date_gmt", "wp:post_date");
        let base = Url::parse(item.text("link")).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
        let (mut left, id) = (BTreeSet::new(), item.text("wp:post_id"));
        let content = item.texts.get("content:encoded").map_or("", String::as_str);
        let gallery = |ids: Option<&str>| self.gallery(id.parse().unwrap_or_default(), ids);
        let html = shortcodes::replace(content, &gallery, &mut left);
        let cover = item.field("_thumbnail_id").parse().ok().and_then(|id: u64| self.attachments.get(&id));
        let cover = cover.map(|attachment| attachment.picture.clone()).unwrap_or_default();
        let summary = match item.text("excerpt:encoded") {
            "" => item.field("_yoast_wpseo_metadesc").to_owned(),
            excerpt => plain_text(excerpt),
        };
        let login = item.text("dc:creator");
        let former = item.fields.iter().filter(|(key, _)| key == "_wp_old_slug");
        let mut post = Post {
            id: name_of(&self.site, id),
            hash: String::new(),
            title: plain_text(item.text("title")),
            slug: percent::decoded(item.text("wp:post_name")),
            former_slugs: former.map(|(_, slug)| percent::decoded(slug.trim())).collect(),
            keeps_lines: !content.contains("<!-- wp:"),
            html,
            base,
            held: held(item, status, date),
            date,
            updated: timestamp(item, "wp:post_modified_gmt", "wp:post_modified"),
            author: self.channel.authors.get(login).map_or(login, String::as_str).to_owned(),
            summary,
            tags: tags(item),
            cover: cover.address,
            cover_alt: cover.alt,
            cover_caption: cover.caption,
            canonical: String::new(),
            is_page: item.text("wp:post_type") == "page",
            is_featured: item.text("wp:is_sticky") == "1",
            warnings: Vec::new(),
        };
        if !left.is_empty() {
            let names = left.into_iter().collect::<Vec<_>>().join(", ");
            post.warnings.push(format!("{SHORTCODES_LEFT}{names}"));
        }
        post.hash = hex::sha256(format!("{post:?}").as_bytes());
        Ok(post)
    }

    fn gallery(&self, post: u64, ids: Option<&str>) -> Vec<GalleryPicture> {
        if let Some(ids) = ids {
            let ids = ids.split(',').filter_map(|id| id.trim().parse().ok()).take(MAX_GALLERY_PICTURES);
            return ids.filter_map(|id: u64| Some(self.attachments.get(&id)?.picture.clone())).collect();
        }
        let mut own: Vec<_> = self.attachments.iter().filter(|(_, one)| one.parent == post).collect();
        own.sort_by_key(|(id, _)| **id);
        own.into_iter().take(MAX_GALLERY_PICTURES).map(|(_, one)| one.picture.clone()).collect()
    }
}

impl PostSource for Wordpress {
    fn names(&self) -> &[String] {
        &self.names
    }

    fn left_out(&mut self) -> BTreeMap<String, LeftOut> {
        std::mem::take(&mut self.left_out)
    }

    fn next(&mut self) -> Result<Option<Next>, String> {
        while let Some(item) = self.items.next()? {
            if !matches!(item.text("wp:post_type"), "post" | "page") {
                continue;
            }
            if matches!(item.text("wp:status"), "trash" | "auto-draft" | "inherit") {
                let kind = format!("posts in the state {}", item.text("wp:status"));
                return Ok(Some(Next::LeftOut(kind, item.text("title").to_owned())));
            }
            return self.post(&item).map(|post| Some(Next::Post(Box::new(post))));
        }
        Ok(None)
    }
}

/// Adds an item to those that are not imported.
fn leave_out(left_out: &mut BTreeMap<String, LeftOut>, kind: &str, name: &str) {
    let entry = left_out.entry(kind.to_owned()).or_default();
    entry.count += 1;
    if entry.names.len() < 10 && !name.is_empty() {
        entry.names.push(name.to_owned());
    }
}

fn attachment(item: &Item) -> Attachment {
    let alt = item.field("_wp_attachment_image_alt").to_owned();
    let address = item.text("wp:attachment_url").to_owned();
    let picture = GalleryPicture { address, alt, caption: plain_text(item.text("excerpt:encoded")) };
    Attachment { parent: item.text("wp:post_parent").parse().unwrap_or_default(), picture }
}

/// Host and path of the site: part of the identity of its posts.
fn site_of(channel: &Channel) -> String {
    let text = |name: &str| channel.texts.get(name).map(|text| text.trim()).filter(|text| !text.is_empty());
    let address = text("wp:base_blog_url").or_else(|| text("wp:base_site_url")).or_else(|| text("link"));
    let address = address.unwrap_or("site").trim_start_matches("https://").trim_start_matches("http://");
    address.trim_end_matches('/').chars().take(200).collect()
}

fn name_of(site: &str, id: &str) -> String {
    format!("wordpress:{site}/{id}")
}

fn timestamp(item: &Item, utc: &str, local: &str) -> Option<Timestamp> {
    let is_set = |text: &&str| !text.is_empty() && !text.starts_with("0000");
    let text = Some(item.text(utc)).filter(is_set).or_else(|| Some(item.text(local)).filter(is_set))?;
    date::parse_date(text, Zone::UTC).map(|date| date.at)
}

/// Returns why a post is not public.
fn held(item: &Item, status: &str, date: Option<Timestamp>) -> Option<String> {
    match status {
        _ if !item.text("wp:post_password").is_empty() => Some("it has a password".to_owned()),
        "publish" | "future" if date.is_none() => Some("it has no date".to_owned()),
        "publish" | "future" => None,
        other => Some(format!("its state is {other}")),
    }
}

/// Categories and tags, each once.
fn tags(item: &Item) -> Vec<String> {
    let mut tags: Vec<String> = Vec::new();
    for (taxonomy, name) in &item.terms {
        let name = plain_text(name);
        let is_one = matches!(taxonomy.as_str(), "post_tag" | "category");
        if is_one && !name.is_empty() && !UNCATEGORISED.contains(&name.as_str()) && !tags.contains(&name) {
            tags.push(name);
        }
    }
    tags
}
