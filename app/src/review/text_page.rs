//! `/review/{article}`: one text under review, with what was found in it, and the decision.

use crate::{
    live::live_resource,
    review::{
        checks::panel::CheckedItems,
        comments::Comments,
        hits::HitList,
        link_page::ReviewedDetails,
        server_fns::{
            ApproveText, CreateReviewLink, NewReviewLink, SendTextBack, UndoApproval, find_review,
            new_review_link,
        },
        state::{Asked, HeldTime, ReviewMark, hits_line, newer, then, why},
    },
    session::visitor,
    ui::{
        async_view::AsyncView,
        copy_button::CopyButton,
        diff::Diff,
        form::{PlainForm, field::Field, refusal_of, result_of, textarea::Textarea, typed},
        icon::Icon,
        page::header::TabTitle,
        result::flash::Flash,
        shortcut::single_key,
        time::date_time::{DateTime, Relative},
    },
};
use domain::{
    Version,
    review::{ReviewedText, workflow::Review},
};
use leptos::prelude::*;
use leptos_router::hooks::use_params_map;
use server_fn::ServerFn;
use texts::review::{CheckTexts, ReviewTexts};

/// The page.
#[component]
pub fn ReviewPage() -> impl IntoView {
    let texts = ReviewTexts::here();
    let params = use_params_map();
    let id = Memo::new(move |_| params.with(|params| params.get("id").unwrap_or_default()));
    let own = id;
    let read = live_resource(
        move |change| {
            change.entity == "article"
                && own.try_with_untracked(|id| *id == change.entity_id.to_string()) == Some(true)
        },
        move || id.get(),
        find_review,
    );
    let created = Resource::new(|| (), |()| new_review_link());
    let messages = vec![
        ("approve", texts.was_approved()),
        ("undo_approval", texts.was_undone()),
        ("send_back", texts.was_sent_back()),
        ("comment", texts.was_commented()),
    ];
    view! {
        <Flash messages=messages />
        <Suspense>
            {move || Suspend::new(async move {
                created.await.ok().flatten().map(|link| view! { <NewLinkNotice link=link /> })
            })}
        </Suspense>
        <div class="review-page">
            <AsyncView from=read children=|text| view! { <TextView text=text /> } />
        </div>
    }
}

#[component]
fn NewLinkNotice(link: NewReviewLink) -> impl IntoView {
    let texts = ReviewTexts::here();
    let url = link.url.clone();
    view! {
        <section class="notice good new-secret" role="status">
            <p>{texts.link_ready(link.name)} " " {texts.link_until()} " " <DateTime at=link.expires /></p>
            <p class="row"><code class="secret" tabindex="0">{link.url}</code> <CopyButton text=url /></p>
        </section>
    }
}

#[component]
fn TextView(text: Signal<ReviewedText>) -> impl IntoView {
    let texts = ReviewTexts::here();
    let title = move || text.with(|text| text.review.title.clone());
    let review = Memo::new(move |_| text.with(|text| text.review.clone()));
    // A form is made again only if what it decides about has changed: it keeps what was typed.
    let decision = Memo::new(move |_| Review {
        version: Version(0),
        newer_edits: 0,
        open_comments: 0,
        deadline: None,
        planned: None,
        held: None,
        ..review.get()
    });
    let shown = Memo::new(move |_| {
        let mut shown = text.with(|text| ReviewedText { comments: Vec::new(), ..text.clone() });
        shown.review.open_comments = 0;
        shown
    });
    view! {
        <TabTitle title=Signal::derive(title) />
        {move || view! { <Header review=review.get() /> }}
        {move || view! { <Decision review=decision.get() /> }}
        {move || {
            let ReviewedText { review, body, html, details, check, public, diff, .. } = shown.get();
            let id = review.article_id;
            let (hits, title) = (review.hits, review.title);
            view! {
                {(!hits.is_empty()).then(|| view! {
                    <section class="panel" aria-labelledby="found">
                        <header><h2 id="found">{texts.found()}</h2></header>
                        <HitList hits=hits title=title body=body />
                    </section>
                })}
                {(!check.is_empty()).then(|| view! {
                    <section class="panel" aria-labelledby="checklist">
                        <header><h2 id="checklist">{CheckTexts::here().title()}</h2></header>
                        <CheckedItems id=id items=check />
                    </section>
                })}
                <section class="panel" aria-labelledby="reviewed-text">
                    <header><h2 id="reviewed-text">{texts.text()}</h2></header>
                    <ReviewedDetails details=details />
                    <div class="prose" dir="auto" inner_html=html></div>
                </section>
                {public.map(|_| view! {
                    <section class="panel" aria-labelledby="changes">
                        <header><h2 id="changes">{texts.changes()}</h2></header>
                        <Diff lines=diff />
                    </section>
                })}
            }
        }}
        <Comments text=text />
    }
}

/// Title, state, author and deadline.
#[component]
fn Header(review: Review) -> impl IntoView {
    let texts = ReviewTexts::here();
    let (reason, hits, newer) = (why(&review), hits_line(&review), newer(&review));
    let article = format!("/articles/{}", review.article_id);
    let is_at_once = review.publishes_at_once();
    view! {
        <header class="task-header">
            <p class="row">
                <ReviewMark state=review.state />
                <span class="eyebrow"><bdi>{review.owner}</bdi>" · "{texts.revision(review.revision)}" · "{hits}</span>
            </p>
            <h1 dir="auto">{review.title}</h1>
            {(!reason.is_empty()).then(|| view! { <p>{reason}</p> })}
            {(!review.reason.is_empty()).then(|| view! { <p class="review-reason" dir="auto">{review.reason}</p> })}
            {review.first.filter(|_| review.state.is_open()).map(|first| view! {
                <p>{texts.first_approval(first.reviewer)} " " <span class="muted"><DateTime at=first.at /></span></p>
            })}
            {review.deadline.map(|at| view! {
                <p>
                    {texts.deadline()} " " <strong><Relative at=at.at /></strong> " · " <DateTime at=at is_full=true /> " · "
                    {then(review.decision)}
                </p>
            })}
            {review.planned.map(|at| view! { <p class="muted">{texts.planned()} " " <DateTime at=at is_full=true /></p> })}
            {review.held.map(|at| view! { <p class="notice warn"><HeldTime at=at is_at_once=is_at_once /></p> })}
            {review.assigned.map(|name| view! { <p class="muted">{texts.assigned(name)}</p> })}
            <Asked asked=review.asked is_asked=review.is_asked />
            {newer.map(|line| view! { <p class="notice warn">{line}</p> })}
            <p class="row">
                <a href="/review"><Icon name="left" />{texts.back()}</a>
                <a href=article>{texts.open_article()}</a>
            </p>
        </header>
    }
}

/// The forms of the decision, or why there are none.
#[component]
fn Decision(review: Review) -> impl IntoView {
    let texts = ReviewTexts::here();
    let is_reviewer = visitor().is_reviewer();
    let why_not = match () {
        () if !review.state.is_open() => Some(texts.decided().to_owned()),
        () if !is_reviewer => Some(texts.not_reviewer().to_owned()),
        () if !review.may_decide => Some(texts.assigned(review.assigned.clone().unwrap_or_default())),
        () => None,
    };
    if let Some(why_not) = why_not {
        let undo = review.undo_until.map(|_| view! { <UndoForm review=review.clone() /> });
        return view! { <p class="why">{why_not}</p> {undo} }.into_any();
    }
    let id = review.article_id.to_string();
    view! {
        <section class="review-decision" aria-label=texts.decision()>
            {match why_not_approve(&review) {
                Some(why_not) => view! { <p class="why">{why_not}</p> }.into_any(),
                None => view! { <ApproveForm id=id.clone() review=review.clone() /> }.into_any(),
            }}
            <SendBackForm id=id.clone() seen=review.revision />
            {review.may_approve().then(|| view! { <LinkForm id=id /> })}
        </section>
    }
    .into_any()
}

/// Why the actor cannot approve a text that they may send back; `None`: they can.
fn why_not_approve(review: &Review) -> Option<&'static str> {
    let texts = ReviewTexts::here();
    match () {
        () if review.is_own => Some(texts.own()),
        () if review.is_first => Some(texts.is_first()),
        () if !review.may_approve() => Some(texts.blocked_hint()),
        () => None,
    }
}

#[component]
fn ApproveForm(id: String, review: Review) -> impl IntoView {
    let texts = ReviewTexts::here();
    view! {
        <PlainForm function=ApproveText::PATH about=id.clone() class="inline">
            <input type="hidden" name="id" value=id />
            <input type="hidden" name="seen" value=review.revision />
            <input type="hidden" name="hash" value=review.hash />
            <p class="row">
                <button
                    class="button main" type="submit" name="next" value="true" data-page-key=""
                    aria-keyshortcuts=single_key("a")
                >
                    <Icon name="check" />{texts.approve_next()}
                </button>
                <button class="button" type="submit">{texts.approve()}</button>
            </p>
        </PlainForm>
    }
}

#[component]
fn UndoForm(review: Review) -> impl IntoView {
    let texts = ReviewTexts::here();
    let id = review.article_id.to_string();
    view! {
        <PlainForm function=UndoApproval::PATH about=id.clone() class="inline">
            <input type="hidden" name="id" value=id />
            <input type="hidden" name="seen" value=review.revision />
            <p class="row">
                <button class="button" type="submit">{texts.undo_approval()}</button>
                <span class="hint">{texts.undo_approval_hint()}</span>
            </p>
        </PlainForm>
    }
}

#[component]
fn SendBackForm(id: String, seen: i32) -> impl IntoView {
    let texts = ReviewTexts::here();
    let path = SendTextBack::PATH;
    let refused = result_of(path, Some(&id));
    let is_open = refused.is_some();
    let reason = refused.and_then(|form| form.typed("reason").map(str::to_owned)).unwrap_or_default();
    view! {
        <details class="open-in-place" open=is_open>
            <summary class="button" data-page-key="" aria-keyshortcuts=single_key("s")>{texts.send_back_open()}</summary>
            <PlainForm function=path about=id.clone() class="stack">
                <input type="hidden" name="id" value=id />
                <input type="hidden" name="seen" value=seen />
                <div class="field">
                    <label for="reason">{texts.reason()}</label>
                    <Textarea name="reason" value=reason rows=4 />
                    <span class="hint">{texts.reason_hint()}</span>
                </div>
                <p><button class="button danger" type="submit">{texts.send_back()}</button></p>
            </PlainForm>
        </details>
    }
}

#[component]
fn LinkForm(id: String) -> impl IntoView {
    let texts = ReviewTexts::here();
    let path = CreateReviewLink::PATH;
    let refusal = Signal::stored(refusal_of(path));
    let is_open = refusal_of(path).is_some();
    view! {
        <details class="open-in-place" open=is_open>
            <summary class="button"><Icon name="link" />{texts.link_open()}</summary>
            <PlainForm function=path fields={&["name"]} class="stack">
                <input type="hidden" name="id" value=id />
                <Field
                    name="name" label=texts.link_name() hint=texts.link_hint()
                    value=typed(path, "name").unwrap_or_default() refusal=refusal
                />
                <p><button class="button main" type="submit">{texts.link_create()}</button></p>
            </PlainForm>
        </details>
    }
}
