//! Archives (zip) of Markdown files and pictures: checked before anything is unpacked, then unpacked into
//! a folder of their own with every limit applied again, because an archive may lie about its content.

use crate::{imports::importer::posts::Stop, process::private};
use domain::media::MAX_UPLOAD_BYTES;
use std::{
    collections::HashSet,
    fs::File,
    io::{self, BufReader, Read, Seek, SeekFrom, Write as _},
    path::{Path, PathBuf},
};
use zip::{CompressionMethod, ZipArchive, read::ZipFile, result::ZipError};

/// Maximum number of entries.
const MAX_ENTRIES: usize = 10_000;
/// Maximum size of the list of entries, bytes: it is held in memory.
const MAX_LIST_BYTES: u64 = 8_000_000;
/// Maximum size of an unpacked file, bytes.
const MAX_ENTRY_BYTES: u64 = MAX_UPLOAD_BYTES as u64;
/// Maximum size of all unpacked files, bytes.
const MAX_TOTAL_BYTES: u64 = 1_000_000_000;
/// How many times larger than packed a file may be; text is packed to a tenth.
const MAX_RATIO: u64 = 200;
/// Unpacked size up to which the ratio does not matter, bytes.
const FREE_BYTES: u64 = 1_000_000;
/// Maximum length of a name, bytes.
const MAX_NAME_BYTES: usize = 1_000;
/// Maximum length of a part of a name, bytes: what file systems allow.
const MAX_PART_BYTES: usize = 255;
/// Maximum number of folders in a name.
const MAX_DEPTH: usize = 20;
/// Endings of archives.
const ARCHIVES: [&str; 8] = ["zip", "tar", "gz", "tgz", "bz2", "xz", "7z", "rar"];
/// Begin of a zip entry.
const ENTRY_MAGIC: &[u8] = b"PK\x03\x04";
/// Begin of the record at the end of an archive, and its length.
const END_MAGIC: &[u8] = b"PK\x05\x06";
const END_BYTES: usize = 22;
/// Maximum length of the comment that follows it.
const MAX_COMMENT_BYTES: u64 = 65_535;

type Archive = ZipArchive<BufReader<File>>;

/// An entry that is to be unpacked.
struct Entry {
    index: usize,
    name: String,
    is_folder: bool,
}

/// Refuses an archive that cannot be imported, by its list of entries. Unpacks nothing; blocks.
pub fn check(file: &Path) -> Result<(), String> {
    let (_, entries) = open(file)?;
    match entries.iter().any(|entry| !entry.is_folder) {
        true => Ok(()),
        false => Err("the archive contains no files".to_owned()),
    }
}

/// Unpacks an archive into a new folder, until it is stopped; blocks. After an error, parts of it may be
/// there.
pub fn unpack(file: &Path, to: &Path, stop: &Stop) -> Result<(), String> {
    let (mut archive, entries) = open(file)?;
    private::create_folder(to).map_err(|why| not_written(&why))?;
    let mut left = MAX_TOTAL_BYTES;
    for entry in entries {
        let at = to.join(&entry.name);
        let folder = if entry.is_folder { Some(at.as_path()) } else { at.parent() };
        if let Some(folder) = folder {
            private::create_folder(folder).map_err(|why| unusable(&entry.name, &why))?;
        }
        if entry.is_folder {
            continue;
        }
        let packed = archive.by_index(entry.index).map_err(|why| unreadable(&entry.name, &why))?;
        left = left.checked_sub(write(packed, &entry.name, (&at, stop))?).ok_or_else(too_large)?;
    }
    Ok(())
}

/// The folder in which the files are: an archive often has one folder with everything.
#[must_use]
pub fn content(folder: &Path) -> PathBuf {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let shown: Vec<_> =
        entries.filter(|entry| !entry.file_name().as_encoded_bytes().starts_with(b".")).collect();
    match &shown[..] {
        [only] if only.path().is_dir() => only.path(),
        _ => folder.to_path_buf(),
    }
}

fn open(file: &Path) -> Result<(Archive, Vec<Entry>), String> {
    let unread = |why: io::Error| format!("the archive cannot be read: {why}");
    let mut reader = BufReader::new(File::open(file).map_err(unread)?);
    check_end(&mut reader).map_err(unread)??;
    reader.rewind().map_err(unread)?;
    let mut archive = ZipArchive::new(reader).map_err(|why| damaged(&why))?;
    if archive.len() > MAX_ENTRIES {
        return Err(too_many());
    }
    let (mut entries, mut names, mut total) = (Vec::new(), HashSet::new(), 0_u64);
    for index in 0..archive.len() {
        let packed = archive.by_index_raw(index).map_err(|why| damaged(&why))?;
        let name = checked_name(packed.name_raw())?;
        if is_ignored(&name) {
            continue;
        }
        check_entry(&packed, &name)?;
        total = total.saturating_add(packed.size());
        if total > MAX_TOTAL_BYTES {
            return Err(too_large());
        }
        let is_folder = packed.is_dir();
        if !names.insert(name.trim_end_matches('/').to_owned()) {
            return Err(format!("the archive contains {} twice; pack it again", shown(&name)));
        }
        entries.push(Entry { index, name, is_folder });
    }
    Ok((archive, entries))
}

/// Refuses an archive whose list of entries is too long to be read. The inner error is a sentence.
fn check_end(reader: &mut BufReader<File>) -> io::Result<Result<(), String>> {
    let length = reader.seek(SeekFrom::End(0))?;
    let tail = length.min(END_BYTES as u64 + MAX_COMMENT_BYTES);
    reader.seek(SeekFrom::Start(length - tail))?;
    let mut bytes = Vec::new();
    reader.take(tail).read_to_end(&mut bytes)?;
    let end = bytes.windows(END_BYTES).rev().find(|window| window.starts_with(END_MAGIC));
    let Some(end) = end else {
        return Ok(Err("the file is no complete zip archive; pack and upload it again".to_owned()));
    };
    let entries = u16::from_le_bytes([end[10], end[11]]);
    let list = u32::from_le_bytes([end[12], end[13], end[14], end[15]]);
    let is_too_long = usize::from(entries) > MAX_ENTRIES || u64::from(list) > MAX_LIST_BYTES;
    Ok(if is_too_long { Err(too_many()) } else { Ok(()) })
}

/// Returns the name of an entry: a path below the archive, with `/`.
fn checked_name(bytes: &[u8]) -> Result<String, String> {
    let lossy = String::from_utf8_lossy(bytes);
    let refused = |why: &str| format!("the archive contains the name {}, which {why}", shown(&lossy));
    let name = std::str::from_utf8(bytes).map_err(|_| refused("is not UTF-8; pack it again"))?;
    if name.is_empty() || name.len() > MAX_NAME_BYTES {
        return Err(refused("is empty or too long; rename it"));
    }
    if name.contains('\\') || name.chars().any(char::is_control) {
        return Err(refused("contains characters that no file name may contain; rename it"));
    }
    let is_drive = name.as_bytes().get(1) == Some(&b':');
    if name.starts_with('/') || is_drive {
        return Err(refused("is absolute; only files inside of the archive are imported"));
    }
    let parts: Vec<&str> = name.trim_end_matches('/').split('/').collect();
    if parts.contains(&"..") {
        return Err(refused("leads out of the archive; only files inside of it are imported"));
    }
    let is_usable = |part: &&str| !part.is_empty() && *part != "." && part.len() <= MAX_PART_BYTES;
    if parts.len() > MAX_DEPTH || !parts.iter().all(is_usable) {
        return Err(refused("is no usable path; rename it"));
    }
    Ok(name.to_owned())
}

/// Whether an entry is left out: what systems add to archives.
fn is_ignored(name: &str) -> bool {
    name.starts_with("__MACOSX/") || name.split('/').any(|part| part == ".DS_Store" || part == "Thumbs.db")
}

/// Refuses an entry that is not a plain file or folder of a usual size.
fn check_entry<R: Read>(packed: &ZipFile<'_, R>, name: &str) -> Result<(), String> {
    let is_known = matches!(packed.compression(), CompressionMethod::Stored | CompressionMethod::Deflated);
    if packed.encrypted() {
        return Err(format!("{} is encrypted; pack the archive without a password", shown(name)));
    }
    if packed.is_symlink() || !(packed.is_dir() || packed.is_file()) {
        return Err(format!("{} is a link; put a copy in its place", shown(name)));
    }
    if packed.is_dir() {
        return Ok(());
    }
    if !is_known {
        return Err(format!(
            "{} is packed by an unusual method; pack the archive with “deflate”",
            shown(name)
        ));
    }
    if is_archive(name) {
        return Err(nested(name));
    }
    check_size(name, packed.size(), packed.compressed_size())
}

fn check_size(name: &str, size: u64, packed: u64) -> Result<(), String> {
    if size > MAX_ENTRY_BYTES {
        let max = MAX_ENTRY_BYTES / 1_000_000;
        return Err(format!("{} is larger than {max} MB; remove it or make it smaller", shown(name)));
    }
    // The revisions of an article repeat one another.
    let is_repeating = name.ends_with(".jsonl");
    if !is_repeating && size > FREE_BYTES && size / packed.max(1) > MAX_RATIO {
        return Err(format!(
            "{} is more than {MAX_RATIO} times larger than packed, which no text or picture is; remove it",
            shown(name)
        ));
    }
    Ok(())
}

fn is_archive(name: &str) -> bool {
    let ending = Path::new(name).extension();
    ending.is_some_and(|ending| ARCHIVES.iter().any(|known| ending.eq_ignore_ascii_case(known)))
}

/// Writes an entry to a new file. Returns its size.
fn write<R: Read>(packed: ZipFile<'_, R>, name: &str, (at, stop): (&Path, &Stop)) -> Result<u64, String> {
    let compressed = packed.compressed_size();
    let mut file = private::create_new(at).map_err(|why| unusable(name, &why))?;
    // One byte more than allowed shows that there is more.
    let mut content = packed.take(MAX_ENTRY_BYTES + 1);
    let (mut size, mut buffer) = (0_u64, vec![0; 64 * 1024]);
    loop {
        stop.check()?;
        let count = content.read(&mut buffer).map_err(|why| unreadable(name, &why))?;
        let Some(bytes) = buffer.get(..count).filter(|bytes| !bytes.is_empty()) else { break };
        if size == 0 && bytes.starts_with(ENTRY_MAGIC) {
            return Err(nested(name));
        }
        size += count as u64;
        check_size(name, size, compressed)?;
        file.write_all(bytes).map_err(|why| not_written(&why))?;
    }
    Ok(size)
}

fn shown(name: &str) -> String {
    let short: String = name.chars().filter(|letter| !letter.is_control()).take(100).collect();
    format!("“{short}”")
}

fn nested(name: &str) -> String {
    format!("{} is an archive inside of the archive; unpack it first, or remove it", shown(name))
}

fn too_many() -> String {
    format!("the archive contains more than {MAX_ENTRIES} files; upload it in parts")
}

fn too_large() -> String {
    let max = MAX_TOTAL_BYTES / 1_000_000;
    format!("the files in the archive are larger than {max} MB together; upload it in parts")
}

fn damaged(why: &ZipError) -> String {
    format!("the archive is damaged ({why}); pack and upload it again")
}

fn unreadable(name: &str, why: &dyn std::fmt::Display) -> String {
    format!("{} in the archive is damaged ({why}); pack and upload it again", shown(name))
}

/// Why a file or folder with this name could not be created.
fn unusable(name: &str, why: &io::Error) -> String {
    match why.kind() {
        io::ErrorKind::AlreadyExists | io::ErrorKind::NotADirectory => {
            format!("{} is a file and a folder in the archive, or there twice; pack it again", shown(name))
        }
        _ => not_written(why),
    }
}

fn not_written(why: &io::Error) -> String {
    match why.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "the disk of the server is full; nothing was imported".to_owned()
        }
        _ => format!("the archive could not be unpacked: {why}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_lead_out_of_the_archive_are_refused() {
        for (name, why) in [
            ("../a.md", "leads out"),
            ("a/../../b.md", "leads out"),
            ("/etc/passwd", "absolute"),
            ("C:/a.md", "absolute"),
            ("a\\..\\b.md", "characters"),
            ("a\n.md", "characters"),
            ("", "too long"),
            ("a//b.md", "no usable path"),
            ("./a.md", "no usable path"),
        ] {
            let refused = checked_name(name.as_bytes()).unwrap_err();
            assert!(refused.contains(why), "{name:?}: {refused}");
        }
        assert!(checked_name(&"x".repeat(4_000).into_bytes()).unwrap_err().contains("too long"));
        assert!(checked_name(b"caf\xe9.md").unwrap_err().contains("UTF-8"));
        for name in ["a.md", "posts/2026/ü ber..md", "posts/"] {
            assert_eq!(checked_name(name.as_bytes()).as_deref(), Ok(name));
        }
    }

    #[test]
    fn sizes_are_bounded_and_a_small_text_may_be_packed_well() {
        assert!(check_size("a.md", 900_000, 1).is_ok());
        assert!(check_size("a.md", 2_000_000, 1_000).unwrap_err().contains("200 times"));
        assert!(check_size("a.md", MAX_ENTRY_BYTES + 1, MAX_ENTRY_BYTES).unwrap_err().contains("larger"));
    }
}
