//! Why a term of a word list is refused, for the line below the field.

use crate::{Language, texts};
use domain::review::problem::TermProblem;

texts! {
    /// Sentences without the name of the field.
    TermProblemTexts {
        line(number: u32, why: String) = "term {number} {why}", "第 {number} 条{why}";
        nothing_visible = "has no visible letter or sign", "没有可见的文字或符号";
        matches_everything = "matches every text", "会匹配任何文本";
        not_a_pattern(why: &str) = "is not a regular expression: {why}", "不是有效的正则表达式：{why}";
        too_large_pattern = "is a regular expression that becomes too large; use fewer repetitions", "正则表达式过大，请减少重复次数";
        too_slow_pattern = "is a regular expression that takes too long on a long text; use fewer of * and +", "正则表达式在长文本上耗时过长，请减少 * 和 +";
        too_many_patterns(max: u32) = "is one regular expression too many: all lists together have at most {max}", "正则表达式过多：所有词库合计最多 {max} 个";
        no_replacement = "needs a replacement, because its list replaces", "缺少替换内容，因为该词库会替换";
    }
}

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
