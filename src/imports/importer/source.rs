//! Reads a file below a folder, without following links and up to a maximum size.

use super::{front_matter::MAX_FRONT_MATTER_BYTES, problem::Problem};
use crate::services::hex;
use domain::input_limits;
use std::{fs::File, io, io::Read as _, path::Path};

/// Maximum size of a file, bytes. Lines that end with `\r\n` may double a text of short lines.
pub const MAX_FILE_BYTES: u64 = 2 * input_limits::MAX_BODY_BYTES as u64 + MAX_FRONT_MATTER_BYTES as u64;

/// Content of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// Text without a byte order mark, with `\n` line ends.
    pub text: String,
    /// SHA-256 of its bytes, hexadecimal.
    pub hash: String,
}

/// Reads a file below `folder`.
pub fn read(folder: &Path, path: &Path) -> Result<Source, Problem> {
    if path.to_str().is_none() {
        return Err(Problem::at(1, "its name is not UTF-8"));
    }
    let unread = |why: io::Error| Problem::at(1, format!("it cannot be read: {why}"));
    let file = open(folder, path).map_err(unread)?;
    let data = file.metadata().map_err(unread)?;
    if !data.is_file() {
        return Err(Problem::at(1, "it is not a regular file"));
    }
    let too_large = || Problem::at(1, format!("the file is larger than {MAX_FILE_BYTES} bytes; shorten it"));
    if data.len() > MAX_FILE_BYTES {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    // The file may grow while it is read.
    file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(unread)?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(too_large());
    }
    Ok(Source { text: clean(&bytes)?, hash: hex::sha256(&bytes) })
}

/// Opens a file folder by folder, so that a folder replaced by a link is not followed. `NONBLOCK`:
/// opening a pipe must not wait.
#[cfg(unix)]
fn open(folder: &Path, path: &Path) -> io::Result<File> {
    use rustix::fs::{Mode, OFlags, open, openat};
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK;
    let mut parent = open(folder, flags | OFlags::DIRECTORY, Mode::empty())?;
    let rest = path.strip_prefix(folder).map_err(|_| io::ErrorKind::NotFound)?;
    for part in rest.parent().into_iter().flat_map(Path::components) {
        parent =
            openat(&parent, part.as_os_str(), flags | OFlags::DIRECTORY | OFlags::NOFOLLOW, Mode::empty())?;
    }
    let name = rest.file_name().ok_or(io::ErrorKind::NotFound)?;
    Ok(File::from(openat(&parent, name, flags | OFlags::NOFOLLOW, Mode::empty())?))
}

#[cfg(not(unix))]
fn open(_folder: &Path, path: &Path) -> io::Result<File> {
    if path.symlink_metadata()?.is_symlink() {
        return Err(io::ErrorKind::Unsupported.into());
    }
    File::open(path)
}

/// Decodes UTF-8, removes a byte order mark and converts line ends to `\n`.
fn clean(bytes: &[u8]) -> Result<String, Problem> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let line_at = |offset: usize| bytes[..offset].iter().filter(|byte| **byte == b'\n').count() + 1;
    let text = std::str::from_utf8(bytes).map_err(|error| {
        Problem::at(line_at(error.valid_up_to()), "it is not UTF-8; save it in that encoding")
    })?;
    if let Some(offset) = text.find('\0') {
        return Err(Problem::at(line_at(offset), "it contains a NUL character, so it is not a text"));
    }
    Ok(text.replace("\r\n", "\n").replace('\r', "\n"))
}
