//! Why a series is refused, for the line below the field.

use crate::{Language, time::date_text};
use domain::series::SeriesProblem;

sets!(problem: SeriesProblemTexts);

/// Describes the problem.
pub(crate) fn series_problem(language: Language, why: &SeriesProblem) -> String {
    let texts = SeriesProblemTexts(language);
    match why {
        SeriesProblem::TooFarAhead { months, last_date, count } => {
            texts.too_far_ahead(*months, &date_text(language, last_date), *count)
        }
        SeriesProblem::NotBetween { min, max } => texts.not_between(*min, *max),
        SeriesProblem::NotOrdinal { max } => texts.not_ordinal(*max),
        SeriesProblem::NoSuchDay { month, day } => texts.no_such_day(*month, *day),
        SeriesProblem::Unsupported { part } => texts.unsupported(part),
        SeriesProblem::NoEnd => texts.no_end().to_owned(),
        SeriesProblem::TwoEnds => texts.two_ends().to_owned(),
        SeriesProblem::EndsBeforeStart => texts.ends_before_start().to_owned(),
        SeriesProblem::Empty => texts.empty().to_owned(),
        SeriesProblem::NotUsed { .. } => texts.not_used().to_owned(),
        SeriesProblem::TwoDays => texts.two_days().to_owned(),
        SeriesProblem::NotOneWeekday => texts.not_one_weekday().to_owned(),
        SeriesProblem::NoNth => texts.no_nth().to_owned(),
        SeriesProblem::NotADate => texts.not_a_date().to_owned(),
        SeriesProblem::NotAMinute => texts.not_a_minute().to_owned(),
        SeriesProblem::TooOften => texts.too_often().to_owned(),
        SeriesProblem::OverlapsItself => texts.overlaps_itself().to_owned(),
        SeriesProblem::NotUpcoming => texts.not_upcoming().to_owned(),
        SeriesProblem::RuleOfOne => texts.rule_of_one().to_owned(),
    }
}
