//! The time of a form: a date and a time, or words, which only forms without JavaScript send.

use crate::server_fns::time_of_form::{TimeOfForm, local_time};
use domain::{
    Actor, DomainError, Services, When,
    base::when::{Question, TypedWords, WordsMeaning, WordsReading, problem::WhenProblem},
    error::ValidationError,
    time::Disambiguation,
};

/// Returns the time that a form means. Words with several readings are refused until `which` names
/// one of them.
pub async fn time_of_form(
    services: &Services,
    actor: &Actor,
    typed: &TimeOfForm,
) -> Result<When, DomainError> {
    let TimeOfForm { words, date, time, zone, which, reading } = typed;
    if words.trim().is_empty() {
        return Ok(local_time(date, time, zone, which));
    }
    let zone = Some(zone.trim().to_owned()).filter(|zone| !zone.is_empty());
    let asked = TypedWords { text: words.clone(), zone, ..TypedWords::default() };
    let meaning = services.tasks.read_words(actor, asked).await.map_err(|refusal| match refusal {
        DomainError::Invalid { field, problem } if field == "text" => DomainError::invalid("time", problem),
        other => other,
    })?;
    let chosen = meaning.readings.iter().find(|one| one.local == *reading || is_chosen(one, which));
    match chosen.or_else(|| meaning.only()) {
        Some(reading) => Ok(meaning.when(reading)),
        None => Err(question(&meaning)),
    }
}

fn is_chosen(reading: &WordsReading, which: &str) -> bool {
    match reading.disambiguation {
        Some(Disambiguation::Earlier) => which == "earlier",
        Some(Disambiguation::Later) => which == "later",
        None => reading.local == which,
    }
}

/// The refusal that asks which reading is meant.
fn question(meaning: &WordsMeaning) -> DomainError {
    let zone = meaning.zone.clone();
    match (meaning.question, &meaning.readings[..]) {
        (Some(Question::DoubledTime), [earlier, later]) => DomainError::DoubledTime {
            field: "local".to_owned(),
            local: earlier.local.clone(),
            zone,
            earlier: earlier.moment.at,
            later: later.moment.at,
        },
        (Some(Question::SkippedTime), [before, after]) => DomainError::SkippedTime {
            field: "local".to_owned(),
            local: after.local.clone(),
            zone,
            before: before.local.clone(),
            after: after.local.clone(),
        },
        _ => {
            let why = WhenProblem::Several { locals: meaning.locals() };
            DomainError::invalid("time", ValidationError::When { why })
        }
    }
}
