//! Why an imported table cannot be read.

use crate::{Language, texts};
use domain::articles::plan::TableProblem;

texts! {
    /// Sentences without the name of the field.
    TableProblemTexts {
        not_text = "is neither UTF-8 nor UTF-16 text; in Excel, save it as CSV UTF-8", "既不是 UTF-8 也不是 UTF-16 文本；请在表格软件中另存为“CSV UTF-8”";
        no_title = "has no column “title”; its first line names the columns: title, body or file, time, zone, tags, summary, slug", "没有“title”列；首行须写列名：title、body 或 file、time、zone、tags、summary、slug";
        column_twice(name: &str) = "has two columns “{name}”", "有两个“{name}”列";
        open_quote(line: usize) = "has a quote that is not closed, in the row that begins on line {line}", "从第 {line} 行开始的一行有未闭合的引号";
        no_rows = "has no rows below the names of its columns", "列名下面没有内容";
    }
}

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
