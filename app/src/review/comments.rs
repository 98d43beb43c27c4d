//! Comments on the paragraphs of a text: what was said, and the form for one more.

use crate::{
    review::server_fns::{AddComment, SettleComment},
    ui::{
        form::{PlainForm, result_of, textarea::TextareaField, typed},
        time::date_time::DateTime,
    },
};
use domain::review::{
    ReviewedText,
    comment::{ReviewComment, paragraphs, quote},
};
use leptos::prelude::*;
use server_fn::ServerFn;
use texts::{language, refusal::problem, review::CommentTexts};

/// Maximum characters of a paragraph in the list of paragraphs.
const OPTION_CHARS: usize = 60;

/// The comments of a text and the form. The form is rendered again only when another revision is
/// shown, so that half-typed text stays.
#[component]
pub fn Comments(
    /// The text.
    text: Signal<ReviewedText>,
) -> impl IntoView {
    let texts = CommentTexts::here();
    let all = move || text.with(|text| text.comments.clone());
    let key = |one: &ReviewComment| (one.id, one.resolved.is_some());
    let is_empty = Memo::new(move |_| text.with(|text| text.comments.is_empty()));
    let revision = Memo::new(move |_| text.with(|text| (text.review.revision, text.may_comment)));
    view! {
        <section class="panel" aria-labelledby="comments">
            <header><h2 id="comments">{texts.title()}</h2></header>
            {move || is_empty.get().then(|| view! { <p class="muted">{texts.none()}</p> })}
            <ul class="comment-list"><For each=all key=key children=|comment| view! { <Comment comment=comment /> } /></ul>
            {move || {
                let (_, may_comment) = revision.get();
                may_comment.then(|| view! { <NewCommentForm text=text.get_untracked() /> })
            }}
        </section>
    }
}

#[component]
fn Comment(comment: ReviewComment) -> impl IntoView {
    let texts = CommentTexts::here();
    let is_resolved = comment.resolved.is_some();
    let (act, label) = if is_resolved { ("reopen", texts.reopen()) } else { ("resolve", texts.resolve()) };
    let id = comment.id.to_string();
    let element = format!("comment-{id}");
    let resolved = comment.resolved.zip(comment.resolved_by);
    view! {
        <li class="comment" class:is-resolved=is_resolved id=element>
            <p class="comment-quote" dir="auto">{comment.quote}</p>
            <p class="comment-text" dir="auto">{comment.text}</p>
            <p class="meta">
                <bdi>{comment.author}</bdi> " · " <DateTime at=comment.created /> " · "
                {texts.place(comment.revision, comment.paragraph)}
                {resolved.map(|(at, by)| view! { " · " {texts.resolved_by(by)} " " <DateTime at=at /> })}
            </p>
            {comment.may_resolve.then(|| view! {
                <PlainForm function=SettleComment::PATH about=id.clone()>
                    <input type="hidden" name="id" value=id />
                    <button class="button small" type="submit" name="act" value=act>{label}</button>
                </PlainForm>
            })}
        </li>
    }
}

#[component]
fn NewCommentForm(text: ReviewedText) -> impl IntoView {
    let texts = CommentTexts::here();
    let path = AddComment::PATH;
    let all = paragraphs(&text.body);
    if all.is_empty() {
        return ().into_any();
    }
    let chosen = typed(path, "paragraph");
    let option = |(place, paragraph): (usize, &&str)| {
        let number = (place + 1).to_string();
        let words: String = quote(paragraph).chars().take(OPTION_CHARS).collect();
        let is_chosen = chosen.as_ref() == Some(&number);
        view! { <option value=number.clone() selected=is_chosen>{format!("{number}. {words}")}</option> }
    };
    let options = all.iter().enumerate().map(option).collect_view();
    let refusal = result_of(path, None).map(|result| result.refusal);
    let wrong = refusal.as_ref().and_then(|refusal| refusal.problem_of(|field| field == "text"));
    let wrong = wrong.map(|wrong| problem(language(), wrong));
    view! {
        <PlainForm function=path class="stack" fields={&["text"]}>
            <input type="hidden" name="article" value=text.review.article_id.to_string() />
            <input type="hidden" name="revision" value=text.review.revision />
            <div class="field">
                <label for="paragraph">{texts.paragraph()}</label>
                <select id="paragraph" name="paragraph">{options}</select>
            </div>
            <TextareaField
                name="text" label=texts.comment() value=typed(path, "text").unwrap_or_default() rows=3 problem=wrong
            />
            <p><button class="button" type="submit">{texts.add()}</button></p>
        </PlainForm>
    }
    .into_any()
}
