//! The form of `/articles/import`, without JavaScript: it comes back with what becomes of each row, and
//! with the table if that is not too large.

use super::{
    decode,
    decode::{decode_as, guess, samples},
    table,
    upload::{self, Sent},
};
use crate::{
    http::{
        Web,
        header::header_text,
        limits::admission,
        pages::{self, forms},
    },
    media::api::read_whole,
    security::tokens,
};
use app::{
    articles::list_page::plan::{
        CHANGED, CHECKED, ENCODING, IMPORT_PAGE, IMPORT_PATH, LETTERS, MAX_KEPT_BYTES, MAX_SHOWN, TEXT,
    },
    ui::form::{FormResult, IMPORT_OTHERS, REPORT},
};
use axum::{
    body::Body,
    extract::{Request, State},
    http::{Method, StatusCode, Uri, header, request::Parts},
    response::Response,
};
use domain::{
    Actor, DomainError,
    account::Language,
    articles::plan::{TableEncoding, TableImport, TableProblem, TableReport},
    meetings::OnProblem,
};

/// Where the form posts to.
pub const PATH: &str = IMPORT_PATH;

/// Checks or imports the table of the form, and shows what becomes of its rows.
pub async fn submit(State(web): State<Web>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let caller = pages::caller(&web, &head).await;
    let actor = match caller.and_then(|caller| caller.actor.ok_or(DomainError::LogIn)) {
        Ok(actor) => actor,
        Err(refusal) => return refuse(&web, head, Vec::new(), refusal).await,
    };
    let sent = match read_whole(body).await {
        Ok(bytes) => upload::read(&head.headers, bytes).await,
        Err(refusal) => Err(refusal),
    };
    let mut sent = match sent {
        Ok(sent) => sent,
        Err(refusal) => return refuse(&web, head, Vec::new(), refusal).await,
    };
    let done = import(&web, &actor, &mut sent).await;
    let mut fields = sent.fields;
    match done {
        Ok((report, hash)) => {
            let is =
                |name: &str, value: &str| fields.iter().any(|(one, typed)| one == name && typed == value);
            let is_changed = (is("what", "import") || is("what", IMPORT_OTHERS)) && !is(CHECKED, &hash);
            fields.retain(|(name, _)| !matches!(name.as_str(), CHECKED | CHANGED | REPORT));
            if is_changed {
                fields.push((CHANGED.to_owned(), "1".to_owned()));
            }
            match report.is_written {
                true => fields.retain(|(name, _)| name != TEXT),
                false => fields.push((CHECKED.to_owned(), hash)),
            }
            let shown = report.shortened(MAX_SHOWN);
            fields.push((REPORT.to_owned(), serde_json::to_string(&shown).unwrap_or_default()));
            // A large file must be sent again, or the kept text.
            let form = FormResult { function: PATH.to_owned(), fields, refusal: DomainError::SendAgain };
            show(&web, head, form).await
        }
        Err(refusal) => refuse(&web, head, fields, refusal).await,
    }
}

/// Imports what was checked before, or checks it. Returns the report, and a hash of what it is about. The
/// text of a file becomes a field of the form.
async fn import(web: &Web, actor: &Actor, sent: &mut Sent) -> Result<(TableReport, String), DomainError> {
    let field = |sent: &Sent, name: &str| {
        sent.fields.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone())
    };
    let typed = field(sent, TEXT).filter(|text| !text.trim().is_empty());
    sent.fields.retain(|(name, _)| name != LETTERS);
    let table = match sent.table.take() {
        Some(table) => {
            sent.fields.retain(|(name, _)| name != TEXT);
            let table = in_unicode(table, sent, actor.language)?;
            if let Some(text) = decode(&table).filter(|text| text.len() <= MAX_KEPT_BYTES) {
                sent.fields.push((TEXT.to_owned(), text));
            }
            table
        }
        None => typed.ok_or_else(upload::missing)?.into_bytes(),
    };
    let (zone, what) = (field(sent, "zone"), field(sent, "what"));
    let hash = hash_of(&table, zone.as_deref().unwrap_or_default());
    let is_checked = field(sent, CHECKED).as_ref() == Some(&hash);
    let import = TableImport {
        table,
        files: std::mem::take(&mut sent.files),
        zone,
        is_dry_run: !is_checked || !matches!(what.as_deref(), Some("import" | IMPORT_OTHERS)),
        on_problem: if what.as_deref() == Some(IMPORT_OTHERS) { OnProblem::Skip } else { OnProblem::Refuse },
    };
    Ok((web.services.articles.import_table(actor, import).await?, hash))
}

/// Returns a table in Unicode. One in another encoding is read as the form says, else as is likely: the
/// page shows how it was read, before anything is imported.
fn in_unicode(table: Vec<u8>, sent: &mut Sent, language: Language) -> Result<Vec<u8>, DomainError> {
    let asked = sent.fields.iter().find(|(name, _)| name == ENCODING);
    let asked = asked.and_then(|(_, word)| word.parse::<TableEncoding>().ok());
    if decode(&table).is_some() {
        return Ok(table);
    }
    let read = match asked {
        Some(encoding) => decode_as(&table, encoding).map(|text| (encoding, text)),
        None => guess(&table, language),
    };
    let (encoding, text) = read.ok_or_else(|| table::refused(TableProblem::NotText))?;
    sent.fields.retain(|(name, _)| name != ENCODING);
    sent.fields.push((ENCODING.to_owned(), encoding.to_string()));
    sent.fields.push((LETTERS.to_owned(), samples(&text)));
    Ok(text.into_bytes())
}

/// Hash of a table and its zone. A browser changes line ends, and the field has no byte order mark.
fn hash_of(table: &[u8], zone: &str) -> String {
    let text = decode(table).unwrap_or_default();
    let lines = text.replace("\r\n", "\n").replace('\r', "\n");
    tokens::hash(&format!("{}\n{}", zone.trim(), lines.trim_start_matches('\n')))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_the_same_after_a_browser_has_sent_it() {
        let one = hash_of("\u{feff}title\n\"a\nb\"\r".as_bytes(), " UTC");
        assert_eq!(one, hash_of(b"title\r\n\"a\r\nb\"\r\n", "UTC"));
        assert_ne!(one, hash_of(b"title\r\n\"a b\"\r\n", "UTC"));
        assert_ne!(one, hash_of(b"title\r\n\"a\r\nb\"\r\n", "Asia/Tokyo"));
    }
}
