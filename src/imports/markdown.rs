//! Imports an uploaded archive of Markdown files: unpacked into a folder beside the upload, imported like
//! a folder, and removed again.

use super::archive;
use crate::{
    imports::importer::{self, Import, Importer, Progress, Report, posts::Stop},
    process::cli_error::CliError,
    services::run_blocking,
    zone::Zone,
};
use domain::{Actor, ImportId, imports::ImportOptions};
use std::path::{Path, PathBuf};
use store::{PoolRole, setting};

/// A folder that is removed when this is dropped.
struct Unpacked(PathBuf);

impl Drop for Unpacked {
    fn drop(&mut self) {
        remove(&self.0);
    }
}

/// Removes a folder, unless there is none.
fn remove(folder: &Path) {
    match std::fs::remove_dir_all(folder) {
        Err(why) if why.kind() != std::io::ErrorKind::NotFound => {
            tracing::warn!("an unpacked import could not be removed; the next sweep tries again: {why}");
        }
        _ => {}
    }
}

/// Unpacks the archive of a job and imports its files, or says what would be imported.
pub async fn run(
    importer: &Importer,
    actor: &Actor,
    (id, options, is_check): (ImportId, &ImportOptions, bool),
    progress: &dyn Progress,
) -> Result<Report, CliError> {
    let token = importer.stop.child_token();
    let _guard = token.clone().drop_guard();
    let (file, folder) = (importer.parts.imports.file(id), importer.parts.imports.unpacked(id));
    let unpacked = run_blocking(move || {
        // Of a process that ended in the middle.
        remove(&folder);
        let unpacked = Unpacked(folder);
        archive::unpack(&file, &unpacked.0, &Stop::new(token)).map(|()| unpacked)
    });
    let unpacked = unpacked.await?.map_err(CliError::Failed)?;
    let mut lease = importer.parts.store.read(PoolRole::Web).await?;
    let site = setting::site_settings(lease.conn()).await?;
    drop(lease);
    let zone = Zone::stored(if options.zone.is_empty() { &site.zone } else { &options.zone });
    let import = Import {
        publish_past: !options.is_drafts,
        is_drafts: options.is_drafts,
        has_pictures: true,
        is_dry_run: is_check,
        ..Import::new(archive::content(&unpacked.0), zone)
    };
    let imported = importer::run(importer, actor, &import, progress).await;
    run_blocking(move || drop(unpacked)).await?;
    imported
}
