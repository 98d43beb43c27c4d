//! Routes of the lists: front page and search, tags, authors, months and the archive.

mod search;

use super::{
    cache, feed, frame,
    lists::{self, List, ListKind},
    page::{Frame, MAX_SEARCH_CHARS, author_path, tag_path},
    render_missing, rendered_input,
    respond::{HTML, etag, missing, respond},
    texts,
};
use crate::{
    http::{Web, health::refused},
    services::internal_error,
    zone::Zone,
};
use axum::{
    extract::{Path, Query, State},
    http::HeaderMap,
    response::Response,
};
use domain::{DomainError, Timestamp};
use serde::Deserialize;
use store::{
    account::{self, AuthorPage},
    details::tag_key,
    site,
};
use uuid::Uuid;

/// Number of articles on a page of a list.
const ARTICLES_PER_PAGE: u32 = 20;
/// Maximum number of articles of a month.
const ARTICLES_PER_MONTH: u32 = 500;
/// Maximum number of articles in the archive, and of tags.
const MAX_ARCHIVED: u32 = 20_000;
const MAX_TAGS: u32 = 200;

/// Position in a list, and search text.
#[derive(Debug, Default, Deserialize)]
pub struct ListQuery {
    /// Publication time and id of the last article of the previous page; of a search, see
    /// [`search::SearchPlace`].
    after: Option<String>,
    /// Search text.
    q: Option<String>,
}

impl ListQuery {
    /// Returns the position; `None` (also for an invalid one): the beginning.
    fn position(&self) -> Option<(i64, Uuid)> {
        let (at, id) = self.after.as_deref()?.split_once('-')?;
        Some((at.parse().ok()?, id.parse().ok()?))
    }

    /// Returns the search text, cut to its maximum length.
    fn search(&self) -> Option<String> {
        let text: String = self.q.as_deref()?.trim().chars().take(MAX_SEARCH_CHARS).collect();
        (!text.is_empty()).then_some(text)
    }
}

/// `/site`: the front page, or the results of a search.
pub async fn index(State(web): State<Web>, Query(query): Query<ListQuery>, headers: HeaderMap) -> Response {
    let list = match query.search() {
        Some(text) => search::results(&web, text, query.after.as_deref()).await,
        None => front(&web, query.position()).await,
    };
    page(&web, &headers, list.map(Ok)).await
}

/// `/site/tag/{tag}`: articles with a tag.
pub async fn tag(
    State(web): State<Web>,
    Path(tag): Path<String>,
    Query(query): Query<ListQuery>,
    headers: HeaderMap,
) -> Response {
    let list = tagged(&web, &tag_key(&tag), query.position()).await;
    page(&web, &headers, list).await
}

/// `/site/author/{name}`: articles of an author.
pub async fn author(
    State(web): State<Web>,
    Path(name): Path<String>,
    Query(query): Query<ListQuery>,
    headers: HeaderMap,
) -> Response {
    let list = of_author(&web, name, (query.position(), ARTICLES_PER_PAGE + 1)).await;
    page(&web, &headers, list).await
}

/// `/site/archive/{month}`: articles of a month (`2026-11`), or all months and tags (`all`).
pub async fn month(State(web): State<Web>, Path(month): Path<String>, headers: HeaderMap) -> Response {
    if month == "all" {
        return archive(&web, &headers).await;
    }
    let list = of_month(&web, &month).await;
    page(&web, &headers, list).await
}

/// `/site/tag/{tag}/feed.xml`.
pub async fn tag_feed(State(web): State<Web>, Path(tag): Path<String>, headers: HeaderMap) -> Response {
    let input = tag_feed_input(&web, &tag_key(&tag)).await;
    feed_of_list(web, headers, input).await
}

/// `/site/author/{name}/feed.xml`.
pub async fn author_feed(State(web): State<Web>, Path(name): Path<String>, headers: HeaderMap) -> Response {
    let input = author_feed_input(&web, name).await;
    feed_of_list(web, headers, input).await
}

/// Responds with the feed of a list. The inner error: there is no such list.
async fn feed_of_list(
    web: Web,
    headers: HeaderMap,
    input: Result<Result<feed::Input, Frame>, DomainError>,
) -> Response {
    match input {
        Ok(Ok(input)) => {
            super::feed(web, headers, Ok(input), ("application/atom+xml; charset=utf-8", feed::atom)).await
        }
        Ok(Err(frame)) => missing(&frame),
        Err(refusal) => refused(&refusal),
    }
}

/// Responds with a list. The inner error: there is no such list.
async fn page(web: &Web, headers: &HeaderMap, list: Result<Result<List, Frame>, DomainError>) -> Response {
    let mut list = match list {
        Ok(Ok(list)) => list,
        Ok(Err(frame)) => return missing(&frame),
        Err(refusal) => return refused(&refusal),
    };
    if let Err(refusal) = render_missing(web, &mut list.articles).await {
        return refused(&refusal);
    }
    let write = async { Ok(lists::list(&list).into()) };
    respond(headers, etag("list", &list), HTML, write).await
}

async fn front(web: &Web, after: Option<(i64, Uuid)>) -> Result<List, DomainError> {
    let (frame, _, mut lease) = frame(web).await?;
    let articles = site::page(lease.conn(), after, ARTICLES_PER_PAGE + 1).await.map_err(internal_error)?;
    let max = ARTICLES_PER_PAGE as usize;
    Ok(List { frame, kind: ListKind::Front, articles, max, is_first: after.is_none() })
}

async fn tagged(
    web: &Web,
    key: &str,
    after: Option<(i64, Uuid)>,
) -> Result<Result<List, Frame>, DomainError> {
    let (frame, _, mut lease) = frame(web).await?;
    let Some(tag) = site::tag(lease.conn(), key).await.map_err(internal_error)? else {
        return Ok(Err(frame));
    };
    let articles =
        site::by_tag(lease.conn(), key, after, ARTICLES_PER_PAGE + 1).await.map_err(internal_error)?;
    let max = ARTICLES_PER_PAGE as usize;
    Ok(Ok(List { frame, kind: ListKind::Tag(tag), articles, max, is_first: after.is_none() }))
}

async fn of_author(
    web: &Web,
    name: String,
    (after, limit): (Option<(i64, Uuid)>, u32),
) -> Result<Result<List, Frame>, DomainError> {
    let (frame, _, mut lease) = frame(web).await?;
    // No name contains a NUL, which a database may refuse.
    if name.contains('\0') {
        return Ok(Err(frame));
    }
    let articles = site::by_author(lease.conn(), &name, after, limit).await.map_err(internal_error)?;
    if articles.is_empty() {
        return Ok(Err(frame));
    }
    let author = account::author_page(lease.conn(), &name).await.map_err(internal_error)?;
    let author = author.unwrap_or_else(|| AuthorPage { name, ..AuthorPage::default() });
    let max = ARTICLES_PER_PAGE as usize;
    Ok(Ok(List { frame, kind: ListKind::Author(author), articles, max, is_first: after.is_none() }))
}

async fn tag_feed_input(web: &Web, key: &str) -> Result<Result<feed::Input, Frame>, DomainError> {
    let (frame, _, mut lease) = frame(web).await?;
    let Some(tag) = site::tag(lease.conn(), key).await.map_err(internal_error)? else {
        return Ok(Err(frame));
    };
    let articles =
        site::by_tag(lease.conn(), key, None, super::ARTICLES_PER_FEED).await.map_err(internal_error)?;
    drop(lease);
    let input = feed::Input {
        settings: frame.settings,
        articles,
        public_url: frame.public_url,
        list: Some((tag_path(&tag.key), tag.name)),
    };
    rendered_input(web, input).await.map(Ok)
}

async fn author_feed_input(web: &Web, name: String) -> Result<Result<feed::Input, Frame>, DomainError> {
    let List { frame, articles, .. } =
        match of_author(web, name.clone(), (None, super::ARTICLES_PER_FEED)).await? {
            Ok(list) => list,
            Err(frame) => return Ok(Err(frame)),
        };
    let input = feed::Input {
        settings: frame.settings,
        articles,
        public_url: frame.public_url,
        list: Some((author_path(&name), name)),
    };
    rendered_input(web, input).await.map(Ok)
}

async fn of_month(web: &Web, month: &str) -> Result<Result<List, Frame>, DomainError> {
    let (frame, _, mut lease) = frame(web).await?;
    let Some((from, until)) = month_bounds(month, Zone::stored(&frame.settings.zone)) else {
        return Ok(Err(frame));
    };
    let span = (from.millis(), until.millis());
    let articles = site::in_month(lease.conn(), span, ARTICLES_PER_MONTH).await.map_err(internal_error)?;
    if articles.is_empty() {
        return Ok(Err(frame));
    }
    let name = texts::month(&frame.settings, from);
    let kind = ListKind::Month(month.to_owned(), name);
    Ok(Ok(List { frame, kind, articles, max: ARTICLES_PER_MONTH as usize, is_first: true }))
}

/// Returns the begin and the end of a month such as `2026-11`.
fn month_bounds(month: &str, zone: Zone) -> Option<(Timestamp, Timestamp)> {
    let (year, number) = month.split_once('-')?;
    if year.len() != 4 || number.len() != 2 {
        return None;
    }
    let (year, number): (u32, u32) = (year.parse().ok()?, number.parse().ok()?);
    let (next_year, next) = if number == 12 { (year + 1, 1) } else { (year, number + 1) };
    let begin = |year: u32, number: u32| {
        zone.day_bounds("month", &format!("{year:04}-{number:02}-01")).ok().map(|(begin, _)| begin)
    };
    Some((begin(year, number)?, begin(next_year, next)?))
}

async fn archive(web: &Web, headers: &HeaderMap) -> Response {
    let read = async {
        let (frame, newest, mut lease) = frame(web).await?;
        if let Some(text) = cache::document(web, "archive", newest) {
            return Ok(text);
        }
        let times = site::months(lease.conn(), MAX_ARCHIVED).await.map_err(internal_error)?;
        let tags = site::tags(lease.conn(), MAX_TAGS).await.map_err(internal_error)?;
        let zone = Zone::stored(&frame.settings.zone);
        let mut months: Vec<(String, String, usize)> = Vec::new();
        for time in times {
            let at = Timestamp::from_millis(time.at);
            let (year, month, _) = zone.day(at);
            let path = format!("{year:04}-{month:02}");
            match months.last_mut() {
                Some((last, _, count)) if *last == path => *count += 1,
                _ => months.push((path, texts::month(&frame.settings, at), 1)),
            }
        }
        let text = lists::archive(&frame, &months, &tags).into();
        cache::keep_document(web, "archive", newest, &text);
        Ok::<_, DomainError>(text)
    };
    match read.await {
        Ok(text) => respond(headers, etag("archive", &text), HTML, async { Ok(text) }).await,
        Err(refusal) => refused(&refusal),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_month_has_its_bounds_in_the_desk_zone() {
        let bounds = |month: &str| month_bounds(month, Zone::stored("Europe/Berlin"));
        let (from, until) = bounds("2026-12").unwrap();
        assert_eq!(from, "2026-11-30T23:00:00Z".parse().unwrap());
        assert_eq!(until, "2026-12-31T23:00:00Z".parse().unwrap());
        for bad in ["2026-13", "2026-00", "2026", "26-01", "2026-1", "x-01", "2026-11-01"] {
            assert_eq!(bounds(bad), None, "{bad}");
        }
    }
}
