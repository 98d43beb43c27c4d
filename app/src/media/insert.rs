//! Beside the editor without JavaScript: uploads a picture and shows the Markdown that inserts it.

use crate::media::upload_form::UploadForm;
use leptos::prelude::*;
use texts::articles::media::MediaTexts;

/// A disclosure with the upload form. Its result opens in a new tab, so that the text in the editor
/// stays.
#[component]
pub fn InsertPicture() -> impl IntoView {
    let texts = MediaTexts::here();
    view! {
        <details class="insert-picture open-in-place no-js">
            <summary class="button small">{texts.insert_picture()}</summary>
            <p class="hint">{texts.insert_picture_hint()}</p>
            <UploadForm is_in_new_tab=true />
            <p><a href="/media" target="_blank" rel="external">{texts.library()}</a></p>
        </details>
    }
}
