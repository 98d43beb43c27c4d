//! Why an imported table cannot be read.

use serde::{Deserialize, Serialize};

/// Why a table cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TableProblem {
    /// Neither UTF-8 nor UTF-16.
    #[error("is neither UTF-8 nor UTF-16 text; in Excel, save it as CSV UTF-8")]
    NotText,
    /// It has no column of titles.
    #[error(
        "has no column “title”; its first line names the columns: title, body or file, time, zone, tags, summary, slug"
    )]
    NoTitle,
    /// Two columns have the same name.
    #[error("has two columns “{name}”")]
    ColumnTwice {
        /// The name.
        name: String,
    },
    /// A quoted cell does not end.
    #[error("has a quote that is not closed, in the row that begins on line {line}")]
    OpenQuote {
        /// Number of the first line of its row, from 1.
        line: usize,
    },
    /// There is nothing below the names of the columns.
    #[error("has no rows below the names of its columns")]
    NoRows,
}
