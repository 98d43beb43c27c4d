//! Presents runs as the domain knows them.

use domain::{
    Timestamp,
    engine::backups::{BackupRun, BackupState, BackupVerification},
};
use store::{StoreError, backup_run::RunRow};

/// Presents a run.
pub fn present(row: RunRow) -> Result<BackupRun, StoreError> {
    let state: BackupState = row.state.parse().map_err(|odd| StoreError::Corrupt(format!("{odd}")))?;
    let verification = row.verified_at.zip(row.restore_ms).map(|(at, restore_ms)| BackupVerification {
        at: Timestamp::from_millis(at),
        restore_ms,
        problem: row.verify_detail,
    });
    Ok(BackupRun {
        number: row.number,
        state,
        started_at: Timestamp::from_millis(row.started_at),
        ended_at: row.ended_at.map(Timestamp::from_millis),
        node: row.node,
        file: row.file,
        bytes: row.bytes.and_then(|bytes| u64::try_from(bytes).ok()),
        removed_at: row.removed_at.map(Timestamp::from_millis),
        detail: row.detail,
        verification,
    })
}
