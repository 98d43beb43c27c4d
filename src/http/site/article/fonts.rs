//! The fonts of the machine, for cards: those in the usual folders, as far as the search is bounded.

use cosmic_text::fontdb::{Database, Family, Query};
use std::{path::Path, sync::LazyLock};
use walkdir::WalkDir;

/// Folders with fonts on Linux, BSD and macOS.
const FOLDERS: [&str; 4] =
    ["/usr/share/fonts", "/usr/local/share/fonts", "/Library/Fonts", "/System/Library/Fonts"];
/// Maximum depth of folders in them.
const MAX_DEPTH: usize = 6;
/// Maximum number of entries that are looked at.
const MAX_ENTRIES: usize = 20_000;
/// Maximum number of files with fonts.
const MAX_FILES: usize = 1_000;
/// Maximum size of a file with fonts: the largest of Noto has 30 MB.
const MAX_FILE_BYTES: u64 = 64 * 1024 * 1024;
/// Families in which titles are set, the best one first. What they lack is taken from the others.
const FAMILIES: [&str; 5] = ["Noto Sans", "Open Sans", "DejaVu Sans", "Liberation Sans", "FreeSans"];

/// Read once: a font that is installed later is used after the next start.
static FONTS: LazyLock<Database> = LazyLock::new(|| {
    let fonts = read(&FOLDERS.map(Path::new));
    if fonts.is_empty() {
        tracing::warn!("no fonts are installed: cards of articles have no text; install fonts-noto-core");
    }
    fonts
});

/// Returns the fonts of the machine; empty: it has none.
pub fn all() -> Database {
    FONTS.clone()
}

/// Returns the fonts in these folders.
pub fn read(folders: &[&Path]) -> Database {
    let mut fonts = Database::new();
    let entries =
        folders.iter().flat_map(|folder| WalkDir::new(folder).max_depth(MAX_DEPTH).sort_by_file_name());
    let files = entries.take(MAX_ENTRIES).filter_map(Result::ok).filter(|entry| {
        let is_font = entry.path().extension().is_some_and(|extension| {
            ["ttf", "otf", "ttc", "otc"].iter().any(|known| extension.eq_ignore_ascii_case(known))
        });
        is_font && entry.metadata().is_ok_and(|file| file.is_file() && file.len() <= MAX_FILE_BYTES)
    });
    for file in files.take(MAX_FILES) {
        if let Err(why) = fonts.load_font_file(file.path()) {
            tracing::debug!("the font {} cannot be read: {why}", file.path().display());
        }
    }
    let has =
        |name: &&str| fonts.query(&Query { families: &[Family::Name(name)], ..Query::default() }).is_some();
    let family = FAMILIES.iter().copied().find(|name| has(name));
    if let Some(family) = family {
        fonts.set_sans_serif_family(family);
    }
    fonts
}
