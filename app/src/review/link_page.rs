//! `/review/link/{secret}`: a text for a reviewer without an account. Opening it changes nothing.

use crate::{
    review::{
        server_fns::{DecideByLink, linked_text},
        state::HeldTime,
    },
    ui::{
        form::{PlainForm, refusal_of, textarea::Textarea, typed},
        page::header::PageHeader,
        time::date_time::DateTime,
    },
};
use domain::{
    DomainError,
    media::address::PREFIX,
    review::workflow::{self, LinkedReview},
};
use leptos::{either::Either, prelude::*};
use leptos_router::hooks::use_params_map;
use server_fn::ServerFn;
use texts::{colon, review::ReviewTexts};

/// Stands for the secret after a decision.
const DONE: &str = "done";

/// The text, or that the link cannot be used.
#[component]
pub fn LinkPage() -> impl IntoView {
    let texts = ReviewTexts::here();
    let secret = use_params_map().with_untracked(|params| params.get("secret")).unwrap_or_default();
    if secret == DONE {
        return view! {
            <PageHeader title=texts.link_title().to_owned() />
            <p class="notice good" role="status">{texts.link_done()}</p>
        }
        .into_any();
    }
    let asked = secret.clone();
    let found = Resource::new(move || asked.clone(), linked_text);
    view! {
        <Suspense>
            {move || {
                let secret = secret.clone();
                Suspend::new(async move {
                    match found.await {
                        Ok(review) => view! { <LinkedText secret=secret review=review /> }.into_any(),
                        Err(_) => view! {
                            <PageHeader title=texts.link_title().to_owned() />
                            <p class="notice warn">{texts.link_spent()}</p>
                        }
                        .into_any(),
                    }
                })
            }}
        </Suspense>
    }
    .into_any()
}

#[component]
fn LinkedText(secret: String, review: LinkedReview) -> impl IntoView {
    let texts = ReviewTexts::here();
    let path = DecideByLink::PATH;
    let is_open = refusal_of(path).is_some_and(|refusal: DomainError| refusal.is_about(&["reason"]));
    let reason = typed(path, "reason").unwrap_or_default();
    view! {
        <PageHeader title=review.title lead=texts.link_lead(review.desk, review.author) />
        <p class="muted">{texts.link_until()} " " <DateTime at=review.expires /></p>
        {review.planned.map(|at| view! { <p class="muted">{texts.planned()} " " <DateTime at=at is_full=true /></p> })}
        {review.held.map(|at| {
            let is_at_once = review.publishes_at_once;
            view! { <p class="notice warn"><HeldTime at=at is_at_once=is_at_once /></p> }
        })}
        <ReviewedDetails details=review.details />
        <div class="prose" dir="auto" inner_html=review.html></div>
        <section class="panel review-decision" aria-labelledby="decision">
            <header><h2 id="decision">{texts.decision()}</h2></header>
            <PlainForm function=path class="stack">
                <input type="hidden" name="secret" value=secret />
                <p>
                    <button class="button main" type="submit" name="decision" value="approve">{texts.approve()}</button>
                </p>
                <details class="open-in-place" open=is_open>
                    <summary class="button">{texts.send_back_open()}</summary>
                    <div class="field">
                        <label for="reason">{texts.reason()}</label>
                        <Textarea name="reason" value=reason rows=4 />
                        <span class="hint">{texts.reason_hint()}</span>
                    </div>
                    <p>
                        <button class="button danger" type="submit" name="decision" value="send_back">{texts.send_back()}</button>
                    </p>
                </details>
            </PlainForm>
        </section>
    }
}

/// Summary and cover of a text, where it has them. Pictures of other servers are linked.
#[component]
pub fn ReviewedDetails(
    /// The details.
    details: workflow::ReviewedDetails,
) -> impl IntoView {
    let texts = ReviewTexts::here();
    let workflow::ReviewedDetails { summary, cover, cover_alt, cover_caption } = details;
    let is_empty = summary.is_empty() && cover.is_empty();
    let shown = view! {
        {(!summary.is_empty()).then(|| view! {
            <p><strong>{texts.summary()}</strong>{colon()}<span dir="auto">{summary}</span></p>
        })}
        {(!cover.is_empty()).then(|| view! {
            <figure>
                {match cover.starts_with(PREFIX) {
                    true => Either::Left(view! { <img src=cover alt=cover_alt /> }),
                    false => Either::Right(view! { <a href=cover.clone() rel="external noreferrer">{cover.clone()}</a> }),
                }}
                <figcaption class="muted"><strong>{texts.cover()}</strong>{colon()}<span dir="auto">{cover_caption}</span></figcaption>
            </figure>
        })}
    };
    (!is_empty).then(|| view! { <div class="prose">{shown}</div> })
}
