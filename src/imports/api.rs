//! `/imports`: uploads, runs and undoes imports of articles.

use super::{
    actions::require_admin,
    body::ImportBody,
    receive::{self, Sent, Upload, new_import},
};
use crate::{
    http::{
        Web,
        api::{
            ApiError, ErrorBody,
            extract::{Auth, AuthJson, AuthQuery, id},
            numbers::optional_integer,
        },
    },
    media::body::NAME_HEADER,
    text::percent,
};
use axum::{
    Json,
    extract::{Path, Request, State},
    http::{HeaderMap, StatusCode, header},
};
use domain::{
    DomainError, ImportId, Version,
    error::ValidationError,
    imports::{ImportProblem, ImportSystem},
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// Path of uploads.
pub const PATH: &str = "/api/v1/imports";

/// The newest imports.
#[derive(Debug, Serialize, ToSchema)]
pub struct ImportList {
    /// Newest first, at most 10.
    items: Vec<ImportBody>,
}

/// How an export is imported.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ImportQuery {
    /// `wordpress`, `ghost` or `markdown` (a zip archive of Markdown files and pictures).
    #[param(required = true)]
    system: Option<String>,
    /// Address of the site, which exports of Ghost do not contain, at most 300 characters.
    site: Option<String>,
    /// Time zone of the site, e.g. `Asia/Shanghai`, for times without one. Absent: that of WordPress is
    /// found from its posts, and Markdown files have that of the desk.
    zone: Option<String>,
    /// `true`: everything becomes a draft. Default: false.
    drafts: Option<bool>,
    /// `false`: pictures stay at their addresses. Default: true. Those in an archive are always taken.
    pictures: Option<bool>,
}

/// An export to upload. Describes the form in the OpenAPI document.
#[derive(Debug, ToSchema)]
pub struct ImportForm {
    /// The export: XML of WordPress, at most 200 MB; JSON of Ghost, at most 100 MB; or a zip archive of
    /// Markdown files and pictures, at most 200 MB.
    #[schema(value_type = String, format = Binary)]
    pub file: Vec<u8>,
}

/// Lists the newest imports. Admins only.
#[utoipa::path(get, path = "/imports", tag = "imports", responses(
    (status = 200, description = "The imports", body = ImportList)))]
pub async fn list(State(web): State<Web>, Auth(actor): Auth) -> Result<Json<ImportList>, ApiError> {
    let items = web.services.imports.list(&actor).await?.into_iter().map(ImportBody::from).collect();
    Ok(Json(ImportList { items }))
}

/// Uploads an export and checks it: a form with the field `file`, or the raw bytes with the header
/// `X-Filename` (percent-encoded). Imports nothing yet. Admins only.
#[utoipa::path(post, path = "/imports", tag = "imports", params(ImportQuery),
    request_body(content = ImportForm, content_type = "multipart/form-data"), responses(
    (status = 201, description = "The import; `state` is `ready` or still `checking`", body = ImportBody),
    (status = 409, description = "Five uploads wait already", body = ErrorBody),
    (status = 413, description = "Larger than 200 MB (WordPress, Markdown) or 100 MB (Ghost)", body = ErrorBody),
    (status = 422, description = "No export of this system, an archive that cannot be unpacked, an unknown time zone, or there is no file", body = ErrorBody),
    (status = 507, description = "The disk of the server is full", body = ErrorBody)))]
pub async fn create(
    State(web): State<Web>,
    AuthQuery(actor, query): AuthQuery<ImportQuery>,
    request: Request,
) -> Result<(StatusCode, Json<ImportBody>), ApiError> {
    require_admin(&actor)?;
    let system: ImportSystem = query.system.as_deref().unwrap_or_default().parse().map_err(|()| {
        DomainError::invalid("system", ValidationError::NotOneOf { words: ImportSystem::WORDS.join(", ") })
    })?;
    let file = receive(&web, request, system).await.map_err(DomainError::from)?;
    let word = |is_set: bool| if is_set { "true" } else { "false" }.to_owned();
    let fields = [
        ("system".to_owned(), system.as_str().to_owned()),
        ("site".to_owned(), query.site.unwrap_or_default()),
        ("zone".to_owned(), query.zone.unwrap_or_default()),
        ("drafts".to_owned(), word(query.drafts.unwrap_or(false))),
        ("pictures".to_owned(), word(query.pictures.unwrap_or(true))),
    ];
    let import = web.services.imports.check(&actor, new_import(&fields, file)?).await?;
    Ok((StatusCode::CREATED, Json(import.into())))
}

async fn receive(web: &Web, request: Request, system: ImportSystem) -> Result<Upload, ImportProblem> {
    let (head, body) = request.into_parts();
    let text = |headers: &HeaderMap, name: &str| {
        headers
            .get(name)
            .map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned())
            .unwrap_or_default()
    };
    let kind = text(&head.headers, header::CONTENT_TYPE.as_str());
    if !kind.trim_start().to_ascii_lowercase().starts_with("multipart/form-data") {
        let name = percent::decoded(&text(&head.headers, NAME_HEADER));
        return receive::raw(&web.parts.imports, &name, body, system).await;
    }
    let boundary = multer::parse_boundary(kind).map_err(|_| ImportProblem::Unreadable)?;
    let Sent { file, .. } = receive::form(&web.parts.imports, boundary, body).await;
    file
}

/// Returns an import. Admins only.
#[utoipa::path(get, path = "/imports/{id}", tag = "imports", responses(
    (status = 200, description = "The import", body = ImportBody),
    (status = 404, description = "No such import", body = ErrorBody)))]
pub async fn find(
    State(web): State<Web>,
    Auth(actor): Auth,
    Path(import): Path<String>,
) -> Result<Json<ImportBody>, ApiError> {
    require_admin(&actor)?;
    let import: ImportId = id(&import, "import")?;
    Ok(Json(web.services.imports.find(&actor, import).await?.into()))
}

/// What the caller saw of an import.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ImportRunBody {
    /// `version` of the import that the caller saw; a different current one is a conflict. Absent: no
    /// check.
    #[serde(default, deserialize_with = "optional_integer")]
    seen_version: Option<i32>,
}

/// Starts a checked or interrupted import. It goes on when the client leaves; one runs at a time. Admins
/// only.
#[utoipa::path(post, path = "/imports/{id}/run", tag = "imports", request_body = ImportRunBody, responses(
    (status = 202, description = "The import; `state` is `running` or already `done`", body = ImportBody),
    (status = 404, description = "No such import", body = ErrorBody),
    (status = 409, description = "Another import is running, it was changed in the meantime, its state does not allow it, or its file is gone", body = ErrorBody)))]
pub async fn run(
    State(web): State<Web>,
    Path(import): Path<String>,
    AuthJson(actor, body): AuthJson<ImportRunBody>,
) -> Result<(StatusCode, Json<ImportBody>), ApiError> {
    require_admin(&actor)?;
    let import: ImportId = id(&import, "import")?;
    let import = web.services.imports.run(&actor, import, body.seen_version.map(Version)).await?;
    Ok((StatusCode::ACCEPTED, Json(import.into())))
}

/// Stops a running import within a second: it becomes `interrupted`. What is imported stays;
/// the import can go on, or be undone. Admins only.
#[utoipa::path(post, path = "/imports/{id}/stop", tag = "imports", responses(
    (status = 200, description = "The import", body = ImportBody),
    (status = 404, description = "No such import", body = ErrorBody),
    (status = 409, description = "It is not running, or it was changed in the meantime", body = ErrorBody)))]
pub async fn stop(
    State(web): State<Web>,
    Auth(actor): Auth,
    Path(import): Path<String>,
) -> Result<Json<ImportBody>, ApiError> {
    require_admin(&actor)?;
    let import: ImportId = id(&import, "import")?;
    Ok(Json(web.services.imports.stop(&actor, import).await?.into()))
}

/// How an import is undone.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ImportUndoQuery {
    /// `true`: its public articles that were not changed since (`public_unchanged`) are unpublished and
    /// moved to the trash too. Default: false.
    unpublish: Option<bool>,
}

/// Moves the articles that the import created to the trash and cancels their tasks. Articles that were
/// changed since stay; public ones too, unless `unpublish` is true. Admins only.
#[utoipa::path(post, path = "/imports/{id}/undo", tag = "imports", params(ImportUndoQuery), responses(
    (status = 200, description = "The import; `undo` says what was done", body = ImportBody),
    (status = 404, description = "No such import", body = ErrorBody),
    (status = 409, description = "It was changed in the meantime, or its state does not allow it", body = ErrorBody)))]
pub async fn undo(
    State(web): State<Web>,
    Path(import): Path<String>,
    AuthQuery(actor, query): AuthQuery<ImportUndoQuery>,
) -> Result<Json<ImportBody>, ApiError> {
    require_admin(&actor)?;
    let import: ImportId = id(&import, "import")?;
    Ok(Json(web.services.imports.undo(&actor, import, query.unpublish.unwrap_or(false)).await?.into()))
}

/// Removes an import and its uploaded file. Its articles stay. A running check is cancelled. Admins only.
#[utoipa::path(delete, path = "/imports/{id}", tag = "imports", responses(
    (status = 204, description = "It is removed"),
    (status = 404, description = "No such import", body = ErrorBody),
    (status = 409, description = "It is running", body = ErrorBody)))]
pub async fn delete(
    State(web): State<Web>,
    Auth(actor): Auth,
    Path(import): Path<String>,
) -> Result<StatusCode, ApiError> {
    require_admin(&actor)?;
    let import: ImportId = id(&import, "import")?;
    web.services.imports.discard(&actor, import).await?;
    Ok(StatusCode::NO_CONTENT)
}
