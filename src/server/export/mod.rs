//! Writes all articles as Markdown with front matter, their other revisions, the media library, and the
//! settings as JSON.
//! `presstime import markdown` reads the folder again.

mod front_matter;
mod relative;
pub mod site;

use crate::{
    articles::authors::named,
    files::{
        FilesError, MediaFolder,
        manifest::{
            self, MANIFEST, MEDIA, Manifest, REVISIONS, ReleaseCopy, ReleaseItemCopy, RevisionCopy,
            SavedRevision, media_copy,
        },
    },
    process::cli_error::CliError,
    server::Server,
    tasks::slots,
};
use domain::{
    Timestamp, Version,
    articles::details::{ArticleDetails, RevisionChange},
    releases::ReleaseAction,
};
use front_matter::Authors;
use std::{
    collections::HashMap,
    fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
};
use store::{Conn, PoolRole, details, export, export::ExportedArticle};
use uuid::Uuid;

/// Number of articles that one query reads.
const BATCH_SIZE: u32 = 100;
/// Folder of the articles.
const ARTICLES: &str = "articles";
/// Number of revisions that one query reads.
const REVISION_BATCH_SIZE: u32 = 20;

/// What was written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Written {
    /// Number of articles.
    pub articles: usize,
    /// Number of their other revisions.
    pub revisions: usize,
    /// Number of files of the media library.
    pub media: usize,
}

/// Writes everything to a new folder. An error leaves an incomplete folder without a manifest.
pub async fn run(server: &Server, folder: &Path) -> Result<Written, CliError> {
    prepare(folder)?;
    let mut written = write_articles(server, folder).await?;
    let mut lease = server.parts.store.read(PoolRole::Web).await?;
    let files = export::files(lease.conn()).await?;
    drop(lease);
    let media = MediaFolder::at(folder.join(MEDIA));
    for file in &files {
        server.parts.media.copy_as(&media, (&file.folder, &file.hash)).await.map_err(|why| match why {
            FilesError::Folder(why) => unwritten(media.root(), &why),
            bucket @ FilesError::Bucket { .. } => CliError::Failed(bucket.to_string()),
        })?;
    }
    media.remove_unfinished_folder();
    written.media = files.len();
    let slots = slots::plan(&server.parts).await?;
    let manifest = Manifest {
        presstime: manifest::VERSION,
        settings: server.services.settings.settings().await?,
        site: server.services.settings.look().await?,
        media: files.into_iter().map(media_copy).collect(),
        slots: Some(slots).filter(|plan| plan.version > Version(0)).map(|plan| plan.settings),
        releases: releases(server).await?,
    };
    put(&folder.join(MANIFEST), manifest.to_text())?;
    Ok(written)
}

async fn write_articles(server: &Server, folder: &Path) -> Result<Written, CliError> {
    let mut lease = server.parts.store.read(PoolRole::Web).await?;
    let mut former: HashMap<Uuid, Vec<String>> = HashMap::new();
    for (id, slug, _) in export::redirects(lease.conn()).await? {
        former.entry(id).or_default().push(slug);
    }
    drop(lease);
    let (mut written, mut last, mut authors) = (Written::default(), Uuid::nil(), Authors::new());
    loop {
        let mut lease = server.parts.store.read(PoolRole::Web).await?;
        let articles = export::after(lease.conn(), last, BATCH_SIZE).await?;
        for article in &articles {
            let details = details::parse(article.details.as_deref())?;
            learn(lease.conn(), (&details, article.author_id), &mut authors).await?;
        }
        drop(lease);
        let Some(newest) = articles.last() else { return Ok(written) };
        last = newest.id;
        for article in articles {
            let former = former.remove(&article.id).unwrap_or_default();
            written.articles += 1;
            let saved = SavedRevision {
                number: article.number,
                saved_at: Timestamp::from_millis(article.saved_at),
                saved_by: name_of(&authors, article.author_id),
                is_autosave: article.is_autosave == 1,
                changed: article.changed.parse().unwrap_or(RevisionChange::Text),
            };
            let file = front_matter::of_article(&article, &former, &saved, &authors)?;
            put(&folder.join(ARTICLES).join(format!("{}.md", article.slug)), file)?;
            if article.others > 0 {
                written.revisions += write_revisions(server, folder, &article, &mut authors).await?;
            }
        }
    }
}

/// Returns the releases that are not published. One whose articles are all in the trash is left out.
async fn releases(server: &Server) -> Result<Vec<ReleaseCopy>, CliError> {
    let mut lease = server.parts.store.read(PoolRole::Web).await?;
    let (mut releases, mut last) = (Vec::<ReleaseCopy>::new(), None);
    for item in export::release_items(lease.conn()).await? {
        if last.replace(item.release_id) != Some(item.release_id) {
            let date = item.due_at.map(|at| front_matter::schedule_text(at, item.zone.as_deref()));
            releases.push(ReleaseCopy { name: item.name, date, items: Vec::new() });
        }
        let action = item.action.parse().unwrap_or(ReleaseAction::Publish);
        if let Some(release) = releases.last_mut() {
            release.items.push(ReleaseItemCopy { slug: item.slug, action, revision: item.number });
        }
    }
    Ok(releases)
}

/// Adds the names of the accounts that details name, and of who saved them.
async fn learn(
    conn: Conn<'_>,
    (details, saved_by): (&ArticleDetails, Uuid),
    authors: &mut Authors,
) -> Result<(), CliError> {
    let all = details.authors.iter().cloned().chain([saved_by.to_string()]);
    let new: Vec<String> = all.filter(|id| !authors.contains_key(id)).collect();
    if new.is_empty() {
        return Ok(());
    }
    for author in named(conn, &ArticleDetails { authors: new, ..ArticleDetails::default() }).await? {
        authors.insert(author.id.0.to_string(), author.typed);
    }
    Ok(())
}

/// Returns what an export writes for an account.
fn name_of(authors: &Authors, account: Uuid) -> String {
    let id = account.to_string();
    authors.get(&id).cloned().unwrap_or(id)
}

/// Writes the other revisions of an article, a few at a time. Returns their number.
async fn write_revisions(
    server: &Server,
    folder: &Path,
    article: &ExportedArticle,
    authors: &mut Authors,
) -> Result<usize, CliError> {
    let path = folder.join(REVISIONS).join(format!("{}.jsonl", article.slug));
    let (mut count, mut last) = (0, 0);
    loop {
        let mut lease = server.parts.store.read(PoolRole::Web).await?;
        let numbers = (last, article.number);
        let found = export::revisions(lease.conn(), article.id, numbers, REVISION_BATCH_SIZE).await?;
        let Some(newest) = found.last() else { return Ok(count) };
        last = newest.number;
        count += found.len();
        let mut lines = String::new();
        for revision in found {
            let details = details::parse(revision.details.as_deref())?;
            learn(lease.conn(), (&details, revision.author_id), authors).await?;
            let copy = RevisionCopy {
                saved: SavedRevision {
                    number: revision.number,
                    saved_at: Timestamp::from_millis(revision.saved_at),
                    saved_by: name_of(authors, revision.author_id),
                    is_autosave: revision.is_autosave == 1,
                    changed: revision.changed.parse().unwrap_or(RevisionChange::Text),
                },
                title: revision.title,
                body: revision.body,
                details: front_matter::named(details, authors),
            };
            lines.push_str(&serde_json::to_string(&copy).unwrap_or_default());
            lines.push('\n');
        }
        drop(lease);
        append(&path, &lines)?;
    }
}

/// Appends to a file, with its folder.
fn append(path: &Path, text: &str) -> Result<(), CliError> {
    let parent: PathBuf = path.parent().map(Path::to_path_buf).unwrap_or_default();
    let open = || fs::OpenOptions::new().create(true).append(true).open(path);
    let written = fs::create_dir_all(&parent).and_then(|()| open()?.write_all(text.as_bytes()));
    written.map_err(|why| unwritten(path, &why))
}

/// Creates the folder. It must be new or empty: files of an earlier export would stay in it.
pub fn prepare(folder: &Path) -> Result<(), CliError> {
    fs::create_dir_all(folder).map_err(|why| unwritten(folder, &why))?;
    let mut entries = fs::read_dir(folder).map_err(|why| unwritten(folder, &why))?;
    match entries.next() {
        None => Ok(()),
        Some(_) => Err(CliError::Failed(format!("{} is not empty; choose a new folder", folder.display()))),
    }
}

/// Writes a file, with its folder.
pub fn put(path: &Path, text: impl AsRef<[u8]>) -> Result<(), CliError> {
    let parent: PathBuf = path.parent().map(Path::to_path_buf).unwrap_or_default();
    fs::create_dir_all(&parent).and_then(|()| fs::write(path, text)).map_err(|why| unwritten(path, &why))
}

fn unwritten(path: &Path, why: &io::Error) -> CliError {
    CliError::Failed(format!("{} cannot be written: {why}", path.display()))
}
