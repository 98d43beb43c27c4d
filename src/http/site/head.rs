//! Metadata of an article for search engines and cards: description, canonical address, Open Graph,
//! Twitter card and JSON-LD.

use super::{
    article::{
        card::{self, CardPicture},
        drawn_card::Card,
    },
    page::{Article, article_path, author_path},
};
use crate::text::html::escape;
use domain::{Timestamp, articles::details::ArticleDetails};
use serde_json::json;
use std::{collections::HashSet, fmt::Write as _};
use store::site::Translation;

/// Maximum length of a description, in characters.
const MAX_DESCRIPTION_CHARS: usize = 300;

/// Returns the summary of an article, or its first words.
pub fn description<'a>(details: &'a ArticleDetails, lead: Option<&'a str>) -> &'a str {
    if details.summary.is_empty() { lead.unwrap_or_default() } else { &details.summary }
}

/// Returns the absolute address of a cover; `None`: there is none.
pub fn cover(details: &ArticleDetails, public_url: &str) -> Option<String> {
    match details.cover.as_str() {
        "" => None,
        path if path.starts_with('/') => Some(format!("{public_url}{path}")),
        address => Some(address.to_owned()),
    }
}

/// Returns the elements in the head of an article's page: of its language and text.
pub fn of_article(
    input: &Article,
    details: &ArticleDetails,
    (language, html): (&str, Option<&str>),
) -> String {
    let (article, frame) = (&input.article, &input.frame);
    let own = format!("{}{}", frame.public_url, article_path(&article.slug));
    let canonical = if details.canonical.is_empty() { own.as_str() } else { &details.canonical };
    let text = Some(description(details, article.lead.as_deref())).filter(|text| !text.is_empty());
    let text = text.unwrap_or(&article.title);
    let text: String = text.chars().take(MAX_DESCRIPTION_CHARS).collect();
    let drawn = || Card::new(frame, article, language).picture(&frame.public_url, &article.slug);
    let image = card::of_article(details, html, &frame.public_url).unwrap_or_else(drawn);
    let published = Timestamp::from_millis(article.published_at);
    let mut head = address_and_text(canonical, &text);
    if details.is_noindex {
        head.push_str("<meta name=\"robots\" content=\"noindex\">");
    }
    for (language, address) in translations(input, &own) {
        let (language, address) = (escape(&language), escape(&address));
        let _ = write!(head, "<link rel=\"alternate\" hreflang=\"{language}\" href=\"{address}\">");
    }
    let mut property = |name: &str, value: &str| {
        let _ = write!(head, "<meta property=\"{name}\" content=\"{}\">", escape(value));
    };
    property("og:type", "article");
    property("og:title", &article.title);
    property("og:url", &own);
    property("og:site_name", &frame.settings.title);
    property("og:locale", &language.replace('-', "_"));
    property("og:description", &text);
    property("og:image", &image.address);
    if let Some((width, height)) = image.size {
        property("og:image:width", &width.to_string());
        property("og:image:height", &height.to_string());
    }
    if !image.alt.is_empty() {
        property("og:image:alt", &image.alt);
    }
    property("article:published_time", &published.to_string());
    property("article:modified_time", &changed_at(input).to_string());
    for author in article.authors() {
        property("article:author", author);
    }
    for tag in &details.tags {
        property("article:tag", tag);
    }
    head.push_str("<meta name=\"twitter:card\" content=\"summary_large_image\">");
    let data = data(input, details, (canonical, &text, image, language));
    let _ = write!(head, "<script type=\"application/ld+json\">{data}</script>");
    head
}

/// Returns the languages and addresses of an article and its public translations; empty: it has none, or is
/// not to be listed itself.
fn translations(input: &Article, own: &str) -> Vec<(String, String)> {
    let frame = &input.frame;
    let all =
        alternates(&frame.public_url, frame.settings.language.as_str(), input.around.translations.iter());
    if all.iter().any(|(_, address)| address == own) { all } else { Vec::new() }
}

/// Returns the language and absolute address of each article of a group, one for each language, and that of
/// the original as `x-default`. Empty: the group has fewer than two languages. `language`: that of the site.
pub fn alternates<'a>(
    public_url: &str,
    language: &str,
    group: impl Iterator<Item = &'a Translation>,
) -> Vec<(String, String)> {
    let (mut all, mut seen, mut original) = (Vec::new(), HashSet::new(), None);
    for one in group {
        let language = one.language.as_deref().unwrap_or(language);
        if !seen.insert(language.to_ascii_lowercase()) {
            continue;
        }
        let address = format!("{public_url}{}", article_path(&one.slug));
        if one.is_original {
            original = Some(address.clone());
        }
        all.push((language.to_owned(), address));
    }
    if all.len() < 2 {
        return Vec::new();
    }
    all.extend(original.map(|address| ("x-default".to_owned(), address)));
    all
}

/// Returns the article as JSON-LD: a data block, which browsers do not execute. `<` is escaped, so that
/// nothing can end it.
fn data(
    input: &Article,
    details: &ArticleDetails,
    (canonical, text, image, language): (&str, &str, CardPicture, &str),
) -> String {
    let (article, frame) = (&input.article, &input.frame);
    let site = format!("{}/site", frame.public_url);
    let person = |name: &str| {
        let url = format!("{}{}", frame.public_url, author_path(name));
        json!({ "@type": "Person", "name": name, "url": url })
    };
    let mut authors: Vec<_> = article.authors().into_iter().map(person).collect();
    let author = if authors.len() == 1 { authors.remove(0) } else { json!(authors) };
    let mut data = json!({
        "@context": "https://schema.org",
        "@type": "Article",
        "headline": article.title,
        "datePublished": Timestamp::from_millis(article.published_at),
        "dateModified": changed_at(input),
        "author": author,
        "publisher": { "@type": "Organization", "name": frame.settings.title, "url": site },
        "mainEntityOfPage": canonical,
        "inLanguage": language,
        "wordCount": article.words,
        "description": text,
        "image": image.address,
    });
    if !details.tags.is_empty() {
        data["keywords"] = json!(details.tags);
    }
    data.to_string().replace('<', "\\u003c")
}

fn changed_at(input: &Article) -> Timestamp {
    let article = &input.article;
    Timestamp::from_millis(article.updated_at.unwrap_or(0).max(article.published_at))
}

/// Returns the canonical address and the description of a page.
pub fn address_and_text(canonical: &str, text: &str) -> String {
    let mut head = format!("<link rel=\"canonical\" href=\"{}\">", escape(canonical));
    if !text.is_empty() {
        let _ = write!(head, "<meta name=\"description\" content=\"{}\">", escape(text));
    }
    head
}

/// Returns the elements in the head of a list.
pub fn of_list(title: &str, site: &str, address: &str, text: &str) -> String {
    let mut head = address_and_text(address, text);
    for (name, value) in
        [("og:type", "website"), ("og:title", title), ("og:url", address), ("og:site_name", site)]
    {
        let _ = write!(head, "<meta property=\"{name}\" content=\"{}\">", escape(value));
    }
    head
}
