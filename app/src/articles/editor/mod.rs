//! The editor: title, Markdown body, preview and save state.

mod banner;
mod comparison;
pub mod details;
pub mod draft;
mod keyboard;
pub mod local_backup;
#[cfg(feature = "ssr")]
pub mod merge_edit;
mod preview;
pub mod status_bar;
pub mod toolbar;
mod validation;

use crate::{
    articles::{
        schedule_panel::delete::TrashBanner,
        server_fns::{CreateArticle, SaveArticle},
    },
    media::{
        picker::{MediaPicker, Picker},
        picture_field::UploadList,
    },
    ui::{
        form::{FromField, textarea::Textarea},
        shortcut::shortcut,
    },
};
use texts::articles::ArticleTexts;

use banner::{ConflictBanner, FoundBanner, NewerBanner};
use details::DetailsPanel;
use domain::article::Preview;
use draft::Draft;
use leptos::{ev, prelude::*};
use preview::{PreviewPane, WordCount};
use server_fn::ServerFn;
use status_bar::StatusBar;
use texts::articles::editor::{PictureTexts, UploadTexts};
use toolbar::Toolbar;

/// The script of the Markdown field: uploads, pasted links, lists.
pub const SCRIPT: &str = include_str!("writing.js");

/// The script that loads the Markdown editor. It needs the address of that script in `EDITOR`.
pub const LOADER: &str = include_str!("load.js");

/// Id of the editor's form.
pub const FORM: &str = "editor-form";

/// Title, body and preview. Saves automatically; without JavaScript it is a plain form.
#[component]
pub fn Editor(
    /// The draft.
    draft: Draft,
    /// The first preview.
    preview: Preview,
    /// Whether a narrow screen shows the preview first.
    is_preview: bool,
    /// Whether the user may change it.
    may_change: bool,
    /// Whether the user may change it unless it is in the trash.
    #[prop(optional)]
    may_edit: bool,
) -> impl IntoView {
    let (is_preview, preview) = (RwSignal::new(is_preview), RwSignal::new(preview));
    let is_new = draft.id.get_untracked().is_none();
    let action = if is_new { CreateArticle::url() } else { SaveArticle::url() };
    live_in_browser(draft, may_change);
    Picker::provide();
    let on_submit = move |event: ev::SubmitEvent| {
        event.prevent_default();
        draft.read_fields();
        draft.save(false);
    };
    view! {
        <TrashBanner draft=draft may_change=may_change />
        <FoundBanner draft=draft />
        <ConflictBanner draft=draft />
        <NewerBanner draft=draft />
        <form
            id=FORM
            class="editor"
            class:is-preview=move || is_preview.get()
            method="post"
            action=action
            on:submit=on_submit
        >
            <FromField />
            {move || draft.id.get().map(|id| view! { <input type="hidden" name="id" value=id.to_string() /> })}
            <input type="hidden" name="seen_revision" value=move || draft.revision.get() />
            <TitleField draft=draft may_change=may_change />
            <Tabs is_preview=is_preview may_change=may_change />
            <div class="editor-panes">
                <div class="editor-write">
                    <TextField draft=draft may_change=may_change />
                </div>
                <PreviewPane draft=draft preview=preview />
            </div>
            <DetailsPanel draft=draft may_change=may_change />
            {may_change.then(|| view! { <StatusBar draft=draft preview=preview /> })}
            {(!may_change).then(|| view! { <WordCount preview=preview /> <ReadOnlyHint draft=draft may_edit=may_edit /> })}
        </form>
        {may_change.then(|| view! { <MediaPicker /> })}
    }
}

/// The headings of the text, which the script of the editor lists here from three on.
#[component]
pub fn Outline() -> impl IntoView {
    let texts = ArticleTexts::here();
    view! {
        <nav class="outline" aria-label=texts.outline() hidden=true>
            <details open=true>
                <summary>{texts.outline()}</summary>
                <ol dir="auto"></ol>
            </details>
        </nav>
    }
}

/// Why the text cannot be changed. Nothing while the article is in the trash: the banner says it.
#[component]
fn ReadOnlyHint(draft: Draft, may_edit: bool) -> impl IntoView {
    let texts = ArticleTexts::here();
    let address = draft.id.get_untracked().map(|id| format!("/articles/{id}"));
    move || {
        let address = address.clone();
        draft.trash.with(Option::is_none).then(|| match may_edit {
            true => view! { <p class="hint">{texts.was_restored()} " " <a href=address rel="external">{texts.edit_now()}</a></p> }
                .into_any(),
            false => view! { <p class="hint">{texts.read_only()}</p> }.into_any(),
        })
    }
}

#[component]
fn TitleField(draft: Draft, may_change: bool) -> impl IntoView {
    let texts = ArticleTexts::here();
    let title = draft.text.with_untracked(|text| text.title.clone());
    let is_new = draft.id.get_untracked().is_none() && draft.refusal.with_untracked(Option::is_none);
    view! {
        <div class="editor-title">
            <label for="title">{texts.title()}</label>
            <input
                id="title"
                name="title"
                type="text"
                dir="auto"
                value=title
                placeholder=texts.title_hint()
                autocomplete="off"
                readonly=!may_change
                autofocus=is_new
                aria-describedby="save-line"
                node_ref=draft.title_field
                on:input=move |_| draft.on_input()
            />
        </div>
    }
}

#[component]
fn TextField(draft: Draft, may_change: bool) -> impl IntoView {
    let (texts, pictures) = (ArticleTexts::here(), PictureTexts::here());
    let body = draft.text.with_untracked(|text| text.body.clone());
    view! {
        <div
            class="editor-bar"
            data-picture-alt=pictures.alt()
            data-picture-edit=pictures.edit()
            data-picture-cover=pictures.cover()
        >
            <label for="body">{texts.body()}</label>
            {may_change.then(|| view! { <Toolbar field=draft.body_field /> })}
        </div>
        <Textarea
            name="body"
            value=body
            rows=22
            class="editor-text"
            node_ref=draft.body_field
            attr:placeholder=texts.body_hint()
            attr:readonly=!may_change
            attr:aria-describedby="save-line"
            on:input=move |_| draft.on_input()
            on:keydown=move |event: ev::KeyboardEvent| toolbar::on_key(draft.body_field, &event)
        />
        {may_change.then(|| view! { <Uploads /> })}
    }
}

/// The running uploads into the text, and how files get there.
#[component]
fn Uploads() -> impl IntoView {
    let texts = UploadTexts::here();
    view! {
        <UploadList />
        <p class="hint js-only">{texts.hint()} " " <a href="/media" target="_blank" rel="external">{texts.library()}</a></p>
    }
}

/// Tabs of a narrow screen. Without JavaScript, each button saves the text first.
#[component]
fn Tabs(is_preview: RwSignal<bool>, may_change: bool) -> impl IntoView {
    let texts = ArticleTexts::here();
    let tab = move |name: &'static str, value: bool, text: &'static str| {
        view! {
            <button
                type=if may_change { "submit" } else { "button" }
                name="then"
                value=name
                class="tab"
                aria-pressed=move || (is_preview.get() == value).to_string()
                on:click=move |event| {
                    event.prevent_default();
                    is_preview.set(value);
                }
            >
                {text}
            </button>
        }
    };
    view! {
        <div class="editor-tabs" role="group" aria-label=texts.view()>
            {tab("write", false, texts.write_tab())}
            {tab("preview", true, texts.preview_tab())}
        </div>
    }
}

/// Handles Ctrl+S, the copy on this device, and the save when the page is left. Effects run in the
/// browser only.
fn live_in_browser(draft: Draft, may_change: bool) {
    if !may_change {
        return;
    }
    Effect::new(move |_| {
        keyboard::follow_keyboard();
        draft.load_backup();
        if let Some(newer) = draft.server_version.get_untracked() {
            draft.load_saved_by(newer.revision);
        }
        request_animation_frame(move || draft.read_early_input());
        let keys = window_event_listener(ev::keydown, move |event| {
            if shortcut(&event) == Some('s') {
                event.prevent_default();
                draft.read_fields();
                draft.save(false);
            }
        });
        let leaves = window_event_listener(ev::pagehide, move |_| draft.save_on_leave());
        let returns = window_event_listener(ev::online, move |_| draft.save(true));
        on_cleanup(move || {
            keys.remove();
            leaves.remove();
            returns.remove();
            draft.save_on_leave();
        });
    });
}
