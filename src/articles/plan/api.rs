//! `POST /articles/import`.

use super::{decode, decode_as, table, upload};
use crate::{
    http::{
        Web,
        api::{
            ApiError, ErrorBody,
            extract::{AuthQuery, idempotency, word},
        },
    },
    media::api::read_whole,
    security::tokens,
};
use axum::{
    Json,
    extract::{Request, State},
};
use domain::{
    DomainError, Timestamp,
    articles::plan::{RowWarning, TableEncoding, TableImport, TableProblem, TableReport, TableRow},
    meetings::OnProblem,
};
use serde::{Deserialize, Serialize};
use texts::{
    Language,
    articles::plan::{problem_sentence, warning_sentence},
};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

/// Path of the route below the API.
pub const PATH: &str = "/api/v1/articles/import";

/// How a table is imported.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct TableQuery {
    /// Whether the table is only checked; `true` if absent.
    dry_run: Option<bool>,
    /// If a row cannot become an article: `refuse` the table (if absent) or `skip` the row.
    on_problem: Option<String>,
    /// IANA time zone of times without one; if absent, that of the account.
    zone: Option<String>,
    /// Encoding of a table that is neither UTF-8 nor UTF-16: `windows-1252`, `windows-1250`, `windows-1251`,
    /// `gb18030`, `big5`, `shift_jis` or `euc-kr`. If absent, such a table is refused.
    encoding: Option<String>,
}

/// A table with the texts that it names. Describes the form in the OpenAPI document.
#[derive(Debug, ToSchema)]
pub struct TableForm {
    /// The table: CSV.
    #[schema(value_type = String, format = Binary)]
    pub table: Vec<u8>,
    /// Markdown that the column `file` names, at most 500,000 bytes each; repeated for each file.
    #[schema(value_type = Option<String>, format = Binary)]
    pub files: Option<Vec<u8>>,
}

/// What becomes of the rows of a table.
#[derive(Debug, Serialize, ToSchema)]
pub struct TableBody {
    /// Whether the articles were written.
    is_written: bool,
    /// Send it to `/batches/{id}/undo` to cancel all schedules of this import; the articles stay as
    /// drafts. Null: nothing was scheduled.
    #[schema(value_type = Option<String>, format = Uuid)]
    batch_id: Option<Uuid>,
    /// Number of rows that become scheduled articles.
    scheduled: usize,
    /// Number of rows that become drafts.
    drafts: usize,
    /// Number of rows that cannot become articles.
    refused: usize,
    /// Names of the columns that are not read.
    ignored: Vec<String>,
    /// The rows, by line.
    rows: Vec<TableRowBody>,
}

/// A row of a table.
#[derive(Debug, Serialize, ToSchema)]
pub struct TableRowBody {
    /// Number of its first line, from 1.
    line: usize,
    /// Title.
    title: String,
    /// `scheduled`, `draft` or `refused`.
    outcome: &'static str,
    /// Slug; null: it is refused.
    slug: Option<String>,
    /// Id of its article; null: none was written.
    #[schema(value_type = Option<String>, format = Uuid)]
    article_id: Option<Uuid>,
    /// When it is published; null: it is not scheduled.
    #[schema(value_type = Option<String>, format = DateTime)]
    due_at: Option<Timestamp>,
    /// The same as local time in `zone`.
    local: Option<String>,
    /// IANA time zone of the row.
    zone: Option<String>,
    /// What should be known of it.
    warnings: Vec<TableWarningBody>,
    /// Why it is refused: `too_many_cells`, `body_and_file`, `no_file`, `file_not_text`, or the code of the
    /// error, such as `invalid`, `past`, `doubled_time`, `skipped_time`, `no_such` (no free slot),
    /// `blocked_words` or `checklist`; null: it is not.
    problem: Option<&'static str>,
    /// The same as a sentence.
    message: Option<String>,
}

/// What should be known of a row.
#[derive(Debug, Serialize, ToSchema)]
pub struct TableWarningBody {
    /// `same_title`, `title_twice`, `other_slug`, `moment_taken`, `no_text` or `needs_approval`.
    code: &'static str,
    /// The same as a sentence.
    message: String,
}

/// Imports a table (CSV) of articles with their times: at most 10 MiB and 10,000 rows, in one transaction.
/// Its first line names the columns: `title`, `body` or `file`, `time`, `zone`, `tags`, `summary`, `slug`. A
/// row without a time becomes a draft. A time is read as by `/when`; one that has passed or has several
/// meanings is refused. The checklist is that of `/tasks`. Where texts are reviewed, a row with a time whose
/// text contains what must not be published is refused (`blocked_words`); `/tasks` accepts such an article and
/// holds its task at the due time (`words_block`).
#[utoipa::path(post, path = "/articles/import", tag = "articles", params(TableQuery),
    request_body(content((String = "text/csv"), (TableForm = "multipart/form-data"))), responses(
    (status = 200, description = "What becomes of each row", body = TableBody),
    (status = 409, description = "The Idempotency-Key was used for another request, or a slug was taken meanwhile", body = ErrorBody),
    (status = 413, description = "Larger than 20 MiB with its files", body = ErrorBody),
    (status = 422, description = "The table cannot be read, or a parameter is invalid", body = ErrorBody)))]
pub async fn import(
    State(web): State<Web>,
    AuthQuery(mut actor, query): AuthQuery<TableQuery>,
    request: Request,
) -> Result<Json<TableBody>, ApiError> {
    let (head, body) = request.into_parts();
    let bytes = read_whole(body).await?;
    actor.idempotency = idempotency(&head, &bytes)?;
    if let Some(key) = &mut actor.idempotency {
        let asked = head.uri.query().unwrap_or_default();
        key.fingerprint = tokens::hash(&format!("{}\n{asked}", key.fingerprint));
    }
    let sent = upload::read(&head.headers, bytes).await?;
    let table = sent.table.ok_or_else(upload::missing)?;
    let table = match query.encoding {
        Some(word) => in_encoding(table, &word)?,
        None => table,
    };
    let import = TableImport {
        table,
        files: sent.files,
        zone: query.zone,
        is_dry_run: query.dry_run.unwrap_or(true),
        on_problem: match query.on_problem {
            Some(on) => word("on_problem", &on, OnProblem::NAMES)?,
            None => OnProblem::Refuse,
        },
    };
    Ok(Json(web.services.articles.import_table(&actor, import).await?.into()))
}

/// Returns a table in Unicode. One that is Unicode already is never read as another encoding.
fn in_encoding(table: Vec<u8>, name: &str) -> Result<Vec<u8>, DomainError> {
    let encoding = word::<TableEncoding>("encoding", name, TableEncoding::NAMES)?;
    if decode(&table).is_some() {
        return Ok(table);
    }
    let text = decode_as(&table, encoding).ok_or_else(|| table::refused(TableProblem::NotText))?;
    Ok(text.into_bytes())
}

impl From<TableReport> for TableBody {
    fn from(report: TableReport) -> Self {
        Self {
            is_written: report.is_written,
            batch_id: report.batch.map(|batch| batch.0),
            scheduled: report.scheduled,
            drafts: report.drafts,
            refused: report.refused,
            ignored: report.ignored,
            rows: report.rows.into_iter().map(TableRowBody::from).collect(),
        }
    }
}

impl From<TableRow> for TableRowBody {
    fn from(row: TableRow) -> Self {
        let (problem, due) = (row.problem.as_ref(), row.due);
        Self {
            line: row.line,
            title: row.title,
            outcome: match (problem, &due) {
                (Some(_), _) => "refused",
                (None, Some(_)) => "scheduled",
                (None, None) => "draft",
            },
            slug: problem.is_none().then_some(row.slug),
            article_id: row.article.map(|id| id.0),
            due_at: due.as_ref().map(|due| due.at.at),
            local: due.as_ref().map(|due| due.local.clone()),
            zone: due.map(|due| due.zone),
            warnings: row.warnings.iter().map(TableWarningBody::from).collect(),
            problem: problem.map(|problem| problem.code()),
            message: problem.map(|problem| problem_sentence(Language::En, problem)),
        }
    }
}

impl From<&RowWarning> for TableWarningBody {
    fn from(warning: &RowWarning) -> Self {
        Self { code: warning.code(), message: warning_sentence(Language::En, warning) }
    }
}
