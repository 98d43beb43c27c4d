//! Banners above the editor: an unsaved copy on this device, or a newer revision by another user.

use super::{
    FORM,
    draft::{Draft, ServerVersion},
    local_backup::Text,
};
use crate::{
    articles::texts::ArticleTexts,
    ui::{copy_button::copy_to_clipboard, form::textarea::Textarea},
};
use leptos::{ev, prelude::*};

/// Offers an unsaved copy that is stored on this device.
#[component]
pub fn FoundBanner(draft: Draft) -> impl IntoView {
    let texts = ArticleTexts::here();
    move || {
        draft.unsaved_backup.get().map(|text| {
            let start: String = text.body.chars().take(160).collect();
            let (title, dropped) = (text.title.clone(), text.clone());
            view! {
                <section class="prompt" role="status">
                    <p>{texts.unsaved_copy()}</p>
                    <blockquote><strong>{title}</strong>" "{start}</blockquote>
                    <p class="row">
                        <button type="button" class="button" on:click=move |_| draft.restore(&text)>
                            {texts.restore_copy()}
                        </button>
                        <button type="button" class="button bare" on:click=move |_| draft.discard(&dropped)>
                            {texts.discard_copy()}
                        </button>
                    </p>
                </section>
            }
        })
    }
}

/// Shows both versions after another user saved a revision.
#[component]
pub fn ConflictBanner(draft: Draft) -> impl IntoView {
    move || {
        draft
            .server_version
            .get()
            .map(|server_version| view! { <Conflict draft=draft server_version=server_version /> })
    }
}

#[component]
fn Conflict(draft: Draft, server_version: ServerVersion) -> impl IntoView {
    let texts = ArticleTexts::here();
    let mine = draft.text.get_untracked();
    let here = draft.id.get_untracked().map(|id| format!("/articles/{id}"));
    let is_copied = RwSignal::new(false);
    let keep = move |event: ev::MouseEvent| {
        event.prevent_default();
        draft.keep_own_version();
    };
    let take = move |event: ev::MouseEvent| {
        event.prevent_default();
        draft.use_server_version();
    };
    let copy = move |_| {
        draft.text.with_untracked(|text| copy_to_clipboard(&format!("{}\n\n{}", text.title, text.body)));
        is_copied.set(true);
    };
    view! {
        <section class="prompt conflict" role="alert" aria-labelledby="conflict-heading">
            <h2 id="conflict-heading">{texts.conflict()}</h2>
            <p>{texts.conflict_hint()}</p>
            <div class="conflict-texts">
                <Side name="mine" heading=texts.own_version().to_owned() text=mine />
                <Side
                    name="theirs"
                    heading=format!("{} · {}", texts.saved_version(), texts.revision(server_version.revision))
                    text=server_version.text
                />
            </div>
            <p class="row">
                <button type="submit" form=FORM class="button main" on:click=keep>{texts.keep_mine()}</button>
                <a class="button" href=here on:click=take>{texts.use_saved()}</a>
                <button type="button" class="button bare needs-js" on:click=copy>
                    {move || if is_copied.get() { texts.copied() } else { texts.copy_mine() }}
                </button>
            </p>
        </section>
    }
}

#[component]
fn Side(name: &'static str, heading: String, text: Text) -> impl IntoView {
    view! {
        <div class="conflict-side">
            <h3>{heading}</h3>
            <p class="conflict-title">{text.title}</p>
            <label class="visually-hidden" for=name>{ArticleTexts::here().body()}</label>
            <Textarea name=name value=text.body rows=12 class="editor-text" attr:readonly=true />
        </div>
    }
}
