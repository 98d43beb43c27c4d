//! `/backups`: the backups that the server writes by itself.

use crate::http::{
    Web,
    api::{ApiError, ErrorBody, extract::Auth},
};
use axum::{Json, extract::State, http::StatusCode};
use domain::{
    Timestamp,
    engine::backups::{BackupProblem, BackupRun, BackupVerification, BackupsReport},
};
use serde::Serialize;
use utoipa::ToSchema;

/// A backup.
#[derive(Debug, Serialize, ToSchema)]
pub struct BackupBody {
    /// Number, from 1.
    number: i64,
    /// `running`, `written`, `skipped` (too little space was free), `failed` or `interrupted` (the
    /// node ended).
    state: &'static str,
    /// When it began.
    #[schema(value_type = String, format = DateTime)]
    started_at: Timestamp,
    /// When it ended; null: it is running.
    #[schema(value_type = Option<String>, format = DateTime)]
    ended_at: Option<Timestamp>,
    /// Name of the node that writes it.
    node: String,
    /// Name of the file in the folder of backups; null: none was written.
    file: Option<String>,
    /// Size of the file, bytes; of a skipped one the free space that it needs.
    bytes: Option<u64>,
    /// When the file was deleted, because newer ones are kept; null: it was not.
    #[schema(value_type = Option<String>, format = DateTime)]
    removed_at: Option<Timestamp>,
    /// Why it failed, as the system says it.
    detail: Option<String>,
    /// Result of restoring it into a scratch database; null: it was not verified.
    verification: Option<VerificationBody>,
}

/// Result of restoring a backup into a scratch database and auditing that.
#[derive(Debug, Serialize, ToSchema)]
pub struct VerificationBody {
    /// When it was verified.
    #[schema(value_type = String, format = DateTime)]
    at: Timestamp,
    /// Whether it can be restored.
    is_restorable: bool,
    /// How long the restore took, milliseconds.
    restore_ms: i64,
    /// Why it cannot be restored; null: it can.
    problem: Option<String>,
}

/// The backups and their settings.
#[derive(Debug, Serialize, ToSchema)]
pub struct BackupList {
    /// Whether the server writes backups by itself.
    is_enabled: bool,
    /// Interval between two backups, seconds.
    every_seconds: i64,
    /// Number of days of which the newest backup is kept.
    keep_daily: u16,
    /// Number of weeks of which the newest backup is kept.
    keep_weekly: u16,
    /// Number of months of which the newest backup is kept.
    keep_monthly: u16,
    /// Folder of the backups on the node that answers.
    folder: String,
    /// `no_space`, `missed` (the last two were not written), `not_restorable`; null: nothing is wrong.
    problem: Option<&'static str>,
    /// Since when something is wrong.
    #[schema(value_type = Option<String>, format = DateTime)]
    problem_since: Option<Timestamp>,
    /// The newest 30, newest first.
    items: Vec<BackupBody>,
    /// Always null: there is one page.
    next_cursor: Option<String>,
}

impl From<BackupRun> for BackupBody {
    fn from(run: BackupRun) -> Self {
        Self {
            number: run.number,
            state: run.state.as_str(),
            started_at: run.started_at,
            ended_at: run.ended_at,
            node: run.node,
            file: run.file,
            bytes: run.bytes,
            removed_at: run.removed_at,
            detail: run.detail,
            verification: run.verification.map(VerificationBody::from),
        }
    }
}

impl From<BackupVerification> for VerificationBody {
    fn from(verification: BackupVerification) -> Self {
        let BackupVerification { at, restore_ms, problem } = verification;
        Self { at, is_restorable: problem.is_none(), restore_ms, problem }
    }
}

impl From<BackupsReport> for BackupList {
    fn from(report: BackupsReport) -> Self {
        Self {
            is_enabled: report.is_enabled,
            every_seconds: report.every_ms / 1_000,
            keep_daily: report.keep_daily,
            keep_weekly: report.keep_weekly,
            keep_monthly: report.keep_monthly,
            folder: report.folder,
            problem: report.problem.map(BackupProblem::as_str),
            problem_since: report.problem_since,
            items: report.runs.into_iter().map(BackupBody::from).collect(),
            next_cursor: None,
        }
    }
}

/// Lists the backups that the server writes by itself. Only for admins.
#[utoipa::path(get, path = "/backups", tag = "about", responses(
    (status = 200, description = "The backups and their settings", body = BackupList)))]
pub async fn list(State(web): State<Web>, Auth(actor): Auth) -> Result<Json<BackupList>, ApiError> {
    Ok(Json(web.services.engine.backups(&actor).await?.into()))
}

/// Writes a backup now, and answers when it is written. Read its `state`: it may be skipped or fail,
/// and if another node is writing one, that one is returned, running. A node that only serves pages lets a node
/// that runs the engine write it; `no_backup_node` (409): none has begun it within a minute. Only for admins.
#[utoipa::path(post, path = "/backups", tag = "about", responses(
    (status = 201, description = "The backup", body = BackupBody),
    (status = 409, description = "No node that writes backups has begun one", body = ErrorBody)))]
pub async fn create(
    State(web): State<Web>,
    Auth(actor): Auth,
) -> Result<(StatusCode, Json<BackupBody>), ApiError> {
    let run = web.services.engine.back_up_now(&actor).await?;
    Ok((StatusCode::CREATED, Json(run.into())))
}
