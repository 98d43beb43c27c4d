//! Reads the body of an upload: a form with one file, or raw bytes.

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
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if kind.trim_start().to_ascii_lowercase().starts_with("multipart/form-data") {
        let boundary = multer::parse_boundary(kind).map_err(|_| MediaProblem::Unreadable)?;
        return read_form(body, boundary).await;
    }
    let name = headers.get(NAME_HEADER).map(|name| String::from_utf8_lossy(name.as_bytes()).into_owned());
    let name = percent_decoded(&name.unwrap_or_default());
    let file = (!body.is_empty()).then(|| NewMedia { name, alt: String::new(), bytes: body.into() });
    Ok(Sent { file, fields: Vec::new() })
}

async fn read_form(mut body: Bytes, boundary: String) -> Result<Sent, MediaProblem> {
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
            None if content.len() <= MAX_TEXT_BYTES => {
                fields.push((name, String::from_utf8_lossy(&content).into_owned()));
            }
            None => return Err(MediaProblem::Unreadable),
        }
    }
    let alt = fields.iter().find(|(name, _)| name == "alt").map(|(_, alt)| alt.clone()).unwrap_or_default();
    Ok(Sent { file: file.map(|file| NewMedia { alt, ..file }), fields })
}

/// Decodes `%41` and the like. What is not encoded stays.
fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let encoded = after.get(..2).filter(|_| *first == b'%').and_then(|digits| {
            std::str::from_utf8(digits)
                .ok()
                .and_then(|digits| u8::from_str_radix(digits, 16).ok().filter(|_| !digits.starts_with("+")))
        });
        bytes.push(encoded.unwrap_or(*first));
        rest = match encoded {
            Some(_) => after.get(2..).unwrap_or_default(),
            None => after,
        };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::percent_decoded;

    #[test]
    fn names_are_decoded() {
        for (sent, name) in
            [("%E8%8C%B6%20a.png", "茶 a.png"), ("100%.png", "100%.png"), ("%zz%4", "%zz%4"), ("%+1", "%+1")]
        {
            assert_eq!(percent_decoded(sent), name);
        }
    }
}
