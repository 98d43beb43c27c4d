//! The form that uploads a file, with and without JavaScript.

use super::{api::read_whole, body};
use crate::http::{
    Web,
    header::{accept_language::accepted_language, header_text},
    pages::{self, forms, result_cookie},
};
use app::{server_fns::ssr::is_local_path, ui::form::FormResult};
use axum::{
    Json,
    extract::{Request, State},
    http::{StatusCode, header, request::Parts},
    response::{IntoResponse, Response},
};
use domain::{
    DomainError, MediaId, Version,
    account::Language,
    media::{MediaItem, MediaProblem},
};
use serde::Serialize;
use texts::refusal::sentence;

/// Where the form posts to.
pub const PATH: &str = app::media::UPLOAD_PATH;
/// Page after a refused upload whose form does not say where it is.
const LIBRARY: &str = "/media";

/// The stored file, for a script.
#[derive(Debug, Serialize)]
struct Uploaded {
    markdown: String,
    path: String,
}

/// Why a file was not stored, for a script.
#[derive(Debug, Serialize)]
struct Failed {
    message: String,
}

/// Stores the file of the form, then shows its page. A refused form comes back with its page.
pub async fn upload(State(web): State<Web>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let sent = match read_whole(body).await {
        Ok(bytes) => body::read(&head.headers, bytes).await,
        Err(_) => Err(MediaProblem::Unreadable),
    };
    let (file, fields) = match sent {
        Ok(sent) => (sent.file.ok_or(MediaProblem::NoFile), sent.fields),
        Err(problem) => (Err(problem), Vec::new()),
    };
    let mut language = None;
    let stored = async {
        let actor = pages::caller(&web, &head).await?.actor.ok_or(DomainError::LogIn)?;
        language = Some(actor.language);
        match replaced(&fields)? {
            Some((id, seen)) => {
                web.services.media.replace(&actor, id, file?, seen).await.map(|item| (item, "replaced"))
            }
            None => web.services.media.upload(&actor, file?).await.map(|item| (item, "uploaded")),
        }
    };
    let stored: Result<(MediaItem, &str), DomainError> = stored.await;
    let is_script = !header_text::text(&head.headers, &header::ACCEPT).contains("text/html");
    match stored {
        Ok((item, _)) if is_script => {
            let body = Uploaded { markdown: item.markdown(), path: item.path() };
            (StatusCode::CREATED, Json(body)).into_response()
        }
        Ok((item, done)) => {
            let mut redirect = pages::see_other(&format!("{LIBRARY}/{}?done={done}", item.id));
            result_cookie::keep(&web, &head.headers, &mut redirect);
            redirect
        }
        Err(refusal) if is_script => {
            let status = StatusCode::from_u16(refusal.status()).unwrap_or(StatusCode::UNPROCESSABLE_ENTITY);
            let message = sentence(
                language.or_else(|| accepted_language(&head.headers)).unwrap_or(Language::En),
                &refusal,
            );
            (status, Json(Failed { message })).into_response()
        }
        Err(refusal) => show_again(&web, head, fields, refusal).await,
    }
}

/// Returns the file whose content the form replaces, and its version as the page showed it; `None`: it stores a new file.
fn replaced(fields: &[(String, String)]) -> Result<Option<(MediaId, Option<Version>)>, DomainError> {
    let field = |name: &str| fields.iter().find(|(field, _)| field == name).map(|(_, value)| value.as_str());
    let Some(id) = field("replaces") else { return Ok(None) };
    let id = id.parse().map_err(|_| DomainError::no_such("file"))?;
    Ok(Some((id, field("seen_version").and_then(|seen| seen.parse().ok()).map(Version))))
}

async fn show_again(web: &Web, head: Parts, fields: Vec<(String, String)>, refusal: DomainError) -> Response {
    let from = fields.iter().find(|(name, _)| name == "from").map(|(_, from)| from.clone());
    let from = from.filter(|from| is_local_path(from)).unwrap_or_else(|| LIBRARY.to_owned());
    let form = FormResult { function: PATH.to_owned(), fields, refusal };
    forms::render_error(web, head, from, form).await
}
