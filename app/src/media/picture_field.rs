//! A field for the address of a picture of the media library, with the ways to fill it: an upload, the picker, and
//! without JavaScript the library in a new tab.

use crate::{
    media::{
        ACCEPT_PICTURES,
        picker::{Picker, PickerUse},
    },
    ui::{form::field::Field, icon::Icon},
};
use domain::{
    DomainError,
    media::address::{picture_of, preview_path},
};
use leptos::{html, prelude::*};
use texts::articles::{details::DetailTexts, editor::UploadTexts};

/// The field with a small version of its picture. [`Picker::provide`] comes before it, and the dialog is outside of
/// its form.
#[component]
pub fn PictureField(
    /// Name in the form, and id.
    name: &'static str,
    /// Label.
    label: &'static str,
    /// Hint below the field.
    hint: &'static str,
    /// Initial address.
    value: String,
    /// Error of the form.
    refusal: Signal<Option<DomainError>>,
) -> impl IntoView {
    let (address, field) = (RwSignal::new(value.clone()), NodeRef::<html::Input>::new());
    // The field for a file sends the event too.
    let show = move |_| {
        if let Some(field) = field.get_untracked() {
            address.set(field.value());
        }
    };
    view! {
        <div on:input=show>
            <Field name=name label=label hint=hint is_optional=true value=value refusal=refusal node_ref=field>
                <PictureSources purpose=PickerUse::Field(name) />
                <PicturePreview address=address.into() />
            </Field>
        </div>
    }
}

/// Where a picture comes from. The script of the pages uploads the file and fills the field with its address.
#[component]
pub fn PictureSources(
    /// What a picture of the picker is chosen for.
    purpose: PickerUse,
) -> impl IntoView {
    let (texts, picker) = (DetailTexts::here(), expect_context::<Picker>());
    view! {
        <div class="cover-sources">
            <label class="button small needs-js">
                <Icon name="picture" />
                {texts.cover_upload()}
                <input type="file" class="visually-hidden" data-upload-cover="" accept=ACCEPT_PICTURES />
            </label>
            <button type="button" class="button small needs-js" aria-haspopup="dialog" on:click=move |_| picker.open(purpose)>
                {texts.cover_library()}
            </button>
            <a class="no-js" href="/media" target="_blank" rel="external">{texts.cover_library()}</a>
        </div>
        <UploadList no_picture=texts.cover_no_picture() />
    }
}

/// A picture of the media library, small. The pages of the desk load no pictures of other servers.
#[component]
pub fn PicturePreview(
    /// Its address.
    address: Signal<String>,
) -> impl IntoView {
    move || {
        address.with(|address| {
            let (hash, kind, width, height) = picture_of(address.trim())?;
            let src = preview_path(hash, kind, (width, height));
            Some(view! { <img class="cover-preview" src=src width=width height=height alt="" loading="lazy" /> })
        })
    }
}

/// The running uploads and their errors, which the script lists here.
#[component]
pub fn UploadList(
    /// Error of a file that is no picture. Without it, other files are accepted.
    #[prop(optional)]
    no_picture: Option<&'static str>,
) -> impl IntoView {
    let texts = UploadTexts::here();
    view! {
        <ul
            class="uploads"
            data-cancel=texts.cancel()
            data-dismiss=texts.dismiss()
            data-failed=texts.failed()
            data-large=texts.large()
            data-no-picture=no_picture
        ></ul>
    }
}
