//! The settings menu, and the message for users who are not admins.

use crate::{
    server_fns::not_allowed,
    session::visitor,
    ui::{icon::Icon, page::header::PageHeader, result::flash::Flash},
};
use leptos::prelude::*;
use leptos_router::hooks::use_location;
use texts::layout::LayoutTexts;

/// Text of an entry.
type Label = fn(LayoutTexts) -> &'static str;

/// Settings of the user.
const OWN: [(&str, Label); 5] = [
    ("/settings/profile", LayoutTexts::profile_and_language),
    ("/settings/notifications", LayoutTexts::notification_choices),
    ("/settings/tokens", LayoutTexts::tokens),
    ("/settings/feeds", LayoutTexts::feeds),
    ("/settings/outside-mail", LayoutTexts::outside_mail),
];

/// Settings of the desk, for admins.
const OF_DESK: [(&str, Label); 11] = [
    ("/settings/desk", LayoutTexts::general),
    ("/settings/people", LayoutTexts::people),
    ("/settings/site", LayoutTexts::site_settings),
    ("/settings/tags", LayoutTexts::tags),
    ("/settings/slots", LayoutTexts::slots),
    ("/settings/review", LayoutTexts::review),
    ("/settings/words", LayoutTexts::words),
    ("/settings/rooms", LayoutTexts::rooms),
    ("/settings/mail", LayoutTexts::mail_server),
    ("/settings/channels", LayoutTexts::channels),
    ("/settings/import", LayoutTexts::import),
];

/// The settings pages of this user: own ones, and those of the desk.
#[component]
pub fn SettingsMenu() -> impl IntoView {
    let texts = LayoutTexts::here();
    view! {
        <nav class="settings-menu is-side" aria-label=texts.settings_menu()>
            <a class="find-setting js-only" href="/settings/profile" data-palette=format!("{} ", texts.settings())>
                <Icon name="search" />{texts.find_setting()}
            </a>
            <SettingsGroup name=texts.of_me() id="settings-of-me" pages=&OWN />
            {visitor().is_admin().then(|| view! { <SettingsGroup name=texts.of_desk() id="settings-of-desk" pages=&OF_DESK /> })}
        </nav>
    }
}

#[component]
fn SettingsGroup(
    name: &'static str,
    id: &'static str,
    pages: &'static [(&'static str, Label)],
) -> impl IntoView {
    let path = use_location().pathname;
    let item = move |(href, label): &(&'static str, Label)| {
        let (href, label) = (*href, *label);
        let current = move || path.with(|path| is_below(path, href)).then_some("page");
        view! { <li><a href=href aria-current=current>{label(LayoutTexts::here())}</a></li> }
    };
    view! {
        <p id=id class="settings-group">{name}</p>
        <ul aria-labelledby=id>{pages.iter().map(item).collect_view()}</ul>
    }
}

/// Whether `path` is the page `stem` or below it. Only the first page of the desk has nothing below it.
#[must_use]
pub fn is_below(path: &str, stem: &str) -> bool {
    match path.strip_prefix(stem) {
        Some(rest) if stem == "/" => rest.is_empty(),
        Some(rest) => rest.is_empty() || rest.starts_with('/'),
        None => false,
    }
}

/// Says that a page is for admins, with status 403.
#[component]
pub fn AdminsOnly() -> impl IntoView {
    let status = Resource::new_blocking(|| (), |()| not_allowed());
    view! {
        <p class="notice warn">{LayoutTexts::here().admins_only()}</p>
        <Suspense fallback=|| ()>{move || Suspend::new(async move { let _ = status.await; })}</Suspense>
    }
}

/// A page of settings for admins: its title, the menu, what a change did, and the content. Others
/// learn why it is empty.
#[component]
pub fn AdminSettings(
    /// Title.
    title: &'static str,
    /// What the page is for.
    lead: &'static str,
    /// Results that the URL can name, with their sentences.
    messages: Vec<(&'static str, &'static str)>,
    /// The content.
    children: Children,
) -> impl IntoView {
    let body = if visitor().is_admin() { children() } else { view! { <AdminsOnly /> }.into_any() };
    view! {
        <PageHeader title=title.to_owned() lead=lead />
        <SettingsMenu />
        <Flash messages=messages />
        <div class="settings">{body}</div>
    }
}
