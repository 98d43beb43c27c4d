//! The settings menu, and the message for users who are not admins.

use super::settings_pages::{OF_DESK, OF_ME, SettingsPage};
use crate::{
    server_fns::not_allowed,
    session::visitor,
    ui::{page::header::PageHeader, result::flash::Flash},
};
use leptos::prelude::*;
use leptos_router::hooks::{use_location, use_query_map};
use texts::layout::{LayoutTexts, palette::PaletteTexts};

/// Parameter of the search.
const FIND: &str = "find";

/// The settings pages of this user: own ones, and those of the desk. A search narrows them to what the typed words
/// describe; without script its form loads the page again.
#[component]
pub fn SettingsMenu() -> impl IntoView {
    let texts = LayoutTexts::here();
    let own = use_location().pathname.get_untracked();
    let first = use_query_map().with_untracked(|query| query.get(FIND)).unwrap_or_default();
    let typed = RwSignal::new(first.clone());
    let is_admin = visitor().is_admin();
    let is_none = Memo::new(move |_| {
        let of_desk = OF_DESK.iter().filter(|_| is_admin);
        typed.with(|typed| !OF_ME.iter().chain(of_desk).any(|page| page.is_shown(typed)))
    });
    view! {
        <nav class="settings-menu is-side" aria-label=texts.settings_menu()>
            <form method="get" action=own class="find-setting" role="search" aria-label=texts.find_setting()>
                <label for="find-setting" class="visually-hidden">{texts.find_setting()}</label>
                <input
                    id="find-setting"
                    class="input"
                    type="search"
                    name=FIND
                    value=first
                    placeholder=texts.find_setting()
                    autocomplete="off"
                    maxlength="100"
                    on:input:target=move |event| typed.set(event.target().value())
                />
                <button type="submit" class="button small">{texts.find_setting()}</button>
            </form>
            <SettingsGroup name=texts.of_me() id="settings-of-me" pages=OF_ME typed=typed />
            {is_admin.then(|| view! { <SettingsGroup name=texts.of_desk() id="settings-of-desk" pages=OF_DESK typed=typed /> })}
            <p class="hint" role="status">{move || is_none.get().then(|| PaletteTexts::here().none())}</p>
        </nav>
    }
}

#[component]
fn SettingsGroup(
    name: &'static str,
    id: &'static str,
    pages: &'static [SettingsPage],
    typed: RwSignal<String>,
) -> impl IntoView {
    let path = use_location().pathname;
    let item = move |page: &'static SettingsPage| {
        let current = move || path.with(|path| is_below(path, page.path)).then_some("page");
        view! { <li><a href=page.path aria-current=current>{(page.label)()}</a></li> }
    };
    move || {
        let shown = typed.with(|typed| pages.iter().filter(|page| page.is_shown(typed)).collect::<Vec<_>>());
        (!shown.is_empty()).then(|| {
            view! {
                <p id=id class="settings-group">{name}</p>
                <ul aria-labelledby=id>{shown.into_iter().map(item).collect_view()}</ul>
            }
        })
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
