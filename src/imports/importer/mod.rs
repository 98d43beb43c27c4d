//! Imports articles from a folder of Markdown files, or posts from an export of another system
//! ([`posts`]). A file is identified by its path below the folder, so a second run imports only
//! changes. Each file is imported completely or not at all. Files marked as not public are never
//! published, and changes made at the desk are never overwritten.

mod date;
mod file;
mod find;
mod front_matter;
mod heading;
mod hold;
mod identity;
mod plan;
pub mod posts;
mod problem;
mod report;
mod source;
mod tags;
mod write;

pub use date::{ParsedDate, parse_date};
pub use find::LeftOut;
pub use plan::PUBLIC_TEXT_STAYS;
pub use problem::Problem;
pub use report::Report;

use crate::imports::importer::posts::sibling_pictures::BesidePictures;
use crate::{
    app_state::AppState,
    articles::authors,
    files::{
        MediaFolder,
        manifest::{self, Manifest},
    },
    media::restore,
    process::cli_error::CliError,
    services::{rendering, run_blocking},
    text::render::Share,
    zone::Zone,
};
use domain::{
    Actor, DomainError, ImportId, Timestamp,
    accounts::site_look::SiteLook,
    services::{Media, Settings, Tasks},
};
use file::File;
use plan::{ImportState, history, releases};
use std::{path::PathBuf, sync::Arc};
use store::PoolRole;
use tokio_util::sync::CancellationToken;

/// Maximum number of files in a batch, which is one transaction.
const MAX_BATCH_FILES: usize = 100;
/// Size of the texts after which a batch is written, bytes. It bounds the memory of an import.
const MAX_BATCH_BYTES: usize = 8_000_000;

/// What an import needs of the server. Cheap to clone.
#[derive(Clone)]
pub struct Importer {
    /// Shared state of the process.
    pub parts: AppState,
    /// Schedules and cancels tasks.
    pub tasks: Arc<dyn Tasks>,
    /// Stores pictures.
    pub media: Arc<dyn Media>,
    /// Settings of the site, which an export brings along.
    pub settings: Arc<dyn Settings>,
    /// Import of which new articles are recorded, so that it can be undone.
    pub id: Option<ImportId>,
    /// Ends the work of an import soon after it is cancelled.
    pub stop: CancellationToken,
}

/// Options of an import.
#[derive(Debug, Clone)]
pub struct Import {
    /// The folder.
    pub folder: PathBuf,
    /// Time zone of local times in the files.
    pub zone: Zone,
    /// Whether files with a date in the past are published, with that date.
    pub publish_past: bool,
    /// Schedules everything that is not public at fixed intervals; `None`: only by the dates of the
    /// files.
    pub spacing: Option<Spacing>,
    /// Whether everything stays a draft.
    pub is_drafts: bool,
    /// Whether pictures beside the files are stored in the media library.
    pub has_pictures: bool,
    /// Whether it only reports what it would do.
    pub is_dry_run: bool,
}

impl Import {
    /// Imports a folder by the dates of its files: what is past stays a draft.
    #[must_use]
    pub const fn new(folder: PathBuf, zone: Zone) -> Self {
        Self {
            folder,
            zone,
            publish_past: false,
            spacing: None,
            is_drafts: false,
            has_pictures: false,
            is_dry_run: false,
        }
    }
}

/// Schedules articles at a fixed interval, in the order of the files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spacing {
    /// Time of the first article.
    pub from: Timestamp,
    /// Interval between two articles, milliseconds.
    pub every_ms: i64,
    /// Name of the time zone in which the times are scheduled as local times; `None`: as exact
    /// instants.
    pub zone: Option<&'static str>,
}

/// Receives the progress of an import.
pub trait Progress: Sync {
    /// Called once with the number of files.
    fn begin(&self, files: usize);
    /// Called with the number of files processed since the last call.
    fn step(&self, files: usize);
}

/// Imports a folder on behalf of `actor`. After an error, the batches written so far are complete,
/// and a second run continues from there.
pub async fn run(
    importer: &Importer,
    actor: &Actor,
    import: &Import,
    progress: &dyn Progress,
) -> Result<Report, CliError> {
    let token = importer.stop.child_token();
    // When this ends early, the threads that read files end too.
    let _guard = token.clone().drop_guard();
    let folder = import.folder.clone();
    let found = run_blocking(move || find::find(&folder)).await?;
    let mut report = Report { refused: found.refused, left_out: found.left_out, ..Report::default() };
    progress.begin(found.files.len());
    let mut state = ImportState::read(importer, found.files.iter().map(|entry| entry.name.as_str())).await?;
    let is_empty = state.is_empty();
    let manifest = Manifest::read(&import.folder).map_err(CliError::Failed)?;
    let look = match &manifest {
        Some(manifest) => restore(importer, actor, (import, manifest, is_empty), &mut report).await?,
        None => None,
    };
    // An export says what is public.
    let publish_past = import.publish_past || (manifest.is_some() && !import.is_drafts);
    // Its only local times are days on the clock of its desk.
    let zone = manifest.as_ref().map_or(import.zone, |manifest| Zone::stored(&manifest.settings.zone));
    let import = &Import { publish_past, zone, ..import.clone() };
    let pictures = import.has_pictures.then(|| BesidePictures::new(importer, actor, import));
    let mut entries = found.files.iter().peekable();
    while entries.peek().is_some() {
        let (mut files, mut count, mut bytes) = (Vec::new(), 0, 0);
        while count < MAX_BATCH_FILES && bytes < MAX_BATCH_BYTES {
            let Some(entry) = entries.next() else { break };
            count += 1;
            match with_authors(importer, read(import, entry, &token).await?).await? {
                Ok(file) if state.is_deleted(&file.path) => {
                    let why = "its article was deleted; restore it from the trash, or rename the file";
                    report.keep(&file.path, why.to_owned());
                }
                Ok(file) => match prepare(file, import, (&state, pictures.as_ref()), &mut report).await? {
                    Ok(mut file) => {
                        if state.hash_of(&file.path).is_none() {
                            bytes += history::add(importer, actor, import, &mut file).await?;
                        }
                        bytes += file.body.len();
                        files.push(file);
                    }
                    Err(problem) => report.refuse(&entry.name, problem),
                },
                Err(problem) => report.refuse(&entry.name, problem),
            }
        }
        let now = importer.parts.clock.now();
        let plans: Vec<_> =
            files.into_iter().filter_map(|file| state.plan(file, import, now, &mut report)).collect();
        match import.is_dry_run {
            true => write::count(&plans, now, &mut report),
            false => write::write(importer, actor, plans, &mut state, &mut report).await?,
        }
        progress.step(count);
    }
    if let Some(manifest) = manifest.filter(|_| is_empty && !import.is_dry_run) {
        releases::create(importer, actor, (import, &manifest.releases), &mut report).await?;
    }
    if let Some(look) = look {
        change_look(importer, actor, look, &mut report).await?;
    }
    Ok(report)
}

/// Reads a file in a thread for blocking work. The inner error: it cannot be imported.
async fn read(
    import: &Import,
    entry: &find::Entry,
    stop: &CancellationToken,
) -> Result<Result<File, Problem>, CliError> {
    if stop.is_cancelled() {
        return Err(CliError::Failed("it was stopped".to_owned()));
    }
    let (folder, entry, zone) = (import.folder.clone(), entry.clone(), import.zone);
    Ok(run_blocking(move || file::read(&folder, &entry, zone)).await?)
}

/// Replaces the names of authors in a file by ids. Who is no person of the desk is left out, with a warning.
async fn with_authors(
    importer: &Importer,
    file: Result<File, Problem>,
) -> Result<Result<File, Problem>, CliError> {
    let mut file = match file {
        Ok(file) if !file.details.authors.is_empty() => file,
        other => return Ok(other),
    };
    let mut lease = importer.parts.store.read(PoolRole::Web).await?;
    let names = std::mem::take(&mut file.details.authors);
    let (ids, unknown) = authors::known(lease.conn(), names).await?;
    file.details.authors = ids;
    for name in unknown {
        let why = format!("the author “{name}” is left out: it is not the name of one person of this desk");
        file.warnings.push(Problem::at(0, why));
    }
    Ok(Ok(file))
}

/// Takes over the files and, on an empty desk, the settings of an export. Returns the look with the navigation,
/// whose pages are articles of the export.
async fn restore(
    importer: &Importer,
    actor: &Actor,
    (import, manifest, is_empty): (&Import, &Manifest, bool),
    report: &mut Report,
) -> Result<Option<SiteLook>, CliError> {
    if import.is_dry_run {
        report.pictures += manifest.media.len();
        return Ok(None);
    }
    let media = MediaFolder::at(import.folder.join(manifest::MEDIA));
    let (added, refused) = restore::restore(&importer.parts, actor, &media, &manifest.media).await?;
    report.pictures += added;
    for name in refused {
        report.refuse(
            &name,
            Problem::at(
                0,
                "the file is missing in the folder media, of another type or content, or could not be copied",
            ),
        );
    }
    if !is_empty || !actor.is_admin() {
        return Ok(None);
    }
    importer.settings.change_settings(actor, manifest.settings.clone()).await?;
    releases::set_slots(importer, actor, manifest).await?;
    let navigation = manifest.site.navigation.clone();
    let look = SiteLook { navigation: Vec::new(), ..manifest.site.clone() };
    let look = change_look(importer, actor, look, report).await?;
    Ok((!navigation.is_empty()).then_some(SiteLook { navigation, ..look }))
}

/// Changes how the site looks. What the desk refuses is left out, with a warning.
async fn change_look(
    importer: &Importer,
    actor: &Actor,
    mut look: SiteLook,
    report: &mut Report,
) -> Result<SiteLook, CliError> {
    loop {
        let problems = match importer.settings.change_look(actor, look.clone(), None).await {
            Ok(look) => return Ok(look),
            Err(DomainError::Invalid { field, problem }) => vec![(field, problem)],
            Err(DomainError::InvalidFields { problems }) => problems,
            Err(other) => return Err(other.into()),
        };
        for (field, problem) in problems {
            let before = look.clone();
            match field.as_str() {
                "description" => look.description.clear(),
                "accent" => look.accent.clear(),
                "footer" => look.footer.clear(),
                "links" => look.links.clear(),
                "navigation" => look.navigation.clear(),
                "logo" => look.logo.clear(),
                "favicon" => look.favicon.clear(),
                _ => {}
            }
            if look == before {
                return Err(DomainError::Invalid { field, problem }.into());
            }
            let why = format!("left out of the look of the site: {field} {problem}");
            report.warn(manifest::MANIFEST, Problem::at(0, why));
        }
    }
}

/// Holds a file that becomes a draft, stores its pictures, and renders it.
async fn prepare(
    mut file: File,
    import: &Import,
    (state, pictures): (&ImportState, Option<&BesidePictures<'_>>),
    report: &mut Report,
) -> Result<Result<File, Problem>, CliError> {
    if import.is_drafts && file.held.is_none() {
        file.held = Some(Problem::at(1, "it is imported as a draft"));
    }
    let is_known = state.hash_of(&file.path) == Some(file.hash.as_str());
    if let Some(pictures) = pictures.filter(|_| !is_known) {
        pictures.replace(&mut file, import.is_dry_run, report).await;
    }
    render(file).await
}

/// Renders the text of a file. The inner error: the text exceeds a rendering limit.
async fn render(mut file: File) -> Result<Result<File, Problem>, CliError> {
    match rendering::accept(Share::Desk, &file.body).await {
        Ok(outcome) => {
            file.rendering = Some(rendering::rendering(&file.title, &outcome));
            Ok(Ok(file))
        }
        Err(DomainError::Invalid { problem, .. }) => {
            Ok(Err(Problem::at(file.body_line, format!("the text {problem}"))))
        }
        Err(refusal) => Err(refusal.into()),
    }
}
