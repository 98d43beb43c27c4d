//! Texts of the import of calendar files.

use crate::{Language, refusal::sentence};
use domain::{DomainError, error::ValidationError, meetings::ImportProblem};

sets!(meeting_import: ImportTexts);

/// Why an event does not become a meeting, as a sentence.
#[must_use]
pub fn problem_sentence(language: Language, problem: &ImportProblem) -> String {
    let texts = ImportTexts(language);
    match problem {
        ImportProblem::AllDay => texts.all_day().to_owned(),
        ImportProblem::NoStart => texts.no_start().to_owned(),
        ImportProblem::NoEnd => texts.no_end().to_owned(),
        ImportProblem::NoUid => texts.no_uid().to_owned(),
        ImportProblem::Duplicate => texts.duplicate().to_owned(),
        ImportProblem::Cancelled => texts.cancelled().to_owned(),
        ImportProblem::Past => texts.past().to_owned(),
        ImportProblem::Zone { name } => texts.zone(name),
        ImportProblem::ZoneDiffers { name } => texts.zone_differs(name),
        ImportProblem::Method { name } => texts.method(name),
        ImportProblem::NoSeries => texts.no_series().to_owned(),
        ImportProblem::ChangedHere => texts.changed_here().to_owned(),
        ImportProblem::Invalid {
            refusal: DomainError::Invalid { field, problem: ValidationError::Empty },
        } if field == "title" => texts.no_title().to_owned(),
        ImportProblem::Attendee { address } => texts.attendee(address),
        ImportProblem::Taken { title } => texts.taken(title),
        ImportProblem::Invalid { refusal } => sentence(language, refusal),
    }
}
