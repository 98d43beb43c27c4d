//! The form of `/meetings/import`, without JavaScript: it comes back with what becomes of each event.

use super::api::text_of;
use crate::{
    http::{
        Web,
        header::header_text,
        limits::admission,
        pages::{self, forms},
    },
    media::{api::read_whole, body},
};
use app::{
    meetings::list_page::import::{IMPORT_PAGE, IMPORT_PATH, MAX_KEPT_BYTES, TEXT},
    ui::form::{FormResult, IMPORT_OTHERS, REPORT},
};
use axum::{
    body::Body,
    extract::{Request, State},
    http::{Method, StatusCode, Uri, header, request::Parts},
    response::Response,
};
use domain::{
    DomainError,
    error::ValidationError,
    media::MediaProblem,
    meetings::{ImportAttendees, ImportReport, MeetingImport, OnKnown, OnProblem},
};

/// Where the form posts to.
pub const PATH: &str = IMPORT_PATH;

/// Checks or imports the file of the form, and shows what becomes of its events.
pub async fn submit(State(web): State<Web>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let caller = pages::caller(&web, &head).await;
    let actor = match caller.and_then(|caller| caller.actor.ok_or(DomainError::LogIn)) {
        Ok(actor) => actor,
        Err(refusal) => return refuse(&web, head, Vec::new(), refusal).await,
    };
    let sent = match read_whole(body).await {
        Ok(bytes) => body::read_with(&head.headers, bytes, MAX_KEPT_BYTES).await.map_err(unreadable),
        Err(refusal) => Err(refusal),
    };
    let (mut fields, file) = match sent {
        Ok(sent) => (sent.fields, Ok(sent.file)),
        Err(refusal) => (Vec::new(), Err(refusal)),
    };
    let done = async {
        let field =
            |name: &str| fields.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
        let text = match file? {
            Some(file) => text_of(file.bytes)?,
            None => field(TEXT).filter(|text| !text.is_empty()).ok_or_else(no_file)?.to_owned(),
        };
        let file = MeetingImport {
            text: text.clone(),
            room_id: None,
            is_dry_run: !matches!(field("what"), Some("import" | IMPORT_OTHERS)),
            on_problem: match field("what") {
                Some(IMPORT_OTHERS) => OnProblem::Skip,
                _ => OnProblem::Refuse,
            },
            attendees: field("attendees")
                .and_then(|word| word.parse().ok())
                .unwrap_or(ImportAttendees::Ignore),
            on_known: field("known").and_then(|word| word.parse().ok()).unwrap_or(OnKnown::Update),
        };
        Ok((web.services.meetings.import(&actor, file).await?, text))
    };
    let done: Result<(ImportReport, String), DomainError> = done.await;
    fields.retain(|(name, _)| name != TEXT && name != REPORT);
    match done {
        Ok((report, text)) => {
            if text.len() <= MAX_KEPT_BYTES && !report.is_written {
                fields.push((TEXT.to_owned(), text));
            }
            fields.push((REPORT.to_owned(), serde_json::to_string(&report).unwrap_or_default()));
            // The file must be sent again, or the kept text.
            let form = FormResult { function: PATH.to_owned(), fields, refusal: DomainError::SendAgain };
            show(&web, head, form).await
        }
        Err(refusal) => refuse(&web, head, fields, refusal).await,
    }
}

async fn refuse(web: &Web, head: Parts, fields: Vec<(String, String)>, refusal: DomainError) -> Response {
    if !header_text::text(&head.headers, &header::ACCEPT).contains("text/html") {
        return admission::refuse(&head, &refusal);
    }
    let form = FormResult { function: PATH.to_owned(), fields, refusal };
    forms::render_error(web, head, IMPORT_PAGE.to_owned(), form).await
}

async fn show(web: &Web, mut head: Parts, form: FormResult) -> Response {
    (head.uri, head.method) = (Uri::from_static(IMPORT_PAGE), Method::GET);
    pages::show(web, Request::from_parts(head, Body::empty()), Some(form), Some(StatusCode::OK)).await
}

fn no_file() -> DomainError {
    DomainError::invalid("file", ValidationError::Empty)
}

fn unreadable(_: MediaProblem) -> DomainError {
    let why = "the form could not be read".to_owned();
    DomainError::invalid("file", ValidationError::Sentence { why })
}
