//! Replacing the content of a file, and putting the earlier one back. Both work without JavaScript.

use crate::{
    media::{ACCEPT, ACCEPT_PICTURES, UPLOAD_PATH, server_fns::PutBackMedia, upload_form::FileField},
    ui::{
        form::{Alert, FromField, PlainForm, refusal_of},
        icon::Icon,
    },
};
use domain::media::{MediaItem, ReplaceRefusal};
use leptos::prelude::*;
use server_fn::ServerFn;
use texts::articles::media::MediaTexts;

/// The forms; if the user may not use them, why.
#[component]
pub fn Replace(
    /// The file.
    item: MediaItem,
    /// Whether something public shows it.
    is_public: bool,
    /// Why the user may not replace it.
    refusal: Option<ReplaceRefusal>,
) -> impl IntoView {
    let texts = MediaTexts::here();
    let why = match refusal {
        Some(ReplaceRefusal::Other) if !item.may_change => return ().into_any(),
        Some(ReplaceRefusal::Other) => Some(texts.not_replaced_other()),
        Some(ReplaceRefusal::OnSite) => Some(texts.not_replaced_on_site()),
        Some(ReplaceRefusal::Reviewed) => Some(texts.not_replaced_reviewed()),
        None => None,
    };
    view! {
        <section class="panel" aria-labelledby="replace">
            <header><h2 id="replace">{texts.replace()}</h2></header>
            {match why {
                Some(why) => view! { <p class="muted">{why}</p> }.into_any(),
                None => view! { <Forms item=item is_public=is_public /> }.into_any(),
            }}
        </section>
    }
    .into_any()
}

#[component]
fn Forms(item: MediaItem, is_public: bool) -> impl IntoView {
    let texts = MediaTexts::here();
    let id = item.id.to_string();
    let refusal = refusal_of(UPLOAD_PATH);
    let refusal = Signal::derive(move || refusal.clone());
    let accept = if item.size.is_some() { ACCEPT_PICTURES } else { ACCEPT };
    view! {
        <form method="post" action=UPLOAD_PATH enctype="multipart/form-data" class="upload-form">
            <FromField />
            <input type="hidden" name="replaces" value=id.clone() />
            <input type="hidden" name="seen_version" value=item.version.0 />
            <p>{texts.replace_hint()}</p>
            {is_public.then(|| view! { <p class="notice warn">{texts.replace_public()}</p> })}
            <FileField id="replace-file" label=texts.replace_with() accept=accept />
            <button type="submit" class="button">{texts.replace_confirm()}</button>
            <Alert refusal=refusal />
        </form>
        {item.has_earlier.then(|| view! {
            <PlainForm function=PutBackMedia::PATH about=id.clone() class="row">
                <input type="hidden" name="id" value=id />
                <input type="hidden" name="seen_version" value=item.version.0 />
                <span class="hint">{texts.put_back_hint()}</span>
                <button type="submit" class="button small"><Icon name="undo" />{texts.put_back()}</button>
            </PlainForm>
        })}
    }
}
