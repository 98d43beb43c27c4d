//! A table of articles with their times, to import: each row becomes a draft or a scheduled article.

pub use crate::error::problem::table::TableProblem;

use crate::{
    ArticleId, BatchId, DomainError, LocalizedTime,
    meetings::OnProblem,
    state::{ParseEnumError, string_enum},
};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// Maximum size of a table, in bytes: 10 MiB.
pub const MAX_TABLE_BYTES: usize = 10 * 1024 * 1024;
/// Maximum number of rows of a table, without the names of its columns.
pub const MAX_TABLE_ROWS: usize = 10_000;

string_enum! {
    /// Encoding of a table that is not Unicode: the code pages in which spreadsheets save CSV.
    TableEncoding {
        /// Western European.
        Windows1252 = "windows-1252",
        /// Central European.
        Windows1250 = "windows-1250",
        /// Cyrillic.
        Windows1251 = "windows-1251",
        /// Simplified Chinese; GBK and GB 2312 are parts of it.
        Gb18030 = "gb18030",
        /// Traditional Chinese.
        Big5 = "big5",
        /// Japanese.
        ShiftJis = "shift_jis",
        /// Korean.
        EucKr = "euc-kr",
    }
}

/// A table to import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableImport {
    /// CSV in UTF-8 or UTF-16.
    pub table: Vec<u8>,
    /// Names and contents of the texts that its column `file` names.
    pub files: Vec<(String, Vec<u8>)>,
    /// IANA time zone of times without one; `None`: the user's.
    pub zone: Option<String>,
    /// Whether it is only checked.
    pub is_dry_run: bool,
    /// What happens if a row cannot become an article.
    pub on_problem: OnProblem,
}

/// Why a row does not become an article.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RowProblem {
    /// It has more cells than the table has columns.
    TooManyCells {
        /// Number of columns.
        columns: usize,
    },
    /// It has both a text and the name of a file.
    BodyAndFile,
    /// The file that it names is missing.
    NoFile {
        /// Its name.
        name: String,
    },
    /// The file that it names is not text.
    FileNotText {
        /// Its name.
        name: String,
    },
    /// Something else: a field that is not valid, a time that has passed or has two meanings.
    Refused {
        /// The error.
        refusal: DomainError,
    },
}

impl RowProblem {
    /// Its code in the API.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::TooManyCells { .. } => "too_many_cells",
            Self::BodyAndFile => "body_and_file",
            Self::NoFile { .. } => "no_file",
            Self::FileNotText { .. } => "file_not_text",
            Self::Refused { refusal } => refusal.code(),
        }
    }
}

impl From<DomainError> for RowProblem {
    fn from(refusal: DomainError) -> Self {
        Self::Refused { refusal }
    }
}

/// What the user should know of a row that becomes an article.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RowWarning {
    /// An article has this title.
    SameTitle,
    /// A row before it has this title.
    TitleTwice {
        /// Number of the first line of that row.
        line: usize,
    },
    /// Its slug is taken: it gets another one.
    OtherSlug {
        /// The one it gets.
        slug: String,
    },
    /// Something else is scheduled at this moment.
    MomentTaken,
    /// It is scheduled, and has no text.
    NoText,
    /// It is scheduled, and waits for its approval.
    NeedsApproval,
}

impl RowWarning {
    /// Its code in the API.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::SameTitle => "same_title",
            Self::TitleTwice { .. } => "title_twice",
            Self::OtherSlug { .. } => "other_slug",
            Self::MomentTaken => "moment_taken",
            Self::NoText => "no_text",
            Self::NeedsApproval => "needs_approval",
        }
    }
}

/// When an article of a table is published.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableTime {
    /// The moment.
    pub at: LocalizedTime,
    /// Local time in the zone of its row.
    pub local: String,
    /// IANA time zone of its row.
    pub zone: String,
}

/// A row of a table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TableRow {
    /// Number of its first line, from 1.
    pub line: usize,
    /// Title.
    pub title: String,
    /// Slug; empty: it does not become an article.
    pub slug: String,
    /// Id of its article; `None`: none was written.
    pub article: Option<ArticleId>,
    /// When it is published; `None`: it is a draft, or does not become an article.
    pub due: Option<TableTime>,
    /// What the user should know.
    pub warnings: Vec<RowWarning>,
    /// Why it does not become an article; `None`: it does.
    pub problem: Option<RowProblem>,
}

/// What becomes of the rows of a table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TableReport {
    /// Whether the articles were written.
    pub is_written: bool,
    /// The change by which all schedules can be undone together; `None`: nothing was scheduled.
    pub batch: Option<BatchId>,
    /// Number of rows that become scheduled articles.
    pub scheduled: usize,
    /// Number of rows that become drafts.
    pub drafts: usize,
    /// Number of rows that do not become articles.
    pub refused: usize,
    /// Number of rows with warnings.
    pub warned: usize,
    /// Names of the columns that are not read.
    pub ignored: Vec<String>,
    /// The rows, by line.
    pub rows: Vec<TableRow>,
}

impl TableReport {
    /// Returns the report of these rows, which were not written.
    #[must_use]
    pub fn of(rows: Vec<TableRow>, ignored: Vec<String>) -> Self {
        let count = |is_it: fn(&TableRow) -> bool| rows.iter().filter(|row| is_it(row)).count();
        Self {
            is_written: false,
            batch: None,
            scheduled: count(|row| row.problem.is_none() && row.due.is_some()),
            drafts: count(|row| row.problem.is_none() && row.due.is_none()),
            refused: count(|row| row.problem.is_some()),
            warned: count(|row| row.problem.is_none() && !row.warnings.is_empty()),
            ignored,
            rows,
        }
    }

    /// Number of rows that become articles.
    #[must_use]
    pub const fn articles(&self) -> usize {
        self.scheduled + self.drafts
    }

    /// Keeps this number of rows: those with problems first, then those with warnings.
    #[must_use]
    pub fn shortened(mut self, max: usize) -> Self {
        self.rows.sort_by_key(|row| (row.problem.is_none(), row.warnings.is_empty(), row.line));
        self.rows.truncate(max);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(line: usize, warnings: Vec<RowWarning>, problem: Option<RowProblem>) -> TableRow {
        let (title, slug) = (String::new(), String::new());
        TableRow { line, title, slug, article: None, due: None, warnings, problem }
    }

    #[test]
    fn a_report_counts_its_rows_and_keeps_the_problems_first() {
        let rows = vec![
            row(2, Vec::new(), None),
            row(3, vec![RowWarning::SameTitle], None),
            row(4, Vec::new(), Some(RowProblem::BodyAndFile)),
        ];
        let report = TableReport::of(rows, Vec::new());
        assert_eq!((report.drafts, report.refused, report.warned, report.articles()), (2, 1, 1, 2));
        let shown = report.shortened(2);
        assert_eq!(shown.rows.iter().map(|row| row.line).collect::<Vec<_>>(), [4, 3]);
        assert_eq!(shown.drafts, 2, "the counts stay");
    }
}
