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
    DomainError,
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
        web.services.media.upload(&actor, file?).await
    };
    let stored: Result<MediaItem, DomainError> = stored.await;
    let is_script = !header_text::text(&head.headers, &header::ACCEPT).contains("text/html");
    match stored {
        Ok(item) if is_script => {
            let body = Uploaded { markdown: item.markdown(), path: item.path() };
            (StatusCode::CREATED, Json(body)).into_response()
        }
        Ok(item) => {
            let mut redirect = pages::see_other(&format!("{LIBRARY}/{}?done=uploaded", item.id));
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

async fn show_again(web: &Web, head: Parts, fields: Vec<(String, String)>, refusal: DomainError) -> Response {
    let from = fields.iter().find(|(name, _)| name == "from").map(|(_, from)| from.clone());
    let from = from.filter(|from| is_local_path(from)).unwrap_or_else(|| LIBRARY.to_owned());
    let form = FormResult { function: PATH.to_owned(), fields, refusal };
    forms::render_error(web, head, from, form).await
}
