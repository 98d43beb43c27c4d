//! Faults of the engine in the user's language.

use crate::texts::{Language, fault};
use domain::engine::EngineReport;

/// Sets the message of each fault in the report.
pub fn fill_fault_messages(report: &mut EngineReport, language: Language) {
    let loops = report.loops.iter_mut().filter_map(|one| one.error.as_mut()).map(|error| &mut error.fault);
    let parts = [&mut report.database, &mut report.hints].into_iter().filter_map(|part| part.fault.as_mut());
    for report in loops.chain(parts) {
        if let Some(fault) = &report.fault {
            report.message = fault::sentence(language, fault);
        }
    }
}
