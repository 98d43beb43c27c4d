//! Banners above the editor: an unsaved copy on this device, or a newer revision by another user.

use super::{
    FORM,
    comparison::Comparison,
    draft::{Draft, NewerRevision, SavedBy, ServerVersion},
    local_backup::Text,
};
use crate::{
    live::live,
    session::visitor,
    ui::{copy_button::copy_to_clipboard, form::textarea::Textarea, result::words::result_words},
};
use leptos::{ev, prelude::*};
use texts::articles::editor::EditorTexts;
use texts::{articles::ArticleTexts, language, time::moment};

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

/// Says that a newer revision was merged with the input, or is shown instead of the old text.
#[component]
pub fn NewerBanner(draft: Draft) -> impl IntoView {
    let texts = EditorTexts::here();
    let was_merged = result_words().with_untracked(|words| words.get("done").as_deref() == Some("merge"));
    let in_form = RwSignal::new(was_merged);
    let line = move |newer: NewerRevision| {
        let what = if newer.is_merged { texts.merged() } else { texts.shown() };
        let who = draft.saved_by.with(|saved_by| saved_by_line(saved_by.as_ref(), newer.revision));
        format!("{who}{}{what}", texts.full_stop())
    };
    let text = move || {
        let in_form = in_form.get().then(|| texts.merged_in_form().to_owned());
        draft.newer.get().map(line).or(in_form)
    };
    let close = move |_| {
        draft.newer.set(None);
        in_form.set(false);
    };
    view! {
        <div role="status">
            {move || text().map(|text| view! {
                <p class="notice newer-revision">
                    {text} " "
                    <button type="button" class="button bare small needs-js" on:click=close>{texts.close()}</button>
                </p>
            })}
        </div>
    }
}

/// `Ada saved revision 2 at Wed 25 Nov, 14:16 Berlin`.
fn saved_by_line(saved_by: Option<&SavedBy>, revision: i32) -> String {
    let texts = EditorTexts::here();
    let Some(saved_by) = saved_by else { return texts.saved_meanwhile(revision) };
    let time = moment(language(), saved_by.at, visitor().zone(), live().now().get_untracked());
    if saved_by.is_me {
        texts.saved_by_me(revision, time)
    } else {
        texts.saved_by(&saved_by.author, revision, time)
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
    let revision = server_version.revision;
    let who = move || draft.saved_by.with(|saved_by| saved_by_line(saved_by.as_ref(), revision));
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
        <section class="prompt conflict" aria-labelledby="conflict-heading">
            <div role="alert">
                <h2 id="conflict-heading">{who}</h2>
                <p>{texts.conflict_hint()}</p>
            </div>
            <Comparison mine=mine.clone() server_version=server_version.clone() />
            <p class="row">
                <button type="submit" form=FORM class="button main" on:click=keep>{texts.keep_mine()}</button>
                <a class="button" href=here on:click=take>{texts.use_saved()}</a>
                <button type="button" class="button bare needs-js" on:click=copy>
                    {move || if is_copied.get() { texts.copied() } else { texts.copy_mine() }}
                </button>
            </p>
            <details>
                <summary>{EditorTexts::here().both_texts()}</summary>
                <div class="conflict-texts">
                    <Side name="mine" heading=texts.own_version().to_owned() text=mine />
                    <Side
                        name="theirs"
                        heading=format!("{} · {}", texts.saved_version(), texts.revision(server_version.revision))
                        text=server_version.text
                    />
                </div>
            </details>
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
