//! Why a term of a word list is refused, for the line below the field.

use crate::Language;
use domain::review::problem::TermProblem;

sets!(problem: TermProblemTexts);

/// Describes the problem of one of several terms.
pub(crate) fn line_problem(language: Language, number: u32, why: String) -> String {
    TermProblemTexts(language).line(number, why)
}

/// Describes the problem.
#[must_use]
pub fn term_problem(language: Language, why: &TermProblem) -> String {
    let texts = TermProblemTexts(language);
    match why {
        TermProblem::NothingVisible => texts.nothing_visible().to_owned(),
        TermProblem::MatchesEverything => texts.matches_everything().to_owned(),
        TermProblem::NotAPattern { why } => texts.not_a_pattern(why),
        TermProblem::TooLargePattern => texts.too_large_pattern().to_owned(),
        TermProblem::TooSlowPattern => texts.too_slow_pattern().to_owned(),
        TermProblem::TooManyPatterns { max } => texts.too_many_patterns(*max),
        TermProblem::NoReplacement => texts.no_replacement().to_owned(),
    }
}
