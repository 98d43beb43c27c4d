//! Reads, starts and discards imports.

use super::{
    ImportService,
    job::{self, Job},
    present::{self, LEASE_MS},
};
use crate::{
    app_state::AppState,
    services::{Presenter, internal_error, run_blocking, write_error},
    tasks::unit_of_work::parsed,
    zone::Zone,
};
use domain::{
    Actor, DomainError, ImportId, Version,
    error::ValidationError,
    imports::{
        Import, ImportProblem, ImportState, KEPT_FOR_MS, MAX_LISTED_IMPORTS, MAX_SITE_CHARS,
        MAX_WAITING_IMPORTS, NewImport,
    },
};
use std::time::Duration;
use store::{
    PoolRole, Tx,
    event::{self, NewEvent},
    import_job::{self, Ending, ImportRow, NewImportRow},
};
use tokio::{runtime::Handle, time::timeout};
use url::Url;

/// How long a request waits for the end of its check or import: most end within this time.
const WAIT: Duration = Duration::from_secs(2);

/// Returns the newest imports.
pub async fn list(parts: &AppState, actor: &Actor) -> Result<Vec<Import>, DomainError> {
    require_admin(actor)?;
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let presenter = Presenter::of(lease.conn(), actor, parts.clock.now()).await?;
    let rows = import_job::list(lease.conn(), MAX_LISTED_IMPORTS).await.map_err(internal_error)?;
    let imports = rows.into_iter().map(|row| present::import(parts, &presenter, row));
    present::with_public(lease.conn(), imports.collect::<Result<_, _>>()?).await
}

/// Returns an import.
pub async fn find(parts: &AppState, actor: &Actor, id: ImportId) -> Result<Import, DomainError> {
    require_admin(actor)?;
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let presenter = Presenter::of(lease.conn(), actor, parts.clock.now()).await?;
    let row = import_job::find(lease.conn(), id).await.map_err(internal_error)?;
    let import = present::import(parts, &presenter, row.ok_or_else(no_such)?)?;
    let found = present::with_public(lease.conn(), vec![import]).await?;
    found.into_iter().next().ok_or_else(no_such)
}

/// Stores an uploaded export and starts its check.
pub async fn check(service: &ImportService, actor: &Actor, new: NewImport) -> Result<Import, DomainError> {
    let (parts, id) = (&service.importer.parts, new.id);
    let stored = store(parts, actor, new).await;
    if stored.is_err() {
        let folder = parts.imports.clone();
        run_blocking(move || folder.remove(id)).await?;
    }
    start(service, actor, stored?).await
}

async fn store(parts: &AppState, actor: &Actor, mut new: NewImport) -> Result<Job, DomainError> {
    require_admin(actor)?;
    new.options.site = checked_site(&new.options.site)?;
    new.options.zone = checked_zone(&new.options.zone)?;
    let (system, file) = (job::system(new.system, &new.options), parts.imports.file(new.id));
    let readable = run_blocking(move || job::check(system.as_ref(), &file)).await?;
    readable.map_err(|why| ImportProblem::Invalid { why })?;
    let now = parts.clock.now();
    let options = serde_json::to_string(&new.options).unwrap_or_default();
    let row = NewImportRow {
        id: new.id,
        system: new.system.as_str(),
        file_name: &new.file_name,
        options: &options,
        account: actor.account,
        at: now,
    };
    let mut tx = parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    import_job::interrupt(tx.conn(), now.plus(-LEASE_MS)).await.map_err(write_error(parts))?;
    let waiting = import_job::waiting(tx.conn(), now.plus(-KEPT_FOR_MS)).await.map_err(internal_error)?;
    if waiting >= i64::from(MAX_WAITING_IMPORTS) {
        return Err(ImportProblem::TooMany.into());
    }
    import_job::insert(tx.conn(), &row).await.map_err(write_error(parts))?;
    commit(parts, tx, (actor, new.id, "upload")).await?;
    Ok(Job {
        id: new.id,
        version: Version::FIRST.0,
        system: new.system,
        options: new.options,
        is_check: true,
    })
}

/// Starts an import.
pub async fn run(
    service: &ImportService,
    actor: &Actor,
    id: ImportId,
    seen: Option<Version>,
) -> Result<Import, DomainError> {
    require_admin(actor)?;
    let parts = &service.importer.parts;
    let now = parts.clock.now();
    let mut tx = parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    import_job::interrupt(tx.conn(), now.plus(-LEASE_MS)).await.map_err(write_error(parts))?;
    let row = import_job::find(tx.conn(), id).await.map_err(internal_error)?.ok_or_else(no_such)?;
    match present::state(&row, now)? {
        ImportState::Running => return Err(ImportProblem::Running.into()),
        state if !state.may_run() => return Err(ImportProblem::WrongState { state }.into()),
        _ if seen.is_some_and(|seen| seen.0 != row.version) => return Err(DomainError::Changed),
        _ if !parts.imports.has(id) => return Err(ImportProblem::FileGone.into()),
        _ => {}
    }
    match import_job::start(tx.conn(), id, row.version, now).await {
        Err(error) if error.is_unique_violation() => return Err(ImportProblem::Running.into()),
        other => {
            if !other.map_err(write_error(parts))? {
                return Err(DomainError::Changed);
            }
        }
    }
    commit(parts, tx, (actor, id, "start")).await?;
    start(service, actor, job_of(&row)?).await
}

fn job_of(row: &ImportRow) -> Result<Job, DomainError> {
    let (system, options) = (parsed(&row.system)?, present::json(&row.options)?);
    Ok(Job { id: ImportId(row.id), version: row.version + 1, system, options, is_check: false })
}

/// Starts a job and waits a short time for its end.
async fn start(service: &ImportService, actor: &Actor, job: Job) -> Result<Import, DomainError> {
    let (importer, id) = (service.importer.clone(), job.id);
    // The idempotency key applies to this request.
    let by = Actor { idempotency: None, ..actor.clone() };
    // On a thread of its own: texts are read and converted between the statements.
    let runtime = Handle::current();
    let running = service.running.add(id);
    let running = service.jobs.spawn_blocking(move || {
        runtime.block_on(job::run(importer, by, job, running.token()));
        drop(running);
    });
    if let Ok(Err(failed)) = timeout(WAIT, running).await {
        tracing::error!(import = %id, "an import panicked: {failed}");
    }
    find(&service.importer.parts, actor, id).await
}

/// Stops a running import: first in the database, which also ends it on another node, then here.
pub async fn stop(service: &ImportService, actor: &Actor, id: ImportId) -> Result<Import, DomainError> {
    require_admin(actor)?;
    let parts = &service.importer.parts;
    let at = parts.clock.now();
    let mut tx = parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    let row = import_job::find(tx.conn(), id).await.map_err(internal_error)?.ok_or_else(no_such)?;
    let state = present::state(&row, at)?;
    if state != ImportState::Running {
        return Err(ImportProblem::WrongState { state }.into());
    }
    let (state, why) = (ImportState::Interrupted, Some("it was stopped"));
    let ending = Ending { state, report: None, why, undo: None, at };
    if !import_job::end(tx.conn(), id, row.version, ending).await.map_err(write_error(parts))? {
        return Err(DomainError::Changed);
    }
    commit(parts, tx, (actor, id, "stop")).await?;
    service.running.stop(id).await;
    find(parts, actor, id).await
}

/// Removes an import and its file. A check that is running in this process is cancelled first: it changes
/// nothing. So is what runs here though its state says that it has failed.
pub async fn discard(service: &ImportService, actor: &Actor, id: ImportId) -> Result<(), DomainError> {
    require_admin(actor)?;
    let parts = &service.importer.parts;
    let now = parts.clock.now();
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let row = import_job::find(lease.conn(), id).await.map_err(internal_error)?.ok_or_else(no_such)?;
    drop(lease);
    if present::state(&row, now)? != ImportState::Running {
        service.running.stop(id).await;
    }
    let mut tx = parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    let row = import_job::find(tx.conn(), id).await.map_err(internal_error)?.ok_or_else(no_such)?;
    let state = present::state(&row, now)?;
    if state.is_active() {
        return Err(ImportProblem::WrongState { state }.into());
    }
    if !import_job::remove(tx.conn(), id, row.version).await.map_err(write_error(parts))? {
        return Err(DomainError::Changed);
    }
    commit(parts, tx, (actor, id, "discard")).await?;
    let folder = parts.imports.clone();
    run_blocking(move || folder.remove(id)).await
}

/// Writes the event of a change and commits.
pub async fn commit(
    parts: &AppState,
    mut tx: Tx,
    (actor, id, verb): (&Actor, ImportId, &'static str),
) -> Result<(), DomainError> {
    let event = NewEvent::simple(parts.clock.now(), Some(actor.account), "import", id.0, verb);
    event::append(tx.conn(), &[event]).await.map_err(write_error(parts))?;
    tx.commit().await.map_err(write_error(parts))?;
    parts.committed.notify_waiters();
    Ok(())
}

/// Refuses everyone but admins.
pub fn require_admin(actor: &Actor) -> Result<(), DomainError> {
    if actor.is_admin() { Ok(()) } else { Err(DomainError::NotAllowed) }
}

/// Refuses an import that does not exist.
pub fn no_such() -> DomainError {
    DomainError::no_such("import")
}

/// Returns the name of a time zone; empty: unknown.
fn checked_zone(typed: &str) -> Result<String, DomainError> {
    match typed.trim() {
        "" => Ok(String::new()),
        typed => Zone::named(typed).map(|zone| zone.name().to_owned()),
    }
}

/// Returns the address of a site; empty: unknown.
fn checked_site(typed: &str) -> Result<String, DomainError> {
    let typed = typed.trim();
    if typed.is_empty() {
        return Ok(String::new());
    }
    if typed.chars().count() > MAX_SITE_CHARS {
        let max = u32::try_from(MAX_SITE_CHARS).unwrap_or(u32::MAX);
        return Err(DomainError::invalid("site", ValidationError::TooLong { max }));
    }
    let url = Url::parse(typed).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
    let url = url.ok_or_else(|| {
        let why = "is no web address; write it like https://blog.example".to_owned();
        DomainError::invalid("site", ValidationError::Unreadable { why })
    })?;
    Ok(url.to_string())
}
