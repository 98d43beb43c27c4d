//! What an export has besides its articles: settings, the files of the media library, and revisions.

use domain::{
    Timestamp, Version,
    accounts::site_look::SiteLook,
    articles::details::{ArticleDetails, RevisionChange},
    calendar::SlotSettings,
    releases::ReleaseAction,
    settings::SiteSettings,
};
use serde::{Deserialize, Serialize};
use std::{fs::File, io::Read as _, ops::RangeInclusive, path::Path};
use store::export::ExportedFile;

/// Marks files whose text is complete: the import takes nothing away from it.
pub const MARK: &str = "presstime";
/// Folder of the media library.
pub const MEDIA: &str = "media";
/// Folder of the other revisions of the articles: `SLUG.jsonl`, one [`RevisionCopy`] a line.
pub const REVISIONS: &str = "revisions";
/// Name of the manifest.
pub const MANIFEST: &str = "presstime.json";
/// Version of the format.
pub const VERSION: u32 = 1;
/// Numbers that a revision of an export may have: later ones follow.
pub const REVISION_NUMBERS: RangeInclusive<i32> = 1..=1_000_000_000;
/// Maximum size of a manifest, bytes.
const MAX_BYTES: u64 = 64 * 1024 * 1024;

/// The manifest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Version of the format.
    pub presstime: u32,
    /// Title, zone and language.
    pub settings: SiteSettings,
    /// How the public site looks.
    pub site: SiteLook,
    /// Files of the media library, by hash.
    pub media: Vec<MediaCopy>,
    /// Posting slots; `None`: none were set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slots: Option<SlotSettings>,
    /// Releases that are not published.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub releases: Vec<ReleaseCopy>,
}

/// A release that is not published.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReleaseCopy {
    /// Name.
    pub name: String,
    /// When it is published, as in the front matter of articles; `None`: that is not scheduled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// Its articles, in this order.
    pub items: Vec<ReleaseItemCopy>,
}

/// An article of a release.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReleaseItemCopy {
    /// Slug of the article.
    pub slug: String,
    /// What the release does with it.
    pub action: ReleaseAction,
    /// Number of the revision that becomes public; `None`: the article is unpublished.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<i32>,
}

/// A file of another media library.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MediaCopy {
    /// Hash of the uploaded bytes.
    pub hash: String,
    /// Name.
    pub name: String,
    /// Ending.
    pub format: String,
    /// Width and height in pixels; `None`: it is no picture.
    pub size: Option<(u32, u32)>,
    /// Size of the stored file, bytes.
    pub bytes: u64,
    /// Its size with its smaller versions, bytes.
    pub stored_bytes: u64,
    /// Alternative text.
    pub alt: String,
    /// Whether its content was replaced: texts may name the size of an earlier one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_replaced: bool,
}

/// Who saved a revision, and when.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedRevision {
    /// Revision number, from 1.
    pub number: i32,
    /// When it was saved.
    pub saved_at: Timestamp,
    /// Name of who saved it; their id if several accounts have this name.
    pub saved_by: String,
    /// Whether the editor saved it automatically.
    pub is_autosave: bool,
    /// What it changed.
    pub changed: RevisionChange,
}

/// A revision of an article besides the one in its file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RevisionCopy {
    /// Who saved it, and when.
    #[serde(flatten)]
    pub saved: SavedRevision,
    /// Title.
    pub title: String,
    /// Markdown.
    pub body: String,
    /// Details, with the names of their authors.
    #[serde(default)]
    pub details: ArticleDetails,
}

/// Returns a file as the manifest has it.
#[must_use]
pub fn media_copy(file: ExportedFile) -> MediaCopy {
    let side = |side: Option<i32>| side.and_then(|side| u32::try_from(side).ok());
    let whole = |bytes: i64| u64::try_from(bytes).unwrap_or_default();
    MediaCopy {
        size: side(file.width).zip(side(file.height)),
        bytes: whole(file.bytes),
        stored_bytes: whole(file.stored_bytes),
        hash: file.hash,
        name: file.name,
        format: file.format,
        alt: file.alt,
        is_replaced: file.is_replaced == 1,
    }
}

impl Manifest {
    /// Returns the text of the file. The version of the look counts changes of one desk only, and its
    /// stylesheet is not part of an export.
    #[must_use]
    pub fn to_text(&self) -> String {
        let site = SiteLook { version: Version::FIRST, style: String::new(), ..self.site.clone() };
        let plain = Self { site, ..self.clone() };
        let mut text = serde_json::to_string_pretty(&plain).unwrap_or_default();
        text.push('\n');
        text
    }

    /// Reads the manifest of a folder. `None`: it has none.
    pub fn read(folder: &Path) -> Result<Option<Self>, String> {
        let Ok(file) = File::open(folder.join(MANIFEST)) else { return Ok(None) };
        let mut text = String::new();
        let unread = |why: String| format!("{MANIFEST} cannot be read: {why}");
        file.take(MAX_BYTES).read_to_string(&mut text).map_err(|why| unread(why.to_string()))?;
        let manifest: Self = serde_json::from_str(&text).map_err(|why| unread(why.to_string()))?;
        if manifest.presstime != VERSION {
            return Err(unread(format!(
                "it has version {}, this program knows {VERSION}",
                manifest.presstime
            )));
        }
        Ok(Some(manifest))
    }
}
