//! `/settings/channels/{id}`: one channel: its health, its log, its settings, its secret.

use super::{ChannelMark, Fresh, fields::Fields, health_word, log::Log, next_try};
use crate::{
    calls::channels::{DeleteChannel, EditChannel, PauseChannel, RotateChannel, TestChannel, find_channel},
    components::{
        head::TabTitle,
        loaded::Loaded,
        moment::Relative,
        password_again::PasswordAgain,
        said::Said,
        settings_menu::{AdminsOnly, SettingsMenu},
    },
    form::PlainForm,
    live::{follow, live},
    visitor::visitor,
    words::{channel::ChannelWords, language, time},
};
use domain::{
    ChannelId, Timestamp,
    channel::{Channel, ChannelState, Holder},
};
use leptos::prelude::*;
use leptos_router::hooks::use_params_map;
use server_fn::ServerFn;

/// The page.
#[component]
pub fn ChannelPage() -> impl IntoView {
    let words = ChannelWords::here();
    if !visitor().is_admin() {
        return view! {
            <TabTitle title=words.title().to_owned() />
            <h1>{words.title()}</h1>
            <AdminsOnly />
        }
        .into_any();
    }
    let params = use_params_map();
    let id = Memo::new(move |_| params.with(|params| params.get("id").unwrap_or_default()));
    let read = follow(
        |change| matches!(change.entity.as_str(), "channel" | "delivery"),
        // That attempts fail is no event: the heartbeat counts what follows from it.
        move || (id.get(), live().heartbeat().with(|beat| beat.attention)),
        |(id, _)| find_channel(id),
    );
    view! {
        <SettingsMenu />
        <Said said=vec![
            ("add", words.added()), ("save", words.saved()), ("test", words.tested()), ("pause", words.was_paused()), ("resume", words.was_resumed()),
        ] />
        <Fresh />
        <Loaded from=read children=|channel| view! { <Above channel=channel /> } />
        <Log channel=id />
        <Loaded from=read children=|channel| view! { <Below channel=channel /> } />
    }
    .into_any()
}

/// Name, state, health, and what can be done at once.
#[component]
fn Above(channel: Signal<Channel>) -> impl IntoView {
    let words = ChannelWords::here();
    let name = move || channel.with(|channel| channel.settings.name.clone());
    view! {
        <TabTitle title=Signal::derive(name) />
        {move || {
            let channel = channel.get();
            view! {
                <header class="page-head">
                    <h1>{channel.settings.name.clone()}</h1>
                    <div class="row"><Switches channel=channel.clone() /></div>
                    <p class="lead">{words.way(channel.settings.route.way())}" · "{channel.settings.route.place()}</p>
                </header>
                <Trouble channel=channel.clone() />
                <section class="panel" aria-labelledby="health">
                    <header><h2 id="health">{words.health()}</h2><ChannelMark channel=channel.clone() /></header>
                    <Facts channel=channel />
                </section>
            }
        }}
    }
}

#[component]
fn Switches(channel: Channel) -> impl IntoView {
    let words = ChannelWords::here();
    let (id, is_active) = (channel.id, channel.state == ChannelState::Active);
    let is_resting = channel.health.rests_until.is_some() || channel.health.retried > 0;
    let switch = move |is_paused: bool| {
        let label = match is_paused {
            true => words.pause(),
            false if is_active => words.send_now(),
            false => words.resume(),
        };
        view! {
            <PlainForm function=PauseChannel::PATH class="tight">
                <Which id=id />
                <input type="hidden" name="is_paused" value=is_paused.to_string() />
                <button class="button" type="submit">{label}</button>
            </PlainForm>
        }
    };
    let test = is_active.then(|| {
        view! {
            <PlainForm function=TestChannel::PATH class="tight">
                <Which id=id />
                <button class="button main" type="submit">{words.test()}</button>
            </PlainForm>
        }
    });
    view! {
        {test}
        {is_active.then(|| switch(true))}
        {(!is_active || is_resting).then(|| switch(false))}
    }
}

/// Which channel a form is about.
#[component]
fn Which(id: ChannelId) -> impl IntoView {
    view! { <input type="hidden" name="id" value=id.to_string() /> }
}

/// Why nothing is sent, if nothing is.
#[component]
fn Trouble(channel: Channel) -> impl IntoView {
    let (words, now) = (ChannelWords::here(), live().now().get_untracked());
    let rest = channel.health.rests_until.map(|until| words.resting(left(until, now)));
    let off = (channel.state == ChannelState::Off).then(|| words.off_hint());
    view! {
        {off.map(|off| view! { <p class="alert">{off}</p> })}
        {rest.map(|rest| view! { <p class="notice warn">{rest}</p> })}
    }
}

fn left(until: Timestamp, now: Timestamp) -> String {
    time::span(language(), (until.since(now) / 1_000).max(1))
}

#[component]
fn Facts(channel: Channel) -> impl IntoView {
    let words = ChannelWords::here();
    let health = channel.health.clone();
    let moment = move |at: Option<Timestamp>| match at {
        Some(at) => view! { <Relative at=at /> }.into_any(),
        None => words.never().into_any(),
    };
    let events: Vec<_> = channel.settings.events.iter().map(|event| words.event(*event)).collect();
    let recipients = channel.settings.route.recipients().join(" · ");
    view! {
        <dl class="facts">
            <dt>{words.stands()}</dt><dd>{health_word(words, &channel)}{next_try(words, &health)}</dd>
            <dt>{words.succeeded()}</dt><dd>{moment(health.succeeded_at)}</dd>
            <dt>{words.failed_at()}</dt><dd>{moment(health.failed_at)}</dd>
            <dt>{words.waiting()}</dt><dd>{health.waiting}</dd>
            <dt>{words.needing()}</dt><dd>{health.needing}</dd>
            <dt>{words.events()}</dt><dd>{events.join(" · ")}</dd>
            {(!recipients.is_empty()).then(|| view! { <dt>{words.recipients()}</dt><dd>{recipients}</dd> })}
        </dl>
    }
}

/// Settings, secret, and the end of it. Not drawn anew while somebody types: only another channel's are other ones.
#[component]
fn Below(channel: Signal<Channel>) -> impl IntoView {
    let words = ChannelWords::here();
    let first = channel.get_untracked();
    let id = first.id;
    let signs = first.settings.route.holder() == Holder::Signer;
    let secret = signs.then(|| view! { <Secret id=id until=first.rotating_until /> });
    view! {
        <div class="settings channel-settings">
            <section class="panel" aria-labelledby="settings">
                <header><h2 id="settings">{words.settings()}</h2></header>
                <PlainForm function=EditChannel::PATH class="stack">
                    <Which id=id />
                    <Fields path=EditChannel::PATH settings=first.settings has_secret=first.has_secret />
                    <p><button class="button main" type="submit">{words.save()}</button></p>
                </PlainForm>
            </section>
            {secret}
            <details class="open-in-place">
                <summary class="button danger">{words.delete()}</summary>
                <p class="quiet">{words.delete_hint()}</p>
                <PlainForm function=DeleteChannel::PATH class="tight">
                    <Which id=id />
                    <button class="button danger" type="submit">{words.delete()}</button>
                </PlainForm>
            </details>
        </div>
    }
}

/// The secret that signs: replaced here, never shown.
#[component]
fn Secret(id: ChannelId, until: Option<Timestamp>) -> impl IntoView {
    let (words, now) = (ChannelWords::here(), live().now().get_untracked());
    let rotating = until.map(|until| words.rotating(left(until, now)));
    view! {
        <section class="panel" aria-labelledby="rotate">
            <header><h2 id="rotate">{words.rotate()}</h2></header>
            <p class="quiet">{words.rotate_hint()}</p>
            {rotating.map(|rotating| view! { <p class="notice">{rotating}</p> })}
            <PlainForm function=RotateChannel::PATH class="tight">
                <Which id=id />
                <PasswordAgain function=RotateChannel::PATH />
                <button class="button" type="submit">{words.rotate()}</button>
            </PlainForm>
        </section>
    }
}
