//! Why an action of a review is refused.

use crate::Language;
use crate::problem::task::shown;
use domain::review::workflow::{ReviewProblem, ReviewState, checklist::CheckItem};

sets!(problem: ReviewProblemTexts);

/// Says why.
pub(crate) fn review_problem(language: Language, problem: &ReviewProblem) -> String {
    let texts = ReviewProblemTexts(language);
    match problem {
        ReviewProblem::NoWorkflow => texts.no_workflow().to_owned(),
        ReviewProblem::NotSubmitted => texts.not_submitted().to_owned(),
        ReviewProblem::Closed { state } => closed(texts, *state).to_owned(),
        ReviewProblem::Stale { revision } => texts.stale(*revision),
        ReviewProblem::Own => texts.own().to_owned(),
        ReviewProblem::First => texts.first().to_owned(),
        ReviewProblem::Assigned { to } => texts.assigned(to),
        ReviewProblem::Blocked { terms } => texts.blocked(terms),
        ReviewProblem::Words { terms } => texts.words(terms),
        ReviewProblem::NewHits => texts.new_hits().to_owned(),
        ReviewProblem::NotApproved { planned: None } => texts.not_approved().to_owned(),
        ReviewProblem::NotApproved { planned: Some(due) } => texts.stays_planned(shown(language, *due)),
        ReviewProblem::Checklist { items } => {
            let words: Vec<&str> = items.iter().map(|item| needed(texts, *item)).collect();
            texts.checklist(&words.join(crate::punctuation::list_comma(language)))
        }
        ReviewProblem::NoReviewer => texts.no_reviewer().to_owned(),
    }
}

fn needed(texts: ReviewProblemTexts, item: CheckItem) -> &'static str {
    match item {
        CheckItem::Title => texts.item_title(),
        CheckItem::Summary => texts.item_summary(),
        CheckItem::AltTexts => texts.item_alt_texts(),
        CheckItem::Marks => texts.item_marks(),
        CheckItem::Headings => texts.item_headings(),
        CheckItem::Links => texts.item_links(),
        CheckItem::OwnLinks => texts.item_own_links(),
    }
}

fn closed(texts: ReviewProblemTexts, state: ReviewState) -> &'static str {
    match state {
        ReviewState::Approved => texts.approved(),
        ReviewState::SentBack => texts.sent_back(),
        ReviewState::Expired => texts.expired(),
        ReviewState::Submitted | ReviewState::Held => texts.open(),
    }
}
