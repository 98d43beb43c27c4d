//! `/word-lists` and `/words/check`.

use super::{
    body::{
        CheckBody, CheckedBody, FullWordListBody, NewWordListBody, TermsBody, WordListBody, WordListEditBody,
        WordListPage, seen,
    },
    lists::history_body::{RestoreListBody, WordListRevisionBody, WordListRevisionPage},
};
use crate::http::{
    Web,
    api::{
        ApiError, ErrorBody,
        extract::{Auth, AuthJson, AuthQuery, id},
    },
};
use axum::{
    Json,
    extract::{Path, State},
    http::StatusCode,
};
use domain::{
    Version, WordListId,
    review::{Term, WordsToCheck},
};
use serde::Deserialize;

/// Lists all word lists, without their terms.
#[utoipa::path(get, path = "/word-lists", tag = "word-lists", responses(
    (status = 200, description = "All word lists", body = WordListPage),
    (status = 403, description = "Only for admins", body = ErrorBody)))]
pub async fn list(State(web): State<Web>, Auth(actor): Auth) -> Result<Json<WordListPage>, ApiError> {
    let items = web.services.words.list(&actor).await?.into_iter().map(WordListBody::from).collect();
    Ok(Json(WordListPage { items }))
}

/// Creates a word list.
#[utoipa::path(post, path = "/word-lists", tag = "word-lists", request_body = NewWordListBody, responses(
    (status = 201, description = "The list", body = WordListBody),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 409, description = "Another list has this name", body = ErrorBody),
    (status = 422, description = "A field is invalid; `error.field` names it, e.g. `terms[17].term`", body = ErrorBody)))]
pub async fn create(
    State(web): State<Web>,
    AuthJson(actor, body): AuthJson<NewWordListBody>,
) -> Result<(StatusCode, Json<WordListBody>), ApiError> {
    let (new, terms) = body.read()?;
    let row = web.services.words.create(&actor, new, terms).await?;
    Ok((StatusCode::CREATED, Json(row.into())))
}

/// Returns a word list with its terms.
#[utoipa::path(get, path = "/word-lists/{id}", tag = "word-lists",
    params(("id" = String, Path, description = "Id of the word list")), responses(
    (status = 200, description = "The list", body = FullWordListBody),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 404, description = "No such word list", body = ErrorBody)))]
pub async fn find(
    State(web): State<Web>,
    Auth(actor): Auth,
    Path(list): Path<String>,
) -> Result<Json<FullWordListBody>, ApiError> {
    Ok(Json(web.services.words.find(&actor, id::<WordListId>(&list, "word list")?).await?.into()))
}

/// Changes the settings of a word list.
#[utoipa::path(patch, path = "/word-lists/{id}", tag = "word-lists", request_body = WordListEditBody,
    params(("id" = String, Path, description = "Id of the word list")), responses(
    (status = 200, description = "The list", body = WordListBody),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 404, description = "No such word list", body = ErrorBody),
    (status = 409, description = "It was changed in the meantime, or another list has this name", body = ErrorBody),
    (status = 422, description = "A field is invalid", body = ErrorBody)))]
pub async fn edit(
    State(web): State<Web>,
    Path(list): Path<String>,
    AuthJson(actor, body): AuthJson<WordListEditBody>,
) -> Result<Json<WordListBody>, ApiError> {
    let version = seen(body.seen_version);
    let list = id::<WordListId>(&list, "word list")?;
    Ok(Json(web.services.words.edit(&actor, list, body.read()?, version).await?.into()))
}

/// Replaces all terms of a word list. The body may be up to 8 MiB.
#[utoipa::path(put, path = "/word-lists/{id}/terms", tag = "word-lists", request_body = TermsBody,
    params(("id" = String, Path, description = "Id of the word list")), responses(
    (status = 200, description = "The list", body = WordListBody),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 404, description = "No such word list", body = ErrorBody),
    (status = 409, description = "It was changed in the meantime", body = ErrorBody),
    (status = 422, description = "A term is invalid; `error.field` names it, e.g. `terms[17].term`", body = ErrorBody)))]
pub async fn set_terms(
    State(web): State<Web>,
    Path(list): Path<String>,
    AuthJson(actor, body): AuthJson<TermsBody>,
) -> Result<Json<WordListBody>, ApiError> {
    let list = id::<WordListId>(&list, "word list")?;
    let terms = body.terms.into_iter().map(Term::from).collect();
    Ok(Json(web.services.words.set_terms(&actor, list, terms, seen(body.seen_version)).await?.into()))
}

/// Lists the last 50 states of a word list, newest first: who changed which terms when.
#[utoipa::path(get, path = "/word-lists/{id}/revisions", tag = "word-lists",
    params(("id" = String, Path, description = "Id of the word list")), responses(
    (status = 200, description = "The states", body = WordListRevisionPage),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 404, description = "No such word list", body = ErrorBody)))]
pub async fn history(
    State(web): State<Web>,
    Auth(actor): Auth,
    Path(list): Path<String>,
) -> Result<Json<WordListRevisionPage>, ApiError> {
    let list = id::<WordListId>(&list, "word list")?;
    let items = web.services.words.history(&actor, list).await?;
    Ok(Json(WordListRevisionPage { items: items.into_iter().map(WordListRevisionBody::from).collect() }))
}

/// Restores the settings and the terms that a word list had at an earlier version.
#[utoipa::path(post, path = "/word-lists/{id}/restore", tag = "word-lists", request_body = RestoreListBody,
    params(("id" = String, Path, description = "Id of the word list")), responses(
    (status = 200, description = "The list", body = WordListBody),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 404, description = "No such word list, or no such version in its history", body = ErrorBody),
    (status = 409, description = "It was changed in the meantime, or another list has that name", body = ErrorBody),
    (status = 422, description = "A field is invalid, or a term is no longer accepted", body = ErrorBody)))]
pub async fn restore(
    State(web): State<Web>,
    Path(list): Path<String>,
    AuthJson(actor, body): AuthJson<RestoreListBody>,
) -> Result<Json<WordListBody>, ApiError> {
    let list = id::<WordListId>(&list, "word list")?;
    let (version, current) = (Version(body.version), seen(body.seen_version));
    Ok(Json(web.services.words.restore(&actor, list, version, current).await?.into()))
}

/// Parameters of a deletion.
#[derive(Debug, Deserialize)]
pub struct DeleteQuery {
    seen_version: Option<i32>,
}

/// Deletes a word list.
#[utoipa::path(delete, path = "/word-lists/{id}", tag = "word-lists",
    params(("id" = String, Path, description = "Id of the word list"),
           ("seen_version" = Option<i32>, Query, description = "`version` that the caller saw; absent: any")), responses(
    (status = 204, description = "Deleted"),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 404, description = "No such word list", body = ErrorBody),
    (status = 409, description = "It was changed in the meantime", body = ErrorBody)))]
pub async fn delete(
    State(web): State<Web>,
    Path(list): Path<String>,
    AuthQuery(actor, query): AuthQuery<DeleteQuery>,
) -> Result<StatusCode, ApiError> {
    let list = id::<WordListId>(&list, "word list")?;
    web.services.words.delete(&actor, list, seen(query.seen_version)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Checks a text against all word lists. Changes nothing.
#[utoipa::path(post, path = "/words/check", tag = "word-lists", request_body = CheckBody, responses(
    (status = 200, description = "The verdict and the hits", body = CheckedBody),
    (status = 422, description = "A field is invalid", body = ErrorBody)))]
pub async fn check(
    State(web): State<Web>,
    AuthJson(actor, body): AuthJson<CheckBody>,
) -> Result<Json<CheckedBody>, ApiError> {
    let CheckBody { title, summary, text } = body;
    let words = WordsToCheck { title: title.unwrap_or_default(), summary: summary.unwrap_or_default(), text };
    Ok(Json(web.services.words.check(&actor, words).await?.into()))
}
