//! The settings menu, and the message for users who are not admins.

use crate::{
    server_fns::not_allowed,
    shell::{flash::Flash, session::visitor, texts::LayoutTexts},
    ui::page_header::PageHeader,
};
use leptos::prelude::*;
use leptos_router::hooks::use_location;

/// The settings pages of this user.
#[component]
pub fn SettingsMenu() -> impl IntoView {
    let texts = LayoutTexts::here();
    let path = use_location().pathname;
    let item = move |href: &'static str, label: &'static str| {
        let is_here = move |path: &str| {
            path.strip_prefix(href).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let current = move || path.with(|path| is_here(path)).then_some("page");
        view! { <li><a href=href aria-current=current>{label}</a></li> }
    };
    view! {
        <nav class="settings-menu" aria-label=texts.settings_menu()>
            <ul>
                {item("/settings/profile", texts.profile())}
                {item("/settings/notifications", texts.notification_choices())}
                {item("/settings/tokens", texts.tokens())}
                {item("/settings/feeds", texts.feeds())}
                {item("/settings/outside-mail", texts.outside_mail())}
                {visitor().is_admin().then(|| view! {
                    {item("/settings/people", texts.people())}
                    {item("/settings/channels", texts.channels())}
                    {item("/settings/mail", texts.mail_server())}
                    {item("/settings/rooms", texts.rooms())}
                    {item("/settings/slots", texts.slots())}
                    {item("/settings/review", texts.review())}
                    {item("/settings/words", texts.words())}
                    {item("/settings/site", texts.site_settings())}
                    {item("/settings/tags", texts.tags())}
                    {item("/settings/import", texts.import())}
                    {item("/settings/desk", texts.desk_settings())}
                })}
            </ul>
        </nav>
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
