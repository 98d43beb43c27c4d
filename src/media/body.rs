//! Reads the body of an upload: a form with one file, or raw bytes.

use crate::text::percent;
use axum::{
    body::Bytes,
    http::{HeaderMap, header},
};
use domain::media::{MediaProblem, NewMedia};
use futures::stream;
use std::convert::Infallible;

/// Header with the name of a file that is sent as raw bytes, percent-encoded.
pub const NAME_HEADER: &str = "x-filename";
/// Bytes that the parser gets at once.
const CHUNK_BYTES: usize = 64 * 1024;
/// Maximum size of a text field, bytes.
const MAX_TEXT_BYTES: usize = 8 * 1024;

/// An upload as it was sent.
#[derive(Debug)]
pub struct Sent {
    /// The file; `None`: the form has none.
    pub file: Option<NewMedia>,
    /// The text fields of the form.
    pub fields: Vec<(String, String)>,
}

/// Reads the body.
pub async fn read(headers: &HeaderMap, body: Bytes) -> Result<Sent, MediaProblem> {
    read_with(headers, body, MAX_TEXT_BYTES).await
}

/// Reads the body of a form with text fields of at most this size.
pub async fn read_with(
    headers: &HeaderMap,
    body: Bytes,
    max_text_bytes: usize,
) -> Result<Sent, MediaProblem> {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if kind.trim_start().to_ascii_lowercase().starts_with("multipart/form-data") {
        let boundary = multer::parse_boundary(kind).map_err(|_| MediaProblem::Unreadable)?;
        return read_form(body, boundary, max_text_bytes).await;
    }
    let name = headers.get(NAME_HEADER).map(|name| String::from_utf8_lossy(name.as_bytes()).into_owned());
    let name = percent::decoded(&name.unwrap_or_default());
    let file = (!body.is_empty()).then(|| NewMedia { name, alt: String::new(), bytes: body.into() });
    Ok(Sent { file, fields: Vec::new() })
}

async fn read_form(mut body: Bytes, boundary: String, max_text_bytes: usize) -> Result<Sent, MediaProblem> {
    let chunks = stream::iter(std::iter::from_fn(move || {
        let next = body.split_to(body.len().min(CHUNK_BYTES));
        (!next.is_empty()).then_some(Ok::<_, Infallible>(next))
    }));
    let mut form = multer::Multipart::new(chunks, boundary);
    let (mut file, mut fields) = (None, Vec::new());
    while let Some(field) = form.next_field().await.map_err(|_| MediaProblem::Unreadable)? {
        let (name, file_name) =
            (field.name().unwrap_or_default().to_owned(), field.file_name().map(str::to_owned));
        let content = field.bytes().await.map_err(|_| MediaProblem::Unreadable)?;
        match file_name {
            // A browser sends an empty file if none was chosen.
            Some(file_name) if !content.is_empty() && file.is_none() => {
                file = Some(NewMedia { name: file_name, alt: String::new(), bytes: content.into() });
            }
            Some(_) => {}
            None if content.len() <= max_text_bytes => {
                fields.push((name, String::from_utf8_lossy(&content).into_owned()));
            }
            None => return Err(MediaProblem::Unreadable),
        }
    }
    let alt = fields.iter().find(|(name, _)| name == "alt").map(|(_, alt)| alt.clone()).unwrap_or_default();
    Ok(Sent { file: file.map(|file| NewMedia { alt, ..file }), fields })
}
