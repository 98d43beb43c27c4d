//! The requests that upload something. The list is part of the state of the handlers.

/// A request that uploads something: its body may be large.
#[derive(Debug, Clone, Copy)]
pub struct Upload {
    /// Path of the form or of the operation of the API; `{id}` stands for any id.
    pub path: &'static str,
    /// What is uploaded.
    pub kind: UploadKind,
}

/// What a request uploads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UploadKind {
    /// A file: the quota of the desk limits it, not the daily limit of the account.
    File,
    /// A file that counts towards the daily limit of the account.
    CountedFile,
    /// An export of another system, from an admin: it goes to a file as it arrives.
    Export {
        /// Maximum size of the body, bytes.
        max_bytes: usize,
    },
}

/// Returns what a request to this path uploads; `None`: nothing.
#[must_use]
pub fn kind_of(uploads: &[Upload], path: &str) -> Option<UploadKind> {
    uploads.iter().find(|upload| is_path(upload.path, path)).map(|upload| upload.kind)
}

fn is_path(pattern: &str, path: &str) -> bool {
    match pattern.split_once("{id}") {
        Some((before, after)) => path
            .strip_prefix(before)
            .and_then(|rest| rest.strip_suffix(after))
            .is_some_and(|id| !id.is_empty() && !id.contains('/')),
        None => pattern == path,
    }
}
