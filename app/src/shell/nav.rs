//! The navigation: a sidebar on wide screens, a bar at the bottom on narrow ones.

use crate::{
    live::live,
    reminders::bell::{self, UnreadCount},
    shell::{
        server_fns::LogOut,
        session::{Visitor, visitor},
        status::StatusMark,
        texts::LayoutTexts,
    },
    ui::form::PlainForm,
};
use leptos::prelude::*;
use leptos_router::hooks::use_location;
use server_fn::ServerFn;

/// The navigation.
#[component]
pub fn Nav() -> impl IntoView {
    let (texts, visitor) = (LayoutTexts::here(), visitor());
    bell::provide();
    view! {
        <nav class="nav" aria-label=texts.main_menu()>
            <a class="brand" href="/">{visitor.desk.title.clone()}</a>
            <ul>
                <li><Item href="/" icon="desk" label=texts.dashboard() /></li>
                <li class="desktop-only"><Item href="/quick" icon="plus" label=texts.quick_add() /></li>
                <li class="begins"><Item href="/articles" icon="article" label=texts.articles() /></li>
                <li class="desktop-only"><Item href="/media" icon="picture" label=texts.media() /></li>
                <li class="desktop-only"><Item href="/calendar" icon="calendar" label=texts.calendar() /></li>
                <li class="desktop-only"><Item href="/meetings" icon="meeting" label=texts.meetings() /></li>
                <li class="desktop-only"><Item href="/reminders" icon="reminder" label=texts.reminders() /></li>
                <li class="begins"><Attention /></li>
                {visitor.reviews.map(|count| view! { <li class="desktop-only"><Review count=count /></li> })}
                <li class="desktop-only"><Bell /></li>
                <li><Item href="/tasks" icon="tasks" label=texts.tasks() /></li>
                <li class="desktop-only"><Item href="/activity" icon="history" label=texts.activity() /></li>
                {visitor.is_admin().then(|| view! {
                    <li class="desktop-only begins"><Item href="/messages" icon="hints" label=texts.messages() /></li>
                    <li class="desktop-only"><Item href="/rules" icon="list" label=texts.rules() /></li>
                    <li class="desktop-only"><Item href="/engine" icon="engine" label=texts.engine() /></li>
                })}
                <li class="desktop-only begins"><Settings /></li>
                <li class="desktop-only"><Site /></li>
            </ul>
            <div class="foot">
                <StatusMark />
                <p class="nav-user">{visitor.account.as_ref().map(|account| account.name.clone())}</p>
                <div class="desktop-only"><LogOutButton /></div>
                <More visitor=visitor />
            </div>
        </nav>
    }
}

/// Entries that do not fit into the bar of a narrow screen.
#[component]
fn More(visitor: Visitor) -> impl IntoView {
    let texts = LayoutTexts::here();
    view! {
        <details class="more">
            <summary class="item" data-icon="more">{texts.more()}<UnreadCount /></summary>
            <ul class="more-menu">
                <li><Item href="/quick" icon="plus" label=texts.quick_add() /></li>
                <li><Item href="/media" icon="picture" label=texts.media() /></li>
                <li><Item href="/calendar" icon="calendar" label=texts.calendar() /></li>
                <li><Item href="/meetings" icon="meeting" label=texts.meetings() /></li>
                <li><Item href="/reminders" icon="reminder" label=texts.reminders() /></li>
                {visitor.reviews.map(|count| view! { <li><Review count=count /></li> })}
                <li><Bell /></li>
                <li><Item href="/activity" icon="history" label=texts.activity() /></li>
                {visitor.is_admin().then(|| view! {
                    <li><Item href="/messages" icon="hints" label=texts.messages() /></li>
                    <li><Item href="/rules" icon="list" label=texts.rules() /></li>
                    <li><Item href="/engine" icon="engine" label=texts.engine() /></li>
                })}
                <li><Settings /></li>
                <li><Site /></li>
                <li><LogOutButton /></li>
            </ul>
        </details>
    }
}

#[component]
fn Settings() -> impl IntoView {
    view! { <Item href="/settings/profile" icon="settings" label=LayoutTexts::here().settings() /> }
}

#[component]
fn Site() -> impl IntoView {
    view! { <a class="item" data-icon="site" href="/site" rel="external">{LayoutTexts::here().site()}</a> }
}

#[component]
fn LogOutButton() -> impl IntoView {
    let texts = LayoutTexts::here();
    view! {
        <PlainForm function=LogOut::PATH>
            <button class="item" data-icon="log-out" type="submit">{texts.log_out()}</button>
        </PlainForm>
    }
}

/// Link to Attention, with the number of entries.
#[component]
fn Attention() -> impl IntoView {
    let (texts, beat) = (LayoutTexts::here(), live().heartbeat());
    let count = Memo::new(move |_| beat.with(|beat| beat.attention));
    // The user can act on some of them; the others are shown in grey.
    let watched = Memo::new(move |_| beat.with(|beat| beat.attention_watched.min(beat.attention)));
    let own = Memo::new(move |_| count.get() - watched.get());
    view! {
        <a class="item" data-icon="attention" href="/attention" aria-current=current("/attention")>
            {texts.attention()}
            {move || (count.get() > 0).then(|| view! {
                <span class="counts" aria-hidden="true">
                    {move || (own.get() > 0).then(|| view! { <span class="count">{own}</span> })}
                    {move || (watched.get() > 0).then(|| view! { <span class="count watched" title=texts.only_admins()>{watched}</span> })}
                </span>
                <span class="visually-hidden">{texts.needs_attention(count.get())}</span>
            })}
        </a>
    }
}

/// Link to the notifications, with the number of unread ones.
#[component]
fn Bell() -> impl IntoView {
    view! {
        <a class="item" data-icon="bell" href="/notifications" aria-current=current("/notifications")>
            {LayoutTexts::here().notifications()}
            <UnreadCount />
        </a>
    }
}

/// Link to the reviews, with the number of those that the user may decide.
#[component]
fn Review(count: u64) -> impl IntoView {
    let texts = LayoutTexts::here();
    view! {
        <a class="item" data-icon="eye" href="/review" aria-current=current("/review")>
            {texts.review()}
            {(count > 0).then(|| view! {
                <span class="counts" aria-hidden="true"><span class="count">{count}</span></span>
                <span class="visually-hidden">{texts.waiting_reviews(count)}</span>
            })}
        </a>
    }
}

#[component]
fn Item(href: &'static str, icon: &'static str, label: &'static str) -> impl IntoView {
    view! {
        <a class="item" data-icon=icon href=href aria-current=current(href)>
            {label}
        </a>
    }
}

/// Returns `page` if the current path is `href` or below it.
fn current(href: &'static str) -> impl Fn() -> Option<&'static str> + Clone + Send + 'static {
    let path = use_location().pathname;
    // All settings pages share one entry, and so do meetings and rooms.
    let stems: Vec<&'static str> = match href {
        "/meetings" => vec!["/meetings", "/rooms"],
        _ if href.starts_with("/settings") => vec!["/settings"],
        _ => vec![href],
    };
    let is_here = move |path: &str| {
        stems.iter().any(|stem| match path.strip_prefix(stem) {
            Some(rest) if *stem == "/" => rest.is_empty(),
            Some(rest) => rest.is_empty() || rest.starts_with('/'),
            None => false,
        })
    };
    move || path.with(|path| is_here(path).then_some("page"))
}
