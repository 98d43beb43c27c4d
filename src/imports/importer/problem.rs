//! Errors and warnings about single files.

/// An error or warning about a line of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Line of the file, from 1.
    pub line: usize,
    /// Message.
    pub why: String,
}

impl Problem {
    /// Returns a problem on a line.
    pub fn at(line: usize, why: impl Into<String>) -> Self {
        Self { line, why: why.into() }
    }
}
