//! Copies a text to the clipboard.

use leptos::prelude::*;
use texts::articles::ArticleTexts;

/// A button that copies `text` and confirms it. Needs JavaScript.
#[component]
pub fn CopyButton(
    /// Text to copy.
    text: String,
) -> impl IntoView {
    let texts = ArticleTexts::here();
    let is_copied = RwSignal::new(false);
    let copy = move |_| {
        copy_to_clipboard(&text);
        is_copied.set(true);
    };
    view! {
        <button type="button" class="button needs-js" on:click=copy>
            {move || if is_copied.get() { texts.copied() } else { texts.copy() }}
        </button>
    }
}

/// Copies a text to the clipboard, if the browser permits it.
pub fn copy_to_clipboard(text: &str) {
    // The clipboard API is missing on plain HTTP, except on localhost. The user can select the text
    // on the page.
    let clipboard = window().navigator().clipboard();
    if !wasm_bindgen::JsValue::from(clipboard.clone()).is_undefined() {
        _ = clipboard.write_text(text);
    }
}
