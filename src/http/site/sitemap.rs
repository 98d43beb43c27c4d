//! `sitemap.xml` and `robots.txt`.

use super::{
    cache, frame,
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
use std::fmt::Write as _;
use store::{
    details,
    site::{self, PublicAddress},
};

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
        let text = sitemap_of(&frame.public_url, &addresses).into();
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

fn sitemap_of(public_url: &str, addresses: &[PublicAddress]) -> String {
    let url = escape(public_url);
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\
         <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>{url}/site</loc></url>"
    );
    for address in addresses {
        let details = details::parse(address.details.as_deref()).unwrap_or_default();
        if details.is_noindex || !details.canonical.is_empty() {
            continue;
        }
        let (path, at) = (article_path(&address.slug), Timestamp::from_millis(address.changed_at));
        let _ = write!(text, "<url><loc>{url}{path}</loc><lastmod>{at}</lastmod></url>");
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
        };
        let list = [
            address("a&b", None),
            address("hidden", Some("{\"is_noindex\":true}")),
            address("copy", Some("{\"canonical\":\"https://a.example/\"}")),
        ];
        let text = sitemap_of("https://desk.example", &list);
        assert!(
            text.contains("<loc>https://desk.example/site/a%26b</loc><lastmod>1970-01-01T00:00:00"),
            "{text}"
        );
        assert!(!text.contains("hidden") && !text.contains("copy"), "{text}");
    }
}
