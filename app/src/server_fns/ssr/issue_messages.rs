//! Health issues in the user's language.

use crate::texts::{Language, health};
use domain::engine::EngineReport;

/// Sets the message of each health issue in the report.
pub fn fill_issue_messages(report: &mut EngineReport, language: Language) {
    for error in report.loops.iter_mut().filter_map(|one| one.error.as_mut()) {
        error.issue.message = health::cause(language, &error.issue.issue);
    }
    for one in &mut report.issues {
        one.message = health::explanation(language, &one.issue);
    }
}
