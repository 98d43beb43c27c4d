//! What is wrong with one file.

/// Why a file, or something in it, is not taken over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The line of the file, from 1.
    pub line: usize,
    /// What is wrong, in words.
    pub why: String,
}

impl Problem {
    /// Something wrong on a line.
    pub fn at(line: usize, why: impl Into<String>) -> Self {
        Self { line, why: why.into() }
    }
}
