//! Searching articles: what was found, each with the sentence that holds the first hit.

use super::cursor;
use crate::{
    desk::{apart, broken},
    text::prose::prose,
};
use domain::{Refusal, article::ExcerptPart};
use store::{
    Conn,
    article_list::{ListedArticle, Wanted},
    search::{self, Hit, Query, Scope},
};
use uuid::Uuid;

/// Texts held at once for their excerpts.
const TEXTS: usize = 10;

/// A page of the list, whatever made it.
pub struct Part {
    pub listed: Vec<(ListedArticle, Vec<ExcerptPart>)>,
    pub next_cursor: Option<String>,
}

/// One page of what the words find.
pub async fn page(
    mut conn: Conn<'_>,
    q: &str,
    wanted: &Wanted,
    cursor: Option<&str>,
) -> Result<Part, Refusal> {
    let query = Query::parse(q);
    let after = cursor.map(cursor::read_place).transpose()?;
    let found = search::page(conn.again(), &query, Scope { wanted, after }).await.map_err(broken)?;
    let mut listed = Vec::with_capacity(found.hits.len());
    for some in found.hits.chunks(TEXTS) {
        listed.extend(with_excerpts(conn.again(), &query, some).await?);
    }
    Ok(Part { listed, next_cursor: found.next.map(cursor::write_place) })
}

async fn with_excerpts(
    conn: Conn<'_>,
    query: &Query,
    hits: &[Hit],
) -> Result<Vec<(ListedArticle, Vec<ExcerptPart>)>, Refusal> {
    let revisions: Vec<Uuid> = hits.iter().map(|hit| hit.listed.article.revision_id).collect();
    let bodies = search::bodies(conn, &revisions).await.map_err(broken)?;
    let (query, bodies) = (query.clone(), revisions.into_iter().map(move |id| bodies.get(&id).cloned()));
    let bodies: Vec<String> = bodies.map(Option::unwrap_or_default).collect();
    let excerpts = apart(move || bodies.iter().map(|body| excerpt(&query, body)).collect::<Vec<_>>()).await?;
    Ok(hits.iter().map(|hit| hit.listed.clone()).zip(excerpts).collect())
}

/// The sentence as readers read it; where only the Markdown around it holds the words, as it is written.
fn excerpt(query: &Query, body: &str) -> Vec<ExcerptPart> {
    let parts = query.excerpt(&prose(body));
    if parts.is_empty() { query.excerpt(body) } else { parts }
}
