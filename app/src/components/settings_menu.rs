//! The menu of the settings, and what those see who may not change them.

use crate::{calls::not_allowed, visitor::visitor, words::frame::FrameWords};
use leptos::prelude::*;
use leptos_router::hooks::use_location;

/// The pages of the settings that are for this visitor.
#[component]
pub fn SettingsMenu() -> impl IntoView {
    let words = FrameWords::here();
    let path = use_location().pathname;
    let item = move |href: &'static str, label: &'static str| {
        let is_here = move |path: &str| {
            path.strip_prefix(href).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let current = move || path.with(|path| is_here(path)).then_some("page");
        view! { <li><a href=href aria-current=current>{label}</a></li> }
    };
    view! {
        <nav class="settings-menu" aria-label=words.settings_menu()>
            <ul>
                {item("/settings/profile", words.profile())}
                {item("/settings/tokens", words.tokens())}
                {visitor().is_admin().then(|| view! {
                    {item("/settings/people", words.people())}
                    {item("/settings/channels", words.channels())}
                    {item("/settings/desk", words.desk_settings())}
                })}
            </ul>
        </nav>
    }
}

/// Says that a page is for admins, with status 403.
#[component]
pub fn AdminsOnly() -> impl IntoView {
    let told = Resource::new_blocking(|| (), |()| not_allowed());
    view! {
        <p class="notice warn">{FrameWords::here().admins_only()}</p>
        <Suspense fallback=|| ()>{move || Suspend::new(async move { let _ = told.await; })}</Suspense>
    }
}
