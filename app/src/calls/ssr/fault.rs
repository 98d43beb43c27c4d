//! What is wrong with the engine, in the language of who asks.

use crate::words::{Language, fault};
use domain::engine::EngineReport;

/// Says each fault of the report so.
pub fn say(report: &mut EngineReport, language: Language) {
    let loops =
        report.loops.iter_mut().filter_map(|one| one.trouble.as_mut()).map(|trouble| &mut trouble.told);
    let parts = [&mut report.sql, &mut report.hints].into_iter().filter_map(|part| part.trouble.as_mut());
    for told in loops.chain(parts) {
        if let Some(fault) = &told.fault {
            told.words = fault::sentence(language, fault);
        }
    }
}
