//! Feeds: Atom and JSON Feed 1.1, the newest articles with their whole texts.

use super::{page::address, shelf};
use atom_syndication::{Content, Entry, Feed, FixedDateTime, Link, Person, Text};
use domain::{Timestamp, settings::DeskSettings};
use serde_json::json;
use store::site::Piece;

/// The newest change among the articles; `empty` where there is none.
fn changed(pieces: &[Piece], empty: Timestamp) -> Timestamp {
    pieces.iter().map(moment).max().unwrap_or(empty)
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
pub fn atom(settings: &DeskSettings, pieces: &[Piece], public_url: &str, empty: Timestamp) -> String {
    let entries = pieces.iter().map(|piece| Entry {
        id: format!("urn:uuid:{}", piece.id),
        title: Text::plain(clean(&piece.title)),
        updated: date(moment(piece)),
        published: Some(date(Timestamp::from_millis(piece.published_at))),
        authors: vec![Person { name: clean(&piece.author), ..Person::default() }],
        links: vec![link(format!("{public_url}{}", address(&piece.slug)), "alternate")],
        content: Some(Content {
            content_type: Some("html".to_owned()),
            value: Some(clean(&shelf::html(&piece.body))),
            ..Content::default()
        }),
        ..Entry::default()
    });
    Feed {
        id: format!("{public_url}/site"),
        title: Text::plain(clean(&settings.title)),
        updated: date(changed(pieces, empty)),
        lang: Some(settings.language.as_str().to_owned()),
        links: vec![
            link(format!("{public_url}/site"), "alternate"),
            link(format!("{public_url}/site/feed.xml"), "self"),
        ],
        entries: entries.collect(),
        ..Feed::default()
    }
    .to_string()
}

/// The JSON Feed.
pub fn json(settings: &DeskSettings, pieces: &[Piece], public_url: &str, _empty: Timestamp) -> String {
    let items = pieces.iter().map(|piece| {
        json!({
            "id": format!("urn:uuid:{}", piece.id),
            "url": format!("{public_url}{}", address(&piece.slug)),
            "title": piece.title,
            "content_html": &*shelf::html(&piece.body),
            "date_published": Timestamp::from_millis(piece.published_at),
            "date_modified": moment(piece),
            "authors": [{ "name": piece.author }],
        })
    });
    json!({
        "version": "https://jsonfeed.org/version/1.1",
        "title": settings.title,
        "language": settings.language,
        "home_page_url": format!("{public_url}/site"),
        "feed_url": format!("{public_url}/site/feed.json"),
        "items": items.collect::<Vec<_>>(),
    })
    .to_string()
}

/// Text without the control characters that XML cannot hold.
fn clean(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_control() || matches!(letter, '\t' | '\n')).collect()
}
