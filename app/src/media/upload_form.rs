//! The form that uploads a file. It works without JavaScript.

use crate::media::{ACCEPT, UPLOAD_PATH};
use crate::ui::{
    form::{Alert, FromField, field::Field, refusal_of, typed},
    icon::Icon,
};
use leptos::prelude::*;
use texts::articles::media::MediaTexts;

/// The form.
#[component]
pub fn UploadForm(
    /// Whether its page opens in a new tab.
    #[prop(optional)]
    is_in_new_tab: bool,
) -> impl IntoView {
    let texts = MediaTexts::here();
    let refusal = refusal_of(UPLOAD_PATH);
    let refusal = Signal::derive(move || refusal.clone());
    let general = Signal::derive(move || refusal.get().filter(|refusal| !refusal.is_about(&["alt"])));
    view! {
        <form
            method="post"
            action=UPLOAD_PATH
            enctype="multipart/form-data"
            target=is_in_new_tab.then_some("_blank")
            class="upload-form"
        >
            <FromField />
            <FileField id="media-file" label=texts.file() accept=ACCEPT />
            <Field
                name="alt"
                id="media-alt"
                label=texts.alt()
                hint=texts.alt_hint()
                value=typed(UPLOAD_PATH, "alt").unwrap_or_default()
                is_optional=true
                refusal=refusal
            />
            <button type="submit" class="button main"><Icon name="plus" />{texts.upload_button()}</button>
            <Alert refusal=general />
        </form>
    }
}

/// The field of a file to upload.
#[component]
pub fn FileField(
    /// Its id on the page.
    id: &'static str,
    /// Its label.
    label: &'static str,
    /// Types that may be chosen, as in the attribute `accept`.
    accept: &'static str,
) -> impl IntoView {
    let hint = format!("{id}-hint");
    view! {
        <div class="field">
            <label for=id>{label}</label>
            <input id=id name="file" type="file" required=true accept=accept aria-describedby=hint.clone() />
            <span class="hint" id=hint>{MediaTexts::here().file_hint()}</span>
        </div>
    }
}
