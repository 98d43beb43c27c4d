//! The menu: a rail on a desk, a bar on a phone.

use super::{icon::Icon, pulse::PulseMark};
use crate::{
    calls::session::LogOut,
    form::PlainForm,
    live::live,
    visitor::{Visitor, visitor},
    words::frame::FrameWords,
};
use leptos::prelude::*;
use leptos_router::hooks::use_location;
use server_fn::ServerFn;

/// The menu.
#[component]
pub fn Rail() -> impl IntoView {
    let (words, visitor) = (FrameWords::here(), visitor());
    view! {
        <nav class="rail" aria-label=words.main_menu()>
            <a class="brand" href="/">{visitor.desk.title.clone()}</a>
            <ul>
                <li><Item href="/" icon="desk" label=words.desk() /></li>
                <li><Item href="/articles" icon="article" label=words.articles() /></li>
                <li><Attention /></li>
                <li><Item href="/tasks" icon="tasks" label=words.tasks() /></li>
                {visitor.is_admin().then(|| {
                    view! { <li class="wide"><Item href="/engine" icon="engine" label=words.engine() /></li> }
                })}
                <li class="wide"><Settings /></li>
                <li class="wide"><Site /></li>
            </ul>
            <div class="foot">
                <PulseMark />
                <p class="who">{visitor.person.as_ref().map(|person| person.name.clone())}</p>
                <div class="wide"><Leave /></div>
                <More visitor=visitor />
            </div>
        </nav>
    }
}

/// What does not fit into the bar of a phone.
#[component]
fn More(visitor: Visitor) -> impl IntoView {
    let words = FrameWords::here();
    view! {
        <details class="more">
            <summary class="item"><Icon name="more" />{words.more()}</summary>
            <ul class="more-menu">
                {visitor.is_admin().then(|| {
                    view! { <li><Item href="/engine" icon="engine" label=words.engine() /></li> }
                })}
                <li><Settings /></li>
                <li><Site /></li>
                <li><Leave /></li>
            </ul>
        </details>
    }
}

#[component]
fn Settings() -> impl IntoView {
    view! { <Item href="/settings/profile" icon="settings" label=FrameWords::here().settings() /> }
}

#[component]
fn Site() -> impl IntoView {
    view! { <a class="item" href="/site" rel="external"><Icon name="site" />{FrameWords::here().site()}</a> }
}

#[component]
fn Leave() -> impl IntoView {
    let words = FrameWords::here();
    view! {
        <PlainForm function=LogOut::PATH>
            <button class="item" type="submit"><Icon name="leave" />{words.log_out()}</button>
        </PlainForm>
    }
}

/// The way to Attention, with how many wait there.
#[component]
fn Attention() -> impl IntoView {
    let (words, beat) = (FrameWords::here(), live().heartbeat());
    let count = Memo::new(move |_| beat.with(|beat| beat.attention));
    view! {
        <a class="item" href="/attention" aria-current=current("/attention")>
            <Icon name="attention" />
            <span>{words.attention()}</span>
            {move || (count.get() > 0).then(|| view! {
                <span class="count" aria-hidden="true">{count}</span>
                <span class="hidden-word">{words.needs_attention(count.get())}</span>
            })}
        </a>
    }
}

#[component]
fn Item(href: &'static str, icon: &'static str, label: &'static str) -> impl IntoView {
    view! {
        <a class="item" href=href aria-current=current(href)>
            <Icon name=icon />
            <span>{label}</span>
        </a>
    }
}

/// `page` if the visitor is there or below.
fn current(href: &'static str) -> impl Fn() -> Option<&'static str> + Clone + Send + 'static {
    let path = use_location().pathname;
    // All of the settings stand behind one entry.
    let stem = if href.starts_with("/settings") { "/settings" } else { href };
    let is_here = move |path: &str| match path.strip_prefix(stem) {
        Some(rest) if stem == "/" => rest.is_empty(),
        Some(rest) => rest.is_empty() || rest.starts_with('/'),
        None => false,
    };
    move || path.with(|path| is_here(path).then_some("page"))
}
