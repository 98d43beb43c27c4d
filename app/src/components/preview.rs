//! The text as readers will see it, rendered by the server.

use crate::{
    calls::articles::preview_text,
    components::{editor::draft::Draft, pause::Pause},
    words::articles::ArticleWords,
};
use domain::article::Preview;
use leptos::{prelude::*, task::spawn_local};

/// How long after the last key a text is rendered, in milliseconds.
const RENDER_AFTER_MS: u64 = 400;
/// The same for a long text.
const RENDER_LONG_AFTER_MS: u64 = 1_500;
/// From how many bytes on a text is long.
const LONG_BYTES: usize = 60_000;

/// The preview beside the editor. Follows the typing; without JavaScript it shows what is saved.
#[component]
pub fn PreviewPane(
    /// The text.
    draft: Draft,
    /// Its preview when the page was rendered.
    first: Preview,
) -> impl IntoView {
    let words = ArticleWords::here();
    let preview = RwSignal::new(first);
    let pause = Pause::new();
    let title = Memo::new(move |_| draft.text.with(|text| text.title.clone()));
    let has_title = Memo::new(move |_| title.with(|title| !title.trim().is_empty()));
    let body = Memo::new(move |_| draft.text.with(|text| text.body.clone()));
    Effect::new(move |was: Option<()>| {
        let length = body.with(String::len);
        if was.is_some() {
            let wait = if length > LONG_BYTES { RENDER_LONG_AFTER_MS } else { RENDER_AFTER_MS };
            pause.then(wait, move || render(body, preview));
        }
    });
    view! {
        <section class="editor-preview" aria-label=words.preview_tab()>
            <p class="preview-count">
                {move || preview.with(|preview| words.count(preview.words))}
            </p>
            {move || has_title.get().then(|| view! { <h2 class="preview-title" dir="auto">{title}</h2> })}
            {move || {
                if preview.with(|preview| preview.html.is_empty()) {
                    view! { <p class="hint">{words.preview_empty()}</p> }.into_any()
                } else {
                    let html = preview.with(|preview| preview.html.clone());
                    view! { <div class="prose" inner_html=html></div> }.into_any()
                }
            }}
        </section>
    }
}

fn render(body: Memo<String>, preview: RwSignal<Preview>) {
    let markdown = body.get_untracked();
    spawn_local(async move {
        // An older answer never replaces the one to what stands there now.
        if let Ok(rendered) = preview_text(markdown.clone()).await
            && body.try_get_untracked() == Some(markdown)
        {
            preview.set(rendered);
        }
    });
}
