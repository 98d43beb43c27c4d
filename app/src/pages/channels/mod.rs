//! `/settings/channels`: the ways out. For admins.

mod fields;
mod log;
mod one;
mod route;

pub use one::ChannelPage;

use crate::{
    calls::channels::{AddChannel, FreshSecret, fresh_secret, list_channels},
    components::{
        copy_button::CopyButton,
        empty::Empty,
        head::Head,
        icon::Icon,
        loaded::Loaded,
        moment::Relative,
        said::Said,
        settings_menu::{AdminsOnly, SettingsMenu},
    },
    form::PlainForm,
    live::{follow, live},
    visitor::visitor,
    words::channel::ChannelWords,
};
use domain::channel::{Channel, ChannelEdit, ChannelState, Health, Way};
use fields::Fields;
use leptos::prelude::*;
use leptos_router::hooks::use_query_map;
use server_fn::ServerFn;

/// Maximum number of characters of an answer that is shown beside a channel.
const ANSWER_CHARS: usize = 200;

/// The channels, and a new one.
#[component]
pub fn Channels() -> impl IntoView {
    let words = ChannelWords::here();
    let body = if visitor().is_admin() {
        view! { <ForAdmins /> }.into_any()
    } else {
        view! { <AdminsOnly /> }.into_any()
    };
    view! {
        <Head title=words.title().to_owned() lead=words.lead() />
        <SettingsMenu />
        <Said said=vec![("delete", words.deleted())] />
        {body}
    }
}

#[component]
fn ForAdmins() -> impl IntoView {
    let read = follow(
        |change| matches!(change.entity.as_str(), "channel" | "delivery"),
        || live().heartbeat().with(|beat| beat.attention),
        |_| list_channels(),
    );
    view! {
        <Fresh />
        <Loaded from=read children=|channels| view! { <List channels=channels /> } />
        <Add />
    }
}

/// A new channel of the way that the address asks for.
#[component]
fn Add() -> impl IntoView {
    let words = ChannelWords::here();
    let query = use_query_map();
    let way =
        Memo::new(move |_| query.read().get("add").and_then(|way| way.parse().ok()).unwrap_or(Way::Webhook));
    let choice = move |one: &'static Way| {
        let current = move || (way.get() == *one).then_some("page");
        view! { <li><a href=format!("?add={one}#add") aria-current=current>{words.way(*one)}</a></li> }
    };
    let fields = move || {
        let usual = ChannelEdit::usual(way.get());
        view! {
            <PlainForm function=AddChannel::PATH class="stack">
                <Fields path=AddChannel::PATH settings=usual />
                <p><button class="button main" type="submit">{words.add()}</button></p>
            </PlainForm>
        }
    };
    view! {
        <section class="panel settings add-channel" aria-labelledby="add">
            <header><h2 id="add">{words.add_title()}</h2></header>
            <nav class="settings-menu" aria-label=words.which_way()>
                <ul>{Way::ALL.iter().map(choice).collect_view()}</ul>
            </nav>
            {fields}
        </section>
    }
}

/// The secret that was just made; shown once.
#[component]
pub fn Fresh() -> impl IntoView {
    let fresh = Resource::new(|| (), |()| fresh_secret());
    view! {
        <Suspense>
            {move || Suspend::new(async move {
                fresh.await.ok().flatten().map(|fresh| view! { <Secret fresh=fresh /> })
            })}
        </Suspense>
    }
}

#[component]
fn Secret(fresh: FreshSecret) -> impl IntoView {
    let words = ChannelWords::here();
    let secret = fresh.secret.clone();
    view! {
        <section class="notice good fresh" role="status">
            <p>{words.secret_ready(fresh.name)}</p>
            <p class="row"><code class="secret" tabindex="0">{fresh.secret}</code> <CopyButton text=secret /></p>
        </section>
    }
}

#[component]
fn List(channels: Signal<Vec<Channel>>) -> impl IntoView {
    let words = ChannelWords::here();
    move || {
        let rows = channels.get();
        if rows.is_empty() {
            return view! { <Empty title=words.none() hint=words.none_hint() /> }.into_any();
        }
        let rows = rows.into_iter().map(|channel| view! { <Row channel=channel /> }).collect_view();
        view! { <ul class="channel-list">{rows}</ul> }.into_any()
    }
}

#[component]
fn Row(channel: Channel) -> impl IntoView {
    let words = ChannelWords::here();
    let href = format!("/settings/channels/{}", channel.id);
    let health = &channel.health;
    let count = |n: u64, word: &'static str| (n > 0).then(|| format!(" · {word} {n}"));
    let counts = [count(health.waiting, words.waiting()), count(health.needing, words.needing())];
    let last = health.succeeded_at.map(|at| view! { " · "{words.succeeded()}" "<Relative at=at /> });
    view! {
        <li class="delivery-row">
            <ChannelMark channel=channel.clone() />
            <div class="delivery-what">
                <a href=href>{channel.settings.name.clone()}</a>
                <span class="quiet detail">{words.way(channel.settings.route.way())}" · "{channel.settings.route.place()}</span>
                <span class="quiet detail">
                    {health_word(words, &channel)}{counts.into_iter().flatten().collect::<String>()}{next_try(words, health)}{last}
                </span>
            </div>
        </li>
    }
}

/// How it has been doing, in words.
fn health_word(words: ChannelWords, channel: &Channel) -> String {
    let health = &channel.health;
    if health.is_failing() {
        let answer = answer(health).map(|answer| format!(" · {}", words.last_answer(answer)));
        return format!("{}{}", words.failing(health.undelivered), answer.unwrap_or_default());
    }
    match (health.is_tried, health.succeeded_at) {
        (false, _) => words.untried(),
        (true, None) => words.none_arrived(),
        (true, Some(_)) => words.fine(),
    }
    .to_owned()
}

/// `500 no room`: the last answer that was no.
fn answer(health: &Health) -> Option<String> {
    let status = health.last_status.map(|status| status.to_string());
    let text = health.last_answer.as_ref().map(|text| text.chars().take(ANSWER_CHARS).collect());
    let parts: Vec<String> = status.into_iter().chain(text).collect();
    (!parts.is_empty()).then(|| parts.join(" "))
}

/// When what failed is tried again.
fn next_try(words: ChannelWords, health: &Health) -> Option<impl IntoView + use<>> {
    let at = health.next_at.filter(|_| health.is_failing())?;
    let at = health.rests_until.map_or(at, |until| until.max(at));
    Some(view! { " · "{words.next_try()}" "<Relative at=at /> })
}

/// Whether a channel sends.
#[component]
fn ChannelMark(channel: Channel) -> impl IntoView {
    let words = ChannelWords::here();
    let (phase, icon) = match channel.state {
        ChannelState::Active if channel.health.is_failing() => ("failed", "attention"),
        ChannelState::Active => ("executed", "executed"),
        ChannelState::Paused => ("cancelled", "pause"),
        ChannelState::Off => ("failed", "failed"),
    };
    let word = match phase {
        "failed" if channel.state == ChannelState::Active => words.failing_now(),
        _ => words.channel_state(channel.state),
    };
    view! { <span class="phase still" data-phase=phase><Icon name=icon />{word}</span> }
}
