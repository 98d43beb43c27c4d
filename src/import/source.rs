//! Reads a file below a folder: never through a link, never more than an article can hold.

use super::{front::MAX_FRONT_BYTES, problem::Problem};
use domain::limit;
use sha2::{Digest as _, Sha256};
use std::{fs::File, io, io::Read as _, path::Path};

/// Maximum size of a file, bytes. Lines that end with `\r\n` may double a text of short lines.
pub const MAX_FILE_BYTES: u64 = 2 * limit::BODY_BYTES as u64 + MAX_FRONT_BYTES as u64;

/// What was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// Its text, without a byte order mark, lines ending with `\n`.
    pub text: String,
    /// Hash of its bytes.
    pub hash: String,
}

/// Reads one file below `folder`.
pub fn read(folder: &Path, path: &Path) -> Result<Source, Problem> {
    if path.to_str().is_none() {
        return Err(Problem::at(1, "its name is not UTF-8"));
    }
    let unread = |why: io::Error| Problem::at(1, format!("it cannot be read: {why}"));
    let file = open(folder, path).map_err(unread)?;
    let data = file.metadata().map_err(unread)?;
    if !data.is_file() {
        return Err(Problem::at(1, "it is no regular file"));
    }
    let too_large = || Problem::at(1, format!("the file is larger than {MAX_FILE_BYTES} bytes; shorten it"));
    if data.len() > MAX_FILE_BYTES {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    // It may grow while it is read.
    file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(unread)?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(too_large());
    }
    let hash = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(Source { text: clean(&bytes)?, hash })
}

/// Opens it folder by folder, so that no link that is put in the place of one is followed either; without waiting for the other end
/// of a pipe.
#[cfg(unix)]
fn open(folder: &Path, path: &Path) -> io::Result<File> {
    use rustix::fs::{Mode, OFlags, open, openat};
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK;
    let mut place = open(folder, flags | OFlags::DIRECTORY, Mode::empty())?;
    let rest = path.strip_prefix(folder).map_err(|_| io::ErrorKind::NotFound)?;
    for part in rest.parent().into_iter().flat_map(Path::components) {
        place =
            openat(&place, part.as_os_str(), flags | OFlags::DIRECTORY | OFlags::NOFOLLOW, Mode::empty())?;
    }
    let name = rest.file_name().ok_or(io::ErrorKind::NotFound)?;
    Ok(File::from(openat(&place, name, flags | OFlags::NOFOLLOW, Mode::empty())?))
}

#[cfg(not(unix))]
fn open(_folder: &Path, path: &Path) -> io::Result<File> {
    if path.symlink_metadata()?.is_symlink() {
        return Err(io::ErrorKind::Unsupported.into());
    }
    File::open(path)
}

/// The file as text: UTF-8 without a byte order mark, lines ending with `\n`.
fn clean(bytes: &[u8]) -> Result<String, Problem> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let line_at = |place: usize| bytes[..place].iter().filter(|byte| **byte == b'\n').count() + 1;
    let text = std::str::from_utf8(bytes).map_err(|error| {
        Problem::at(line_at(error.valid_up_to()), "it is not UTF-8; save it in that encoding")
    })?;
    if let Some(place) = text.find('\0') {
        return Err(Problem::at(line_at(place), "it holds a NUL character; it is not a text"));
    }
    Ok(text.replace("\r\n", "\n").replace('\r', "\n"))
}
