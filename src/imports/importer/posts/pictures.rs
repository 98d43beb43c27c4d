//! Pictures of imported posts: from a folder, or fetched through the egress rules, and stored in the
//! media library.

use crate::{imports::importer::Importer, text::percent};
use domain::{
    Actor,
    media::{MAX_UPLOAD_BYTES, NewMedia},
};
use futures::{StreamExt as _, stream};
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fs,
    path::{Component, Path, PathBuf},
    sync::{Mutex, PoisonError},
};
use url::Url;

/// Number of pictures of a post that are fetched at once.
const AT_ONCE: usize = 4;
/// Largest number of files that are remembered.
const MAX_KNOWN: usize = 100_000;

/// Where pictures come from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PictureSource {
    /// A copy of the folder of uploads.
    pub folder: Option<PathBuf>,
    /// Whether pictures that are not in the folder are fetched from their address.
    pub is_fetching: bool,
}

/// Stores pictures, each address once.
pub struct Pictures<'s> {
    importer: &'s Importer,
    actor: &'s Actor,
    source: PictureSource,
    /// Paths by address, or why there is none.
    known: Mutex<HashMap<String, Result<String, String>>>,
}

/// The pictures of a post.
#[derive(Debug, Default)]
pub struct Stored {
    /// Paths by address.
    pub paths: BTreeMap<String, String>,
    /// Addresses of pictures that could not be stored, and why.
    pub missing: Vec<(String, String)>,
}

impl<'s> Pictures<'s> {
    /// Stores files of `actor`.
    pub fn new(importer: &'s Importer, actor: &'s Actor, source: PictureSource) -> Self {
        Self { importer, actor, source, known: Mutex::default() }
    }

    /// Stores pictures with these addresses.
    pub async fn store(&self, addresses: BTreeSet<String>) -> Stored {
        let mut stored = Stored::default();
        if self.source == PictureSource::default() {
            return stored;
        }
        let one = |address: String| async move {
            let path = self.path(&address).await;
            (address, path)
        };
        let mut all = stream::iter(addresses).map(one).buffer_unordered(AT_ONCE);
        while let Some((address, path)) = all.next().await {
            match path {
                Ok(path) => drop(stored.paths.insert(address, path)),
                Err(why) => stored.missing.push((address, why)),
            }
        }
        stored.missing.sort();
        stored
    }

    async fn path(&self, address: &str) -> Result<String, String> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner).get(address).cloned();
        if let Some(known) = known {
            return known;
        }
        let path = self.new_path(address).await;
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() < MAX_KNOWN {
            known.insert(address.to_owned(), path.clone());
        }
        path
    }

    async fn new_path(&self, address: &str) -> Result<String, String> {
        let bytes = match self.source.folder.as_deref().and_then(|folder| in_folder(folder, address)) {
            Some(bytes) => bytes,
            None if self.source.is_fetching => self.fetch(address).await?,
            None => return Err("it is not in the folder of pictures".to_owned()),
        };
        let name = address.rsplit('/').next().unwrap_or_default();
        let name = name.split(['?', '#']).next().unwrap_or_default().to_owned();
        let new = NewMedia { name, alt: String::new(), bytes };
        let item = self.importer.media.upload(self.actor, new).await;
        item.map(|item| item.path()).map_err(|refusal| refusal.to_string())
    }

    /// Fetches the picture in its full size, else as it is named.
    async fn fetch(&self, address: &str) -> Result<Vec<u8>, String> {
        let senders = &self.importer.parts.senders;
        if let Some(full) = full_size(address)
            && let Ok(bytes) = senders.download(&full, MAX_UPLOAD_BYTES).await
        {
            return Ok(bytes);
        }
        senders.download(address, MAX_UPLOAD_BYTES).await
    }
}

/// Returns the address of a picture without the size that WordPress adds (`-300x200`).
pub(super) fn full_size(address: &str) -> Option<String> {
    let (stem, ending) = address.rsplit_once('.')?;
    let (before, size) = stem.rsplit_once('-')?;
    let (width, height) = size.split_once('x')?;
    let is_number =
        |text: &str| (1..=5).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    (is_number(width) && is_number(height)).then(|| format!("{before}.{ending}"))
}

/// Reads a picture from the folder: by the end of its path, the longest first. Files outside of the
/// folder are never read.
fn in_folder(folder: &Path, address: &str) -> Option<Vec<u8>> {
    let path = Url::parse(address).map_or_else(|_| address.to_owned(), |url| url.path().to_owned());
    let path = percent::decoded(&path);
    let root = folder.canonicalize().ok()?;
    let names = [full_size(&path), Some(path)];
    for path in names.into_iter().flatten() {
        let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
        for start in 0..parts.len() {
            let relative: PathBuf = parts[start..].iter().collect();
            if !relative.components().all(|part| matches!(part, Component::Normal(_))) {
                return None;
            }
            let Ok(file) = root.join(relative).canonicalize() else { continue };
            let is_usable = file.starts_with(&root)
                && file.metadata().is_ok_and(|data| data.is_file() && data.len() <= MAX_UPLOAD_BYTES as u64);
            if is_usable && let Ok(bytes) = fs::read(&file) {
                return Some(bytes);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_found_by_the_end_of_its_path_and_never_outside_of_the_folder() {
        let outer = tempfile::tempdir().unwrap();
        fs::write(outer.path().join("secret.png"), "secret").unwrap();
        let folder = outer.path().join("uploads");
        fs::create_dir_all(folder.join("2018/09")).unwrap();
        fs::write(folder.join("2018/09/a b.png"), "full").unwrap();
        let read = |address: &str| in_folder(&folder, address).map(|bytes| String::from_utf8(bytes).unwrap());
        let at = "https://a.example/wp-content/uploads/2018/09/a%20b";
        assert_eq!(read(&format!("{at}.png?x=1")).as_deref(), Some("full"));
        assert_eq!(read(&format!("{at}-300x200.png")).as_deref(), Some("full"));
        for bad in
            ["https://a.example/../secret.png", "https://a.example/%2e%2e/secret.png", "../secret.png", "x"]
        {
            assert_eq!(read(bad), None, "{bad}");
        }
    }
}
