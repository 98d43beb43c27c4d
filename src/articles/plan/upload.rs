//! Reads the body of an import: the table as raw bytes, or a form with the table and the texts that it
//! names.

use axum::{
    body::Bytes,
    http::{HeaderMap, header},
};
use domain::{
    DomainError,
    articles::plan::{MAX_TABLE_BYTES, MAX_TABLE_ROWS},
    error::ValidationError,
    media::MediaProblem,
};
use futures::stream;
use std::convert::Infallible;

/// Field of the table.
const TABLE: &str = "table";
/// Bytes that the parser gets at once.
const CHUNK_BYTES: usize = 64 * 1024;

/// An import as it was sent.
#[derive(Debug, Default)]
pub struct Sent {
    /// The table; `None`: no file was chosen.
    pub table: Option<Vec<u8>>,
    /// Names and contents of the texts.
    pub files: Vec<(String, Vec<u8>)>,
    /// The text fields of the form.
    pub fields: Vec<(String, String)>,
}

/// Reads the body.
pub async fn read(headers: &HeaderMap, body: Bytes) -> Result<Sent, DomainError> {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if kind.trim_start().to_ascii_lowercase().starts_with("multipart/form-data") {
        let boundary = multer::parse_boundary(kind).map_err(|_| unreadable())?;
        return read_form(body, boundary).await;
    }
    let table = (!body.is_empty()).then(|| body.into());
    Ok(Sent { table, ..Sent::default() })
}

async fn read_form(mut body: Bytes, boundary: String) -> Result<Sent, DomainError> {
    let chunks = stream::iter(std::iter::from_fn(move || {
        let next = body.split_to(body.len().min(CHUNK_BYTES));
        (!next.is_empty()).then_some(Ok::<_, Infallible>(next))
    }));
    let mut form = multer::Multipart::new(chunks, boundary);
    let mut sent = Sent::default();
    while let Some(field) = form.next_field().await.map_err(|_| unreadable())? {
        let (name, file_name) =
            (field.name().unwrap_or_default().to_owned(), field.file_name().map(str::to_owned));
        let content = field.bytes().await.map_err(|_| unreadable())?;
        match file_name {
            // A browser sends an empty file if none was chosen.
            Some(_) if content.is_empty() => {}
            Some(_) if name == TABLE => sent.table = Some(content.into()),
            Some(file_name) => sent.files.push((file_name, content.into())),
            None if content.len() > MAX_TABLE_BYTES => return Err(too_large()),
            None => sent.fields.push((name, String::from_utf8_lossy(&content).into_owned())),
        }
        if sent.files.len() > MAX_TABLE_ROWS {
            let max = u32::try_from(MAX_TABLE_ROWS).unwrap_or(u32::MAX);
            return Err(DomainError::invalid("files", ValidationError::TooMany { max }));
        }
    }
    Ok(sent)
}

/// The refusal if there is no table.
pub fn missing() -> DomainError {
    DomainError::invalid(TABLE, ValidationError::Empty)
}

fn too_large() -> DomainError {
    let max = u32::try_from(MAX_TABLE_BYTES).unwrap_or(u32::MAX);
    DomainError::invalid(TABLE, ValidationError::TooLarge { max })
}

fn unreadable() -> DomainError {
    MediaProblem::Unreadable.into()
}
