//! Feeds: Atom and JSON Feed 1.1, the newest articles with their whole texts; the oldest with their first words where the whole
//! would be too large.

use super::{
    page::address,
    xml::{clean, escaped_len},
};
use crate::text::render::absolute;
use atom_syndication::{Content, Entry, Feed, FixedDateTime, Link, Person, Text};
use domain::{Timestamp, settings::DeskSettings};
use serde_json::json;
use std::collections::HashMap;
use store::site::Piece;
use uuid::Uuid;

/// Most bytes of a feed.
pub const BYTES: usize = 1024 * 1024;
/// Bytes of a feed besides texts, for each article and for all.
const FRAME: usize = 2_000;

/// Everything that decides what a feed says.
#[derive(Debug, Clone)]
pub struct Input {
    /// Title, language.
    pub settings: DeskSettings,
    /// The articles, newest first, without texts.
    pub pieces: Vec<Piece>,
    /// Where readers reach the site.
    pub public_url: String,
}

impl Input {
    /// Those whose texts may fit whole, newest first.
    #[must_use]
    pub fn wanted(&self) -> Vec<Uuid> {
        let mut room = i64::try_from(BYTES).unwrap_or(i64::MAX);
        let fits = |piece: &&Piece| {
            room -= piece.html_bytes;
            room >= 0
        };
        self.pieces.iter().filter(fits).map(|piece| piece.revision_id).collect()
    }

    /// The whole texts that fit beside all first words, with whole addresses.
    fn texts(&self, html: &HashMap<Uuid, String>) -> HashMap<Uuid, String> {
        let small = |piece: &Piece| {
            FRAME
                + [piece.title.as_str(), &piece.author, piece.lead.as_deref().unwrap_or_default()]
                    .map(escaped_len)
                    .iter()
                    .sum::<usize>()
        };
        let mut room = BYTES.saturating_sub(FRAME + self.pieces.iter().map(small).sum::<usize>());
        let mut texts = HashMap::new();
        for piece in &self.pieces {
            let Some(html) = html.get(&piece.revision_id) else { continue };
            let text = clean(&absolute(html, &self.page(piece)));
            let bytes = escaped_len(&text);
            if bytes <= room {
                room -= bytes;
                texts.insert(piece.revision_id, text);
            }
        }
        texts
    }

    fn page(&self, piece: &Piece) -> String {
        format!("{}{}", self.public_url, address(&piece.slug))
    }

    fn changed(&self) -> Timestamp {
        self.pieces.iter().map(moment).max().unwrap_or(Timestamp::from_millis(0))
    }
}

fn moment(piece: &Piece) -> Timestamp {
    Timestamp::from_millis(piece.updated_at.unwrap_or(piece.published_at).max(piece.published_at))
}

fn date(at: Timestamp) -> FixedDateTime {
    at.utc().fixed_offset()
}

fn link(href: String, rel: &str) -> Link {
    Link { href, rel: rel.to_owned(), ..Link::default() }
}

/// The Atom feed. Identities are UUIDs, so that they outlive a change of name or address.
pub fn atom(input: &Input, html: &HashMap<Uuid, String>) -> String {
    let (site, mut texts) = (format!("{}/site", input.public_url), input.texts(html));
    let entries = input.pieces.iter().map(|piece| {
        let text = texts.remove(&piece.revision_id);
        let lead = text.is_none().then(|| Text::plain(clean(piece.lead.as_deref().unwrap_or_default())));
        let content = text.map(|text| Content {
            content_type: Some("html".to_owned()),
            lang: piece.language.clone(),
            value: Some(text),
            ..Content::default()
        });
        Entry {
            id: format!("urn:uuid:{}", piece.id),
            title: Text::plain(clean(&piece.title)),
            updated: date(moment(piece)),
            published: Some(date(Timestamp::from_millis(piece.published_at))),
            authors: vec![Person { name: clean(&piece.author), ..Person::default() }],
            links: vec![link(input.page(piece), "alternate")],
            summary: lead,
            content,
            ..Entry::default()
        }
    });
    Feed {
        id: site.clone(),
        title: Text::plain(clean(&input.settings.title)),
        updated: date(input.changed()),
        lang: Some(input.settings.language.as_str().to_owned()),
        links: vec![link(site.clone(), "alternate"), link(format!("{site}/feed.xml"), "self")],
        entries: entries.collect(),
        ..Feed::default()
    }
    .to_string()
}

/// The JSON Feed.
pub fn json(input: &Input, html: &HashMap<Uuid, String>) -> String {
    let texts = input.texts(html);
    let items = input.pieces.iter().map(|piece| {
        let mut item = json!({
            "id": format!("urn:uuid:{}", piece.id),
            "url": input.page(piece),
            "title": clean(&piece.title),
            "date_published": Timestamp::from_millis(piece.published_at),
            "date_modified": moment(piece),
            "authors": [{ "name": clean(&piece.author) }],
        });
        match texts.get(&piece.revision_id) {
            Some(text) => item["content_html"] = json!(text),
            None => item["content_text"] = json!(clean(piece.lead.as_deref().unwrap_or_default())),
        }
        if let Some(language) = &piece.language {
            item["language"] = json!(language);
        }
        item
    });
    json!({
        "version": "https://jsonfeed.org/version/1.1",
        "title": clean(&input.settings.title),
        "language": input.settings.language,
        "home_page_url": format!("{}/site", input.public_url),
        "feed_url": format!("{}/site/feed.json", input.public_url),
        "items": items.collect::<Vec<_>>(),
    })
    .to_string()
}
