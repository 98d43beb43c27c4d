//! The navigation: a sidebar on wide screens, a bar at the bottom on narrow ones.

use crate::{
    live::live,
    reminders::bell::{self, UnreadCount},
    shell::{server_fns::LogOut, session::visitor, status::StatusMark, texts::LayoutTexts},
    ui::form::PlainForm,
};
use leptos::{html::Details, prelude::*};
use leptos_router::hooks::use_location;
use server_fn::ServerFn;

/// The navigation. The bar of a narrow screen shows four entries; *More* opens the others above it.
#[component]
pub fn Nav() -> impl IntoView {
    let (texts, visitor) = (LayoutTexts::here(), visitor());
    bell::provide();
    let menu = NodeRef::<Details>::new();
    view! {
        <nav class="nav" aria-label=texts.main_menu()>
            <a class="brand" href="/">{visitor.desk.title.clone()}</a>
            <ul on:click=move |_| close(menu)>
                <li><Item href="/" icon="desk" label=texts.dashboard() /></li>
                <li class="in-more"><Item href="/quick" icon="plus" label=texts.quick_add() /></li>
                <li class="begins"><Item href="/articles" icon="article" label=texts.articles() /></li>
                <li class="in-more"><Item href="/media" icon="picture" label=texts.media() /></li>
                <li class="in-more"><Item href="/calendar" icon="calendar" label=texts.calendar() /></li>
                <li class="in-more"><Item href="/meetings" icon="meeting" label=texts.meetings() /></li>
                <li class="in-more"><Item href="/reminders" icon="reminder" label=texts.reminders() /></li>
                <li class="begins"><Attention /></li>
                {visitor.reviews.map(|count| view! { <li class="in-more"><Review count=count /></li> })}
                <li class="in-more"><Bell /></li>
                <li><Item href="/tasks" icon="tasks" label=texts.tasks() /></li>
                <li class="in-more"><Item href="/activity" icon="history" label=texts.activity() /></li>
                {visitor.is_admin().then(|| view! {
                    <li class="in-more begins"><Item href="/messages" icon="hints" label=texts.messages() /></li>
                    <li class="in-more"><Item href="/rules" icon="rules" label=texts.rules() /></li>
                    <li class="in-more"><Item href="/engine" icon="engine" label=texts.engine() /></li>
                })}
                <li class="in-more begins"><Settings /></li>
                <li class="in-more"><Site /></li>
            </ul>
            <div class="foot">
                <StatusMark />
                <p class="nav-user">{visitor.account.as_ref().map(|account| account.name.clone())}</p>
                <div class="in-more"><LogOutButton /></div>
                <More menu=menu />
            </div>
        </nav>
    }
}

/// Closes the menu of a narrow screen.
fn close(menu: NodeRef<Details>) {
    if let Some(menu) = menu.get_untracked() {
        menu.set_open(false);
    }
}

/// Shows the entries that do not fit into the bar of a narrow screen, until one of them is chosen or
/// another page is opened.
#[component]
fn More(menu: NodeRef<Details>) -> impl IntoView {
    let path = use_location().pathname;
    Effect::watch(move || path.get(), move |_, _, _| close(menu), false);
    view! {
        <details class="more" node_ref=menu>
            <summary class="item" data-icon="more">{LayoutTexts::here().more()}<UnreadCount /></summary>
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
