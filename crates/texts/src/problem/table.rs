//! Why an imported table cannot be read.

use crate::Language;
use domain::articles::plan::TableProblem;

sets!(problem: TableProblemTexts);

/// Describes the problem.
#[must_use]
pub fn table_problem(language: Language, why: &TableProblem) -> String {
    let texts = TableProblemTexts(language);
    match why {
        TableProblem::NotText => texts.not_text().to_owned(),
        TableProblem::NoTitle => texts.no_title().to_owned(),
        TableProblem::ColumnTwice { name } => texts.column_twice(name),
        TableProblem::OpenQuote { line } => texts.open_quote(*line),
        TableProblem::NoRows => texts.no_rows().to_owned(),
    }
}
