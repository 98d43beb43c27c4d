//! `/review`: the texts that wait for a reviewer.

use crate::{
    live::live_resource,
    review::{
        server_fns::{WaitingReviews, list_reviews},
        state::{Asked, HeldTime, ReviewMark, hits_line, then},
    },
    ui::{
        async_view::AsyncView,
        empty::Empty,
        page::header::PageHeader,
        result::flash::Flash,
        table::keys::use_list_keys,
        time::date_time::{DateTime, Relative},
    },
};
use domain::review::workflow::{Review, Workflow};
use leptos::{html, prelude::*};
use leptos_router::hooks::use_query_map;
use texts::review::ReviewTexts;

/// The list.
#[component]
pub fn Reviews() -> impl IntoView {
    let texts = ReviewTexts::here();
    let read = live_resource(|change| change.entity == "article", || (), |()| list_reviews());
    let messages = vec![("approve", texts.was_approved()), ("send_back", texts.was_sent_back())];
    view! {
        <PageHeader title=texts.title().to_owned() lead=texts.lead() />
        <Flash messages=messages />
        <AsyncView from=read children=|waiting| view! { <List waiting=waiting /> } />
    }
}

#[component]
fn List(waiting: Signal<WaitingReviews>) -> impl IntoView {
    let texts = ReviewTexts::here();
    let list = NodeRef::<html::Ul>::new();
    use_list_keys(list);
    let query = use_query_map();
    let is_mine = Memo::new(move |_| query.with(|query| query.get("asked").as_deref() == Some("me")));
    move || {
        let WaitingReviews { reviews, workflow } = waiting.get();
        let is_mine = is_mine.get();
        let filter = (is_mine || reviews.iter().any(|review| review.is_asked))
            .then(|| view! { <Filter is_mine=is_mine /> });
        let reviews: Vec<Review> = reviews.into_iter().filter(|review| !is_mine || review.is_asked).collect();
        if is_mine && reviews.is_empty() {
            return view! { {filter} <Empty title=texts.none_asked() hint=texts.none_asked_hint() /> }
                .into_any();
        }
        if reviews.is_empty() {
            let is_off = workflow == Workflow::None;
            let hint = if is_off { texts.off_hint() } else { texts.none_hint() };
            return view! { <Empty title=texts.none() hint=hint /> }.into_any();
        }
        let rows = reviews.into_iter().map(|review| view! { <Row review=review /> }).collect_view();
        view! { {filter} <ul class="review-list" node_ref=list>{rows}</ul> }.into_any()
    }
}

/// All texts that wait, or those for which the user was asked.
#[component]
fn Filter(is_mine: bool) -> impl IntoView {
    let texts = ReviewTexts::here();
    let link = |href: &'static str, label: &'static str, is_current: bool| {
        view! { <a href=href aria-current=is_current.then_some("page")>{label}</a> }
    };
    view! {
        <nav class="list-tabs" aria-label=texts.filter()>
            {link("/review", texts.all(), !is_mine)}
            {link("/review?asked=me", texts.asked_me(), is_mine)}
        </nav>
    }
}

#[component]
fn Row(review: Review) -> impl IntoView {
    let texts = ReviewTexts::here();
    let page = format!("/review/{}", review.article_id);
    let hits = hits_line(&review);
    let is_at_once = review.publishes_at_once();
    view! {
        <li class="review-row">
            <div class="review-name">
                <a href=page dir="auto">{review.title}</a>
                <span class="muted"><bdi>{review.owner}</bdi>" · "{texts.revision(review.revision)}" · "{hits}</span>
                {review.assigned.map(|name| view! { <span class="muted">{texts.assigned(name)}</span> })}
                <Asked asked=review.asked is_asked=review.is_asked />
            </div>
            <div class="review-facts">
                <ReviewMark state=review.state />
                {review.deadline.map(|at| view! {
                    <span>{texts.deadline()}" "<strong><Relative at=at.at /></strong>" · "<DateTime at=at /></span>
                    <span class="muted">{then(review.decision)}</span>
                })}
                {review.planned.map(|at| view! { <span class="muted">{texts.planned()}" "<DateTime at=at /></span> })}
                {review.held.map(|at| view! { <HeldTime at=at is_at_once=is_at_once /> })}
                {review.first.filter(|_| review.state.is_open()).map(|first| view! { <span class="muted">{texts.first_approval(first.reviewer)}</span> })}
                {review.is_own.then(|| view! { <span class="muted">{texts.own()}</span> })}
            </div>
        </li>
    }
}
