//! `/media`: the media library.

use super::body;
use crate::http::{
    Web,
    api::{
        ApiError, ErrorBody,
        extract::{Auth, AuthJson, AuthQuery, id, page_size},
        media_use::MediaUseBody,
        numbers::{optional_integer, query_limit},
    },
};
use axum::{
    Json,
    body::Bytes,
    extract::{Path, Request, State},
    http::StatusCode,
};
use domain::{
    DomainError, MediaId, Timestamp, Version, input_limits,
    media::{MediaDetails, MediaItem, MediaProblem, MediaQuery, NewMedia},
};
use http_body_util::BodyExt as _;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

/// Path of uploads: the only one whose body may have the size of a file.
pub const PATH: &str = "/api/v1/media";

/// A file.
#[derive(Debug, Serialize, ToSchema)]
pub struct MediaBody {
    /// Its id.
    #[schema(value_type = String, format = Uuid)]
    id: Uuid,
    /// Absolute URL of the file. A picture is also served as WebP, 480, 960 and 1600 pixels wide.
    url: String,
    /// Its address on this desk, `/media/…`: what `cover` takes.
    path: String,
    /// Its name.
    name: String,
    /// Width in pixels; null: it is no picture.
    width: Option<u32>,
    /// Height in pixels; null: it is no picture.
    height: Option<u32>,
    /// Size of the file, bytes.
    bytes: u64,
    /// MIME type, found from the content.
    r#type: &'static str,
    /// Alternative text: what the picture shows.
    alt: String,
    /// Markdown that inserts it into an article.
    markdown: String,
    /// Number of articles that use it in any revision.
    used_by: u64,
    /// Incremented by every change; send it back as `seen_version`.
    version: i32,
    /// Account that uploaded it.
    #[schema(value_type = String, format = Uuid)]
    owner_id: Uuid,
    /// When it was uploaded.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
}

impl MediaBody {
    fn of(web: &Web, item: MediaItem) -> Self {
        Self {
            id: item.id.0,
            url: format!("{}{}", web.address.public_url, item.path()),
            path: item.path(),
            markdown: item.markdown(),
            width: item.size.map(|(width, _)| width),
            height: item.size.map(|(_, height)| height),
            bytes: item.bytes,
            r#type: item.kind.mime(),
            alt: item.alt,
            name: item.name,
            used_by: item.used_by,
            version: item.version.0,
            owner_id: item.owner_id.0,
            created_at: item.created.at,
        }
    }
}

/// A file and where it is used.
#[derive(Debug, Serialize, ToSchema)]
pub struct MediaDetailBody {
    /// The file.
    #[serde(flatten)]
    media: MediaBody,
    /// The articles that use it, public ones first; at most 50.
    uses: Vec<MediaUseBody>,
}

/// A page of files.
#[derive(Debug, Serialize, ToSchema)]
pub struct MediaPage {
    /// Newest first.
    items: Vec<MediaBody>,
    /// Cursor of the next page; null: this is the last page.
    next_cursor: Option<String>,
    /// Size of all files of the desk, bytes.
    used_bytes: u64,
    /// Maximum size of all files, bytes.
    quota_bytes: u64,
}

/// A file to upload. Describes the form in the OpenAPI document.
#[derive(Debug, ToSchema)]
pub struct UploadForm {
    /// The file, at most 20 MiB and 50 million pixels: PNG, JPEG, WebP, GIF, PDF or audio.
    #[schema(value_type = String, format = Binary)]
    pub file: Vec<u8>,
    /// Alternative text, at most 500 characters.
    pub alt: Option<String>,
}

/// Stores a file: a form with the fields `file` and `alt`, or the raw bytes with the header
/// `X-Filename` (percent-encoded). The type is found from the content. Metadata of pictures is
/// removed. The same file of the same account is stored once.
#[utoipa::path(post, path = "/media", tag = "media",
    request_body(content = UploadForm, content_type = "multipart/form-data"), responses(
    (status = 201, description = "The file", body = MediaBody),
    (status = 409, description = "The quota of the desk is used up", body = ErrorBody),
    (status = 413, description = "Larger than 20 MiB", body = ErrorBody),
    (status = 415, description = "No picture, PDF or audio file, by its content", body = ErrorBody),
    (status = 422, description = "The picture is damaged or has too many pixels, or there is no file", body = ErrorBody),
    (status = 507, description = "The disk of the server is full", body = ErrorBody)))]
pub async fn create(
    State(web): State<Web>,
    Auth(actor): Auth,
    request: Request,
) -> Result<(StatusCode, Json<MediaBody>), ApiError> {
    let (head, body) = request.into_parts();
    let bytes = read_whole(body).await?;
    let sent = body::read(&head.headers, bytes).await.map_err(DomainError::from)?;
    let file = sent.file.ok_or(DomainError::from(MediaProblem::NoFile))?;
    let item = web.services.media.upload(&actor, file).await?;
    Ok((StatusCode::CREATED, Json(MediaBody::of(&web, item))))
}

/// Reads a body that the layer below has already buffered.
pub async fn read_whole(body: axum::body::Body) -> Result<Bytes, DomainError> {
    let read = body.collect().await;
    read.map(|read| read.to_bytes()).map_err(|_| MediaProblem::Unreadable.into())
}

/// Filter of the list of files.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct MediaListQuery {
    /// Only files whose name or alternative text contains this, at most 200 characters.
    q: Option<String>,
    /// `next_cursor` of the previous page.
    cursor: Option<String>,
    /// Number of items on the page, at most 200.
    #[serde(default, deserialize_with = "query_limit")]
    limit: Option<u64>,
}

/// Lists files, newest first: one's own and those that articles use; for admins all.
#[utoipa::path(get, path = "/media", tag = "media", params(MediaListQuery), responses(
    (status = 200, description = "A page of files", body = MediaPage),
    (status = 422, description = "A filter is invalid", body = ErrorBody)))]
pub async fn list(
    State(web): State<Web>,
    AuthQuery(actor, query): AuthQuery<MediaListQuery>,
) -> Result<Json<MediaPage>, ApiError> {
    let query = MediaQuery {
        search: query.q,
        only_pictures: false,
        cursor: query.cursor,
        limit: Some(page_size(query.limit, input_limits::MAX_PAGE_ITEMS)),
    };
    let list = web.services.media.list(&actor, query).await?;
    let page = list.page.map(|item| MediaBody::of(&web, item));
    Ok(Json(MediaPage {
        items: page.items,
        next_cursor: page.next_cursor,
        used_bytes: list.usage.bytes,
        quota_bytes: list.usage.quota,
    }))
}

/// Returns a file and where it is used.
#[utoipa::path(get, path = "/media/{id}", tag = "media", responses(
    (status = 200, description = "The file", body = MediaDetailBody),
    (status = 404, description = "No such file", body = ErrorBody)))]
pub async fn find(
    State(web): State<Web>,
    Auth(actor): Auth,
    Path(media): Path<String>,
) -> Result<Json<MediaDetailBody>, ApiError> {
    let media: MediaId = id(&media, "file")?;
    let MediaDetails { item, uses, .. } = web.services.media.find(&actor, media).await?;
    let uses = uses.into_iter().map(MediaUseBody::from).collect();
    Ok(Json(MediaDetailBody { media: MediaBody::of(&web, item), uses }))
}

/// A change of a file.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MediaEditBody {
    /// Alternative text, at most 500 characters.
    alt: String,
    /// `version` of the file that the caller saw; a different current one is a conflict. Absent: no
    /// check.
    #[serde(default, deserialize_with = "optional_integer")]
    seen_version: Option<i32>,
}

/// Changes the alternative text.
#[utoipa::path(patch, path = "/media/{id}", tag = "media", request_body = MediaEditBody, responses(
    (status = 200, description = "The file", body = MediaBody),
    (status = 403, description = "Another account uploaded it", body = ErrorBody),
    (status = 404, description = "No such file", body = ErrorBody),
    (status = 409, description = "It was changed in the meantime", body = ErrorBody),
    (status = 422, description = "The text is invalid", body = ErrorBody)))]
pub async fn edit(
    State(web): State<Web>,
    Path(media): Path<String>,
    AuthJson(actor, body): AuthJson<MediaEditBody>,
) -> Result<Json<MediaBody>, ApiError> {
    let media: MediaId = id(&media, "file")?;
    let seen = body.seen_version.map(Version);
    let item = web.services.media.edit(&actor, media, body.alt, seen).await?;
    Ok(Json(MediaBody::of(&web, item)))
}

/// Path of replacements of a file.
pub const FILE_PATH: &str = "/api/v1/media/{id}/file";

/// A new content of a file. Describes the form in the OpenAPI document.
#[derive(Debug, ToSchema)]
pub struct ReplaceForm {
    /// The file, of the same kind: a picture for a picture, else the same type. Limits as for an upload.
    #[schema(value_type = String, format = Binary)]
    pub file: Vec<u8>,
    /// `version` of the file that the caller saw; a different current one is a conflict. Absent: no check.
    pub seen_version: Option<i32>,
}

/// Replaces the content of a file: a form with the field `file`, or the raw bytes. Its address and
/// everything that uses it stay; what is public shows the new content at once. The content before is kept
/// until the next replacement.
#[utoipa::path(post, path = "/media/{id}/file", tag = "media",
    request_body(content = ReplaceForm, content_type = "multipart/form-data"), responses(
    (status = 200, description = "The file", body = MediaBody),
    (status = 403, description = "Another account uploaded it, the site shows it in its frame, or a reviewed text uses it", body = ErrorBody),
    (status = 404, description = "No such file", body = ErrorBody),
    (status = 409, description = "It was changed in the meantime, or the quota of the desk is used up", body = ErrorBody),
    (status = 413, description = "Larger than 20 MiB", body = ErrorBody),
    (status = 415, description = "Another kind of file, or one that is not accepted", body = ErrorBody),
    (status = 422, description = "The picture is damaged or has too many pixels, or there is no file", body = ErrorBody),
    (status = 507, description = "The disk of the server is full", body = ErrorBody)))]
pub async fn replace(
    State(web): State<Web>,
    Auth(actor): Auth,
    Path(media): Path<String>,
    request: Request,
) -> Result<Json<MediaBody>, ApiError> {
    let media: MediaId = id(&media, "file")?;
    let (head, body) = request.into_parts();
    let bytes = read_whole(body).await?;
    let sent = body::read(&head.headers, bytes).await.map_err(DomainError::from)?;
    let seen = sent.fields.iter().find(|(name, _)| name == "seen_version");
    let seen = seen.and_then(|(_, seen)| seen.parse().ok()).map(Version);
    // Who may replace it is decided before the file is looked at.
    let none = NewMedia { name: String::new(), alt: String::new(), bytes: Vec::new() };
    let item = web.services.media.replace(&actor, media, sent.file.unwrap_or(none), seen).await?;
    Ok(Json(MediaBody::of(&web, item)))
}

/// The version of a file that is changed.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MediaPutBackBody {
    /// `version` of the file that the caller saw; a different current one is a conflict. Absent: no
    /// check.
    #[serde(default, deserialize_with = "optional_integer")]
    seen_version: Option<i32>,
}

/// Puts the content before the last replacement back. The current one is kept in its place, so that doing
/// it again changes them back.
#[utoipa::path(post, path = "/media/{id}/put-back", tag = "media", request_body = MediaPutBackBody, responses(
    (status = 200, description = "The file", body = MediaBody),
    (status = 403, description = "As for a replacement", body = ErrorBody),
    (status = 404, description = "No such file", body = ErrorBody),
    (status = 409, description = "It was changed in the meantime, or it was never replaced", body = ErrorBody)))]
pub async fn put_back(
    State(web): State<Web>,
    Path(media): Path<String>,
    AuthJson(actor, body): AuthJson<MediaPutBackBody>,
) -> Result<Json<MediaBody>, ApiError> {
    let media: MediaId = id(&media, "file")?;
    let item = web.services.media.put_back(&actor, media, body.seen_version.map(Version)).await?;
    Ok(Json(MediaBody::of(&web, item)))
}

/// Deletes a file with its smaller versions.
#[utoipa::path(delete, path = "/media/{id}", tag = "media", responses(
    (status = 204, description = "It is deleted"),
    (status = 403, description = "Another account uploaded it", body = ErrorBody),
    (status = 404, description = "No such file", body = ErrorBody),
    (status = 409, description = "Something public or scheduled uses it: see `uses`", body = ErrorBody)))]
pub async fn delete(
    State(web): State<Web>,
    Auth(actor): Auth,
    Path(media): Path<String>,
) -> Result<StatusCode, ApiError> {
    let media: MediaId = id(&media, "file")?;
    web.services.media.delete(&actor, media).await?;
    Ok(StatusCode::NO_CONTENT)
}
