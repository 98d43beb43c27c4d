//! Imports posts from other systems: exports of WordPress and Ghost. A post is identified by its
//! site and its id there, so a second run imports only changes.

mod ghost;
mod html;
mod pictures;
mod post;
mod shortcodes;
pub(super) mod sibling_pictures;
mod site_time;
mod stop;
pub mod taken;
mod wordpress;

pub use ghost::NO_SITE;
pub use pictures::PictureSource;
pub use stop::Stop;
pub use wordpress::GIVE_ZONE;

use super::{
    File, Import, ImportState, Importer, MAX_BATCH_BYTES, MAX_BATCH_FILES, Problem, Progress, Report,
    find::LeftOut, render, write,
};
use crate::{process::cli_error::CliError, services::run_blocking, zone::Zone};
use domain::Actor;
use pictures::Pictures;
use post::{Post, Timing};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};
use url::Url;

/// Marks the hash of a post of which pictures are missing: the next run tries again.
const INCOMPLETE: &str = "-incomplete";
/// Beginning of the warning that names shortcodes.
pub const SHORTCODES_LEFT: &str = "shortcodes are left in the text as written: ";
/// Maximum number of names that the report lists.
const MAX_REPORTED_NAMES: usize = 10;

/// A system that writes exports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum System {
    /// WordPress: XML.
    Wordpress,
    /// Ghost: JSON. With the address of the site, which its exports do not contain.
    Ghost(Option<Url>),
}

/// Options of an import of posts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PostImport {
    /// The system.
    pub system: System,
    /// Its export.
    pub file: PathBuf,
    /// Where pictures come from.
    pub pictures: PictureSource,
    /// Time zone of the site, for times without one; `None`: it is found from the posts.
    pub zone: Option<Zone>,
    /// Whether everything stays a draft, also what is public or scheduled there.
    pub is_drafts: bool,
    /// Whether it only reports what it would do.
    pub is_dry_run: bool,
}

/// What follows in an export.
enum Next {
    /// A post or page.
    Post(Box<Post>, Timing),
    /// Something that is not imported: its kind, and its name.
    LeftOut(String, String),
}

/// An export that is being read.
trait PostSource: Send {
    /// Ids of all posts.
    fn names(&self) -> &[String];
    /// What is not imported, by kind.
    fn left_out(&mut self) -> BTreeMap<String, LeftOut>;
    /// Returns the next post; `None`: there is none.
    fn next(&mut self) -> Result<Option<Next>, String>;
}

/// Imports an export on behalf of `actor`. After an error, the batches written so far are complete,
/// and a second run continues from there.
pub async fn run(
    importer: &Importer,
    actor: &Actor,
    import: &PostImport,
    progress: &dyn Progress,
) -> Result<Report, CliError> {
    let token = importer.stop.child_token();
    // When this ends early, the threads that read and convert end too.
    let _guard = token.clone().drop_guard();
    let stop = Stop::new(token);
    let (system, file, zone, of_source) =
        (import.system.clone(), import.file.clone(), import.zone, stop.clone());
    let source = run_blocking(move || open(&system, &file, zone, of_source)).await?;
    let mut source = source.map_err(CliError::Failed)?;
    progress.begin(source.names().len());
    let mut run = Run {
        importer,
        actor,
        import,
        rules: Import {
            publish_past: !import.is_drafts,
            is_drafts: import.is_drafts,
            is_dry_run: import.is_dry_run,
            ..Import::new(PathBuf::new(), Zone::UTC)
        },
        pictures: Pictures::new(importer, actor, import.pictures.clone()),
        state: ImportState::read(importer, source.names().iter().map(String::as_str)).await?,
        report: Report { left_out: source.left_out(), ..Report::default() },
        authors: BTreeMap::new(),
        stop,
        source: Some(source),
    };
    while let Some(count) = run.batch().await? {
        progress.step(count);
    }
    run.report_authors();
    Ok(run.report)
}

fn open(system: &System, file: &Path, zone: Option<Zone>, stop: Stop) -> Result<Box<dyn PostSource>, String> {
    Ok(match system {
        System::Wordpress => Box::new(wordpress::Wordpress::open(file, zone, stop)?),
        System::Ghost(site) => Box::new(ghost::Ghost::open(file, site.clone(), stop)?),
    })
}

/// Opens an export and refuses one that cannot be imported. Reads the whole file; blocks.
pub fn check(system: &System, file: &Path) -> Result<(), String> {
    open(system, file, None, Stop::default()).map(drop)
}

/// A running import.
struct Run<'s> {
    importer: &'s Importer,
    actor: &'s Actor,
    import: &'s PostImport,
    rules: Import,
    pictures: Pictures<'s>,
    state: ImportState,
    report: Report,
    /// Number of posts by author.
    authors: BTreeMap<String, usize>,
    stop: Stop,
    /// The export; `None` while another thread reads it.
    source: Option<Box<dyn PostSource>>,
}

/// What follows in an export, and the pictures of a post.
type Read = Option<(Next, BTreeSet<String>)>;

impl Run<'_> {
    /// Reads what follows, in a thread for blocking work.
    async fn read(&mut self) -> Result<Read, CliError> {
        let Some(mut source) = self.source.take() else { return Ok(None) };
        let stop = self.stop.clone();
        let (source, read) = run_blocking(move || {
            let read = source.next().map(|next| {
                next.map(|next| {
                    let pictures = match &next {
                        Next::Post(post, _) => post.pictures(&stop.budget()),
                        Next::LeftOut(..) => BTreeSet::new(),
                    };
                    (next, pictures)
                })
            });
            (source, read)
        })
        .await?;
        self.source = Some(source);
        read.map_err(CliError::Failed)
    }

    /// Imports the next posts. Returns their number; `None`: there are none.
    async fn batch(&mut self) -> Result<Option<usize>, CliError> {
        let (mut files, mut count, mut bytes) = (Vec::new(), 0, 0);
        while count < MAX_BATCH_FILES && bytes < MAX_BATCH_BYTES {
            let Some((next, pictures)) = self.read().await? else { break };
            count += 1;
            match next {
                Next::LeftOut(kind, name) => self.leave_out(kind, &name),
                Next::Post(post, timing) => {
                    if let Some(file) = self.file((*post, timing), pictures).await? {
                        bytes += file.body.len();
                        files.push(file);
                    }
                }
            }
        }
        if count == 0 {
            return Ok(None);
        }
        let now = self.importer.parts.clock.now();
        let (state, rules, report) = (&mut self.state, &self.rules, &mut self.report);
        let plans: Vec<_> =
            files.into_iter().filter_map(|file| state.plan(file, rules, now, report)).collect();
        if self.import.is_dry_run {
            write::count(&plans, now, report);
        } else {
            write::write(self.importer, self.actor, plans, state, report).await?;
        }
        Ok(Some(count))
    }

    /// Converts a post. `None`: it is not imported, which is in the report.
    async fn file(
        &mut self,
        (mut post, timing): (Post, Timing),
        pictures: BTreeSet<String>,
    ) -> Result<Option<File>, CliError> {
        let id = post.id.clone();
        self.report.titles.insert(id.clone(), post.title.clone());
        if self.state.is_deleted(&id) {
            self.report.keep(&id, "its article was deleted; restore it from the trash".to_owned());
            return Ok(None);
        }
        if self.import.is_drafts && post.held.is_none() {
            post.held = Some("it is imported as a draft".to_owned());
        }
        if !post.author.is_empty() {
            *self.authors.entry(post.author.clone()).or_default() += 1;
        }
        if self.state.hash_of(&id) == Some(post.hash.as_str()) {
            let mut file = post.unchanged();
            timing.apply(&mut file);
            return Ok(Some(file));
        }
        let stored = if self.import.is_dry_run {
            self.report.pictures += pictures.len();
            pictures::Stored::default()
        } else {
            self.pictures.store(pictures).await
        };
        if !self.import.is_dry_run {
            self.report.pictures += stored.paths.len();
        }
        if !stored.missing.is_empty() {
            post.hash.push_str(INCOMPLETE);
        }
        for (address, why) in stored.missing {
            self.report.warn(&id, Problem::at(0, format!("the picture {address} stays there: {why}")));
        }
        let budget = self.stop.budget();
        let file = match run_blocking(move || post.into_file(stored.paths, &budget)).await? {
            Ok(file) => render(file).await?,
            Err(problem) => Err(problem),
        };
        match file {
            Ok(mut file) => {
                timing.apply(&mut file);
                Ok(Some(file))
            }
            Err(problem) => {
                self.report.refuse(&id, problem);
                Ok(None)
            }
        }
    }

    fn leave_out(&mut self, kind: String, name: &str) {
        let entry = self.report.left_out.entry(kind).or_default();
        entry.count += 1;
        if entry.names.len() < MAX_REPORTED_NAMES && !name.is_empty() {
            entry.names.push(name.to_owned());
        }
    }

    /// Names the authors: articles have one owner, the account that imports.
    fn report_authors(&mut self) {
        let names = self.authors.iter().map(|(name, posts)| format!("{name} ({posts})"));
        let shown = names.take(MAX_REPORTED_NAMES).collect();
        let authors = LeftOut { count: self.authors.len(), names: shown };
        if authors.count > 0 {
            let kind = "authors; all articles belong to the account that imports".to_owned();
            self.report.left_out.insert(kind, authors);
        }
    }
}
