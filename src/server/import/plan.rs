//! Decides what to do with a file, by the existing article, its dates and the options of the
//! import.

use super::{
    Import, Importer, Spacing, date::ParsedDate, file::File, identity::PathIndex, problem::Problem,
    report::Report,
};
use crate::{server::process::cli_error::CliError, text::slug};
use domain::{Kind, State, TaskId, Timestamp, Version};
use std::collections::HashSet;
use store::{PoolRole, import, trash};
use uuid::Uuid;

/// Existing articles, and the progress of the import.
#[derive(Debug)]
pub struct ImportState {
    articles: Vec<import::KnownArticle>,
    paths: PathIndex,
    slugs: HashSet<String>,
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
        let slugs = slugs.into_iter().collect();
        Ok(Self { paths: path_index, articles, slugs, seen_paths: HashSet::new(), spaced: 0, deleted })
    }

    /// Reads all slugs again, after another article took one.
    pub async fn read_slugs(&mut self, importer: &Importer) -> Result<(), CliError> {
        let mut lease = importer.parts.store.read(PoolRole::Web).await?;
        self.slugs = import::all_slugs(lease.conn()).await?.into_iter().collect();
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
        let Some(known) = known else {
            report_held(&file, report);
            let action = self.action(&file, import, now);
            let slug = self.take_slug(&file.slug);
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
        file.former_slugs.retain(|slug| self.slugs.insert(slug.clone()));
    }

    fn next(&self, Spacing { from, every_ms, .. }: Spacing) -> Timestamp {
        from.plus(every_ms.saturating_mul(self.spaced))
    }

    /// Reserves the requested slug, with a number if it is taken.
    pub fn take_slug(&mut self, requested: &str) -> String {
        let name = if self.slugs.contains(requested) {
            let mut free = (2..).map(|number| slug::with_number(requested, number));
            free.find(|name| !self.slugs.contains(name)).unwrap_or_default()
        } else {
            requested.to_owned()
        };
        self.slugs.insert(name.clone());
        name
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

/// Returns why the dates of a file prevent its publication.
fn expired(date: Option<Timestamp>, expires: Option<Timestamp>, now: Timestamp) -> Option<Problem> {
    let expires = expires?;
    if expires <= now {
        return Some(Problem::at(1, format!("it expired on {expires}")));
    }
    let is_never = date.is_some_and(|date| expires <= date);
    is_never.then(|| Problem::at(1, format!("it expires on {expires}, before it is published")))
}

/// Describes how an article was changed at the desk; `None`: only imports changed it.
fn desk_change(known: &import::KnownArticle) -> Option<String> {
    if known.import_revision != Some(known.revision) {
        return Some("its text was changed at the desk; copy what is new in the file by hand".to_owned());
    }
    if known.tasks_of_people == 0 {
        return None;
    }
    let waiting = known.waiting_at.map(Timestamp::from_millis);
    let newest = known.newest.as_deref().unwrap_or_default();
    let is = |kind: Kind, state: State| newest == format!("{} {}", kind.as_str(), state.as_str());
    Some(match (waiting, known.published_at) {
        (Some(at), _) => format!("it was scheduled for {at} at the desk"),
        (None, Some(_)) => {
            "it was published at the desk, or its scheduled tasks were changed there".to_owned()
        }
        (None, None) if is(Kind::ArticleUnpublish, State::Executed) => {
            "it was unpublished at the desk".to_owned()
        }
        (None, None) if newest.ends_with(State::Cancelled.as_str()) => {
            "its schedule was cancelled at the desk".to_owned()
        }
        (None, None) => "its task was not executed; see Attention".to_owned(),
    })
}

/// Warning about a public article whose file differs.
pub const PUBLIC_TEXT_STAYS: &str = "its public text stays as it was; publish the new one at the desk";

/// Warns about a public article whose file differs.
fn warn_published(file: &File, is_same: bool, report: &mut Report) {
    let why = match &file.held {
        Some(held) => {
            let why = format!("it is public, but {}; unpublish it at the desk", held.why);
            Problem::at(held.line, why)
        }
        None if is_same => return,
        None => Problem::at(1, PUBLIC_TEXT_STAYS),
    };
    report.warn(&file.path, why);
}

/// Warns about an article scheduled by an earlier import whose file differs.
fn warn_scheduled(file: &File, at: Timestamp, is_same: bool, report: &mut Report) {
    if file.held.is_some() {
        report.warn(&file.path, Problem::at(1, format!("its schedule for {at} is cancelled")));
        return;
    }
    if file.date.is_some_and(|date| date.at != at) && !is_same {
        let why = format!("it stays scheduled for {at}; reschedule it at the desk");
        report.warn(&file.path, Problem::at(1, why));
    }
    if !is_same {
        let why = "its earlier text stays scheduled; replace the revision at the desk";
        report.warn(&file.path, Problem::at(1, why));
    }
}
