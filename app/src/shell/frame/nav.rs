//! The navigation: a sidebar on wide screens, icons on narrower ones, a bar at the bottom on phones;
//! and the tabs of a section above its pages.

use crate::{
    live::live,
    session::visitor,
    shell::{
        frame::sections::{SECTIONS, Section, Tab},
        server_fns::LogOut,
    },
    ui::{form::PlainForm, page::settings_menu::is_below},
};
use leptos::{html::Details, prelude::*};
use leptos_router::hooks::use_location;
use server_fn::ServerFn;
use texts::layout::LayoutTexts;

/// Sections that the bar of a phone shows. The others are in *More*.
const IN_BAR: [&str; 3] = ["/", "/articles", "/calendar"];

/// The navigation.
#[component]
pub fn Nav() -> impl IntoView {
    let (texts, visitor) = (LayoutTexts::here(), visitor());
    let menu = NodeRef::<Details>::new();
    let sections = SECTIONS.iter().filter(|section| section.audience.has_visitor()).map(|section| {
        let in_more = !IN_BAR.contains(&section.href);
        view! { <li class:in-more=in_more><SectionItem section=section /></li> }
    });
    view! {
        <nav class="nav" aria-label=texts.main_menu()>
            <a class="brand" href="/">{visitor.desk.title.clone()}</a>
            <ul on:click=move |_| close(menu)>{sections.collect_view()}</ul>
            <ul class="foot" on:click=move |_| close(menu)>
                <li class="in-more"><a class="item" data-icon="site" href="/site" rel="external"><span>{texts.site()}</span></a></li>
                <li class="in-more">
                    <a class="item" data-icon="settings" href="/settings/profile" aria-current=current(|path| is_below(path, "/settings"))>
                        <span>{texts.settings()}</span>
                    </a>
                </li>
                <li class="in-more"><AccountMenu /></li>
            </ul>
            <More menu=menu />
        </nav>
    }
}

/// Closes a menu.
pub fn close(menu: NodeRef<Details>) {
    if let Some(menu) = menu.get_untracked() {
        menu.set_open(false);
    }
}

/// Closes a menu when another page is opened.
pub fn close_on_leaving(menu: NodeRef<Details>) {
    let path = use_location().pathname;
    Effect::watch(move || path.get(), move |_, _, _| close(menu), false);
}

/// Shows the entries that do not fit into the bar of a phone, until one of them is chosen or another
/// page is opened.
#[component]
fn More(menu: NodeRef<Details>) -> impl IntoView {
    close_on_leaving(menu);
    view! {
        <details class="more menu" node_ref=menu>
            <summary class="item" data-icon="more"><span>{LayoutTexts::here().more()}</span></summary>
        </details>
    }
}

/// The user: own settings, and log-out.
#[component]
fn AccountMenu() -> impl IntoView {
    let (texts, menu) = (LayoutTexts::here(), NodeRef::<Details>::new());
    close_on_leaving(menu);
    let name = visitor().account.map(|account| account.name).unwrap_or_default();
    let initial = name.chars().next().map(|first| first.to_uppercase().to_string());
    view! {
        <details class="account-menu menu" node_ref=menu>
            <summary class="item">
                <span class="initial" aria-hidden="true">{initial}</span>
                <span class="nav-user" dir="auto">{name}</span>
            </summary>
            <div class="menu-items">
                <a class="item" data-icon="person" href="/settings/profile">{texts.profile_and_language()}</a>
                <a class="item" data-icon="bell" href="/settings/notifications">{texts.notification_choices()}</a>
                <PlainForm function=LogOut::PATH>
                    <button class="item" data-icon="log-out" type="submit">{texts.log_out()}</button>
                </PlainForm>
            </div>
        </details>
    }
}

/// Link to a section; that of the first page with the number of entries that need the user.
#[component]
fn SectionItem(section: &'static Section) -> impl IntoView {
    let needs = (section.href == "/").then(|| view! { <NeedsUser /> });
    view! {
        <a class="item" data-icon=section.icon href=section.href aria-current=current(|path| section.contains(path))>
            <span>{(section.label)(LayoutTexts::here())}</span>
            {needs}
        </a>
    }
}

/// Number of entries that need a person: those on which the user can act, and in grey the others.
#[component]
fn NeedsUser() -> impl IntoView {
    let (texts, beat) = (LayoutTexts::here(), live().heartbeat());
    let count = Memo::new(move |_| beat.with(|beat| beat.attention));
    let watched = Memo::new(move |_| beat.with(|beat| beat.attention_watched.min(beat.attention)));
    let own = Memo::new(move |_| count.get() - watched.get());
    move || {
        (count.get() > 0).then(|| view! {
            <span class="counts" aria-hidden="true">
                {move || (own.get() > 0).then(|| view! { <span class="count">{own}</span> })}
                {move || (watched.get() > 0).then(|| view! { <span class="count watched" title=texts.only_admins()>{watched}</span> })}
            </span>
            <span class="visually-hidden">{texts.needs_attention(count.get())}</span>
        })
    }
}

/// The tabs of the section whose list is open.
#[component]
pub fn SectionTabs() -> impl IntoView {
    let path = use_location().pathname;
    let section = Memo::new(move |_| {
        path.with(|path| SECTIONS.iter().position(|one| one.tabs.iter().any(|tab| tab.href == path)))
    });
    move || {
        let section = section.get().and_then(|number| SECTIONS.get(number))?;
        let tabs: Vec<&Tab> = section.tabs.iter().filter(|tab| tab.audience.has_visitor()).collect();
        // A single tab leads nowhere.
        (tabs.len() > 1).then(|| view! {
            <nav class="section-tabs" aria-label=(section.label)(LayoutTexts::here())>
                <ul>{tabs.into_iter().map(|tab| view! { <li><TabLink tab=tab /></li> }).collect_view()}</ul>
            </nav>
        })
    }
}

#[component]
fn TabLink(tab: &'static Tab) -> impl IntoView {
    let texts = LayoutTexts::here();
    let waiting = visitor().reviews.filter(|count| tab.href == "/review" && *count > 0);
    view! {
        <a href=tab.href aria-current=current(|path| is_below(path, tab.href))>
            {(tab.label)(texts)}
            {waiting.map(|count| view! {
                <span class="count" aria-hidden="true">{count}</span>
                <span class="visually-hidden">{texts.waiting_reviews(count)}</span>
            })}
        </a>
    }
}

/// Returns `page` if the current path is in a part of the desk.
fn current(
    is_here: impl Fn(&str) -> bool + Copy + Send + 'static,
) -> impl Fn() -> Option<&'static str> + Copy + Send + 'static {
    let path = use_location().pathname;
    move || path.with(|path| is_here(path).then_some("page"))
}
