//! Searches articles and returns each with the sentence that contains the first hit.

use super::cursor;
use crate::{
    services::{internal_error, run_blocking},
    text::prose::to_prose,
};
use domain::{DomainError, article::ExcerptPart};
use store::{
    Conn,
    article_list::{ArticleListQuery, ListedArticle},
    search::{self, Hit, Query, Scope},
};
use uuid::Uuid;

/// Maximum number of texts in memory at once while excerpts are made.
const MAX_TEXTS_IN_MEMORY: usize = 10;

/// A page of the list, with or without a search.
pub struct ListPage {
    pub listed: Vec<(ListedArticle, Vec<ExcerptPart>)>,
    pub next_cursor: Option<String>,
    pub previous_cursor: Option<String>,
}

/// Returns one page of search results.
pub async fn page(
    mut conn: Conn<'_>,
    q: &str,
    wanted: &ArticleListQuery,
    cursor: Option<&str>,
) -> Result<ListPage, DomainError> {
    let query = Query::parse(q);
    let after = cursor.map(cursor::read_place).transpose()?;
    let found =
        search::page(conn.reborrow(), &query, Scope { wanted, after }).await.map_err(internal_error)?;
    let mut listed = Vec::with_capacity(found.hits.len());
    for some in found.hits.chunks(MAX_TEXTS_IN_MEMORY) {
        listed.extend(with_excerpts(conn.reborrow(), &query, some).await?);
    }
    Ok(ListPage { listed, next_cursor: found.next.map(cursor::write_place), previous_cursor: None })
}

/// Returns the ids of all articles that are found; at most as many as wanted.
pub async fn all(mut conn: Conn<'_>, q: &str, wanted: &ArticleListQuery) -> Result<Vec<Uuid>, DomainError> {
    let query = Query::parse(q);
    let (mut ids, mut after) = (Vec::new(), None);
    loop {
        // Each part checks a bounded number of texts, so that it ends soon.
        let scope = Scope { wanted, after };
        let found = search::page(conn.reborrow(), &query, scope).await.map_err(internal_error)?;
        ids.extend(found.hits.iter().map(|hit| hit.listed.article.id));
        after = found.next;
        if after.is_none() || ids.len() >= wanted.limit as usize {
            return Ok(ids);
        }
    }
}

async fn with_excerpts(
    conn: Conn<'_>,
    query: &Query,
    hits: &[Hit],
) -> Result<Vec<(ListedArticle, Vec<ExcerptPart>)>, DomainError> {
    let revisions: Vec<Uuid> = hits.iter().map(|hit| hit.listed.article.revision_id).collect();
    let bodies = search::bodies(conn, &revisions).await.map_err(internal_error)?;
    let (query, bodies) = (query.clone(), revisions.into_iter().map(move |id| bodies.get(&id).cloned()));
    let bodies: Vec<String> = bodies.map(Option::unwrap_or_default).collect();
    let excerpts =
        run_blocking(move || bodies.iter().map(|body| excerpt(&query, body)).collect::<Vec<_>>()).await?;
    Ok(hits.iter().map(|hit| hit.listed.clone()).zip(excerpts).collect())
}

/// Returns the excerpt from the rendered text, or from the Markdown source if only that contains
/// the words.
fn excerpt(query: &Query, body: &str) -> Vec<ExcerptPart> {
    let parts = query.excerpt(&to_prose(body));
    if parts.is_empty() { query.excerpt(body) } else { parts }
}
