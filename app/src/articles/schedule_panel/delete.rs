//! Deletes and restores the article, or says what prevents it or who deleted it.

use crate::{
    articles::{
        editor::draft::{Draft, Trash},
        server_fns::{DeleteArticle, UndeleteArticle},
    },
    live::live,
    session::visitor,
    ui::{
        form::{Form, PlainForm},
        time::date_time::DateTime,
    },
};
use domain::article::{Article, ArticleRow};
use leptos::prelude::*;
use server_fn::ServerFn;
use texts::{articles::ArticleTexts, language, time::moment};

/// The form that deletes the article, or the reason why it cannot be deleted. Nothing while it is in
/// the trash.
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
        (row.may_change && row.deleted.is_none()).then(|| {
            if row.published.is_some() {
                return view! { <p class="hint">{texts.delete_public()}</p> }.into_any();
            }
            if !tasks.is_empty() {
                let links = tasks.into_iter().map(|task| {
                    view! { " " <a href=format!("/tasks/{}", task.id)><DateTime at=task.due /></a> }
                });
                return view! { <p class="hint">{texts.delete_scheduled()} {links.collect_view()}</p> }
                    .into_any();
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

/// Says who moved the article to the trash, and offers to restore it. Follows changes by others.
#[component]
pub fn TrashBanner(
    /// The draft being edited.
    draft: Draft,
    /// Whether the fields of the page can be edited: then they stay as they are after a restore.
    may_change: bool,
) -> impl IntoView {
    let texts = ArticleTexts::here();
    let line = move |trash: &Trash| {
        let when = moment(language(), trash.at, visitor().zone(), live().now().get_untracked());
        match &trash.by {
            Some(name) => texts.trashed_by(name, when),
            None => texts.trashed(when),
        }
    };
    let banner = move |trash: Trash| {
        let id = draft.id.get_untracked().map(|id| id.to_string()).unwrap_or_default();
        let restore = trash.may_restore.then(|| match may_change {
            true => view! { <RestoreInPlace id=id /> }.into_any(),
            false => view! { <RestoreForm id=id name=texts.restore() /> }.into_any(),
        });
        view! {
            <section class="prompt trash-banner">
                <p><strong dir="auto">{line(&trash)}</strong> " " {texts.deleted_hint()}</p>
                {restore}
            </section>
        }
    };
    view! { <div role="status">{move || draft.trash.get().map(banner)}</div> }
}

/// Restores the article; the page stays open with its unsaved text.
#[component]
fn RestoreInPlace(id: String) -> impl IntoView {
    let action = ServerAction::<UndeleteArticle>::new();
    view! {
        <Form action=action about=id.clone()>
            <input type="hidden" name="id" value=id />
            <button type="submit" class="button small">{ArticleTexts::here().restore()}</button>
        </Form>
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
