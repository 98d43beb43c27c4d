//! How far the log of the desk had come when this node last looked, in a small file beside its data: a database that is not as far any
//! more was put back.

use std::{
    path::{Path, PathBuf},
    sync::atomic::{AtomicI64, Ordering::Relaxed},
};
use store::{
    Store, StoreError,
    place::{self, Reached},
};

/// The file, in the data folder: the number of the desk and of the last line of its log.
const FILE: &str = "reached";

/// What this node remembers from one start to the next.
#[derive(Debug, Default)]
pub struct Memory {
    /// `None`: nothing is kept.
    file: Option<PathBuf>,
    kept: AtomicI64,
}

impl Memory {
    /// Kept in this data folder.
    #[must_use]
    pub fn in_folder(data: &Path) -> Self {
        Self { file: Some(data.join(FILE)), kept: AtomicI64::new(0) }
    }

    /// What was kept at the last start or after it. `None`: nothing, or it cannot be read.
    pub async fn recall(&self) -> Option<Reached> {
        let text = tokio::fs::read_to_string(self.file.as_ref()?).await.ok()?;
        let (desk, seq) = text.trim().split_once(' ')?;
        Some(Reached { desk: desk.parse().ok()?, seq: seq.parse().ok()? })
    }

    /// Keeps how far the log has come. A folder that takes no file is no trouble: then a state that was put back is not noticed.
    pub async fn keep(&self, store: &Store) -> Result<(), StoreError> {
        let Some(file) = &self.file else { return Ok(()) };
        let Reached { desk, seq } = place::reached(store).await?;
        if self.kept.swap(seq, Relaxed) != seq
            && let Err(why) = write(file, &format!("{desk} {seq}\n")).await
        {
            tracing::debug!("how far the log has come is not kept in {}: {why}", file.display());
        }
        Ok(())
    }
}

/// All of it or nothing.
async fn write(file: &Path, text: &str) -> std::io::Result<()> {
    let new = file.with_extension("new");
    tokio::fs::write(&new, text).await?;
    tokio::fs::rename(new, file).await
}
