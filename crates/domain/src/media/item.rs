//! A file of the media library, and its limits.

use super::{address, media_type::MediaType};
use crate::{AccountId, LocalizedTime, MediaId, Page, Version, error::problem::media::MediaUse};
use serde::{Deserialize, Serialize};

/// Maximum length of an alternative text, in characters.
pub const MAX_ALT_CHARS: usize = 500;
/// Maximum length of the name of a file, in characters; longer names are cut.
pub const MAX_FILE_NAME_CHARS: usize = 120;
/// Maximum number of articles listed as users of a file.
pub const MAX_USES: u32 = 50;
/// How many bytes the files of a desk may have, if no admin has changed it: 5 GiB.
pub const DEFAULT_QUOTA_BYTES: u64 = 5 * 1024 * 1024 * 1024;

/// Name of a file without a usable name.
const DEFAULT_NAME: &str = "file";

/// A file to store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewMedia {
    /// Its name as sent by the client.
    pub name: String,
    /// Its alternative text.
    pub alt: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// A file of the library.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MediaItem {
    /// Id.
    pub id: MediaId,
    /// SHA-256 of the uploaded bytes, in hexadecimal: the address of its files.
    pub hash: String,
    /// Name.
    pub name: String,
    /// Type.
    pub kind: MediaType,
    /// Width and height in pixels; `None`: it is no picture.
    pub size: Option<(u32, u32)>,
    /// Size of the stored file, in bytes.
    pub bytes: u64,
    /// Alternative text: what the picture shows.
    pub alt: String,
    /// Incremented by every change.
    pub version: Version,
    /// Account that uploaded it.
    pub owner_id: AccountId,
    /// Name of that account.
    pub owner: String,
    /// When it was uploaded.
    pub created: LocalizedTime,
    /// Number of articles that use it in any revision.
    pub used_by: u64,
    /// Whether the actor may change and delete it.
    pub may_change: bool,
    /// Whether its content before the last replacement is kept.
    pub has_earlier: bool,
}

impl MediaItem {
    /// Path of the file at this server.
    #[must_use]
    pub fn path(&self) -> String {
        address::path(&self.hash, &address::file_name(self.kind, self.size))
    }

    /// Path of a small version for lists; `None`: it is no picture.
    #[must_use]
    pub fn preview_path(&self) -> Option<String> {
        Some(address::preview_path(&self.hash, self.kind, self.size?))
    }

    /// Markdown that inserts it: a picture, or a link to the file.
    #[must_use]
    pub fn markdown(&self) -> String {
        let escaped = |text: &str| {
            let special =
                |letter: char| matches!(letter, '\\' | '[' | ']' | '<' | '&' | '*' | '_' | '`' | '!');
            text.chars().fold(String::new(), |mut text, letter| {
                if special(letter) {
                    text.push('\\');
                }
                text.push(letter);
                text
            })
        };
        match self.size {
            Some(_) => format!("![{}]({})", escaped(&self.alt), self.path()),
            None => format!("[{}]({})", escaped(&self.name), self.path()),
        }
    }
}

/// A file and where it is used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MediaDetails {
    /// The file.
    pub item: MediaItem,
    /// The articles that use it, public ones first; at most [`MAX_USES`].
    pub uses: Vec<MediaUse>,
    /// Whether it is the logo or the icon of the site, or its stylesheet uses it.
    pub is_on_site: bool,
    /// Why the actor may not replace its content; `None`: they may.
    pub replace_refusal: Option<ReplaceRefusal>,
}

/// Why an account may not replace the content of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReplaceRefusal {
    /// Another account uploaded it, or the same file too.
    Other,
    /// The site shows it in its frame, which only admins change.
    OnSite,
    /// Texts are reviewed, and one that is public, scheduled or approved uses it.
    Reviewed,
}

/// Filter of the list.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MediaQuery {
    /// Only files whose name or alternative text contains this.
    pub search: Option<String>,
    /// Only pictures.
    #[serde(default)]
    pub only_pictures: bool,
    /// Cursor of the page.
    pub cursor: Option<String>,
    /// Maximum number of items.
    pub limit: Option<u32>,
}

/// How many bytes the files of the desk have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct MediaUsage {
    /// Size of all files, in bytes, with all their versions.
    pub bytes: u64,
    /// Maximum, in bytes.
    pub quota: u64,
}

/// A page of the list with the usage of the desk.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MediaList {
    /// The page.
    pub page: Page<MediaItem>,
    /// The usage.
    pub usage: MediaUsage,
}

/// Returns a harmless name: the last part of a path, without control characters, not too long.
#[must_use]
pub fn cleaned_name(sent: &str) -> String {
    let last = sent.rsplit(['/', '\\']).next().unwrap_or_default();
    let is_invisible = |letter: char| {
        letter.is_control()
            || matches!(letter, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
    };
    let shown: String = last.chars().filter(|letter| !is_invisible(*letter)).collect();
    let name = shown.trim().trim_matches('.').trim();
    let count = name.chars().count();
    if name.is_empty() {
        return DEFAULT_NAME.to_owned();
    }
    if count <= MAX_FILE_NAME_CHARS {
        return name.to_owned();
    }
    name.chars().take(MAX_FILE_NAME_CHARS).collect::<String>().trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::cleaned_name;

    #[test]
    fn names_are_made_harmless() {
        let long = "x".repeat(4_000);
        for (sent, name) in [
            ("../../etc/passwd", "passwd"),
            ("C:\\photos\\tea.png", "tea.png"),
            ("..", "file"),
            ("", "file"),
            ("a\u{202e}gnp.exe\n", "agnp.exe"),
            ("  茶 .jpg ", "茶 .jpg"),
            (long.as_str(), &long[..120]),
        ] {
            assert_eq!(cleaned_name(sent), name, "{sent}");
        }
    }
}
