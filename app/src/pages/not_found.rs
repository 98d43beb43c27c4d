//! What an address answers that leads nowhere.

use crate::{calls::not_found, components::head::Head, words::frame::FrameWords};
use leptos::prelude::*;

/// Says so, with status 404, and leads back.
#[component]
pub fn NotFound() -> impl IntoView {
    let words = FrameWords::here();
    let told = Resource::new_blocking(|| (), |()| not_found());
    view! {
        <Head title=words.not_found_title().to_owned() lead=words.not_found_text() />
        <p><a class="button" href="/">{words.to_the_desk()}</a></p>
        <Suspense fallback=|| ()>{move || Suspend::new(async move { let _ = told.await; })}</Suspense>
    }
}
