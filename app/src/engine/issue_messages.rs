//! Health issues in the user's language.

use crate::{engine::health_texts::HealthTexts, texts::Language};
use domain::engine::EngineReport;

/// Sets the message of each health issue in the report.
pub fn fill_issue_messages(report: &mut EngineReport, language: Language) {
    let texts = HealthTexts(language);
    for error in report.loops.iter_mut().filter_map(|one| one.error.as_mut()) {
        error.issue.message = texts.cause(&error.issue.issue);
    }
    for one in &mut report.issues {
        one.message = texts.explanation(&one.issue);
    }
}
