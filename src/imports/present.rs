//! Converts rows and results into what users see.

use crate::{
    app_state::AppState,
    imports::importer::{Problem, Report, posts::SHORTCODES_LEFT},
    services::{Presenter, internal_error},
    tasks::unit_of_work::parsed,
};
use domain::{
    DomainError, ImportId, Timestamp, Version,
    imports::{Import, ImportReport, ImportState, LeftOutKind, Listed, ListedItem, MAX_LISTED_ITEMS},
};
use serde::de::DeserializeOwned;
use std::collections::{BTreeSet, HashMap};
use store::{
    Conn, StoreError,
    import_job::{self, ImportRow},
};
use uuid::Uuid;

/// How long a check or an import may go without a sign of life, milliseconds.
pub const LEASE_MS: i64 = 30_000;

/// Presents an import. One whose process has ended is interrupted.
pub fn import(parts: &AppState, presenter: &Presenter<'_>, row: ImportRow) -> Result<Import, DomainError> {
    let id = ImportId(row.id);
    let state = state(&row, presenter.now)?;
    Ok(Import {
        id,
        state,
        system: parsed(&row.system)?,
        file_name: row.file_name,
        options: json(&row.options)?,
        version: Version(row.version),
        done: u64::try_from(row.done).unwrap_or_default(),
        total: u64::try_from(row.total).unwrap_or_default(),
        report: row.report.as_deref().map(json).transpose()?,
        why: row.why,
        undo: row.undo.as_deref().map(json).transpose()?,
        public: 0,
        has_file: parts.imports.has(id),
        by: row.by_name,
        created: presenter.moment(row.created_at),
        finished: row.finished_at.map(|at| presenter.moment(at)),
    })
}

/// Adds how many articles of the imports are public and were not changed since.
pub async fn with_public(conn: Conn<'_>, mut imports: Vec<Import>) -> Result<Vec<Import>, DomainError> {
    let undoable = imports.iter().filter(|import| import.state.may_undo());
    let ids: Vec<Uuid> = undoable.map(|import| import.id.0).collect();
    let found = import_job::unchanged_public(conn, &ids).await.map_err(internal_error)?;
    let found: HashMap<Uuid, i64> = found.into_iter().collect();
    for import in &mut imports {
        import.public = found.get(&import.id.0).copied().unwrap_or_default().unsigned_abs();
    }
    Ok(imports)
}

/// The state at a time.
pub fn state(row: &ImportRow, now: Timestamp) -> Result<ImportState, DomainError> {
    let stored: ImportState = parsed(&row.state)?;
    let is_over = stored.is_active() && row.touched_at < now.plus(-LEASE_MS).millis();
    Ok(match stored {
        ImportState::Running if is_over => ImportState::Interrupted,
        ImportState::Checking if is_over => ImportState::Failed,
        other => other,
    })
}

/// Reads stored JSON.
pub fn json<T: DeserializeOwned>(text: &str) -> Result<T, DomainError> {
    serde_json::from_str(text).map_err(|why| internal_error(StoreError::Corrupt(format!("JSON: {why}"))))
}

/// Converts the result of an import.
#[must_use]
pub fn report(report: &Report) -> ImportReport {
    let listed = |entries: &[(String, Problem)]| Listed {
        count: entries.len() as u64,
        items: entries.iter().take(MAX_LISTED_ITEMS).map(|entry| item(report, entry)).collect(),
    };
    let shortcodes =
        report.warnings.iter().filter_map(|(_, problem)| problem.why.strip_prefix(SHORTCODES_LEFT));
    let shortcodes: BTreeSet<&str> = shortcodes.flat_map(|names| names.split(", ")).collect();
    let others: Vec<_> = report
        .warnings
        .iter()
        .filter(|(_, problem)| !problem.why.starts_with(SHORTCODES_LEFT))
        .cloned()
        .collect();
    let left_out = report.left_out.iter().map(|(kind, files)| LeftOutKind {
        kind: kind.clone(),
        count: files.count as u64,
        names: files.names.clone(),
    });
    ImportReport {
        created: report.created as u64,
        updated: report.updated as u64,
        unchanged: report.unchanged as u64,
        published: report.published as u64,
        scheduled: report.scheduled as u64,
        pictures: report.pictures as u64,
        held: listed(&report.held),
        kept: listed(&report.kept),
        refused: listed(&report.refused),
        warnings: listed(&others),
        shortcodes: shortcodes.into_iter().take(MAX_LISTED_ITEMS).map(str::to_owned).collect(),
        left_out: left_out.take(MAX_LISTED_ITEMS).collect(),
    }
}

fn item(report: &Report, (path, problem): &(String, Problem)) -> ListedItem {
    let title = report.titles.get(path).filter(|title| !title.trim().is_empty());
    ListedItem { name: title.unwrap_or(path).clone(), why: problem.why.clone() }
}
