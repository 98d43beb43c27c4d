//! `sitemap.xml` and `robots.txt`.

use super::{
    cache, frame, head,
    page::article_path,
    respond::{etag, respond},
};
use crate::{
    http::{Web, health::refused},
    services::internal_error,
    text::html::escape,
};
use axum::{extract::State, http::HeaderMap, response::Response};
use domain::{DomainError, Timestamp};
use std::{collections::HashMap, fmt::Write as _};
use store::site::{self, PublicAddress, Translation};

/// Maximum number of addresses in a sitemap, by its specification.
const MAX_ADDRESSES: u32 = 49_999;

/// `/site/sitemap.xml`: all public articles and pages that search engines may list.
pub async fn sitemap(State(web): State<Web>, headers: HeaderMap) -> Response {
    let read = async {
        let (frame, newest, mut lease) = frame(&web).await?;
        if let Some(text) = cache::document(&web, "sitemap", newest) {
            return Ok(text);
        }
        let addresses = site::addresses(lease.conn(), MAX_ADDRESSES).await.map_err(internal_error)?;
        let language = frame.settings.language.as_str();
        let text = sitemap_of(&frame.public_url, language, &addresses).into();
        cache::keep_document(&web, "sitemap", newest, &text);
        Ok::<_, DomainError>(text)
    };
    match read.await {
        Ok(text) => {
            respond(&headers, etag("sitemap", &text), "application/xml; charset=utf-8", async { Ok(text) })
                .await
        }
        Err(refusal) => refused(&refusal),
    }
}

/// The articles of each group of translations, by the slug of the original: the original first, then the
/// oldest publication. Most groups have one article.
type Groups<'a> = HashMap<&'a str, Vec<Translation>>;

/// An article's place in its group; `None`: search engines are not to list it.
fn translation(address: &PublicAddress) -> Option<(&str, Translation)> {
    let original = address.original.as_deref().unwrap_or(&address.slug);
    let (details, guessed) = (address.details.as_deref(), address.guessed.as_deref());
    let one = Translation::of(&address.slug, details, guessed, original == address.slug)?;
    Some((original, one))
}

fn groups(addresses: &[PublicAddress]) -> Groups<'_> {
    let mut groups = Groups::new();
    for (original, one) in addresses.iter().rev().filter_map(translation) {
        groups.entry(original).or_default().push(one);
    }
    groups.values_mut().for_each(|group| group.sort_by_key(|one| !one.is_original));
    groups
}

fn sitemap_of(public_url: &str, language: &str, addresses: &[PublicAddress]) -> String {
    let (url, groups) = (escape(public_url), groups(addresses));
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\
         <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
         xmlns:xhtml=\"http://www.w3.org/1999/xhtml\"><url><loc>{url}/site</loc></url>"
    );
    for address in addresses {
        let Some((original, _)) = translation(address) else { continue };
        let (path, at) = (article_path(&address.slug), Timestamp::from_millis(address.changed_at));
        let _ = write!(text, "<url><loc>{url}{path}</loc><lastmod>{at}</lastmod>");
        let group = groups.get(original).map(Vec::as_slice).unwrap_or_default();
        let all = head::alternates(public_url, language, group.iter());
        if all.iter().any(|(_, other)| *other == format!("{public_url}{path}")) {
            for (language, other) in &all {
                let (language, other) = (escape(language), escape(other));
                let _ =
                    write!(text, "<xhtml:link rel=\"alternate\" hreflang=\"{language}\" href=\"{other}\"/>");
            }
        }
        text.push_str("</url>");
    }
    text.push_str("</urlset>");
    text
}

/// `/robots.txt`: crawlers may read the site and not the desk.
pub async fn robots(State(web): State<Web>, headers: HeaderMap) -> Response {
    let text = format!(
        "User-agent: *\nAllow: /site\nAllow: /media/\nAllow: /pkg/\nDisallow: /\n\nSitemap: {}/site/sitemap.xml\n",
        web.address.public_url
    );
    respond(&headers, etag("robots", &text), "text/plain; charset=utf-8", async { Ok(text.into()) }).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sitemap_has_what_search_engines_may_list() {
        let address = |slug: &str, details: Option<&str>| PublicAddress {
            slug: slug.to_owned(),
            changed_at: 0,
            details: details.map(str::to_owned),
            guessed: None,
            original: None,
        };
        let list = [
            address("a&b", None),
            address("hidden", Some("{\"is_noindex\":true}")),
            address("copy", Some("{\"canonical\":\"https://a.example/\"}")),
        ];
        let text = sitemap_of("https://desk.example", "en", &list);
        assert!(
            text.contains("<loc>https://desk.example/site/a%26b</loc><lastmod>1970-01-01T00:00:00"),
            "{text}"
        );
        assert!(!text.contains("hidden") && !text.contains("copy"), "{text}");
        assert!(!text.contains("hreflang"), "{text}");
    }

    #[test]
    fn translations_name_each_other() {
        let address = |slug: &str, details: &str, original: Option<&str>| PublicAddress {
            slug: slug.to_owned(),
            changed_at: 0,
            details: Some(details.to_owned()),
            guessed: None,
            original: original.map(str::to_owned),
        };
        let list = [
            address("again", "{\"language\":\"DE\"}", Some("tide")),
            address("flut", "{\"language\":\"de\"}", Some("tide")),
            address("quiet", "{\"language\":\"fr\",\"is_noindex\":true}", Some("tide")),
            address("tide", "{}", None),
        ];
        let text = sitemap_of("https://desk.example", "en", &list);
        let links = "<xhtml:link rel=\"alternate\" hreflang=\"en\" href=\"https://desk.example/site/tide\"/>\
                     <xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"https://desk.example/site/flut\"/>\
                     <xhtml:link rel=\"alternate\" hreflang=\"x-default\" href=\"https://desk.example/site/tide\"/>";
        // A second article in German is not named, and names none.
        assert_eq!(text.matches(links).count(), 2, "{text}");
        assert_eq!(text.matches("hreflang").count(), 6, "{text}");
    }
}
