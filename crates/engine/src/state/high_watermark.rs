//! High watermark of the event log, in a small file in the data folder. If the database has fewer
//! events than the watermark, it was restored from an older state.

use std::{
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, AtomicI64, Ordering::Relaxed},
};
use store::{
    Store, StoreError,
    db_identity::{self, LogPosition},
};

/// File name in the data folder. Content: id of the installation and sequence number of the last
/// event.
const FILE_NAME: &str = "reached";

/// Watermark file of this node.
#[derive(Debug, Default)]
pub struct HighWatermark {
    /// `None`: nothing is stored.
    file: Option<PathBuf>,
    stored: AtomicI64,
    /// Whether a failed write was reported.
    is_reported: AtomicBool,
}

impl HighWatermark {
    /// Stores the watermark in this data folder.
    #[must_use]
    pub fn in_folder(data: &Path) -> Self {
        Self { file: Some(data.join(FILE_NAME)), ..Self::default() }
    }

    /// Returns the stored watermark. `None`: there is none, or it cannot be read.
    pub async fn load(&self) -> Option<LogPosition> {
        let text = tokio::fs::read_to_string(self.file.as_ref()?).await.ok()?;
        let (desk, seq) = text.trim().split_once(' ')?;
        Some(LogPosition { desk_id: desk.parse().ok()?, seq: seq.parse().ok()? })
    }

    /// Stores the current end of the log. A folder that is not writable is not an error: then a
    /// restore is not detected, and the first failure is logged as a warning.
    pub async fn store(&self, store: &Store) -> Result<(), StoreError> {
        let Some(file) = &self.file else { return Ok(()) };
        let LogPosition { desk_id: desk, seq } = db_identity::log_position(store).await?;
        if self.stored.swap(seq, Relaxed) != seq
            && let Err(why) = replace_file(file, &format!("{desk} {seq}\n")).await
        {
            let file = file.display();
            if self.is_reported.swap(true, Relaxed) {
                tracing::debug!("the high watermark of the log was not stored in {file}: {why}");
            } else {
                tracing::warn!(
                    "{file} cannot be written: {why}; a restore of an older state of the database is not \
                     noticed, and messages are not held after it: make the data folder writable"
                );
            }
        }
        Ok(())
    }
}

/// Replaces the file atomically.
async fn replace_file(file: &Path, text: &str) -> std::io::Result<()> {
    let new = file.with_extension("new");
    tokio::fs::write(&new, text).await?;
    tokio::fs::rename(new, file).await
}
