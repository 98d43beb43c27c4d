//! The preview, rendered by the server.

use super::draft::Draft;
use crate::{articles::server_fns::preview_text, ui::debounce::Debounce};
use domain::article::Preview;
use leptos::{prelude::*, task::spawn_local};
use texts::articles::ArticleTexts;

/// Delay between the last input and rendering, in milliseconds.
const RENDER_AFTER_MS: u64 = 400;
/// The same delay for a long text.
const RENDER_LONG_AFTER_MS: u64 = 1_500;
/// Size from which a text is long, in bytes.
const LONG_BYTES: usize = 60_000;

/// The preview beside the editor. Follows the input; without JavaScript it shows the saved text.
#[component]
pub fn PreviewPane(
    /// The draft.
    draft: Draft,
    /// The newest preview.
    preview: RwSignal<Preview>,
) -> impl IntoView {
    let texts = ArticleTexts::here();
    let timer = Debounce::new();
    let is_outdated = StoredValue::new(false);
    let title = Memo::new(move |_| draft.text.with(|text| text.title.clone()));
    let has_title = Memo::new(move |_| title.with(|title| !title.trim().is_empty()));
    let body = Memo::new(move |_| draft.text.with(|text| text.body.clone()));
    Effect::new(move |_| {
        body.track();
        is_outdated.set_value(true);
    });
    Effect::new(move |was: Option<()>| {
        let length = body.with(String::len);
        // After a failure, the next save renders again.
        draft.saved_at.track();
        if was.is_some() && is_outdated.get_value() {
            let wait = if length > LONG_BYTES { RENDER_LONG_AFTER_MS } else { RENDER_AFTER_MS };
            timer.schedule(wait, move || render(body, preview, is_outdated));
        }
    });
    view! {
        <section class="editor-preview" aria-label=texts.preview_tab() tabindex="0">
            {move || has_title.get().then(|| view! { <h2 class="preview-title" dir="auto">{title}</h2> })}
            {move || {
                if preview.with(|preview| preview.html.is_empty()) {
                    view! { <p class="hint">{texts.preview_empty()}</p> }.into_any()
                } else {
                    let html = preview.with(|preview| preview.html.clone());
                    view! { <div class="prose" inner_html=html></div> }.into_any()
                }
            }}
        </section>
    }
}

/// Number of words and reading time, as the server counts them with each preview.
#[component]
pub fn WordCount(
    /// The newest preview.
    preview: RwSignal<Preview>,
) -> impl IntoView {
    let texts = ArticleTexts::here();
    let length = move || preview.with(|preview| texts.length(preview.words, preview.minutes));
    view! { <p class="word-count">{length}</p> }
}

fn render(body: Memo<String>, preview: RwSignal<Preview>, is_outdated: StoredValue<bool>) {
    let markdown = body.get_untracked();
    spawn_local(async move {
        // An outdated response must not replace a newer one.
        if let Ok(rendered) = preview_text(markdown.clone()).await
            && body.try_get_untracked() == Some(markdown)
        {
            preview.set(rendered);
            is_outdated.set_value(false);
        }
    });
}
