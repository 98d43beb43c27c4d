//! `/export/…`: the lists of tasks, articles, meetings, reminders and messages as CSV and JSON, with the
//! filters of their pages.

mod cells;

use crate::{
    articles::api::ArticleBody,
    http::{Web, api::dto::TaskBody, health::refused, pages},
    meetings::api::MeetingItem,
    messages::api::MessageBody,
    reminders::api::ReminderBody,
    services::internal_error,
    text::csv,
};
use axum::{
    Router,
    extract::{Query, Request, State},
    http::{HeaderValue, header, request::Parts},
    response::{IntoResponse, Response},
    routing::get,
};
use domain::{
    Actor, DomainError, Page, State as TaskState,
    article::{ArticleQuery, ArticleRow},
    error::ValidationError,
    input_limits::MAX_PAGE_ITEMS,
    meetings::{MeetingQuery, MeetingRow, MeetingScope},
    message::{MessageQuery, MessageRow},
    reminders::{Reminder, ReminderQuery, ReminderView},
    task::{TaskQuery, TaskRow},
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::future::Future;
use store::{
    PoolRole,
    event::{self, NewEvent},
};

/// Paths of the exports.
pub const PATHS: [&str; 10] = [
    "/export/tasks.csv",
    "/export/tasks.json",
    "/export/articles.csv",
    "/export/articles.json",
    "/export/meetings.csv",
    "/export/meetings.json",
    "/export/reminders.csv",
    "/export/reminders.json",
    "/export/messages.csv",
    "/export/messages.json",
];
/// Maximum number of rows of an export.
const MAX_ROWS: usize = 50_000;

/// Filters as the URLs of the lists have them.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct ExportQuery {
    state: Option<String>,
    q: Option<String>,
    mine: Option<String>,
    past: Option<String>,
    series: Option<String>,
}

/// Returns the routes.
pub fn routes() -> Router<Web> {
    PATHS.iter().fold(Router::new(), |router, path| router.route(path, get(export)))
}

async fn export(State(web): State<Web>, Query(query): Query<ExportQuery>, request: Request) -> Response {
    let (head, _) = request.into_parts();
    let actor = match pages::caller(&web, &head).await.map(|caller| caller.actor) {
        Ok(Some(actor)) => actor,
        Ok(None) => return pages::see_other(&pages::login_path(&head.uri)),
        Err(refusal) => return refused(&refusal),
    };
    match file(&web, &actor, &head, query).await {
        Ok(response) => response,
        Err(refusal) => refused(&refusal),
    }
}

async fn file(web: &Web, actor: &Actor, head: &Parts, query: ExportQuery) -> Result<Response, DomainError> {
    let name = head.uri.path().rsplit('/').next().unwrap_or_default();
    let text = match name {
        "tasks.csv" => csv_of(&cells::TASK, tasks(web, actor, query).await?, cells::task),
        "tasks.json" => json_of(tasks(web, actor, query).await?.into_iter().map(TaskBody::from)),
        "articles.csv" => csv_of(&cells::ARTICLE, articles(web, actor, query).await?, cells::article),
        "articles.json" => json_of(articles(web, actor, query).await?.into_iter().map(ArticleBody::from)),
        "meetings.csv" => csv_of(&cells::MEETING, meetings(web, actor, query).await?, cells::meeting),
        "meetings.json" => json_of(meetings(web, actor, query).await?.into_iter().map(MeetingItem::from)),
        "reminders.csv" => csv_of(&cells::REMINDER, reminders(web, actor, query).await?, cells::reminder),
        "reminders.json" => json_of(reminders(web, actor, query).await?.into_iter().map(ReminderBody::from)),
        "messages.csv" => csv_of(&cells::MESSAGE, messages(web, actor, query).await?, cells::message),
        _ => json_of(messages(web, actor, query).await?.into_iter().map(MessageBody::from)),
    };
    record(web, actor, name).await?;
    let kind = if name.ends_with(".csv") { "text/csv; charset=utf-8" } else { "application/json" };
    let disposition = HeaderValue::try_from(format!("attachment; filename=\"{name}\""));
    let mut response = text.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if let Ok(disposition) = disposition {
        headers.insert(header::CONTENT_DISPOSITION, disposition);
    }
    Ok(response)
}

/// Records the export in the log, where the account and admins see it.
async fn record(web: &Web, actor: &Actor, file: &str) -> Result<(), DomainError> {
    let now = web.parts.clock.now();
    let simple = NewEvent::simple(now, Some(actor.account), "account", actor.account.0, "export");
    let event = NewEvent { detail: json!({"file": file}).to_string(), ..simple };
    let mut tx = web.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    event::append(tx.conn(), &[event]).await.map_err(internal_error)?;
    tx.commit().await.map_err(internal_error)?;
    web.parts.committed.notify_waiters();
    Ok(())
}

/// All tasks that match.
async fn tasks(web: &Web, actor: &Actor, query: ExportQuery) -> Result<Vec<TaskRow>, DomainError> {
    let state = match query.state.as_deref() {
        Some("all") => None,
        Some(word) => Some(word.parse().unwrap_or(TaskState::Scheduled)),
        None => Some(TaskState::Scheduled),
    };
    let query = TaskQuery { state, q: query.q, limit: Some(MAX_PAGE_ITEMS), ..TaskQuery::default() };
    all(|cursor| web.services.tasks.list(actor, TaskQuery { cursor, ..query.clone() })).await
}

/// All articles that match.
async fn articles(web: &Web, actor: &Actor, query: ExportQuery) -> Result<Vec<ArticleRow>, DomainError> {
    let query = ArticleQuery {
        filter: query.state.and_then(|word| word.parse().ok()),
        q: query.q,
        is_mine: query.mine.is_some(),
        limit: Some(MAX_PAGE_ITEMS),
        ..ArticleQuery::default()
    };
    all(|cursor| web.services.articles.list(actor, ArticleQuery { cursor, ..query.clone() })).await
}

/// All meetings that match: those that have not ended, or that have started.
async fn meetings(web: &Web, actor: &Actor, query: ExportQuery) -> Result<Vec<MeetingRow>, DomainError> {
    let now = web.services.engine.status().await.now;
    let is_past = query.past.is_some_and(|past| !past.is_empty());
    let scope = query.state.and_then(|word| word.parse().ok()).unwrap_or(MeetingScope::Mine);
    let query = MeetingQuery {
        scope: Some(scope),
        from: (!is_past).then_some(now),
        to: is_past.then_some(now),
        series_id: query.series.and_then(|id| id.parse().ok()),
        q: query.q,
        limit: Some(MAX_PAGE_ITEMS),
        ..MeetingQuery::default()
    };
    all(|cursor| web.services.meetings.list(actor, MeetingQuery { cursor, ..query.clone() })).await
}

/// All reminders of a part of the list that match.
async fn reminders(web: &Web, actor: &Actor, query: ExportQuery) -> Result<Vec<Reminder>, DomainError> {
    let view = query.state.and_then(|word| word.parse().ok()).unwrap_or(ReminderView::Today);
    let query = ReminderQuery {
        view: Some(view),
        q: query.q,
        limit: Some(MAX_PAGE_ITEMS),
        ..ReminderQuery::default()
    };
    all(|cursor| web.services.reminders.list(actor, ReminderQuery { cursor, ..query.clone() })).await
}

/// All messages that match.
async fn messages(web: &Web, actor: &Actor, query: ExportQuery) -> Result<Vec<MessageRow>, DomainError> {
    let query = MessageQuery {
        state: query.state.and_then(|word| word.parse().ok()),
        key_prefix: query.q,
        limit: Some(MAX_PAGE_ITEMS),
        ..MessageQuery::default()
    };
    all(|cursor| web.services.messages.list(actor, MessageQuery { cursor, ..query.clone() })).await
}

/// All rows of a list, page by page. `page`: the page from a cursor on.
async fn all<T, F>(page: impl Fn(Option<String>) -> F) -> Result<Vec<T>, DomainError>
where
    F: Future<Output = Result<Page<T>, DomainError>>,
{
    let (mut rows, mut cursor) = (Vec::new(), None);
    loop {
        let found = page(cursor).await?;
        rows.extend(found.items);
        if rows.len() > MAX_ROWS {
            let max = u32::try_from(MAX_ROWS).unwrap_or(u32::MAX);
            return Err(DomainError::invalid("list", ValidationError::TooMany { max }));
        }
        cursor = found.next_cursor;
        if cursor.is_none() {
            return Ok(rows);
        }
    }
}

fn json_of<T: Serialize>(items: impl Iterator<Item = T>) -> String {
    serde_json::to_string(&items.collect::<Vec<_>>()).unwrap_or_else(|_| "[]".to_owned())
}

fn csv_of<T, const N: usize>(columns: &[&str; N], rows: Vec<T>, cells: fn(&T) -> [String; N]) -> String {
    let mut text = csv::BYTE_ORDER_MARK.to_owned();
    csv::push_row(&mut text, columns);
    for row in &rows {
        let cells = cells(row);
        csv::push_row(&mut text, &cells.each_ref().map(String::as_str));
    }
    text
}
