//! The pages of the settings, side by side.

use crate::{visitor::visitor, words::frame::FrameWords};
use leptos::prelude::*;
use leptos_router::hooks::use_location;

/// The menu of the settings; stands on their pages only.
#[component]
pub fn SettingsMenu() -> impl IntoView {
    let (words, is_admin) = (FrameWords::here(), visitor().is_admin());
    let path = use_location().pathname;
    let is_here = Memo::new(move |_| path.with(|path| path.starts_with("/settings")));
    let pages = [
        ("/settings/profile", words.profile(), true),
        ("/settings/tokens", words.tokens(), true),
        ("/settings/people", words.people(), is_admin),
        ("/settings/desk", words.desk_settings(), is_admin),
    ];
    let items = move || {
        let open = pages.into_iter().filter(|(_, _, is_open)| *is_open);
        open.map(|(href, label, _)| {
            let current = move || path.with(|path| (path == href).then_some("page"));
            view! { <li><a href=href aria-current=current>{label}</a></li> }
        })
        .collect_view()
    };
    move || {
        is_here
            .get()
            .then(|| view! { <nav class="tabs" aria-label=words.settings_menu()><ul>{items()}</ul></nav> })
    }
}
