//! The form that uploads an export, with and without JavaScript.

use super::receive::{self, Sent, new_import};
use crate::http::{
    Web,
    header::header_text,
    limits::admission,
    pages::{self, forms},
};
use app::{imports::server_fns::UPLOAD_PATH, server_fns::ssr::is_local_path, ui::form::FormResult};
use axum::{
    extract::{Request, State},
    http::{header, request::Parts},
    response::Response,
};
use domain::{
    DomainError,
    imports::{Import, ImportProblem},
};

/// Where the form posts to.
pub const PATH: &str = UPLOAD_PATH;
/// Its page.
const PAGE: &str = "/settings/import";

/// Receives the export and checks it, then shows the page. A refused form comes back with what was typed.
pub async fn upload(State(web): State<Web>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let actor = match pages::caller(&web, &head).await {
        Ok(caller) => caller.actor.ok_or(DomainError::LogIn),
        Err(refusal) => Err(refusal),
    };
    let actor = match actor {
        Ok(actor) if actor.is_admin() => actor,
        Ok(_) => return show_again(&web, head, Vec::new(), DomainError::NotAllowed).await,
        Err(refusal) => return show_again(&web, head, Vec::new(), refusal).await,
    };
    let kind = head.headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let sent = match kind.map(multer::parse_boundary) {
        Some(Ok(boundary)) => receive::form(&web.parts.imports, boundary, body).await,
        _ => Sent { fields: Vec::new(), file: Err(ImportProblem::Unreadable) },
    };
    let Sent { fields, file } = sent;
    let checked: Result<Import, DomainError> = async {
        let new = new_import(&fields, file?)?;
        web.services.imports.check(&actor, new).await
    }
    .await;
    match checked {
        Ok(_) => pages::see_other(PAGE),
        Err(refusal) => show_again(&web, head, fields, refusal).await,
    }
}

async fn show_again(web: &Web, head: Parts, fields: Vec<(String, String)>, refusal: DomainError) -> Response {
    if !header_text::text(&head.headers, &header::ACCEPT).contains("text/html") {
        return admission::refuse(&head, &refusal);
    }
    let from = fields.iter().find(|(name, _)| name == "from").map(|(_, from)| from.clone());
    let from = from.filter(|from| is_local_path(from)).unwrap_or_else(|| PAGE.to_owned());
    let form = FormResult { function: PATH.to_owned(), fields, refusal };
    forms::render_error(web, head, from, form).await
}
