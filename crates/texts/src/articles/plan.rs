//! Texts of the import of a plan.

use crate::{Language, refusal::sentence};
use domain::articles::plan::{RowProblem, RowWarning, TableEncoding};

sets!(articles: PlanTexts);

/// The name of an encoding.
#[must_use]
pub fn encoding_name(language: Language, encoding: TableEncoding) -> &'static str {
    let texts = PlanTexts(language);
    match encoding {
        TableEncoding::Windows1252 => texts.windows_1252(),
        TableEncoding::Windows1250 => texts.windows_1250(),
        TableEncoding::Windows1251 => texts.windows_1251(),
        TableEncoding::Gb18030 => texts.gb18030(),
        TableEncoding::Big5 => texts.big5(),
        TableEncoding::ShiftJis => texts.shift_jis(),
        TableEncoding::EucKr => texts.euc_kr(),
    }
}

/// Why a row does not become an article, as a sentence.
#[must_use]
pub fn problem_sentence(language: Language, problem: &RowProblem) -> String {
    let texts = PlanTexts(language);
    match problem {
        RowProblem::TooManyCells { columns } => texts.too_many_cells(*columns),
        RowProblem::BodyAndFile => texts.body_and_file().to_owned(),
        RowProblem::NoFile { name } => texts.no_file(name),
        RowProblem::FileNotText { name } => texts.file_not_text(name),
        RowProblem::Refused { refusal } => sentence(language, refusal),
    }
}

/// What should be known of a row, as a sentence.
#[must_use]
pub fn warning_sentence(language: Language, warning: &RowWarning) -> String {
    let texts = PlanTexts(language);
    match warning {
        RowWarning::SameTitle => texts.same_title().to_owned(),
        RowWarning::TitleTwice { line } => texts.title_twice(*line),
        RowWarning::OtherSlug { slug } => texts.other_slug(slug),
        RowWarning::MomentTaken => texts.moment_taken().to_owned(),
        RowWarning::NoText => texts.no_text().to_owned(),
        RowWarning::NeedsApproval => texts.needs_approval().to_owned(),
    }
}
