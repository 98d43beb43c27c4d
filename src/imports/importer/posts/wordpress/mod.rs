//! Exports of WordPress (WXR). The file is read twice: first attachments and authors, which posts
//! refer to, then the posts one by one.

mod blocks;
mod held;
mod reader;
mod terms;

pub use held::GIVE_ZONE;

use super::{
    MAX_REPORTED_NAMES, Next, PostSource, SHORTCODES_LEFT, Stop,
    html::plain_text,
    post::{Post, Timing},
    shortcodes::{self, Gallery, GalleryPicture, Replaced},
    site_time::{Observations, SiteTime},
};
use crate::{
    imports::importer::{
        date,
        find::LeftOut,
        hold::{comment::without_hidden_blocks, gate},
    },
    services::hex,
    text::{percent, render::Budget},
    zone::Zone,
};
use blocks::WithReused;
pub(super) use blocks::{BLOCK, Reused};
use domain::Timestamp;
use reader::{Channel, Item, Items};
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    path::Path,
};
use terms::{NamedTerms, tags};
use url::Url;

/// Maximum number of attachments and posts.
const MAX_ITEMS: usize = 100_000;
/// Maximum number of pictures of a gallery.
const MAX_GALLERY_PICTURES: usize = 200;

/// An export that was read once.
pub struct Wordpress {
    items: Items,
    channel: Channel,
    site: String,
    attachments: HashMap<u64, Attachment>,
    /// Ids of the attachments of each post, in order.
    attached: HashMap<u64, Vec<u64>>,
    /// Blocks that posts use by their id.
    reused: Reused,
    names: Vec<String>,
    left_out: BTreeMap<String, LeftOut>,
    time: SiteTime,
    stop: Stop,
}

/// A picture or file of the media library there.
struct Attachment {
    parent: u64,
    picture: GalleryPicture,
}

impl Wordpress {
    /// Reads attachments, authors and the time zone, unless the user gave it.
    pub fn open(path: &Path, zone: Option<Zone>, stop: Stop) -> Result<Self, String> {
        let mut items = Items::open(path, stop.clone())?;
        let (mut attachments, mut names, mut left_out) = (HashMap::new(), Vec::new(), BTreeMap::new());
        let (mut times, mut needs_zone) = (Observations::default(), false);
        let (mut reused, mut terms) = (Reused::default(), NamedTerms::default());
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
                        attachments.insert(id, attachment(&item, &stop.budget()));
                    }
                }
                "post" | "page" => {
                    needs_zone |= held::needs_zone(&item);
                    reused.refer(item.text("content:encoded"));
                    terms.add(&item, &stop.budget());
                    names.push(id);
                }
                "wp_block" => reused.add(&item),
                kind => leave_out(&mut left_out, &format!("items of the type {kind}"), item.text("title")),
            }
            for kind in ["post_date", "post_modified"] {
                let [local, utc] = [format!("wp:{kind}"), format!("wp:{kind}_gmt")];
                times.add(item.text(&local), item.text(&utc));
            }
            count_comments(&mut left_out, &item);
        }
        reused.unused().for_each(|title| leave_out(&mut left_out, "items of the type wp_block", title));
        terms.leave_out(&mut left_out);
        let channel = std::mem::take(&mut items.channel);
        if !channel.texts.contains_key("wp:wxr_version") {
            return Err("this is not an export of WordPress: it names no WXR version. \
                        Choose Tools, Export, All content in WordPress"
                .to_owned());
        }
        let site = site_of(&channel);
        let names = names.iter().map(|id| name_of(&site, id)).collect();
        let time = match zone {
            Some(zone) => SiteTime::Given(zone),
            None if needs_zone => SiteTime::observed(&times),
            None => SiteTime::Observed(Vec::new()),
        };
        let items = Items::open(path, stop.clone())?;
        let attached = attached(&attachments);
        Ok(Self { items, channel, site, attachments, attached, reused, names, left_out, time, stop })
    }

    fn post(&self, item: &Item) -> Result<(Post, Timing), String> {
        let (budget, time) = (self.stop.budget(), held::time(item, &self.time));
        let base = Url::parse(item.text("link")).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
        let id = item.text("wp:post_id");
        let content = item.texts.get("content:encoded").map_or("", String::as_str);
        let text = self.text(id, (content, item.field("footnotes")), &budget);
        let cover = item.field("_thumbnail_id").parse().ok().and_then(|id: u64| self.attachments.get(&id));
        let cover = cover.map(|attachment| attachment.picture.clone()).unwrap_or_default();
        let summary = match item.text("excerpt:encoded") {
            "" => item.field("_yoast_wpseo_metadesc").to_owned(),
            excerpt => plain_text(excerpt, &budget),
        };
        let login = item.text("dc:creator");
        let former = item.fields.iter().filter(|(key, _)| key == "_wp_old_slug");
        let held = held::held(item, &time);
        let mut post = Post {
            id: name_of(&self.site, id),
            hash: String::new(),
            title: plain_text(item.text("title"), &budget),
            slug: percent::decoded(item.text("wp:post_name")),
            former_slugs: former.map(|(_, slug)| percent::decoded(slug.trim())).collect(),
            keeps_lines: !content.contains(BLOCK),
            html: text.html,
            base,
            held: held.or(text.held),
            date: time.at,
            updated: timestamp(item, "wp:post_modified_gmt", "wp:post_modified"),
            author: self.channel.authors.get(login).map_or(login, String::as_str).to_owned(),
            summary,
            tags: tags(item, &budget),
            cover: cover.address,
            cover_alt: cover.alt,
            cover_caption: cover.caption,
            canonical: String::new(),
            is_page: item.text("wp:post_type") == "page",
            is_featured: item.text("wp:is_sticky") == "1",
            warnings: text.warnings,
        };
        post.warnings.extend(time.warning);
        post.hold_gated(&text.left_out);
        post.hash = hex::sha256(format!("{post:?}").as_bytes());
        Ok((post, time.timing))
    }

    fn text(&self, id: &str, text: (&str, &str), budget: &Budget) -> Text {
        let gallery = |ids: Option<&str>| self.gallery(id.parse().unwrap_or_default(), ids);
        text_of(&self.reused, &gallery, text, budget)
    }

    fn gallery(&self, post: u64, ids: Option<&str>) -> Vec<GalleryPicture> {
        let picture = |id: &u64| Some(self.attachments.get(id)?.picture.clone());
        if let Some(ids) = ids {
            let ids = ids.split(',').filter_map(|id| id.trim().parse().ok()).take(MAX_GALLERY_PICTURES);
            return ids.filter_map(|id: u64| picture(&id)).collect();
        }
        let own = self.attached.get(&post).into_iter().flatten();
        own.take(MAX_GALLERY_PICTURES).filter_map(picture).collect()
    }
}

/// Puts in reused blocks and footnotes, replaces shortcodes and leaves out what is not for everyone.
pub(super) fn text_of(
    reused: &Reused,
    gallery: Gallery<'_>,
    (content, footnotes): (&str, &str),
    budget: &Budget,
) -> Text {
    let mut with_reused = WithReused::new(reused);
    let (content, has_hidden) = without_hidden_blocks(content);
    let content = with_reused.put_in(&content);
    let ungated = gate::wordpress(&content);
    let arranged = blocks::arranged(&ungated.html, footnotes);
    let Ok(Replaced { html, left, gated, unclear }) = shortcodes::replace(&arranged.html, gallery, budget)
    else {
        let warnings = vec!["its text is left out: reading its shortcodes takes too long".to_owned()];
        return Text {
            held: Some("its text could not be read in time".to_owned()),
            warnings,
            ..Text::default()
        };
    };
    let names = |all: BTreeSet<String>| all.into_iter().collect::<Vec<_>>().join(", ");
    let mut left_out = ungated.left_out;
    left_out.append(&mut with_reused.gated);
    left_out.extend(gated.into_iter().map(|name| format!("the shortcode {name}")));
    let held = (!unclear.is_empty())
        .then(|| format!("it is unclear what these shortcodes hide: {}", names(unclear)));
    let shortcodes = (!left.is_empty()).then(|| format!("{SHORTCODES_LEFT}{}", names(left)));
    let mut warnings = with_reused.warnings();
    if has_hidden {
        warnings
            .push("left out of the text: blocks inside of a comment, which readers did not see".to_owned());
    }
    warnings.extend(arranged.warnings);
    warnings.extend(shortcodes);
    Text { html, left_out, held, warnings }
}

/// The text of a post.
#[derive(Default)]
pub(super) struct Text {
    /// HTML.
    pub html: String,
    /// What is left out because it is not for everyone.
    pub left_out: Vec<String>,
    /// Why the post is held.
    pub held: Option<String>,
    /// What it lacks.
    pub warnings: Vec<String>,
}

/// Returns the ids of the attachments of each post, in order.
fn attached(attachments: &HashMap<u64, Attachment>) -> HashMap<u64, Vec<u64>> {
    let mut all: HashMap<u64, Vec<u64>> = HashMap::new();
    for (id, attachment) in attachments {
        all.entry(attachment.parent).or_default().push(*id);
    }
    all.values_mut().for_each(|ids| ids.sort_unstable());
    all
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
            if let Some(left_out) = held::left_out(&item) {
                return Ok(Some(left_out));
            }
            return self.post(&item).map(|(post, timing)| Some(Next::Post(Box::new(post), timing)));
        }
        Ok(None)
    }
}

/// Adds an item to those that are not imported.
fn leave_out(left_out: &mut BTreeMap<String, LeftOut>, kind: &str, name: &str) {
    let entry = left_out.entry(kind.to_owned()).or_default();
    entry.count += 1;
    if entry.names.len() < MAX_REPORTED_NAMES && !name.is_empty() {
        entry.names.push(name.to_owned());
    }
}

/// Counts the comments of a post, which are not imported.
fn count_comments(left_out: &mut BTreeMap<String, LeftOut>, item: &Item) {
    if item.comments == 0 {
        return;
    }
    let entry = left_out.entry("comments".to_owned()).or_default();
    entry.count += item.comments;
    if entry.names.len() < MAX_REPORTED_NAMES {
        entry.names.push(format!("{} ({})", item.text("title"), item.comments));
    }
}

fn attachment(item: &Item, budget: &Budget) -> Attachment {
    let alt = item.field("_wp_attachment_image_alt").to_owned();
    let address = item.text("wp:attachment_url").to_owned();
    let picture = GalleryPicture { address, alt, caption: plain_text(item.text("excerpt:encoded"), budget) };
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

/// The time of the last change, which is only shown to readers.
fn timestamp(item: &Item, utc: &str, local: &str) -> Option<Timestamp> {
    let is_set = |text: &&str| !text.is_empty() && !text.starts_with("0000");
    let text = Some(item.text(utc)).filter(is_set).or_else(|| Some(item.text(local)).filter(is_set))?;
    date::parse_date(text, Zone::UTC).map(|date| date.at)
}
