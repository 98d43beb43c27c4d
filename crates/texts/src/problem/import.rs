//! Why an import is refused.

use crate::Language;
use crate::settings::import::ImportTexts;
use domain::imports::{ImportProblem, ImportSystem, MAX_WAITING_IMPORTS};

sets!(problem: ImportProblemTexts);

/// Says why.
pub(crate) fn import_problem(language: Language, problem: &ImportProblem) -> String {
    let texts = ImportProblemTexts(language);
    match problem {
        ImportProblem::NoFile => texts.no_file().to_owned(),
        ImportProblem::Unreadable => texts.unreadable().to_owned(),
        ImportProblem::TooLarge { max_mb } => texts.too_large(*max_mb),
        ImportProblem::WrongKind { system: ImportSystem::Wordpress } => texts.not_wordpress().to_owned(),
        ImportProblem::WrongKind { system: ImportSystem::Ghost } => texts.not_ghost().to_owned(),
        ImportProblem::WrongKind { system: ImportSystem::Markdown } => texts.not_zip().to_owned(),
        ImportProblem::Invalid { why } => texts.invalid(why),
        ImportProblem::TooMany => texts.too_many(MAX_WAITING_IMPORTS),
        ImportProblem::Running => texts.running().to_owned(),
        ImportProblem::FileGone => texts.file_gone().to_owned(),
        ImportProblem::WrongState { state } => texts.wrong_state(ImportTexts(language).state_of(*state)),
        ImportProblem::Site { why } => texts.site(why),
        ImportProblem::DiskFull => texts.disk_full().to_owned(),
    }
}
