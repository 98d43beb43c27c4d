//! `/system`: versions, and the last backup.

use super::backups::BackupBody;
use crate::http::{
    Web,
    api::{ApiError, extract::Auth},
};
use axum::{Json, extract::State};
use domain::engine::backups::{BackupProblem, SystemReport};
use serde::Serialize;
use utoipa::ToSchema;

/// Versions, and the last backup.
#[derive(Debug, Serialize, ToSchema)]
pub struct SystemBody {
    /// Version of the binary that answers.
    version: String,
    /// Commit from which it was built; null: not known.
    commit: Option<String>,
    /// Newest migration of the database.
    schema_step: i64,
    /// Newest migration that the binary knows; higher only while an upgrade is under way.
    known_schema_step: i64,
    /// Release of the built-in IANA time-zone data.
    time_zone_data: String,
    /// The last backup that was written; null: none was.
    last_backup: Option<BackupBody>,
    /// The last backup that was verified; null: none was.
    last_verification: Option<BackupBody>,
    /// `no_space`, `missed`, `not_restorable`; null: nothing is wrong with the backups.
    backup_problem: Option<&'static str>,
}

impl From<SystemReport> for SystemBody {
    fn from(report: SystemReport) -> Self {
        Self {
            version: report.version,
            commit: report.commit,
            schema_step: report.schema_step,
            known_schema_step: report.known_schema_step,
            time_zone_data: report.time_zone_data,
            last_backup: report.last_backup.map(BackupBody::from),
            last_verification: report.last_verification.map(BackupBody::from),
            backup_problem: report.backup_problem.map(BackupProblem::as_str),
        }
    }
}

/// Returns versions, the last backup and its last verification. Only for admins.
#[utoipa::path(get, path = "/system", tag = "about", responses(
    (status = 200, description = "Versions, and the last backup", body = SystemBody)))]
pub async fn show(State(web): State<Web>, Auth(actor): Auth) -> Result<Json<SystemBody>, ApiError> {
    Ok(Json(web.services.engine.system(&actor).await?.into()))
}
