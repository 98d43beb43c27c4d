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
    collections::{BTreeSet, HashMap, HashSet},
    fs,
    io::{self, Read as _, Seek as _, SeekFrom},
    path::{Path, PathBuf},
};
use store::{
    PoolRole,
    import_plan::{ImportedHistory, ImportedRevision, ImportedSave},
};

/// Folder of the articles in an export.
const ARTICLES: &str = "articles/";
/// How much is read of the other revisions of an article: the newest ones.
const LIMITS: Limits = Limits { bytes: 64 * 1024 * 1024, revisions: 10_000 };

/// Adds to the file of a new article what the export says about its revisions. What cannot be used is left
/// out, with a warning. Returns the size of their texts, bytes.
pub async fn add(
    importer: &Importer,
    actor: &Actor,
    import: &Import,
    file: &mut File,
) -> Result<usize, CliError> {
    let found = match path_of(import, file) {
        Some(path) => run_blocking(move || read(&path, LIMITS)).await?,
        None => Ok(Found::default()),
    };
    let Found { copies, bytes, is_cut } = found.unwrap_or_else(|why| {
        file.warnings.push(Problem::at(0, format!("its other revisions are left out: {why}")));
        Found::default()
    });
    let Some(saved) = file.saved.clone() else {
        if !copies.is_empty() {
            let why = "its other revisions are left out: the file does not say which one it has";
            file.warnings.push(Problem::at(0, why));
        }
        return Ok(0);
    };
    if is_cut {
        let Limits { bytes, revisions } = LIMITS;
        let why = format!(
            "its earliest other revisions are left out: they are more than {revisions}, or larger than {bytes} bytes"
        );
        file.warnings.push(Problem::at(0, why));
    }
    let mut people = People { importer, actor, known: HashMap::new(), unknown: BTreeSet::new() };
    file.save = Some(people.save(&saved).await?);
    let mut seen = HashSet::from([saved.number]);
    for copy in copies {
        if importer.stop.is_cancelled() {
            return Err(CliError::Failed("it was stopped".to_owned()));
        }
        let number = copy.saved.number;
        let other = match REVISION_NUMBERS.contains(&number) && seen.insert(number) {
            true => people.revision(copy, import.zone).await?,
            false => Err("its number occurs twice, or is none".to_owned()),
        };
        match other {
            Ok(other) => file.others.push(other),
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

/// How much of a file of revisions is read.
#[derive(Debug, Clone, Copy)]
struct Limits {
    bytes: u64,
    revisions: usize,
}

/// What a file of revisions has.
#[derive(Debug, Default)]
struct Found {
    copies: Vec<RevisionCopy>,
    /// Size of what was read.
    bytes: usize,
    /// Whether earlier revisions were not read.
    is_cut: bool,
}

/// Reads the end of a file of revisions, which has the newest ones; a file that is missing has none. Links are
/// not followed.
fn read(path: &Path, limits: Limits) -> Result<Found, String> {
    let unread = |why: io::Error| format!("{REVISIONS} cannot be read: {why}");
    if path.parent().is_some_and(Path::is_symlink) {
        return Err(format!("the folder {REVISIONS} is a link"));
    }
    let size = match path.symlink_metadata() {
        Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(Found::default()),
        Err(why) => return Err(unread(why)),
        Ok(found) if !found.is_file() => return Err(format!("{} is not a regular file", path.display())),
        Ok(found) => found.len(),
    };
    let mut file = fs::File::open(path).map_err(unread)?;
    let skipped = size.saturating_sub(limits.bytes);
    file.seek(SeekFrom::Start(skipped)).map_err(unread)?;
    let mut bytes = Vec::new();
    file.take(limits.bytes).read_to_end(&mut bytes).map_err(unread)?;
    if skipped > 0 {
        // Most often this is the middle of a line.
        let line = bytes.iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |end| end + 1);
        bytes.drain(..line);
    }
    let text =
        String::from_utf8(bytes).map_err(|_| format!("{REVISIONS} cannot be read: it is not UTF-8"))?;
    let lines: Vec<(usize, &str)> =
        text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).collect();
    let earlier = lines.len().saturating_sub(limits.revisions);
    let copies = lines.into_iter().skip(earlier).map(|(index, line)| {
        serde_json::from_str(line).map_err(|why| format!("line {} cannot be read: {why}", index + 1))
    });
    let copies = copies.collect::<Result<Vec<RevisionCopy>, String>>()?;
    Ok(Found { copies, bytes: text.len(), is_cut: skipped > 0 || earlier > 0 })
}

/// The people of the desk, by the names in an export.
struct People<'i> {
    importer: &'i Importer,
    actor: &'i Actor,
    /// Who has a name; `None`: it means none or several of them.
    known: HashMap<String, Option<AccountId>>,
    /// Names that mean none or several of them.
    unknown: BTreeSet<String>,
}

impl People<'_> {
    /// Returns who saved a revision: the actor, if the desk has no such person.
    async fn save(&mut self, saved: &SavedRevision) -> Result<ImportedSave, CliError> {
        let author = self.account(&saved.saved_by).await?;
        Ok(ImportedSave {
            number: saved.number,
            at: saved.saved_at.min(self.importer.parts.clock.now()),
            author: author.unwrap_or(self.actor.account),
            is_autosave: saved.is_autosave,
            changed: saved.changed,
        })
    }

    /// Returns the person with this name; each name is looked up once.
    async fn account(&mut self, name: &str) -> Result<Option<AccountId>, CliError> {
        if let Some(known) = self.known.get(name) {
            return Ok(*known);
        }
        let mut lease = self.importer.parts.store.read(PoolRole::Web).await?;
        let (ids, unknown) = authors::known(lease.conn(), vec![name.to_owned()]).await?;
        self.unknown.extend(unknown);
        let known = ids.first().and_then(|id| id.parse().ok()).map(AccountId);
        self.known.insert(name.to_owned(), known);
        Ok(known)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn line(number: usize) -> String {
        format!(
            "{{\"number\":{number},\"saved_at\":\"2027-01-01T00:00:00Z\",\"saved_by\":\"A\",\"is_autosave\":false,\
             \"changed\":\"text\",\"title\":\"T\",\"body\":\"B\"}}\n"
        )
    }

    fn numbers(found: &Found) -> Vec<i32> {
        found.copies.iter().map(|copy| copy.saved.number).collect()
    }

    #[test]
    fn the_newest_revisions_are_read_of_a_file_of_any_size() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.jsonl");
        assert!(numbers(&read(&path, LIMITS).unwrap()).is_empty(), "a file that is missing");
        let lines: String = (1..=9).map(line).collect();
        fs::write(&path, &lines).unwrap();
        let all = read(&path, LIMITS).unwrap();
        assert_eq!((numbers(&all).len(), all.bytes, all.is_cut), (9, lines.len(), false));
        let few = read(&path, Limits { revisions: 2, ..LIMITS }).unwrap();
        assert_eq!((numbers(&few), few.is_cut), (vec![8, 9], true));
        let bytes = u64::try_from(line(9).len() * 2 + 10).unwrap();
        let end = read(&path, Limits { bytes, ..LIMITS }).unwrap();
        assert_eq!((numbers(&end), end.is_cut), (vec![8, 9], true));
        // One endless line.
        fs::write(&path, "x".repeat(1_000)).unwrap();
        let nothing = read(&path, Limits { bytes: 100, ..LIMITS }).unwrap();
        assert_eq!((numbers(&nothing).len(), nothing.is_cut), (0, true));
        #[cfg(unix)]
        {
            let link = folder.path().join("link");
            std::os::unix::fs::symlink(folder.path(), &link).unwrap();
            assert!(read(&link.join("a.jsonl"), LIMITS).unwrap_err().contains("is a link"));
        }
        // Deep values are refused, not followed.
        let deep = format!("{}{}", "{\"details\":".repeat(100_000), "}".repeat(100_000));
        fs::write(&path, deep).unwrap();
        assert!(read(&path, LIMITS).unwrap_err().contains("line 1 cannot be read"));
    }
}
