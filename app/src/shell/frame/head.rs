//! The head above every page: search, the state of the desk, *New*, notifications.

use crate::{
    help::link::HelpLink,
    reminders::bell::UnreadCount,
    session::visitor,
    shell::{
        frame::nav::{close, close_on_leaving},
        status::StatusMark,
    },
    ui::{icon::Icon, shortcut::has_single_keys},
};
use leptos::{html::Details, prelude::*};
use leptos_router::hooks::use_location;
use texts::layout::LayoutTexts;

/// The head.
#[component]
pub fn Head() -> impl IntoView {
    let (texts, path) = (LayoutTexts::here(), use_location().pathname);
    let on_notifications = move || path.with(|path| path == "/notifications").then_some("page");
    view! {
        <header class="frame-head">
            // Without its script the palette is the search of the articles.
            <a class="head-search" href="/articles" data-palette="">
                <Icon name="search" />
                <span>{texts.search_or_type()}</span>
                <kbd aria-hidden="true">"Ctrl K"</kbd>
            </a>
            <StatusMark />
            <NewMenu />
            // A script shows the latest ones in a panel (`shell/palette/bell.js`).
            <a class="item" data-icon="bell" data-bell="" href="/notifications" title=texts.notifications() aria-current=on_notifications>
                <span class="visually-hidden">{texts.notifications()}</span>
                <UnreadCount />
            </a>
            <HelpLink />
        </header>
    }
}

/// What can be made: one entry for each kind.
#[component]
fn NewMenu() -> impl IntoView {
    let (texts, menu) = (LayoutTexts::here(), NodeRef::<Details>::new());
    close_on_leaving(menu);
    let links = entries(texts, visitor().is_admin()).into_iter().map(|(href, icon, label, key)| {
        let key = key.filter(|_| has_single_keys()).map(|key| view! { <kbd aria-hidden="true">{key}</kbd> });
        view! { <a class="item" data-icon=icon href=href><span>{label}</span>{key}</a> }
    });
    view! {
        <details class="new-menu menu" node_ref=menu>
            <summary class="item button" data-icon="plus"><span>{texts.make()}</span></summary>
            <div class="menu-items" on:click=move |_| close(menu)>{links.collect_view()}</div>
        </details>
    }
}

/// An entry of the menu: address, icon, text and key.
type Entry = (&'static str, &'static str, &'static str, Option<&'static str>);

fn entries(texts: LayoutTexts, is_admin: bool) -> Vec<Entry> {
    let mut entries = vec![
        ("/quick", "plus", texts.quick_add(), Some("N")),
        ("/articles/new", "article", texts.new_article(), None),
        ("/meetings/new", "meeting", texts.new_meeting(), None),
        ("/reminders#form-title", "reminder", texts.new_reminder(), None),
        ("/releases/new", "release", texts.new_release(), None),
    ];
    if is_admin {
        entries.push(("/messages/new", "message", texts.new_message(), None));
        entries.push(("/rules/new", "rules", texts.new_rule(), None));
    }
    entries.push(("/articles/import", "import", texts.from_file(), None));
    entries
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn no_two_entries_share_an_icon() {
        let entries = entries(LayoutTexts(texts::Language::En), true);
        let icons: BTreeSet<&str> = entries.iter().map(|(_, icon, ..)| *icon).collect();
        assert_eq!(icons.len(), entries.len(), "{icons:?}");
    }
}
