//! Writes all articles as Markdown with front matter, the media library, and the settings as JSON.
//! `presstime import markdown` reads the folder again.

mod front_matter;
pub mod site;

use crate::{
    articles::authors::named,
    files::{
        FilesError, MediaFolder,
        manifest::{self, MANIFEST, MEDIA, Manifest, media_copy},
    },
    process::cli_error::CliError,
    server::Server,
};
use front_matter::Authors;
use std::{
    collections::HashMap,
    fs, io,
    path::{Path, PathBuf},
};
use store::{PoolRole, details, export};
use uuid::Uuid;

/// Number of articles that one query reads.
const BATCH_SIZE: u32 = 100;
/// Folder of the articles.
const ARTICLES: &str = "articles";
/// Folder of texts that are newer than the public or scheduled ones.
const CHANGES: &str = "changes";

/// What was written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Written {
    /// Number of articles.
    pub articles: usize,
    /// Number of texts that are newer than the public or scheduled ones.
    pub changes: usize,
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
    let manifest = Manifest {
        presstime: manifest::VERSION,
        settings: server.services.settings.settings().await?,
        site: server.services.settings.look().await?,
        media: files.into_iter().map(media_copy).collect(),
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
    let (mut written, mut last) = (Written::default(), Uuid::nil());
    loop {
        let mut lease = server.parts.store.read(PoolRole::Web).await?;
        let articles = export::after(lease.conn(), last, BATCH_SIZE).await?;
        let mut authors = Authors::new();
        for json in articles.iter().flat_map(|article| [&article.details, &article.current_details]) {
            for author in named(lease.conn(), &details::parse(json.as_deref())?).await? {
                authors.insert(author.id.0.to_string(), author.typed);
            }
        }
        drop(lease);
        let Some(newest) = articles.last() else { return Ok(written) };
        last = newest.id;
        for article in articles {
            let former = former.remove(&article.id).unwrap_or_default();
            let name = format!("{}.md", article.slug);
            if article.has_changes == 1 {
                written.changes += 1;
                put(&folder.join(CHANGES).join(&name), front_matter::of_changes(&article, &authors)?)?;
            }
            written.articles += 1;
            let file = front_matter::of_article(&article, &former, &authors)?;
            put(&folder.join(ARTICLES).join(&name), file)?;
        }
    }
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
