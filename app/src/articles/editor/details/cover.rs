//! Below the field *Cover*: its picture.

use super::Draft;
use crate::media::picture_field::PicturePreview;
use leptos::prelude::*;

/// The cover, if it is a picture of the media library.
#[component]
pub(super) fn CoverPreview(draft: Draft) -> impl IntoView {
    let cover = Memo::new(move |_| draft.text.with(|text| text.details.get("cover").trim().to_owned()));
    view! { <PicturePreview address=cover.into() /> }
}
