//! `/settings/channels/{id}`: health and log of a channel; with `?tab=settings`, its settings and
//! secret.

use super::{
    NewSecretNotice,
    fields::{Fields, SHOWN_BY_FIELDS},
    health::{ChannelMark, ConditionWord, DeletionLine, HealthLine},
    log::Log,
};
use crate::{
    accounts::password_confirmation::PasswordConfirmation,
    deliveries::{
        held_result::held_result,
        mail_fields::NoDeskServer,
        refresh::refresh_tick,
        server_fns::{
            DeleteChannel, EditChannel, OpenedChannel, PauseChannel, RotateChannel, TestChannel, find_channel,
        },
        test_outcome::{TEST, follow_test},
    },
    live::{live, live_resource},
    session::visitor,
    ui::{
        async_view::AsyncView,
        form::{PlainForm, refusal_of},
        page::{
            header::TabTitle,
            settings_menu::{AdminsOnly, SettingsMenu},
        },
        result::{Undo, UndoForm, flash::Flash},
        time::date_time::Relative,
    },
};
use domain::{
    ChannelId, Timestamp,
    channel::{Channel, ChannelState, SecretOwner},
};
use leptos::{either::Either, prelude::*};
use leptos_router::hooks::{use_params_map, use_query_map};
use server_fn::ServerFn;
use texts::{
    deliveries::{ChannelTexts, mail_server::MailServerTexts, posts::PostTexts},
    language,
    layout::ResultTexts,
    number::counted,
    time,
};

/// The page.
#[component]
pub fn ChannelPage() -> impl IntoView {
    let texts = ChannelTexts::here();
    if !visitor().is_admin() {
        return view! {
            <TabTitle title=texts.title().to_owned() />
            <h1>{texts.title()}</h1>
            <AdminsOnly />
        }
        .into_any();
    }
    let params = use_params_map();
    let id = Memo::new(move |_| params.with(|params| params.get("id").unwrap_or_default()));
    let query = use_query_map();
    // A refused form is shown with its input, whatever the URL says.
    let is_refused = [EditChannel::PATH, RotateChannel::PATH, DeleteChannel::PATH]
        .iter()
        .any(|function| refusal_of(function).is_some());
    let is_settings =
        Memo::new(move |_| is_refused || query.with(|query| query.get("tab")).as_deref() == Some("settings"));
    let tick = refresh_tick();
    let read = live_resource(
        |change| matches!(change.entity.as_str(), "channel" | "delivery"),
        move || (id.get(), tick.get()),
        |(id, _)| find_channel(id),
    );
    let messages = vec![
        ("add", texts.added()),
        ("save", texts.saved()),
        (TEST, texts.tested()),
        ("pause", texts.was_paused()),
        ("resume", texts.was_resumed()),
    ];
    let held: Option<(&'static [&'static str], _)> =
        live().are_deliveries_held().get_untracked().then(|| (&[TEST, "resume"][..], held_result(texts)));
    let outcome = follow_test(id.get_untracked());
    view! {
        <SettingsMenu />
        <Flash messages=messages instead=held undo_of=Some(("pause", undo_pause(id.get_untracked()))) outcome=outcome />
        <NewSecretNotice />
        <AsyncView from=read children=|opened| view! { <Summary opened=opened /> } />
        <Tabs channel=id is_settings=is_settings />
        {move || if is_settings.get() {
            Either::Left(view! {
                <AsyncView from=read children=|opened| view! { <SettingsPanels opened=opened /> } />
            })
        } else {
            Either::Right(view! { <Log channel=id /> })
        }}
    }
    .into_any()
}

/// The undo of a pause of the channel.
fn undo_pause(channel: String) -> Undo {
    Undo::Form(UndoForm {
        function: PauseChannel::PATH,
        fields: vec![("id", channel), ("is_paused", "false".to_owned())],
        label: ResultTexts::here().undo_pause(),
    })
}

/// Links to the two halves of the page.
#[component]
fn Tabs(channel: Memo<String>, is_settings: Memo<bool>) -> impl IntoView {
    let texts = ChannelTexts::here();
    let current = move |settings: bool| move || (is_settings.get() == settings).then_some("page");
    let log = move || format!("/settings/channels/{}", channel.get());
    let settings = move || format!("/settings/channels/{}?tab=settings", channel.get());
    view! {
        <nav class="settings-menu channel-tabs" aria-label=texts.parts()>
            <ul>
                <li><a href=log aria-current=current(false)>{texts.log()}</a></li>
                <li><a href=settings aria-current=current(true)>{texts.settings()}</a></li>
            </ul>
        </nav>
    }
}

/// Name, state, health and actions.
#[component]
fn Summary(opened: Signal<OpenedChannel>) -> impl IntoView {
    let texts = ChannelTexts::here();
    let name = move || opened.with(|opened| opened.channel.settings.name.clone());
    view! {
        <TabTitle title=Signal::derive(name) />
        {move || {
            let OpenedChannel { channel, desk } = opened.get();
            let has_no_server = desk.is_none() && channel.settings.endpoint.uses_desk_server();
            let address = MailServerTexts::here().address(&channel.settings.endpoint);
            view! {
                <header class="page-header">
                    <h1>{channel.settings.name.clone()}</h1>
                    <div class="row"><ChannelActions channel=channel.clone() /></div>
                    <p class="lead">{texts.transport_name(channel.settings.endpoint.transport())}" · "{address}</p>
                </header>
                {has_no_server.then(|| view! { <NoDeskServer /> })}
                <Problems channel=channel.clone() />
                <section class="panel" aria-labelledby="health">
                    <header><h2 id="health">{texts.health()}</h2><ChannelMark channel=channel.clone() /></header>
                    <Facts channel=channel />
                </section>
            }
        }}
    }
}

#[component]
fn ChannelActions(channel: Channel) -> impl IntoView {
    let texts = ChannelTexts::here();
    let (id, is_active) = (channel.id, channel.state == ChannelState::Active);
    if channel.state == ChannelState::Deleting {
        return ().into_any();
    }
    let is_backing_off = channel.health.breaker_open_until.is_some() || channel.health.retried > 0;
    let switch = move |is_paused: bool| {
        let label = match is_paused {
            true => texts.pause(),
            false if is_active => texts.send_now(),
            false => texts.resume(),
        };
        view! {
            <PlainForm function=PauseChannel::PATH class="inline">
                <ChannelIdField id=id />
                <input type="hidden" name="is_paused" value=is_paused.to_string() />
                <button class="button" type="submit">{label}</button>
            </PlainForm>
        }
    };
    let test_label = if channel.sends_messages() { texts.test() } else { PostTexts::here().test() };
    let test = is_active.then(|| {
        view! {
            <PlainForm function=TestChannel::PATH class="inline">
                <ChannelIdField id=id />
                <button class="button main" type="submit">{test_label}</button>
            </PlainForm>
        }
    });
    view! {
        {test}
        {is_active.then(|| switch(true))}
        {(!is_active || is_backing_off).then(|| switch(false))}
    }
    .into_any()
}

/// The hidden field with the channel's id.
#[component]
fn ChannelIdField(id: ChannelId) -> impl IntoView {
    view! { <input type="hidden" name="id" value=id.to_string() /> }
}

/// Why nothing is sent, if so.
#[component]
fn Problems(channel: Channel) -> impl IntoView {
    let (texts, now) = (ChannelTexts::here(), live().now().get_untracked());
    // The status says when the next attempt is, if a message waits.
    let is_unsaid = channel.state == ChannelState::Active && channel.health.next_at.is_none();
    let breaker = channel.health.breaker_open_until.filter(|_| is_unsaid);
    let breaker = breaker.map(|until| texts.breaker_open(left(until, now)));
    let disabled = (channel.state == ChannelState::Off).then(|| texts.disabled_hint());
    let deleting = channel.deletion.map(|progress| {
        view! { <p class="notice warn">{texts.deleting_hint()}" "<DeletionLine progress=progress /></p> }
    });
    view! {
        {deleting}
        {disabled.map(|disabled| view! { <p class="alert">{disabled}</p> })}
        {breaker.map(|breaker| view! { <p class="notice warn">{breaker}</p> })}
    }
}

fn left(until: Timestamp, now: Timestamp) -> String {
    time::span(language(), (until.since(now) / 1_000).max(1))
}

#[component]
fn Facts(channel: Channel) -> impl IntoView {
    let texts = ChannelTexts::here();
    let health = channel.health.clone();
    let moment = move |at: Option<Timestamp>| match at {
        Some(at) => view! { <Relative at=at /> }.into_any(),
        None => texts.never().into_any(),
    };
    let events: Vec<_> = channel.settings.events.iter().map(|event| texts.event(*event)).collect();
    let events = match events.is_empty() {
        true if channel.sends_messages() => texts.no_events().to_owned(),
        true => PostTexts::here().chosen().to_owned(),
        false => events.join(" · "),
    };
    let recipients = channel.settings.endpoint.recipients().join(" · ");
    view! {
        <dl class="facts">
            <dt>{texts.status()}</dt><dd><ConditionWord channel=channel.clone() /><HealthLine health=health.clone() /></dd>
            <dt>{texts.last_delivered()}</dt><dd>{moment(health.succeeded_at)}</dd>
            <dt>{texts.last_failed()}</dt><dd>{moment(health.failed_at)}</dd>
            <dt>{texts.waiting()}</dt><dd>{counted(health.waiting)}</dd>
            <dt>{texts.needs_attention()}</dt><dd>{counted(health.unresolved)}</dd>
            <dt>{texts.events()}</dt><dd>{events}</dd>
            {(!recipients.is_empty()).then(|| view! { <dt>{texts.recipients()}</dt><dd>{recipients}</dd> })}
        </dl>
    }
}

/// Settings, secret and deletion. Not updated while the user types.
#[component]
fn SettingsPanels(opened: Signal<OpenedChannel>) -> impl IntoView {
    let texts = ChannelTexts::here();
    let OpenedChannel { channel: first, desk } = opened.get_untracked();
    if first.state == ChannelState::Deleting {
        return ().into_any();
    }
    let id = first.id;
    let has_signing_secret = first.settings.endpoint.secret_owner() == SecretOwner::Server;
    let seen = serde_json::to_string(&first.settings).unwrap_or_default();
    let secret = has_signing_secret.then(|| view! { <Secret id=id until=first.rotating_until /> });
    view! {
        <div class="settings channel-settings">
            <section class="panel" aria-labelledby="settings">
                <header><h2 id="settings">{texts.settings()}</h2></header>
                <PlainForm function=EditChannel::PATH class="stack" fields=SHOWN_BY_FIELDS>
                    <ChannelIdField id=id />
                    <input type="hidden" name="seen" value=seen />
                    <Fields path=EditChannel::PATH settings=first.settings has_secret=first.has_secret desk=desk />
                    <p><button class="button main" type="submit">{texts.save()}</button></p>
                </PlainForm>
            </section>
            {secret}
            <details class="open-in-place">
                <summary class="button danger">{texts.delete()}</summary>
                <p class="muted">{texts.delete_hint()}</p>
                <PlainForm function=DeleteChannel::PATH class="inline">
                    <ChannelIdField id=id />
                    <button class="button danger" type="submit">{texts.delete()}</button>
                </PlainForm>
            </details>
        </div>
    }
    .into_any()
}

/// Replaces the signing secret. The secret itself is never shown here.
#[component]
fn Secret(id: ChannelId, until: Option<Timestamp>) -> impl IntoView {
    let (texts, now) = (ChannelTexts::here(), live().now().get_untracked());
    let rotating = until.map(|until| texts.rotating(left(until, now)));
    view! {
        <section class="panel" aria-labelledby="rotate">
            <header><h2 id="rotate">{texts.rotate()}</h2></header>
            <p class="muted">{texts.rotate_hint()}</p>
            {rotating.map(|rotating| view! { <p class="notice">{rotating}</p> })}
            <PlainForm function=RotateChannel::PATH class="inline">
                <ChannelIdField id=id />
                <PasswordConfirmation function=RotateChannel::PATH />
                <button class="button" type="submit">{texts.rotate()}</button>
            </PlainForm>
        </section>
    }
}
