//! Receives an uploaded export: its bytes go to a file as they arrive.

use crate::{files::import_folder::ImportFolder, services::run_blocking};
use axum::body::{Body, Bytes};
use domain::{
    DomainError, ImportId,
    error::ValidationError,
    imports::{ImportOptions, ImportProblem, ImportSystem, NewImport},
    media::cleaned_name,
};
use futures::{Stream, StreamExt as _};
use multer::Multipart;
use std::{fs::File, io, io::Write as _, time::Duration};
use tokio::time::timeout;

/// Maximum size of a body, bytes: twice the largest export. What is too large is read to its end, so that
/// the sender gets the sentence.
pub const MAX_BODY_BYTES: usize = 400_000_000;
/// Number of bytes that are written at once.
const CHUNK_BYTES: usize = 1024 * 1024;
/// Longest pause of the sender.
const PAUSE: Duration = Duration::from_secs(30);
/// Maximum time of an upload.
const WHOLE: Duration = Duration::from_secs(3_600);
/// Maximum size of a text field, bytes.
const MAX_TEXT_BYTES: usize = 8 * 1024;
/// Maximum number of fields.
const MAX_FIELDS: usize = 20;
/// Number of bytes that show the kind of a file.
const HEAD_BYTES: usize = 1024;

/// A form as it was sent.
#[derive(Debug)]
pub struct Sent {
    /// The text fields before the first error.
    pub fields: Vec<(String, String)>,
    /// The file.
    pub file: Result<Upload, ImportProblem>,
}

/// A file that was received. It is removed unless it is kept.
#[derive(Debug)]
pub struct Upload {
    /// Its id.
    pub id: ImportId,
    /// Its name.
    pub name: String,
    head: Vec<u8>,
    bytes: u64,
    folder: Option<ImportFolder>,
}

impl Upload {
    /// Refuses a file that this system does not write.
    pub fn check(&self, system: ImportSystem) -> Result<(), ImportProblem> {
        if self.bytes > system.max_bytes() {
            return Err(ImportProblem::TooLarge { max_mb: system.max_mb() });
        }
        let head = self.head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&self.head);
        let is_expected = match system {
            ImportSystem::Wordpress => head.trim_ascii_start().starts_with(b"<"),
            ImportSystem::Ghost => head.trim_ascii_start().starts_with(b"{"),
            // An archive, also an empty one.
            ImportSystem::Markdown => head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06"),
        };
        if is_expected { Ok(()) } else { Err(ImportProblem::WrongKind { system }) }
    }

    /// Leaves the file where it is. Returns its id.
    pub fn keep(mut self) -> ImportId {
        self.folder = None;
        self.id
    }
}

impl Drop for Upload {
    fn drop(&mut self) {
        if let Some(folder) = &self.folder {
            folder.remove(self.id);
        }
    }
}

/// Receives a form with the file and text fields.
pub async fn form(folder: &ImportFolder, boundary: String, body: Body) -> Sent {
    let mut fields = Vec::new();
    let read = timeout(WHOLE, read_form(folder, boundary, body, &mut fields)).await;
    let file = read.unwrap_or(Err(ImportProblem::Unreadable));
    Sent { file: file.and_then(|file| file.ok_or(ImportProblem::NoFile)), fields }
}

/// Receives raw bytes.
pub async fn raw(
    folder: &ImportFolder,
    name: &str,
    body: Body,
    system: ImportSystem,
) -> Result<Upload, ImportProblem> {
    let written = timeout(WHOLE, write(folder, name, body.into_data_stream(), system)).await;
    written.unwrap_or(Err(ImportProblem::Unreadable))?.ok_or(ImportProblem::NoFile)
}

async fn read_form(
    folder: &ImportFolder,
    boundary: String,
    body: Body,
    fields: &mut Vec<(String, String)>,
) -> Result<Option<Upload>, ImportProblem> {
    let mut form = Multipart::new(body.into_data_stream(), boundary);
    let mut file = Ok(None);
    while let Some(mut field) = next(form.next_field()).await? {
        let (name, file_name) =
            (field.name().unwrap_or_default().to_owned(), field.file_name().map(str::to_owned));
        match file_name {
            Some(file_name) if matches!(file, Ok(None)) => {
                let system = fields.iter().find(|(name, _)| name == "system");
                let system =
                    system.and_then(|(_, word)| word.parse().ok()).unwrap_or(ImportSystem::Wordpress);
                // Fields after the file are read even if it is refused.
                file = write(folder, &file_name, field, system).await;
            }
            Some(_) => {}
            None => {
                let mut text = Vec::new();
                while let Some(chunk) = next(field.chunk()).await? {
                    text.extend_from_slice(&chunk);
                    if text.len() > MAX_TEXT_BYTES || fields.len() >= MAX_FIELDS {
                        return Err(ImportProblem::Unreadable);
                    }
                }
                fields.push((name, String::from_utf8_lossy(&text).into_owned()));
            }
        }
    }
    file
}

/// Waits for the sender, but not for ever.
async fn next<T, E>(step: impl Future<Output = Result<T, E>>) -> Result<T, ImportProblem> {
    match timeout(PAUSE, step).await {
        Ok(Ok(read)) => Ok(read),
        _ => Err(ImportProblem::Unreadable),
    }
}

/// Writes a file. `None`: it is empty, as browsers send it if none was chosen.
async fn write<E>(
    folder: &ImportFolder,
    name: &str,
    mut chunks: impl Stream<Item = Result<Bytes, E>> + Unpin,
    system: ImportSystem,
) -> Result<Option<Upload>, ImportProblem> {
    let (id, at) = (ImportId::generate(), folder.clone());
    let mut upload =
        Upload { id, name: cleaned_name(name), head: Vec::new(), bytes: 0, folder: Some(folder.clone()) };
    let created = run_blocking(move || at.create(id)).await.map_err(|_| ImportProblem::Unreadable)?;
    let mut file = created.map_err(|why| not_stored(&why))?;
    let mut buffer = Vec::with_capacity(CHUNK_BYTES);
    while let Some(chunk) = next(async { chunks.next().await.transpose() }).await? {
        upload.bytes += chunk.len() as u64;
        if upload.head.len() < HEAD_BYTES {
            upload.head.extend(chunk.iter().take(HEAD_BYTES));
        }
        if upload.bytes <= system.max_bytes() {
            buffer.extend_from_slice(&chunk);
        }
        if buffer.len() >= CHUNK_BYTES {
            file = flush(file, std::mem::take(&mut buffer)).await?;
        }
    }
    flush(file, buffer).await?;
    match upload.bytes {
        0 => Ok(None),
        bytes if bytes > system.max_bytes() => Err(ImportProblem::TooLarge { max_mb: system.max_mb() }),
        _ => Ok(Some(upload)),
    }
}

async fn flush(mut file: File, bytes: Vec<u8>) -> Result<File, ImportProblem> {
    let written = run_blocking(move || file.write_all(&bytes).map(|()| file)).await;
    written.map_err(|_| ImportProblem::Unreadable)?.map_err(|why| not_stored(&why))
}

fn not_stored(why: &io::Error) -> ImportProblem {
    tracing::warn!("an upload was refused: {why}");
    match why.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => ImportProblem::DiskFull,
        _ => ImportProblem::Unreadable,
    }
}

/// Reads the fields of an upload.
pub fn new_import(fields: &[(String, String)], file: Upload) -> Result<NewImport, DomainError> {
    let field = |name: &str| fields.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
    let is_set = |name: &str| field(name).is_some_and(|value| matches!(value, "true" | "on" | "1"));
    let system: ImportSystem = field("system").unwrap_or_default().parse().map_err(|()| {
        DomainError::invalid("system", ValidationError::NotOneOf { words: ImportSystem::WORDS.join(", ") })
    })?;
    file.check(system)?;
    let options = ImportOptions {
        site: field("site").unwrap_or_default().to_owned(),
        zone: field("zone").unwrap_or_default().to_owned(),
        is_drafts: is_set("drafts"),
        is_fetching: is_set("pictures"),
    };
    let file_name = file.name.clone();
    Ok(NewImport { id: file.keep(), system, file_name, options })
}
