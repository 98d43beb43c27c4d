//! `/answer/SECRET`: an attendee answers without a log-in. Opening the page changes nothing: programs
//! that check mail open links too.

use super::{answer, page};
use crate::http::{Web, header::policy::Policy, health::refused};
use axum::{
    Extension, Form,
    extract::{Path, State},
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use domain::{DomainError, meetings::Answer};
use serde::Deserialize;

/// Path of the page.
pub const PATH: &str = "/answer/{secret}";

/// The form of the page.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct AnswerForm {
    /// `accepted`, `tentative` or `declined`.
    answer: String,
}

/// Shows the meeting and the answer.
pub async fn show(State(web): State<Web>, Path(secret): Path<String>) -> Response {
    respond(&web, &secret, (StatusCode::OK, page::Said::Nothing)).await
}

/// Stores the answer and shows it.
pub async fn submit(
    State(web): State<Web>,
    Path(secret): Path<String>,
    Form(form): Form<AnswerForm>,
) -> Response {
    let chosen = form.answer.parse::<Answer>().ok().filter(|answer| *answer != Answer::Pending);
    let Some(chosen) = chosen else {
        return respond(&web, &secret, (StatusCode::UNPROCESSABLE_ENTITY, page::Said::Choose)).await;
    };
    let said = match answer::answer(&web.parts, &secret, chosen).await {
        Ok(()) => (StatusCode::OK, page::Said::Stored),
        Err(DomainError::WrongState { .. }) => (StatusCode::CONFLICT, page::Said::Nothing),
        Err(DomainError::NoSuch { .. }) => (StatusCode::NOT_FOUND, page::Said::Nothing),
        Err(failure) => return refused(&failure),
    };
    respond(&web, &secret, said).await
}

async fn respond(web: &Web, secret: &str, (status, said): (StatusCode, page::Said)) -> Response {
    let (status, html) = match answer::load(&web.parts, secret).await {
        Ok(linked) => (status, page::meeting(&linked, said)),
        Err(DomainError::NoSuch { .. }) => match web.services.settings.settings().await {
            Ok(settings) => (StatusCode::NOT_FOUND, page::unknown(&settings.title, settings.language)),
            Err(refusal) => return refused(&refusal),
        },
        Err(refusal) => return refused(&refusal),
    };
    let kind = [(header::CONTENT_TYPE, "text/html; charset=utf-8")];
    let mut response = (status, Extension(Policy::Site), kind, html).into_response();
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
