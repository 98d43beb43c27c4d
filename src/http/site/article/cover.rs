//! Covers: their elements, and their addresses in any form.

use crate::{
    services::rendering,
    text::{html::escape, render::picture_attributes},
};
use domain::{
    DomainError,
    articles::details::ArticleDetails,
    media::address::{self, MediaAddress},
};
use store::{Conn, site::PublishedArticle};

/// Returns the hashes of the covers that only the library can resolve, such as those with an earlier
/// host of the desk.
pub fn unresolved(articles: &[PublishedArticle]) -> Vec<String> {
    let hash = |article: &PublishedArticle| {
        // Most articles have none: their details are not read.
        article.details.as_deref().filter(|json| json.contains(address::PREFIX))?;
        let details = article.details();
        let found = address::parse(&details.cover).filter(MediaAddress::is_unresolved)?;
        Some(found.hash.to_owned())
    };
    articles.iter().filter_map(hash).collect()
}

/// Replaces the addresses of covers that the library has by their paths.
pub async fn resolve(conn: Conn<'_>, articles: &mut [PublishedArticle]) -> Result<(), DomainError> {
    let hashes = unresolved(articles);
    if hashes.is_empty() {
        return Ok(());
    }
    let paths = rendering::paths(conn, &hashes).await?;
    for article in articles {
        let mut details = article.details();
        let found = address::parse(&details.cover).filter(MediaAddress::is_unresolved);
        let Some(path) = found.and_then(|found| paths.get(found.hash)) else { continue };
        details.cover.clone_from(path);
        if let Ok(json) = serde_json::to_string(&details) {
            article.details = Some(json);
        }
    }
    Ok(())
}

/// Returns the element of a cover with its size and smaller versions; empty: the article has none.
pub fn picture(details: &ArticleDetails) -> String {
    if details.cover.is_empty() {
        return String::new();
    }
    let (address, alt) = (escape(&details.cover), escape(&details.cover_alt));
    let added = picture_attributes(&details.cover)
        .unwrap_or_else(|| " loading=\"lazy\" decoding=\"async\"".to_owned());
    format!("<img src=\"{address}\" alt=\"{alt}\"{added}>")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cover_of_the_library_has_its_size_and_smaller_versions() {
        let path = format!("/media/{}/1000x500.jpg", "0a".repeat(32));
        let details = ArticleDetails { cover: path.clone(), ..ArticleDetails::default() };
        let shown = picture(&details);
        assert!(shown.starts_with(&format!("<img src=\"{path}\" alt=\"\" srcset=\"/media/")), "{shown}");
        assert!(shown.contains(" width=\"1000\" height=\"500\" loading=\"lazy\""), "{shown}");
        let other = ArticleDetails {
            cover: "https://a.example/b.png?c&d".to_owned(),
            cover_alt: "\"e\"".to_owned(),
            ..ArticleDetails::default()
        };
        assert_eq!(
            picture(&other),
            "<img src=\"https://a.example/b.png?c&amp;d\" alt=\"&quot;e&quot;\" loading=\"lazy\" decoding=\"async\">"
        );
        assert_eq!(picture(&ArticleDetails::default()), "");
    }
}
