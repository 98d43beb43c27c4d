//! Feeds: Atom and JSON Feed 1.1. The newest articles have their full text; older ones have an
//! excerpt if the feed would be too large.

mod xml;

use super::{
    head::{cover, description},
    page::{article_path, author_path, language},
};
use crate::text::render::absolute_urls;
use atom_syndication::{Category, Content, Entry, Feed, FixedDateTime, Link, Person, Text};
use domain::{Timestamp, settings::SiteSettings};
use serde_json::json;
use std::collections::HashMap;
use store::site::PublishedArticle;
use uuid::Uuid;
use xml::{clean, escaped_len};

/// Maximum size of a feed, bytes.
pub const MAX_FEED_BYTES: usize = 1024 * 1024;
/// Bytes of a feed besides texts, for each article and for the feed itself.
const OVERHEAD_BYTES: usize = 2_000;

/// Data of a feed.
#[derive(Debug, Clone)]
pub struct Input {
    /// Title and language of the site.
    pub settings: SiteSettings,
    /// The articles, newest first, without texts.
    pub articles: Vec<PublishedArticle>,
    /// Public URL of the site.
    pub public_url: String,
    /// Path and name of the list whose articles it has; `None`: all articles.
    pub list: Option<(String, String)>,
}

impl Input {
    /// Revisions whose full texts may fit, newest first.
    #[must_use]
    pub fn full_text_candidates(&self) -> Vec<Uuid> {
        let mut room = i64::try_from(MAX_FEED_BYTES).unwrap_or(i64::MAX);
        let fits = |article: &&PublishedArticle| {
            room -= article.html_bytes;
            room >= 0
        };
        self.articles.iter().filter(fits).map(|article| article.revision_id).collect()
    }

    /// Full texts that fit besides all excerpts, with absolute_urls URLs.
    fn full_texts(&self, html: &HashMap<Uuid, String>) -> HashMap<Uuid, String> {
        let excerpt_bytes = |article: &PublishedArticle| {
            OVERHEAD_BYTES
                + [
                    article.title.as_str(),
                    &article.authors().join(", "),
                    &blurb(article),
                    article.details.as_deref().unwrap_or_default(),
                ]
                .map(escaped_len)
                .iter()
                .sum::<usize>()
        };
        let mut room = MAX_FEED_BYTES
            .saturating_sub(OVERHEAD_BYTES + self.articles.iter().map(excerpt_bytes).sum::<usize>());
        let mut texts = HashMap::new();
        for article in &self.articles {
            let Some(html) = html.get(&article.revision_id) else { continue };
            let text = clean(&absolute_urls(html, &self.url(article)));
            let bytes = escaped_len(&text);
            if bytes <= room {
                room -= bytes;
                texts.insert(article.revision_id, text);
            }
        }
        texts
    }

    fn url(&self, article: &PublishedArticle) -> String {
        format!("{}{}", self.public_url, article_path(&article.slug))
    }

    /// Names of the authors of an article, and the addresses of their pages.
    fn authors(&self, article: &PublishedArticle) -> Vec<(String, String)> {
        let author = |name: &str| (clean(name), format!("{}{}", self.public_url, author_path(name)));
        article.authors().into_iter().map(author).collect()
    }

    /// Language of an article, as its page states it.
    fn language(&self, article: &PublishedArticle) -> String {
        let given = article.details().language;
        language(&self.settings, &given, article.language.as_deref()).0.to_owned()
    }

    /// Address and title of what it has.
    fn page(&self) -> (String, String) {
        match &self.list {
            None => (format!("{}/site", self.public_url), self.settings.title.clone()),
            Some((path, name)) => {
                (format!("{}{path}", self.public_url), format!("{name} · {}", self.settings.title))
            }
        }
    }

    fn updated_at(&self) -> Timestamp {
        self.articles.iter().map(updated_at).max().unwrap_or(Timestamp::from_millis(0))
    }
}

/// The summary of an article, or its first words.
fn blurb(article: &PublishedArticle) -> String {
    description(&article.details(), article.lead.as_deref()).to_owned()
}

fn updated_at(article: &PublishedArticle) -> Timestamp {
    Timestamp::from_millis(article.updated_at.unwrap_or(article.published_at).max(article.published_at))
}

fn date(at: Timestamp) -> FixedDateTime {
    at.utc().fixed_offset()
}

fn link(href: String, rel: &str) -> Link {
    Link { href, rel: rel.to_owned(), ..Link::default() }
}

/// Renders the Atom feed. Ids are UUIDs, so that they survive a change of the slug or the URL.
pub fn atom(input: &Input, html: &HashMap<Uuid, String>) -> String {
    let ((site, title), mut texts) = (input.page(), input.full_texts(html));
    let person = |(name, uri): (String, String)| Person { name, uri: Some(uri), ..Person::default() };
    let entries = input.articles.iter().map(|article| {
        let (text, details) = (texts.remove(&article.revision_id), article.details());
        let has_summary = text.is_none() || !details.summary.is_empty();
        let lead = has_summary.then(|| Text::plain(clean(&blurb(article))));
        let category = |tag: &String| Category { term: clean(tag), ..Category::default() };
        let content = text.map(|text| Content {
            content_type: Some("html".to_owned()),
            lang: Some(input.language(article)),
            value: Some(text),
            ..Content::default()
        });
        Entry {
            id: format!("urn:uuid:{}", article.id),
            title: Text::plain(clean(&article.title)),
            updated: date(updated_at(article)),
            published: Some(date(Timestamp::from_millis(article.published_at))),
            authors: input.authors(article).into_iter().map(person).collect(),
            links: vec![link(input.url(article), "alternate")],
            summary: lead,
            categories: details.tags.iter().map(category).collect(),
            content,
            ..Entry::default()
        }
    });
    Feed {
        id: site.clone(),
        title: Text::plain(clean(&title)),
        updated: date(input.updated_at()),
        lang: Some(input.settings.language.as_str().to_owned()),
        links: vec![link(site.clone(), "alternate"), link(format!("{site}/feed.xml"), "self")],
        entries: entries.collect(),
        ..Feed::default()
    }
    .to_string()
}

/// Renders the JSON Feed.
pub fn json(input: &Input, html: &HashMap<Uuid, String>) -> String {
    let texts = input.full_texts(html);
    let items = input.articles.iter().map(|article| {
        let authors =
            input.authors(article).into_iter().map(|(name, url)| json!({ "name": name, "url": url }));
        let mut item = json!({
            "id": format!("urn:uuid:{}", article.id),
            "url": input.url(article),
            "title": clean(&article.title),
            "date_published": Timestamp::from_millis(article.published_at),
            "date_modified": updated_at(article),
            "authors": authors.collect::<Vec<_>>(),
        });
        match texts.get(&article.revision_id) {
            Some(text) => item["content_html"] = json!(text),
            None => item["content_text"] = json!(clean(&blurb(article))),
        }
        let details = article.details();
        if !details.summary.is_empty() {
            item["summary"] = json!(clean(&details.summary));
        }
        if !details.tags.is_empty() {
            item["tags"] = json!(details.tags);
        }
        if let Some(image) = cover(&details, &input.public_url) {
            item["image"] = json!(image);
        }
        item["language"] = json!(input.language(article));
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
