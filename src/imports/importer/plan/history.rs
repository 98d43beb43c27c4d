//! The revisions that an export has besides the text of each article.

use crate::{
    articles::{authors, checked_details},
    files::manifest::{REVISION_NUMBERS, REVISIONS, RevisionCopy, SavedRevision},
    imports::importer::{Import, Importer, date, file::File, problem::Problem},
    process::cli_error::CliError,
    services::run_blocking,
    text::{input, render, words},
    zone::Zone,
};
use domain::{
    AccountId, Actor, ArticleId, RevisionId, articles::details::ArticleDetails, error::ValidationError,
};
use std::{
    collections::{BTreeSet, HashSet},
    fs,
    io::{self, Read as _},
    path::{Path, PathBuf},
};
use store::{
    PoolRole,
    import_plan::{ImportedHistory, ImportedRevision, ImportedSave},
};

/// Folder of the articles in an export.
const ARTICLES: &str = "articles/";
/// Maximum size of the other revisions of an article, bytes.
const MAX_BYTES: u64 = 64 * 1024 * 1024;

/// Adds to the file of a new article what the export says about its revisions. What cannot be used is left
/// out, with a warning. Returns the size of their texts, bytes.
pub async fn add(
    importer: &Importer,
    actor: &Actor,
    import: &Import,
    file: &mut File,
) -> Result<usize, CliError> {
    let Some(saved) = file.saved.clone() else { return Ok(0) };
    let mut people = People { importer, actor, unknown: BTreeSet::new() };
    file.save = Some(people.save(&saved).await?);
    let copies = match path_of(import, file) {
        Some(path) => run_blocking(move || read(&path)).await?,
        None => Ok(Vec::new()),
    };
    let copies = copies.unwrap_or_else(|why| {
        file.warnings.push(Problem::at(0, format!("its other revisions are left out: {why}")));
        Vec::new()
    });
    let (mut seen, mut bytes) = (HashSet::from([saved.number]), 0);
    for copy in copies {
        let number = copy.saved.number;
        let other = match REVISION_NUMBERS.contains(&number) && seen.insert(number) {
            true => people.revision(copy, import.zone).await?,
            false => Err("its number occurs twice, or is none".to_owned()),
        };
        match other {
            Ok(other) => {
                bytes += other.body.len();
                file.others.push(other);
            }
            Err(why) => {
                file.warnings.push(Problem::at(0, format!("its revision {number} is left out: {why}")));
            }
        }
    }
    for name in people.unknown {
        let why = format!(
            "what “{name}” saved is recorded as yours: it is not the name of one person of this desk"
        );
        file.warnings.push(Problem::at(0, why));
    }
    Ok(bytes)
}

/// Whether the text of a file is not the newest one of its article, which has this revision.
pub fn is_older(file: &File, revision: i32) -> bool {
    file.saved.as_ref().is_some_and(|saved| saved.number < revision)
}

/// Returns the revisions of a new article; `None`: its file is not of an export.
pub fn of_file(file: &File, article: ArticleId, revision: RevisionId) -> Option<ImportedHistory> {
    let (revision_id, others) = (revision.0, file.others.clone());
    Some(ImportedHistory { article, revision_id, save: file.save?, others })
}

/// Returns the file with the other revisions of an article, if the export has one.
fn path_of(import: &Import, file: &File) -> Option<PathBuf> {
    let name = file.path.strip_prefix(ARTICLES)?.strip_suffix(".md")?;
    if name.contains('/') {
        return None;
    }
    Some(import.folder.join(REVISIONS).join(format!("{name}.jsonl")))
}

/// Reads a file of revisions; one that is missing has none. Links are not followed.
fn read(path: &Path) -> Result<Vec<RevisionCopy>, String> {
    let unread = |why: io::Error| format!("{REVISIONS} cannot be read: {why}");
    match path.symlink_metadata() {
        Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(why) => return Err(unread(why)),
        Ok(found) if !found.is_file() => return Err(format!("{} is not a regular file", path.display())),
        Ok(found) if found.len() > MAX_BYTES => {
            return Err(format!("they are larger than {MAX_BYTES} bytes"));
        }
        Ok(_) => {}
    }
    let mut text = String::new();
    let file = fs::File::open(path).map_err(unread)?;
    file.take(MAX_BYTES).read_to_string(&mut text).map_err(unread)?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let copies = lines.map(|(index, line)| {
        serde_json::from_str(line).map_err(|why| format!("line {} cannot be read: {why}", index + 1))
    });
    copies.collect()
}

/// The people of the desk, by the names in an export.
struct People<'i> {
    importer: &'i Importer,
    actor: &'i Actor,
    /// Names that mean none or several of them.
    unknown: BTreeSet<String>,
}

impl People<'_> {
    /// Returns who saved a revision: the actor, if the desk has no such person.
    async fn save(&mut self, saved: &SavedRevision) -> Result<ImportedSave, CliError> {
        let mut lease = self.importer.parts.store.read(PoolRole::Web).await?;
        let (ids, unknown) = authors::known(lease.conn(), vec![saved.saved_by.clone()]).await?;
        self.unknown.extend(unknown);
        let known = ids.first().and_then(|id| id.parse().ok());
        Ok(ImportedSave {
            number: saved.number,
            at: saved.saved_at.min(self.importer.parts.clock.now()),
            author: known.map_or(self.actor.account, AccountId),
            is_autosave: saved.is_autosave,
            changed: saved.changed,
        })
    }

    /// Checks a revision as it is checked when it is saved. The inner error: why it cannot be used.
    async fn revision(
        &mut self,
        copy: RevisionCopy,
        zone: Zone,
    ) -> Result<Result<ImportedRevision, String>, CliError> {
        let (title, body, mut details) = match checked(&copy) {
            Ok(checked) => checked,
            Err(why) => return Ok(Err(why)),
        };
        let save = self.save(&copy.saved).await?;
        if !details.authors.is_empty() {
            let mut lease = self.importer.parts.store.read(PoolRole::Web).await?;
            let (ids, unknown) = authors::known(lease.conn(), std::mem::take(&mut details.authors)).await?;
            details.authors = ids;
            self.unknown.extend(unknown);
        }
        let dated_at = date::parse_date(&details.dated, zone).map(|date| date.at);
        if dated_at.is_none() {
            details.dated = String::new();
        }
        let words = words::count(&body);
        Ok(Ok(ImportedRevision { save, title, body, details, dated_at, words }))
    }
}

fn checked(copy: &RevisionCopy) -> Result<(String, String, ArticleDetails), String> {
    let title = input::title(&copy.title).map_err(|problem| format!("its title {problem}"))?;
    let body = input::body(&copy.body).map_err(|problem| format!("its text {problem}"))?;
    render::check(&body).map_err(|limit| format!("its text {}", ValidationError::from(limit)))?;
    let details = checked_details(copy.details.clone()).map_err(|refusal| refusal.to_string())?;
    Ok((title, body, details))
}
