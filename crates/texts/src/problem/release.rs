//! Why an action on a release is refused, and why an article of it is blocked.

use crate::Language;
use domain::releases::{ItemProblem, ReleaseProblem, read_blocked_reason};

sets!(problem: ReleaseProblemTexts);

/// Says why an article is blocked, as the end of a sentence about it.
#[must_use]
pub fn item_problem(language: Language, problem: ItemProblem) -> &'static str {
    let texts = ReleaseProblemTexts(language);
    match problem {
        ItemProblem::Gone => texts.gone(),
        ItemProblem::InTrash => texts.in_trash(),
        ItemProblem::OlderText => texts.older_text(),
        ItemProblem::NotPublic => texts.not_public(),
        ItemProblem::Checklist => texts.checklist(),
        ItemProblem::NotApproved => texts.not_approved(),
        ItemProblem::WordsBlock => texts.words_block(),
        ItemProblem::WordsApproval => texts.words_approval(),
        ItemProblem::ChangedSince => texts.changed_since(),
        ItemProblem::InOtherRelease => texts.in_other_release(),
    }
}

/// Says why.
pub(crate) fn release_problem(language: Language, problem: &ReleaseProblem) -> String {
    let texts = ReleaseProblemTexts(language);
    match problem {
        ReleaseProblem::NoArticles => texts.no_articles().to_owned(),
        ReleaseProblem::Blocked { title, problem, others: 0 } => {
            texts.blocked(title, item_problem(language, *problem))
        }
        ReleaseProblem::Blocked { title, problem, others } => {
            texts.blocked_and(title, item_problem(language, *problem), *others)
        }
        ReleaseProblem::Taken { title, release } => texts.taken(title, release),
        ReleaseProblem::Scheduled => texts.scheduled().to_owned(),
        ReleaseProblem::Published => texts.published().to_owned(),
        ReleaseProblem::NotPublished => texts.not_published().to_owned(),
        ReleaseProblem::InScheduled { release } => texts.in_scheduled(release),
    }
}

/// Sentence for the reason of a task of a release; `None`: it is another reason.
pub(crate) fn blocked_sentence(language: Language, reason: &str) -> Option<String> {
    let (problem, title) = read_blocked_reason(reason)?;
    Some(ReleaseProblemTexts(language).blocked(title, item_problem(language, problem)))
}
