//! `/export/…`: the lists of tasks and articles as CSV and JSON, with the filters of their pages.

use crate::{
    articles::api::ArticleBody,
    http::{Web, api::dto::TaskBody, health::refused, pages},
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
    task::{TaskQuery, TaskRow},
};
use serde::{Deserialize, Serialize};

/// Paths of the exports.
pub const PATHS: [&str; 4] =
    ["/export/tasks.csv", "/export/tasks.json", "/export/articles.csv", "/export/articles.json"];
/// Maximum number of rows of an export.
const MAX_ROWS: usize = 50_000;

/// Columns of the tasks.
const TASK_COLUMNS: [&str; 9] =
    ["id", "title", "kind", "state", "due_at", "executed_at", "priority", "owner", "reason"];
/// Columns of the articles.
const ARTICLE_COLUMNS: [&str; 8] =
    ["id", "title", "slug", "state", "published_at", "next_due_at", "changed_at", "owner"];

/// Filters as the URLs of the lists have them.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct ExportQuery {
    state: Option<String>,
    q: Option<String>,
    mine: Option<String>,
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
        "tasks.csv" => csv_of(TASK_COLUMNS, tasks(web, actor, query).await?.iter(), task_cells),
        "tasks.json" => json_of(tasks(web, actor, query).await?.into_iter().map(TaskBody::from)),
        "articles.csv" => csv_of(ARTICLE_COLUMNS, articles(web, actor, query).await?.iter(), article_cells),
        _ => json_of(articles(web, actor, query).await?.into_iter().map(ArticleBody::from)),
    };
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

/// All tasks that match, page by page.
async fn tasks(web: &Web, actor: &Actor, query: ExportQuery) -> Result<Vec<TaskRow>, DomainError> {
    let state = match query.state.as_deref() {
        Some("all") => None,
        Some(word) => Some(word.parse().unwrap_or(TaskState::Scheduled)),
        None => Some(TaskState::Scheduled),
    };
    let mut query = TaskQuery { state, q: query.q, limit: Some(MAX_PAGE_ITEMS), ..TaskQuery::default() };
    let mut rows = Vec::new();
    loop {
        let page = web.services.tasks.list(actor, query.clone()).await?;
        query.cursor = add(&mut rows, page)?;
        if query.cursor.is_none() {
            return Ok(rows);
        }
    }
}

/// All articles that match, page by page.
async fn articles(web: &Web, actor: &Actor, query: ExportQuery) -> Result<Vec<ArticleRow>, DomainError> {
    let mut query = ArticleQuery {
        filter: query.state.and_then(|word| word.parse().ok()),
        q: query.q,
        is_mine: query.mine.is_some(),
        limit: Some(MAX_PAGE_ITEMS),
        ..ArticleQuery::default()
    };
    let mut rows = Vec::new();
    loop {
        let page = web.services.articles.list(actor, query.clone()).await?;
        query.cursor = add(&mut rows, page)?;
        if query.cursor.is_none() {
            return Ok(rows);
        }
    }
}

/// Adds a page; returns the cursor of the next one.
fn add<T>(rows: &mut Vec<T>, page: Page<T>) -> Result<Option<String>, DomainError> {
    rows.extend(page.items);
    if rows.len() > MAX_ROWS {
        let max = u32::try_from(MAX_ROWS).unwrap_or(u32::MAX);
        return Err(DomainError::invalid("list", ValidationError::TooMany { max }));
    }
    Ok(page.next_cursor)
}

fn json_of<T: Serialize>(items: impl Iterator<Item = T>) -> String {
    serde_json::to_string(&items.collect::<Vec<_>>()).unwrap_or_else(|_| "[]".to_owned())
}

fn csv_of<'r, T: 'r, const N: usize>(
    columns: [&str; N],
    rows: impl Iterator<Item = &'r T>,
    cells: fn(&T) -> [String; N],
) -> String {
    let mut text = csv::BYTE_ORDER_MARK.to_owned();
    csv::push_row(&mut text, &columns);
    for row in rows {
        let cells = cells(row);
        csv::push_row(&mut text, &cells.each_ref().map(String::as_str));
    }
    text
}

fn task_cells(row: &TaskRow) -> [String; 9] {
    [
        row.id.to_string(),
        row.title.clone(),
        row.kind.as_str().to_owned(),
        row.state.as_str().to_owned(),
        row.due.at.to_string(),
        row.executed.map(|executed| executed.at.to_string()).unwrap_or_default(),
        row.priority.as_str().to_owned(),
        row.owner.clone(),
        row.reason.clone().unwrap_or_default(),
    ]
}

fn article_cells(row: &ArticleRow) -> [String; 8] {
    [
        row.id.to_string(),
        row.title.clone(),
        row.slug.clone(),
        row.state.as_str().to_owned(),
        row.published.map(|published| published.at.to_string()).unwrap_or_default(),
        row.waiting.as_ref().map(|task| task.due.at.to_string()).unwrap_or_default(),
        row.changed.at.to_string(),
        row.owner.clone(),
    ]
}
