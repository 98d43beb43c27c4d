//! The page for an unknown URL.

use crate::{server_fns::not_found, ui::page::header::PageHeader};
use leptos::prelude::*;
use texts::layout::LayoutTexts;

/// Status 404, with a link to the dashboard.
#[component]
pub fn NotFound() -> impl IntoView {
    let texts = LayoutTexts::here();
    let status = Resource::new_blocking(|| (), |()| not_found());
    view! {
        <PageHeader title=texts.not_found_title().to_owned() lead=texts.not_found_text() />
        <p><a class="button" href="/">{texts.to_dashboard()}</a></p>
        <Suspense fallback=|| ()>{move || Suspend::new(async move { let _ = status.await; })}</Suspense>
    }
}
