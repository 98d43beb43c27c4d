//! The search: results in the texts of public articles.

use super::{
    super::{
        frame,
        lists::{List, ListKind},
    },
    ARTICLES_PER_PAGE,
};
use crate::{
    http::Web,
    services::internal_error,
    text::render::{POOL, Share},
};
use domain::{DomainError, article::ArticleFilter};
use std::collections::{HashMap, HashSet};
use store::{
    PoolRole,
    article_list::ArticleListQuery,
    search::{self, Scope, SearchCursor},
    site::{self, PublishedArticle},
};
use uuid::Uuid;

/// Maximum number of public texts that one page reads.
const MAX_TEXTS: usize = 100;
/// Number of them in memory at once.
const TEXTS_IN_MEMORY: usize = 5;
/// Maximum number of queries of the index for one page.
const MAX_INDEX_QUERIES: usize = 5;

/// Where a page of search results begins. A search first reads the public texts of the articles with
/// unpublished changes, because the index holds current texts; then the index, for all others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SearchPlace {
    /// Among the articles with unpublished changes: publication time and id of the last one read.
    Changed(Option<(i64, Uuid)>),
    /// In the index; `None`: at its begin.
    Index(Option<SearchCursor>),
}

impl SearchPlace {
    /// Reads a place as written in an address; an invalid one is the begin of the search.
    fn read(text: Option<&str>) -> Self {
        let text = text.unwrap_or_default();
        let after = |text: &str| {
            let (at, id) = text.split_once('-')?;
            Some((at.parse().ok()?, id.parse().ok()?))
        };
        let Some(place) = text.strip_prefix('i') else { return Self::Changed(after(text)) };
        let cursor = place.split_once('-').and_then(|(rank, rest)| {
            let (at, id) = after(rest)?;
            Some(SearchCursor { rank: rank.parse().ok().filter(|rank| *rank > 0)?, at, id })
        });
        Self::Index(cursor)
    }

    fn written(self) -> String {
        match self {
            Self::Changed(None) => String::new(),
            Self::Changed(Some((at, id))) => format!("{at}-{id}"),
            Self::Index(None) => "i".to_owned(),
            Self::Index(Some(SearchCursor { rank, at, id })) => format!("i{rank}-{at}-{id}"),
        }
    }
}

/// Searches the texts of public articles. `after`: a [`SearchPlace`] as written.
pub(super) async fn results(web: &Web, text: String, after: Option<&str>) -> Result<List, DomainError> {
    let (frame, _, lease) = frame(web).await?;
    drop(lease);
    let (query, place) = (search::Query::parse(&text), SearchPlace::read(after));
    let mut articles = Vec::new();
    let mut next = (!query.is_empty()).then_some(place);
    if let Some(SearchPlace::Changed(after)) = next {
        let rest = changed_results(web, &query, after, &mut articles).await?;
        next = rest.or(Some(SearchPlace::Index(None)));
    }
    if let Some(SearchPlace::Index(after)) = next {
        next = indexed_results(web, &query, after, &mut articles).await?;
    }
    let kind = ListKind::Search { text, next: next.map(SearchPlace::written) };
    let is_first = place == SearchPlace::Changed(None);
    Ok(List { frame, kind, articles, max: ARTICLES_PER_PAGE as usize, is_first })
}

/// Adds results with unpublished changes. Returns where the next page begins; `None`: there are no more of
/// them.
async fn changed_results(
    web: &Web,
    query: &search::Query,
    mut after: Option<(i64, Uuid)>,
    found: &mut Vec<PublishedArticle>,
) -> Result<Option<SearchPlace>, DomainError> {
    let limit = u32::try_from(MAX_TEXTS + 1).unwrap_or(u32::MAX);
    let mut lease = web.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let mut changed = site::changed(lease.conn(), after, limit).await.map_err(internal_error)?;
    drop(lease);
    let has_more = changed.len() > MAX_TEXTS;
    changed.truncate(MAX_TEXTS);
    for some in changed.chunks(TEXTS_IN_MEMORY) {
        let matches = matches(web, query, some).await?;
        for article in some {
            let is_match = matches.contains(&article.id);
            if is_match && found.len() == ARTICLES_PER_PAGE as usize {
                return Ok(Some(SearchPlace::Changed(after)));
            }
            found.extend(is_match.then(|| article.clone()));
            after = Some((article.published_at, article.id));
        }
    }
    Ok(has_more.then_some(SearchPlace::Changed(after)))
}

/// Returns those of a few articles whose public text has all words of the query.
async fn matches(
    web: &Web,
    query: &search::Query,
    some: &[PublishedArticle],
) -> Result<HashSet<Uuid>, DomainError> {
    let ids: Vec<Uuid> = some.iter().map(|article| article.id).collect();
    let mut lease = web.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let texts = site::public_texts(lease.conn(), &ids).await.map_err(internal_error)?;
    drop(lease);
    let details: HashMap<Uuid, String> =
        some.iter().map(|article| (article.id, article.details().words())).collect();
    let query = query.clone();
    let find = move || {
        let words = |id: &Uuid| details.get(id).map_or("", String::as_str);
        let texts = texts.into_iter();
        let matches = texts.filter(|(id, title, body)| {
            let text = format!("{body}\n{}", words(id));
            query.matches_text(title, &text)
        });
        matches.map(|(id, ..)| id).collect()
    };
    POOL.run_for_client(Share::Readers, move |_| find()).await
}

/// Adds results without unpublished changes, best first. Returns where the next page begins.
async fn indexed_results(
    web: &Web,
    query: &search::Query,
    mut after: Option<SearchCursor>,
    found: &mut Vec<PublishedArticle>,
) -> Result<Option<SearchPlace>, DomainError> {
    let mut lease = web.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    for _ in 0..MAX_INDEX_QUERIES {
        let left = ARTICLES_PER_PAGE.saturating_sub(u32::try_from(found.len()).unwrap_or(u32::MAX));
        let filter = Some(ArticleFilter::Published);
        let wanted = ArticleListQuery { filter, limit: left.max(1), ..ArticleListQuery::default() };
        let scope = Scope { wanted: &wanted, after };
        let part = search::page(lease.conn(), query, scope).await.map_err(internal_error)?;
        let hits = part.hits.iter().map(|hit| &hit.listed.article);
        let unchanged = hits.filter(|article| article.published_revision_id == Some(article.revision_id));
        let ids: Vec<Uuid> = unchanged.map(|article| article.id).collect();
        if left == 0 && !ids.is_empty() {
            return Ok(Some(SearchPlace::Index(after)));
        }
        let articles = site::of_ids(lease.conn(), &ids).await.map_err(internal_error)?;
        let mut articles: HashMap<Uuid, _> =
            articles.into_iter().map(|article| (article.id, article)).collect();
        found.extend(ids.iter().filter_map(|id| articles.remove(id)));
        let Some(next) = part.next else { return Ok(None) };
        after = Some(next);
    }
    Ok(Some(SearchPlace::Index(after)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_of_a_search_is_read_as_it_was_written() {
        let (at, id) = (1_800_000_000_000, Uuid::from_u128(7));
        let cursor = SearchCursor { rank: 3, at, id };
        for place in [
            SearchPlace::Changed(None),
            SearchPlace::Changed(Some((at, id))),
            SearchPlace::Index(None),
            SearchPlace::Index(Some(cursor)),
        ] {
            assert_eq!(SearchPlace::read(Some(&place.written())), place);
        }
        assert_eq!(SearchPlace::read(Some("nonsense")), SearchPlace::Changed(None));
        assert_eq!(SearchPlace::read(Some("i0-1-x")), SearchPlace::Index(None));
    }
}
