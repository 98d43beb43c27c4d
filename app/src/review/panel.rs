//! The review on the page of an article.

use crate::{
    review::{
        hits::HitTerms,
        server_fns::SubmitForReview,
        state::{HeldTime, ReviewMark, hits_line, newer, then, why},
    },
    ui::{
        form::PlainForm,
        time::date_time::{DateTime, Relative},
    },
};
use domain::{
    article::Article,
    review::workflow::{Review, ReviewState, Workflow},
};
use leptos::prelude::*;
use server_fn::ServerFn;
use texts::review::ReviewTexts;

/// State of the review, why, and the button that submits. Nothing while the desk reviews nothing.
#[component]
pub fn ReviewPanel(
    /// The article.
    #[prop(into)]
    article: Signal<Article>,
    /// The revision that is submitted.
    #[prop(into)]
    seen: Signal<i32>,
) -> impl IntoView {
    let is_shown = Memo::new(move |_| {
        article.with(|article| article.workflow != Workflow::None || article.review.is_some())
    });
    let state = Memo::new(move |_| article.with(|article| (article.workflow, article.review.clone())));
    // The card of the held task says why, and since when.
    let is_said = Memo::new(move |_| article.with(|article| article.row.held.is_some()));
    move || {
        is_shown.get().then(|| {
            view! {
                <section class="schedule review-panel" aria-labelledby="review-heading">
                    <h2 id="review-heading">{ReviewTexts::here().title()}</h2>
                    {move || match state.get() {
                        (_, Some(review)) => view! { <State review=review is_said=is_said.get() /> }.into_any(),
                        (workflow, None) => view! { <p>{not_submitted(workflow)}</p> }.into_any(),
                    }}
                    <SubmitForm article=article seen=seen />
                </section>
            }
        })
    }
}

fn not_submitted(workflow: Workflow) -> &'static str {
    let texts = ReviewTexts::here();
    match workflow {
        Workflow::OneReviewer | Workflow::TwoReviewers => texts.not_submitted(),
        Workflow::None | Workflow::Automatic => texts.not_submitted_auto(),
    }
}

/// The form that submits. It stays the same while the article changes, because it may wait for a save.
#[component]
fn SubmitForm(article: Signal<Article>, seen: Signal<i32>) -> impl IntoView {
    let label =
        Memo::new(move |_| article.with(|article| submit_label(article).filter(|_| article.may_change)));
    let is_shown = Memo::new(move |_| label.get().is_some());
    let id = article.with_untracked(|article| article.row.id.to_string());
    move || {
        let id = id.clone();
        is_shown.get().then(|| {
            view! {
                <PlainForm function=SubmitForReview::PATH about=id.clone()>
                    <input type="hidden" name="id" value=id />
                    <input type="hidden" name="seen" value=move || seen.get() />
                    <p><button class="button" type="submit">{move || label.get()}</button></p>
                </PlainForm>
            }
        })
    }
}

/// Label of the button that submits; `None`: there is nothing to submit.
fn submit_label(article: &Article) -> Option<&'static str> {
    let texts = ReviewTexts::here();
    if article.workflow == Workflow::None {
        return None;
    }
    let Some(review) = &article.review else { return Some(texts.submit()) };
    match review.state {
        _ if review.newer_edits > 0 => Some(texts.submit_newer()),
        ReviewState::Submitted | ReviewState::Approved => None,
        ReviewState::SentBack | ReviewState::Expired | ReviewState::Held => Some(texts.submit_again()),
    }
}

#[component]
fn State(review: Review, is_said: bool) -> impl IntoView {
    let texts = ReviewTexts::here();
    let (hits, newer) = (hits_line(&review), newer(&review));
    let reason = if is_said && review.state == ReviewState::Held { String::new() } else { why(&review) };
    let is_at_once = review.publishes_at_once();
    let page = format!("/review/{}", review.article_id);
    let found = review.hits;
    let comments = match review.open_comments {
        0 => None,
        1 => Some(texts.open_comment().to_owned()),
        n => Some(texts.open_comments(n)),
    };
    let comments = comments.map(|label| (format!("{page}#comments"), label));
    view! {
        <p class="row">
            <ReviewMark state=review.state />
            <span class="muted">{texts.revision(review.revision)}" · "{hits}</span>
        </p>
        {(!reason.is_empty()).then(|| view! { <p>{reason}</p> })}
        {(!review.reason.is_empty()).then(|| view! { <p class="review-reason" dir="auto">{review.reason}</p> })}
        {review.first.filter(|_| review.state.is_open()).map(|first| view! {
            <p>{texts.first_approval(first.reviewer)} " " <span class="muted"><DateTime at=first.at /></span></p>
        })}
        {review.deadline.map(|at| view! {
            <p>
                {texts.deadline()} " " <strong><Relative at=at.at /></strong> " · " <DateTime at=at /> " · " {then(review.decision)}
            </p>
        })}
        {review.held.filter(|_| !is_said).map(|at| view! { <p><HeldTime at=at is_at_once=is_at_once /></p> })}
        {review.assigned.map(|name| view! { <p class="muted">{texts.assigned(name)}</p> })}
        {newer.map(|line| view! { <p class="notice warn">{line}</p> })}
        {(!found.is_empty()).then(|| view! { <HitTerms hits=found /> })}
        <p>
            <a href=page>{texts.open_review()}</a>
            {comments.map(|(href, label)| view! { " · " <a href=href>{label}</a> })}
        </p>
    }
}
