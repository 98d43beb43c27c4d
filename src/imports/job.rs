//! A check or an import in the background. It goes on when its client leaves, and shows that it lives.

use super::{archive, markdown, present};
use crate::{
    app_state::AppState,
    imports::importer::{
        Importer, Progress, Report,
        posts::{self, PictureSource, PostImport, System},
    },
    process::cli_error::CliError,
    zone::Zone,
};
use domain::{
    Actor, ImportId,
    imports::{ImportOptions, ImportReport, ImportState, ImportSystem},
};
use std::{
    path::Path,
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};
use store::{
    PoolRole, StoreError,
    event::{self, NewEvent},
    import_job::{self, Ending},
};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;
use url::Url;

/// Interval at which the progress is stored.
const INTERVAL: Duration = Duration::from_secs(2);
/// Number of attempts to store the result.
const MAX_ATTEMPTS: u32 = 5;

/// What to do.
#[derive(Debug, Clone)]
pub struct Job {
    /// The import.
    pub id: ImportId,
    /// Its version while the job runs.
    pub version: i32,
    /// The system.
    pub system: ImportSystem,
    /// How it is imported.
    pub options: ImportOptions,
    /// Whether it only checks.
    pub is_check: bool,
}

/// Number of posts: all, and those that were processed.
#[derive(Debug, Default)]
struct Counts {
    total: AtomicU64,
    done: AtomicU64,
}

impl Progress for Counts {
    fn begin(&self, posts: usize) {
        self.total.store(posts as u64, Ordering::Relaxed);
    }

    fn step(&self, posts: usize) {
        self.done.fetch_add(posts as u64, Ordering::Relaxed);
    }
}

impl Counts {
    fn read(&self) -> (i64, i64) {
        let read = |count: &AtomicU64| i64::try_from(count.load(Ordering::Relaxed)).unwrap_or(i64::MAX);
        (read(&self.done), read(&self.total))
    }
}

/// The system with the address of the site; an address that cannot be read was refused before. `None`: an
/// archive of Markdown files.
#[must_use]
pub fn system(system: ImportSystem, options: &ImportOptions) -> Option<System> {
    match system {
        ImportSystem::Wordpress => Some(System::Wordpress),
        ImportSystem::Ghost => Some(System::Ghost(Url::parse(&options.site).ok())),
        ImportSystem::Markdown => None,
    }
}

/// The time zone of the site; a name that is none was refused before. `None`: unknown.
fn zone(options: &ImportOptions) -> Option<Zone> {
    (!options.zone.is_empty()).then(|| Zone::stored(&options.zone))
}

/// Refuses a file that cannot be imported; blocks.
pub fn check(system: Option<&System>, file: &Path) -> Result<(), String> {
    match system {
        Some(system) => posts::check(system, file),
        None => archive::check(file),
    }
}

/// Checks or imports the uploaded file.
async fn import(
    importer: &Importer,
    actor: &Actor,
    job: &Job,
    progress: &dyn Progress,
) -> Result<Report, CliError> {
    let Some(system) = system(job.system, &job.options) else {
        return markdown::run(importer, actor, (job.id, &job.options, job.is_check), progress).await;
    };
    let import = PostImport {
        system,
        file: importer.parts.imports.file(job.id),
        pictures: PictureSource { folder: None, is_fetching: job.options.is_fetching },
        zone: zone(&job.options),
        is_drafts: job.options.is_drafts,
        is_dry_run: job.is_check,
    };
    posts::run(importer, actor, &import, progress).await
}

/// Does the job and stores its result. It ends soon after `stop` is cancelled.
pub async fn run(importer: Importer, actor: Actor, job: Job, stop: CancellationToken) {
    let parts = importer.parts.clone();
    let importer = Importer { id: Some(job.id), stop: stop.clone(), ..importer };
    let counts = Counts::default();
    let result = tokio::select! {
        result = import(&importer, &actor, &job, &counts) => result,
        () = keep_alive(&parts, &job, &counts) => Err(CliError::Failed("it was taken over".to_owned())),
        () = stop.cancelled() => Err(CliError::Failed("it was stopped".to_owned())),
    };
    let (state, report, why) = outcome(&job, result);
    store_result(&parts, &actor, (&job, &counts), (state, report, why)).await;
    if matches!(state, ImportState::Done | ImportState::Failed) {
        let (folder, id) = (parts.imports.clone(), job.id);
        let _ = crate::services::run_blocking(move || folder.remove(id)).await;
    }
}

type Outcome = (ImportState, Option<ImportReport>, Option<String>);

fn outcome(job: &Job, result: Result<Report, CliError>) -> Outcome {
    match (result, job.is_check) {
        (Ok(report), true) => (ImportState::Ready, Some(present::report(&report)), None),
        (Ok(report), false) => (ImportState::Done, Some(present::report(&report)), None),
        (Err(why), is_check) => {
            tracing::warn!(import = %job.id, "an import was interrupted: {why}");
            let state = if is_check { ImportState::Failed } else { ImportState::Interrupted };
            (state, None, Some(why.to_string()))
        }
    }
}

/// Stores the progress again and again. Ends if another process has taken the import over.
async fn keep_alive(parts: &AppState, job: &Job, counts: &Counts) {
    loop {
        sleep(INTERVAL).await;
        match touch(parts, job, counts).await {
            Ok(true) => {}
            Ok(false) => return,
            Err(error) => tracing::debug!("the progress of an import was not stored: {error:?}"),
        }
    }
}

async fn touch(parts: &AppState, job: &Job, counts: &Counts) -> Result<bool, StoreError> {
    let mut tx = parts.store.begin(PoolRole::Web).await?;
    let is_running =
        import_job::touch(tx.conn(), (job.id, job.version), counts.read(), parts.clock.now()).await?;
    tx.commit().await?;
    Ok(is_running)
}

/// Stores the result; tries again if the database does not answer.
async fn store_result(
    parts: &AppState,
    actor: &Actor,
    (job, counts): (&Job, &Counts),
    (state, report, why): Outcome,
) {
    let report = report.and_then(|report| serde_json::to_string(&report).ok());
    for attempt in 1..=MAX_ATTEMPTS {
        let at = parts.clock.now();
        let ending = Ending { state, report: report.as_deref(), why: why.as_deref(), undo: None, at };
        let stored = async {
            let mut tx = parts.store.begin(PoolRole::Web).await?;
            import_job::touch(tx.conn(), (job.id, job.version), counts.read(), at).await?;
            if !import_job::end(tx.conn(), job.id, job.version, ending).await? {
                return Ok(());
            }
            let verb = match state {
                ImportState::Failed | ImportState::Interrupted => "fail",
                _ if job.is_check => "check",
                _ => "run",
            };
            let event = NewEvent::simple(at, Some(actor.account), "import", job.id.0, verb);
            event::append(tx.conn(), &[event]).await?;
            tx.commit().await
        };
        let stored: Result<(), StoreError> = stored.await;
        match stored {
            Ok(()) => return parts.committed.notify_waiters(),
            Err(error) if attempt < MAX_ATTEMPTS => {
                tracing::debug!("the result of an import was not stored and will be retried: {error:?}");
                sleep(INTERVAL).await;
            }
            Err(error) => tracing::warn!("the result of an import was not stored: {error:?}"),
        }
    }
}
