//! The review on the page of an article.

use crate::{
    review::{
        hits::HitTerms,
        server_fns::{AskReviewers, SubmitForReview},
        state::{Asked, HeldTime, ReviewMark, hits_line, newer, then, why},
    },
    ui::{
        form::PlainForm,
        time::date_time::{DateTime, Relative},
    },
};
use domain::{
    AccountId, ArticleId,
    accounts::group::Group,
    article::{Article, Drift},
    review::workflow::{Review, ReviewState, Reviewer, Workflow},
};
use leptos::prelude::*;
use server_fn::ServerFn;
use texts::{articles::schedule::ScheduleTexts, review::ReviewTexts};

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
    let drift = Memo::new(move |_| {
        article.with(|article| drift_to_submit(article).map(|drift| (article.row.id, drift)))
    });
    move || {
        is_shown.get().then(|| {
            view! {
                <section class="schedule review-panel" aria-labelledby="review-heading">
                    <h2 id="review-heading">{ReviewTexts::here().title()}</h2>
                    {move || match state.get() {
                        (_, Some(review)) => {
                            let is_ahead = drift.with(Option::is_some);
                            view! { <State review=review is_said=is_said.get() is_ahead=is_ahead /> }.into_any()
                        }
                        (workflow, None) => view! { <p>{not_submitted(workflow)}</p> }.into_any(),
                    }}
                    {move || drift.get().map(|(id, drift)| view! {
                        <div class="notice warn"><DriftLine article=id drift=drift /></div>
                    })}
                    <SubmitForm article=article seen=seen />
                    <AskForm article=article />
                </section>
            }
        })
    }
}

/// The changes that the scheduled text lacks, if they must be submitted before it can take them. Then the
/// review says so, with the button.
#[must_use]
pub fn drift_to_submit(article: &Article) -> Option<Drift> {
    article.drift.filter(|_| article.workflow.reviewers() > 0 && submit_label(article).is_some())
}

/// How many changes the scheduled text lacks, and where they are shown.
#[component]
pub fn DriftLine(
    /// The article.
    article: ArticleId,
    /// The difference.
    drift: Drift,
) -> impl IntoView {
    let texts = ScheduleTexts::here();
    let changes = format!("/articles/{article}/revisions?from={}", drift.pinned);
    view! { <p>{texts.drift(drift.changes)} " " <a href=changes>{texts.show_changes()}</a></p> }
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
    let is_main = Memo::new(move |_| article.with(|article| drift_to_submit(article).is_some()));
    let id = article.with_untracked(|article| article.row.id.to_string());
    move || {
        let id = id.clone();
        is_shown.get().then(|| {
            view! {
                <PlainForm function=SubmitForReview::PATH about=id.clone()>
                    <input type="hidden" name="id" value=id />
                    <input type="hidden" name="seen" value=move || seen.get() />
                    <AskFields article=article />
                    <p><button class="button" class:main=move || is_main.get() type="submit">{move || label.get()}</button></p>
                </PlainForm>
            }
        })
    }
}

/// The form that changes who is asked, while the newest text waits for a reviewer.
#[component]
fn AskForm(article: Signal<Article>) -> impl IntoView {
    let waiting = Memo::new(move |_| article.with(waiting_revision));
    let id = article.with_untracked(|article| article.row.id.to_string());
    move || {
        let id = id.clone();
        waiting.get().map(|revision| {
            view! {
                <PlainForm function=AskReviewers::PATH about=id.clone()>
                    <input type="hidden" name="id" value=id />
                    <input type="hidden" name="seen" value=revision />
                    <AskFields article=article has_button=true />
                </PlainForm>
            }
        })
    }
}

/// The revision that waits for a reviewer, if it is the newest one.
fn waiting_revision(article: &Article) -> Option<i32> {
    let review = article.review.as_ref().filter(|_| article.may_change)?;
    let waits = review.state == ReviewState::Submitted && review.newer_edits == 0;
    waits.then_some(review.revision)
}

/// The reviewers who may be asked, as boxes. Those who were asked before are chosen. Nothing without any.
#[component]
fn AskFields(
    article: Signal<Article>,
    /// Whether the form has no other button.
    #[prop(optional)]
    has_button: bool,
) -> impl IntoView {
    let texts = ReviewTexts::here();
    let (owner, reviewers, asked) = article.with_untracked(|article| {
        let asked = article.review.as_ref().map(|review| review.asked.clone()).unwrap_or_default();
        (article.row.owner_id, article.reviewers.clone(), asked)
    });
    let groups = article.with_untracked(|article| article.groups.clone());
    let others: Vec<Reviewer> = reviewers.into_iter().filter(|one| one.id != owner).collect();
    if others.is_empty() {
        return ().into_any();
    }
    let boxes = others.into_iter().enumerate().map(|(place, one)| {
        let checked = asked.iter().any(|other| other.id == one.id);
        view! {
            <label class="choice">
                <input
                    type="checkbox" name=format!("reviewers[{place}]") value=one.id.to_string() checked=checked
                />
                <span dir="auto">{one.name}</span>
            </label>
        }
    });
    view! {
        <details class="open-in-place" open=!asked.is_empty()>
            <summary class="button small">{texts.ask_open()}</summary>
            <fieldset class="ask-reviewers">
                <legend>{texts.ask()}</legend>
                {boxes.collect_view()}
                <AskGroups groups=groups owner=owner />
                <p class="hint">{texts.ask_hint()}</p>
                {has_button.then(|| view! {
                    <p><button class="button small" type="submit">{texts.ask_now()}</button></p>
                })}
            </fieldset>
        </details>
    }
    .into_any()
}

/// The groups with reviewers who may be asked, as boxes. Nothing without any.
#[component]
fn AskGroups(
    groups: Vec<Group>,
    /// Owner of the article, who is not asked.
    owner: AccountId,
) -> impl IntoView {
    let texts = ReviewTexts::here();
    let asks = |group: &Group| {
        let members = group.members.iter();
        members.filter(|member| member.may_review && member.id != owner).count()
    };
    let groups: Vec<Group> = groups.into_iter().filter(|group| asks(group) > 0).collect();
    if groups.is_empty() {
        return ().into_any();
    }
    let boxes = groups.into_iter().enumerate().map(|(place, group)| {
        let count = texts.group_asks(asks(&group));
        view! {
            <label class="choice">
                <input type="checkbox" name=format!("groups[{place}]") value=group.id.to_string() />
                <span dir="auto">{group.name}</span>
                " "
                <span class="muted">{count}</span>
            </label>
        }
    });
    view! {
        {boxes.collect_view()}
        <p class="hint">{texts.groups_hint()}</p>
    }
    .into_any()
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
fn State(
    review: Review,
    /// Whether the card of a held task says why.
    is_said: bool,
    /// Whether the changes that the scheduled text lacks are counted instead of the newer edits.
    is_ahead: bool,
) -> impl IntoView {
    let texts = ReviewTexts::here();
    let (hits, newer) = (hits_line(&review), newer(&review).filter(|_| !is_ahead));
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
        <Asked asked=review.asked is_asked=review.is_asked />
        {newer.map(|line| view! { <p class="notice warn">{line}</p> })}
        {(!found.is_empty()).then(|| view! { <HitTerms hits=found /> })}
        <p>
            <a href=page>{texts.open_review()}</a>
            {comments.map(|(href, label)| view! { " · " <a href=href>{label}</a> })}
        </p>
    }
}
