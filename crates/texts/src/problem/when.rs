//! Why a typed time is refused, for the line below the field.

use crate::Language;
use domain::base::when::problem::WhenProblem;

sets!(problem: WhenProblemTexts);

/// Describes the problem.
#[must_use]
pub fn when_problem(language: Language, why: &WhenProblem) -> String {
    let texts = WhenProblemTexts(language);
    match why {
        WhenProblem::NotUnderstood { part } => texts.not_understood(part),
        WhenProblem::Holiday { name } => texts.holiday(name),
        WhenProblem::Place { part, zone } => texts.place(part, zone),
        WhenProblem::TwoZones { one, other } => texts.two_zones(one, other),
        WhenProblem::NoTime => texts.no_time().to_owned(),
        WhenProblem::NoSuchTime { part } => texts.no_such_time(part),
        WhenProblem::OtherWeekday { date } => texts.other_weekday(date),
        WhenProblem::TooFar => texts.too_far().to_owned(),
        WhenProblem::NoSlots => texts.no_slots().to_owned(),
        WhenProblem::Repeats => texts.repeats().to_owned(),
        WhenProblem::NoRepeatDay => texts.no_repeat_day().to_owned(),
        WhenProblem::Several { locals } => {
            let times: Vec<String> = locals.iter().map(|local| local.replace('T', " ")).collect();
            texts.several(&times.join(", "))
        }
    }
}
