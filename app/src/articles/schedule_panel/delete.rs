//! Deletes and restores the article, or says what prevents it.

use crate::{
    articles::{
        server_fns::{DeleteArticle, UndeleteArticle},
        texts::ArticleTexts,
    },
    ui::{form::PlainForm, time::date_time::DateTime},
};
use domain::article::{Article, ArticleRow};
use leptos::prelude::*;
use server_fn::ServerFn;

/// The form that deletes or restores the article, or the reason why it cannot be deleted.
#[component]
pub fn DeletePart(
    /// The article.
    article: Signal<Article>,
) -> impl IntoView {
    let row = Memo::new(move |_| article.with(|article| article.row.clone()));
    let waiting = Memo::new(move |_| article.with(|article| article.waiting.clone()));
    let texts = ArticleTexts::here();
    move || {
        let row = row.get();
        let tasks = waiting.get();
        row.may_change.then(|| {
            if let Some(deleted) = row.deleted {
                let line = view! { <p class="notice warn">{texts.deleted()} " " <DateTime at=deleted /> " " {texts.deleted_hint()}</p> };
                return view! { {line} <RestoreForm id=row.id.to_string() name=texts.restore() /> }.into_any();
            }
            if row.published.is_some() {
                return view! { <p class="hint">{texts.delete_public()} " " <a href="#schedule-heading">{texts.to_schedule()}</a></p> }
                    .into_any();
            }
            if !tasks.is_empty() {
                let links = tasks.into_iter().map(|task| {
                    view! { " " <a href=format!("/tasks/{}", task.id)><DateTime at=task.due /></a> }
                });
                return view! { <p class="hint">{texts.delete_scheduled()} {links.collect_view()}</p> }.into_any();
            }
            view! { <DeleteForm row=row /> }.into_any()
        })
    }
}

/// Moves the article to the trash.
#[component]
pub fn DeleteForm(
    /// The article.
    row: ArticleRow,
) -> impl IntoView {
    let texts = ArticleTexts::here();
    let id = row.id.to_string();
    view! {
        <PlainForm function=DeleteArticle::url() about=id.clone()>
            <input type="hidden" name="id" value=id />
            <input type="hidden" name="seen_revision" value=row.revision />
            <button type="submit" class="button small" aria-label=texts.delete_named(&row.title)>{texts.delete()}</button>
        </PlainForm>
    }
}

/// Restores an article from the trash.
#[component]
pub fn RestoreForm(
    /// Id of the article.
    id: String,
    /// Label of the button.
    name: &'static str,
) -> impl IntoView {
    view! {
        <PlainForm function=UndeleteArticle::url() about=id.clone()>
            <input type="hidden" name="id" value=id />
            <button type="submit" class="button small">{name}</button>
        </PlainForm>
    }
}
