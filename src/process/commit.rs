//! The commit from which this binary was built.

use std::sync::OnceLock;

static COMMIT: OnceLock<&'static str> = OnceLock::new();

/// Sets the commit, once, when the process starts.
pub fn set(commit: &'static str) {
    let _ = COMMIT.set(commit);
}

/// Returns the commit; `None`: it is not known.
#[must_use]
pub fn get() -> Option<&'static str> {
    COMMIT.get().copied()
}
