//! Below the field *Cover*: the upload of a picture, the link to the media library, and the picture.

use super::Draft;
use crate::{
    articles::editor::UploadList,
    media::{
        ACCEPT_PICTURES,
        picker::{Picker, PickerUse},
    },
    ui::icon::Icon,
};
use domain::media::address::{picture_of, preview_path};
use leptos::prelude::*;
use texts::articles::details::DetailTexts;

/// Where a cover comes from. The script of the editor uploads the file and fills the field with its
/// address.
#[component]
pub(super) fn CoverSources() -> impl IntoView {
    let (texts, picker) = (DetailTexts::here(), expect_context::<Picker>());
    view! {
        <div class="cover-sources">
            <label class="button small needs-js">
                <Icon name="picture" />
                {texts.cover_upload()}
                <input type="file" class="visually-hidden" data-upload-cover="" accept=ACCEPT_PICTURES />
            </label>
            <button type="button" class="button small needs-js" aria-haspopup="dialog" on:click=move |_| picker.open(PickerUse::Cover)>
                {texts.cover_library()}
            </button>
            <a class="no-js" href="/media" target="_blank" rel="external">{texts.cover_library()}</a>
        </div>
        <UploadList no_picture=texts.cover_no_picture() />
    }
}

/// The cover, if it is a picture of the media library. The pages of the desk load no pictures of other
/// servers.
#[component]
pub(super) fn CoverPreview(draft: Draft) -> impl IntoView {
    let cover = Memo::new(move |_| draft.text.with(|text| text.details.get("cover").trim().to_owned()));
    move || {
        cover.with(|cover| {
            let (hash, kind, width, height) = picture_of(cover)?;
            let src = preview_path(hash, kind, (width, height));
            Some(view! { <img class="cover-preview" src=src width=width height=height alt="" loading="lazy" /> })
        })
    }
}
