//! Copies a text to the clipboard.

use crate::words::articles::ArticleWords;
use leptos::prelude::*;

/// A button that copies `text` and says so. Needs JavaScript: the text beside it can be selected by hand.
#[component]
pub fn CopyButton(
    /// What is copied.
    text: String,
) -> impl IntoView {
    let words = ArticleWords::here();
    let is_copied = RwSignal::new(false);
    let copy = move |_| {
        copy_to_clipboard(&text);
        is_copied.set(true);
    };
    view! {
        <button type="button" class="button needs-script" on:click=copy>
            {move || if is_copied.get() { words.copied() } else { words.copy() }}
        </button>
    }
}

/// Puts a text on the clipboard, where the browser lets it.
pub fn copy_to_clipboard(text: &str) {
    // Absent on plain http to another machine; the text is on the page and can be selected.
    let clipboard = window().navigator().clipboard();
    if !wasm_bindgen::JsValue::from(clipboard.clone()).is_undefined() {
        _ = clipboard.write_text(text);
    }
}
