//! The state of a review as icon and word, and what it means.

use crate::ui::{icon::Icon, result::ActionResult, time::date_time::DateTime};
use domain::{
    ArticleId, LocalizedTime,
    review::{
        Action, Verdict,
        workflow::{DeadlineDecision, Review, ReviewState, Reviewer},
    },
};
use leptos::prelude::*;
use texts::review::{ReviewTexts, words::WordTexts};

/// Begin of the value in the URL: an approval published an article that was held. The article's id follows.
const PUBLISHED: &str = "approve_held.";

/// Name of the icon and of the colour of a state.
const fn look(state: ReviewState) -> (&'static str, &'static str) {
    match state {
        ReviewState::Submitted => ("due", "scheduled"),
        ReviewState::Held => ("pause", "due"),
        ReviewState::Approved => ("executed", "executed"),
        ReviewState::SentBack => ("failed", "failed"),
        ReviewState::Expired => ("missed", "missed"),
    }
}

/// Icon and word.
#[component]
pub fn ReviewMark(
    /// The state.
    state: ReviewState,
) -> impl IntoView {
    let texts = ReviewTexts::here();
    let (icon, tone) = look(state);
    let word = match state {
        ReviewState::Submitted => texts.submitted(),
        ReviewState::Held => texts.held(),
        ReviewState::Approved => texts.approved(),
        ReviewState::SentBack => texts.sent_back(),
        ReviewState::Expired => texts.expired(),
    };
    view! { <span class="phase review-mark" data-phase=tone><Icon name=icon />{word}</span> }
}

/// Word of an action of a word list.
#[must_use]
pub fn action_word(action: Action) -> &'static str {
    let texts = ReviewTexts::here();
    match action {
        Action::Replace => texts.replace(),
        Action::Flag => texts.flag(),
        Action::NeedsApproval => texts.needs_approval(),
        Action::Block => texts.block(),
    }
}

/// What a list does with its terms.
#[must_use]
pub fn action_text(action: Action) -> &'static str {
    let texts = WordTexts::here();
    match action {
        Action::Block => texts.block(),
        Action::NeedsApproval => texts.needs_approval(),
        Action::Flag => texts.flag(),
        Action::Replace => texts.replace(),
    }
}

/// Number of hits, with the verdict.
#[must_use]
pub fn hits_line(review: &Review) -> String {
    let texts = ReviewTexts::here();
    let count = match review.hit_count {
        0 => return texts.clean().to_owned(),
        1 => texts.hits_one().to_owned(),
        n => texts.hits(n),
    };
    let verdict = match review.verdict {
        Verdict::Clean => return count,
        Verdict::Flag => texts.flag(),
        Verdict::NeedsApproval => texts.needs_approval(),
        Verdict::Block => texts.block(),
    };
    format!("{count} · {verdict}")
}

/// What happens at the deadline.
#[must_use]
pub fn then(decision: DeadlineDecision) -> &'static str {
    let texts = ReviewTexts::here();
    match decision {
        DeadlineDecision::SendBack => texts.then_send_back(),
        DeadlineDecision::Approve => texts.then_approve(),
        DeadlineDecision::Hold => texts.then_hold(),
        DeadlineDecision::Escalate => texts.then_escalate(),
    }
}

/// Why a review is in its state; empty: the state says it.
#[must_use]
pub fn why(review: &Review) -> String {
    let texts = ReviewTexts::here();
    match (review.state, review.verdict, &review.reviewer) {
        (ReviewState::Held, Verdict::Block, _) => texts.held_block().to_owned(),
        (ReviewState::Held, Verdict::NeedsApproval, _) => texts.held_words().to_owned(),
        (ReviewState::Held, ..) => texts.held_other().to_owned(),
        (ReviewState::Expired, ..) => texts.expired_why().to_owned(),
        (ReviewState::Approved, _, Some(name)) => match &review.first {
            Some(first) => texts.approved_by_both(&first.reviewer, name),
            None => texts.approved_by(name.clone()),
        },
        (ReviewState::Approved, _, None) => texts.approved_auto().to_owned(),
        (ReviewState::SentBack, _, Some(name)) => texts.sent_back_by(name.clone()),
        (ReviewState::SentBack, _, None) => texts.sent_back_why().to_owned(),
        (ReviewState::Submitted, ..) => String::new(),
    }
}

/// Who was asked; nothing: any reviewer.
#[component]
pub fn Asked(
    /// Who was asked.
    asked: Vec<Reviewer>,
    /// Whether the user was.
    is_asked: bool,
) -> impl IntoView {
    let texts = ReviewTexts::here();
    (!asked.is_empty()).then(|| {
        let names: Vec<String> = asked.into_iter().map(|one| one.name).collect();
        view! {
            <p class="muted asked">
                {is_asked.then(|| view! { <strong>{texts.asked_you()}</strong> " " })}
                {texts.asked(names.join(texts.comma()))}
            </p>
        }
    })
}

/// When a held text was planned to be published, and that approving it publishes it.
#[component]
pub fn HeldTime(
    /// When it was planned.
    at: LocalizedTime,
    /// Whether the next approval publishes it.
    is_at_once: bool,
) -> impl IntoView {
    let texts = ReviewTexts::here();
    let then = match is_at_once {
        true => texts.approving_publishes(),
        false => texts.second_publishes(),
    };
    view! { <span>{texts.was_planned()} " " <DateTime at=at /> {then}</span> }
}

/// Value in the URL: the approval published this article, which was held.
#[must_use]
pub fn published_value(article: ArticleId) -> String {
    format!("{PUBLISHED}{article}")
}

/// Returns the result that a value of the URL names; `None`: it is about something else.
#[must_use]
pub fn result_of_value(value: &str) -> Option<ActionResult> {
    let article: ArticleId = value.strip_prefix(PUBLISHED)?.parse().ok()?;
    let texts = ReviewTexts::here();
    let result = ActionResult::new(texts.was_published());
    Some(result.with_link(format!("/articles/{article}"), texts.open_article()))
}

/// How many newer edits are not part of a review; `None`: there are none.
#[must_use]
pub fn newer(review: &Review) -> Option<String> {
    let texts = ReviewTexts::here();
    match review.newer_edits {
        0 => None,
        1 => Some(texts.newer_one().to_owned()),
        n => Some(texts.newer(n)),
    }
}
