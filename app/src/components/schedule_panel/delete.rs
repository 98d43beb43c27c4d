//! Deleting the article, what stands in the way of it, and restoring it.

use crate::{
    calls::articles::{DeleteArticle, UndeleteArticle},
    components::moment::Moment,
    form::PlainForm,
    words::articles::ArticleWords,
};
use domain::article::{Article, ArticleRow};
use leptos::prelude::*;
use server_fn::ServerFn;

/// What can be done about the article as a whole.
#[component]
pub fn DeletePart(
    /// The article.
    article: Signal<Article>,
) -> impl IntoView {
    let row = Memo::new(move |_| article.with(|article| article.row.clone()));
    let waiting = Memo::new(move |_| article.with(|article| article.waiting.clone()));
    let words = ArticleWords::here();
    move || {
        let row = row.get();
        let tasks = waiting.get();
        row.may_change.then(|| {
            if let Some(deleted) = row.deleted {
                let line = view! { <p class="notice warn">{words.deleted()} " " <Moment at=deleted /> " " {words.deleted_hint()}</p> };
                return view! { {line} <RestoreForm id=row.id.to_string() name=words.restore() /> }.into_any();
            }
            if row.published.is_some() {
                return view! { <p class="hint">{words.delete_public()} " " <a href="#schedule-heading">{words.to_moments()}</a></p> }
                    .into_any();
            }
            if !tasks.is_empty() {
                let links = tasks.into_iter().map(|task| {
                    view! { " " <a href=format!("/tasks/{}", task.id)><Moment at=task.due /></a> }
                });
                return view! { <p class="hint">{words.delete_scheduled()} {links.collect_view()}</p> }.into_any();
            }
            view! { <DeleteForm row=row /> }.into_any()
        })
    }
}

/// Puts the article into the trash.
#[component]
pub fn DeleteForm(
    /// The article.
    row: ArticleRow,
) -> impl IntoView {
    let words = ArticleWords::here();
    let id = row.id.to_string();
    view! {
        <PlainForm function=DeleteArticle::url() about=id.clone()>
            <input type="hidden" name="id" value=id />
            <input type="hidden" name="seen_revision" value=row.revision />
            <button type="submit" class="button small" aria-label=words.delete_named(&row.title)>{words.delete()}</button>
        </PlainForm>
    }
}

/// Takes an article out of the trash.
#[component]
pub fn RestoreForm(
    /// The article.
    id: String,
    /// What the button says.
    name: &'static str,
) -> impl IntoView {
    view! {
        <PlainForm function=UndeleteArticle::url() about=id.clone()>
            <input type="hidden" name="id" value=id />
            <button type="submit" class="button small">{name}</button>
        </PlainForm>
    }
}
