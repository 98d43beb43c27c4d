//! Decides what to do with a file, by the existing article, its dates and the options of the
//! import.

mod desk;
pub mod history;
pub mod releases;
mod slugs;

pub use desk::PUBLIC_TEXT_STAYS;

use super::{
    Import, Importer, Spacing,
    date::ParsedDate,
    file::{File, Shown},
    identity::PathIndex,
    problem::Problem,
    report::Report,
};
use crate::process::cli_error::CliError;
use desk::{desk_change, warn_newer, warn_published, warn_scheduled};
use domain::{TaskId, Timestamp, Version};
use slugs::Slugs;
use std::collections::HashSet;
use store::{PoolRole, import, trash};
use uuid::Uuid;

/// Existing articles, and the progress of the import.
#[derive(Debug)]
pub struct ImportState {
    articles: Vec<import::KnownArticle>,
    paths: PathIndex,
    slugs: Slugs,
    seen_paths: HashSet<String>,
    spaced: i64,
    /// Paths of deleted articles.
    deleted: PathIndex,
}

/// What to do with one file.
#[derive(Debug)]
pub struct Plan {
    /// The file.
    pub file: File,
    /// How to write its text.
    pub text: TextChange,
    /// Slug of a new article.
    pub slug: String,
    /// Publishes or schedules it.
    pub action: Action,
    /// When to unpublish it.
    pub expires: Option<ParsedDate>,
    /// Task of an earlier import to cancel, and its version.
    pub cancel: Option<(TaskId, Version)>,
}

/// How to write the text of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextChange {
    /// As a new article.
    Create,
    /// As a new revision of an article.
    Update {
        /// Id of the article.
        id: Uuid,
        /// Number of its current revision.
        revision: i32,
    },
    /// Unchanged.
    Keep {
        /// Id of the article.
        id: Uuid,
    },
}

/// Publishes or schedules the article of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Nothing: it stays a draft, or as it was.
    Nothing,
    /// It is public since this time.
    Publish(Timestamp),
    /// It is published at this time.
    Schedule(ParsedDate),
}

impl ImportState {
    /// Reads all imported articles and all slugs. `files`: paths of the current files.
    pub async fn read<'p>(
        importer: &Importer,
        files: impl Iterator<Item = &'p str>,
    ) -> Result<Self, CliError> {
        let mut lease = importer.parts.store.read(PoolRole::Web).await?;
        let articles = import::known_articles(lease.conn()).await?;
        let slugs = import::all_slugs(lease.conn()).await?;
        let deleted = trash::imported_files(lease.conn()).await?;
        let files: Vec<&str> = files.collect();
        let paths: Vec<&str> = articles.iter().map(|known| known.import_path.as_str()).collect();
        let path_index = PathIndex::new(&paths, files.iter().copied());
        let paths: Vec<&str> = deleted.iter().map(String::as_str).collect();
        let deleted = PathIndex::new(&paths, files.iter().copied());
        let slugs = Slugs::new(slugs);
        Ok(Self { paths: path_index, articles, slugs, seen_paths: HashSet::new(), spaced: 0, deleted })
    }

    /// Reads all slugs again, after another article took one.
    pub async fn read_slugs(&mut self, importer: &Importer) -> Result<(), CliError> {
        let mut lease = importer.parts.store.read(PoolRole::Web).await?;
        self.slugs.set(import::all_slugs(lease.conn()).await?);
        Ok(())
    }

    /// Whether a user deleted the article of this file. It is not imported again.
    pub fn is_deleted(&self, path: &str) -> bool {
        self.deleted.find(path).is_some()
    }

    /// Whether the desk has no articles and never had any.
    pub fn is_empty(&self) -> bool {
        self.slugs.is_empty()
    }

    /// Returns the hash of an imported file; `None`: it is new.
    pub fn hash_of(&self, path: &str) -> Option<&str> {
        self.paths.find(path).map(|index| self.articles[index].import_hash.as_str())
    }

    /// Decides what to do with a file and reserves its slug; `None`: nothing is written.
    pub fn plan(
        &mut self,
        mut file: File,
        import: &Import,
        now: Timestamp,
        report: &mut Report,
    ) -> Option<Plan> {
        if !self.seen_paths.insert(file.path.clone()) {
            report.refuse(
                &file.path,
                Problem::at(1, "another file has the same name in another form; rename one"),
            );
            return None;
        }
        for warning in &file.warnings {
            report.warn(&file.path, warning.clone());
        }
        file.held = file.held.or_else(|| expired(instant(file.date), instant(file.expires), now));
        let known = self.paths.find(&file.path).map(|index| self.articles[index].clone());
        // What an earlier import published or scheduled is not asked again.
        if known.as_ref().is_none_or(|known| known.published_at.is_none() && known.tasks == 0) {
            settle_time(&mut file, now, report);
        }
        let Some(known) = known else {
            report_held(&file, report);
            let action = self.action(&file, import, now);
            let slug = self.slugs.take_for(&file, report);
            self.take_former_slugs(&mut file);
            return Some(plan(file, TextChange::Create, slug, action));
        };
        if let Some(why) = desk_change(&known) {
            self.keep(&file, &known, import, (why, now), report);
            return None;
        }
        report_held(&file, report);
        Some(self.plan_known(file, &known, import, now, report))
    }

    /// Plans a file whose article was changed only by imports.
    fn plan_known(
        &mut self,
        file: File,
        known: &import::KnownArticle,
        import: &Import,
        now: Timestamp,
        report: &mut Report,
    ) -> Plan {
        let is_same = known.import_hash == file.hash;
        let text = match is_same {
            true => TextChange::Keep { id: known.id },
            false => TextChange::Update { id: known.id, revision: known.revision },
        };
        let published_at = known.published_at.map(Timestamp::from_millis);
        let action = match (published_at, known.waiting_at) {
            (Some(at), _) if !is_same && import.publish_past && file.held.is_none() => Action::Publish(at),
            (Some(_), _) => {
                warn_published(&file, is_same, report);
                Action::Nothing
            }
            // An earlier import scheduled it.
            (None, Some(_)) => Action::Nothing,
            // It was unpublished, or its task failed.
            (None, None) if known.tasks > 0 => Action::Nothing,
            // Its current text is a newer one, which was not public where the export comes from.
            (None, None) if is_same && history::is_older(&file, known.revision) => {
                warn_newer(&file, report);
                Action::Nothing
            }
            (None, None) => self.action(&file, import, now),
        };
        let mut plan = plan(file, text, String::new(), action);
        if published_at.is_some() && known.tasks == 0 && plan.file.held.is_none() {
            plan.expires = plan.file.expires;
        }
        if let (Some(at), Some(task)) = (known.waiting_at, known.waiting_id) {
            let seen = Version(known.waiting_version.unwrap_or(Version::FIRST.0));
            plan.cancel = plan.file.held.is_some().then_some((TaskId(task), seen));
            warn_scheduled(&plan.file, at.into(), is_same, report);
        }
        plan
    }

    /// Keeps an article that was changed at the desk. Reports it if the file differs.
    fn keep(
        &mut self,
        file: &File,
        known: &import::KnownArticle,
        import: &Import,
        (why, now): (String, Timestamp),
        report: &mut Report,
    ) {
        let spaced = self.spaced;
        let action = self.action(file, import, now);
        self.spaced = spaced;
        let differs = match action {
            _ if known.import_hash != file.hash => true,
            Action::Nothing => false,
            Action::Publish(_) => known.published_at.is_none(),
            Action::Schedule(date) => {
                known.published_at.is_none() && known.waiting_at != Some(date.at.millis())
            }
        };
        if differs {
            report.keep(&file.path, why);
        } else {
            report.unchanged += 1;
        }
    }

    fn action(&mut self, file: &File, import: &Import, now: Timestamp) -> Action {
        if file.held.is_some() {
            return Action::Nothing;
        }
        match (file.date, import.spacing) {
            (Some(date), _) if date.at <= now && import.publish_past => Action::Publish(date.at),
            // A later date in the file takes precedence over the spacing.
            (Some(date), Some(spacing)) if date.at > now && date.at > self.next(spacing) => {
                Action::Schedule(date)
            }
            (_, Some(spacing)) => {
                let due = self.next(spacing);
                self.spaced += 1;
                if file.expires.is_some_and(|expires| expires.at <= due) {
                    Action::Nothing
                } else {
                    Action::Schedule(ParsedDate { at: due, zone: spacing.zone })
                }
            }
            (Some(date), None) if date.at > now => Action::Schedule(date),
            _ => Action::Nothing,
        }
    }

    /// Reserves the earlier slugs of a new article; those that are taken are left out.
    pub fn take_former_slugs(&mut self, file: &mut File) {
        let Self { slugs, .. } = self;
        let title = file.title.clone();
        file.former_slugs.retain(|slug| slugs.take_if_free(slug, &title));
    }

    fn next(&self, Spacing { from, every_ms, .. }: Spacing) -> Timestamp {
        from.plus(every_ms.saturating_mul(self.spaced))
    }

    /// Reserves the requested slug, with a number if it is taken.
    pub fn take_slug(&mut self, file: &File) -> String {
        self.slugs.take(&file.slug, &file.title)
    }
}

fn plan(file: File, text: TextChange, slug: String, action: Action) -> Plan {
    let expires = file.expires.filter(|_| action != Action::Nothing);
    Plan { expires, text, slug, action, cancel: None, file }
}

fn report_held(file: &File, report: &mut Report) {
    if let Some(held) = &file.held {
        report.hold(&file.path, held.clone());
    }
}

fn instant(date: Option<ParsedDate>) -> Option<Timestamp> {
    date.map(|date| date.at)
}

/// Compares the date of a post with the clock: what strangers see already is never scheduled, and what they
/// were to see later is never published by an import.
fn settle_time(file: &mut File, now: Timestamp, report: &mut Report) {
    let Some(date) = file.date.filter(|_| file.held.is_none()) else { return };
    match file.shown {
        Shown::Public if date.at > now => {
            let why = format!(
                "its date, {}, is in the future, but it is public where it comes from; it is public from now on",
                date.at
            );
            report.warn(&file.path, Problem::at(0, why));
            file.date = Some(ParsedDate { at: now, zone: None });
        }
        Shown::FromDate if date.at <= now => {
            let why = format!(
                "it was scheduled for {}, which has passed since the export; publish it at the desk",
                date.at
            );
            file.held = Some(Problem::at(0, why));
        }
        Shown::Public | Shown::FromDate | Shown::ByDate => {}
    }
}

/// Returns why the dates of a file prevent its publication.
fn expired(date: Option<Timestamp>, expires: Option<Timestamp>, now: Timestamp) -> Option<Problem> {
    let expires = expires?;
    if expires <= now {
        return Some(Problem::at(1, format!("it expired on {expires}")));
    }
    let is_never = date.is_some_and(|date| expires <= date);
    is_never.then(|| Problem::at(1, format!("it expires on {expires}, before it is published")))
}
