//! `/settings/channels`: channels. For admins.

mod choice;
mod detail;
mod endpoint_fields;
mod fields;
mod log;

pub use detail::ChannelPage;

use crate::{
    deliveries::{
        server_fns::{AddChannel, NewSecret, list_channels, new_secret},
        texts::ChannelTexts,
    },
    live::{live, live_resource},
    shell::{
        flash::Flash,
        session::visitor,
        settings_menu::{AdminsOnly, SettingsMenu},
    },
    ui::{
        async_view::AsyncView, copy_button::CopyButton, empty::Empty, form::PlainForm, icon::Icon,
        page_header::PageHeader, time::date_time::Relative,
    },
};
use domain::channel::{Channel, ChannelHealth, ChannelSettings, ChannelState, Transport};
use fields::Fields;
use leptos::prelude::*;
use leptos_router::hooks::use_query_map;
use server_fn::ServerFn;

/// Maximum number of characters shown of a response.
const MAX_RESPONSE_CHARS: usize = 200;

/// The channels, and the form for a new one.
#[component]
pub fn Channels() -> impl IntoView {
    let texts = ChannelTexts::here();
    let body = if visitor().is_admin() {
        view! { <ForAdmins /> }.into_any()
    } else {
        view! { <AdminsOnly /> }.into_any()
    };
    view! {
        <PageHeader title=texts.title().to_owned() lead=texts.lead() />
        <SettingsMenu />
        <Flash messages=vec![("delete", texts.deleted())] />
        {body}
    }
}

#[component]
fn ForAdmins() -> impl IntoView {
    let read = live_resource(
        |change| matches!(change.entity.as_str(), "channel" | "delivery"),
        || live().heartbeat().with(|beat| beat.attention),
        |_| list_channels(),
    );
    view! {
        <NewSecretNotice />
        <AsyncView from=read children=|channels| view! { <List channels=channels /> } />
        <AddForm />
    }
}

/// The form for a new channel, with the transport in the URL.
#[component]
fn AddForm() -> impl IntoView {
    let texts = ChannelTexts::here();
    let query = use_query_map();
    let transport = Memo::new(move |_| {
        query.read().get("add").and_then(|transport| transport.parse().ok()).unwrap_or(Transport::Webhook)
    });
    let choice = move |one: &'static Transport| {
        let current = move || (transport.get() == *one).then_some("page");
        view! { <li><a href=format!("?add={one}#add") aria-current=current>{texts.transport_name(*one)}</a></li> }
    };
    let fields = move || {
        let initial = ChannelSettings::initial(transport.get());
        view! {
            <PlainForm function=AddChannel::PATH class="stack">
                <Fields path=AddChannel::PATH settings=initial />
                <p><button class="button main" type="submit">{texts.add()}</button></p>
            </PlainForm>
        }
    };
    view! {
        <section class="panel settings add-channel" aria-labelledby="add">
            <header><h2 id="add">{texts.add_title()}</h2></header>
            <nav class="settings-menu" aria-label=texts.transport()>
                <ul>{Transport::ALL.iter().map(choice).collect_view()}</ul>
            </nav>
            {fields}
        </section>
    }
}

/// The new secret; shown once.
#[component]
pub fn NewSecretNotice() -> impl IntoView {
    let created = Resource::new(|| (), |()| new_secret());
    view! {
        <Suspense>
            {move || Suspend::new(async move {
                created.await.ok().flatten().map(|created| view! { <SecretNotice created=created /> })
            })}
        </Suspense>
    }
}

#[component]
fn SecretNotice(created: NewSecret) -> impl IntoView {
    let texts = ChannelTexts::here();
    let secret = created.secret.clone();
    view! {
        <section class="notice good new-secret" role="status">
            <p>{texts.secret_ready(created.name)}</p>
            <p class="row"><code class="secret" tabindex="0">{created.secret}</code> <CopyButton text=secret /></p>
        </section>
    }
}

#[component]
fn List(channels: Signal<Vec<Channel>>) -> impl IntoView {
    let texts = ChannelTexts::here();
    move || {
        let rows = channels.get();
        if rows.is_empty() {
            return view! { <Empty title=texts.none() hint=texts.none_hint() /> }.into_any();
        }
        let rows = rows.into_iter().map(|channel| view! { <Row channel=channel /> }).collect_view();
        view! { <ul class="channel-list">{rows}</ul> }.into_any()
    }
}

#[component]
fn Row(channel: Channel) -> impl IntoView {
    let texts = ChannelTexts::here();
    let href = format!("/settings/channels/{}", channel.id);
    let health = &channel.health;
    let count = |n: u64, word: &'static str| (n > 0).then(|| format!(" · {word} {n}"));
    let counts = [count(health.waiting, texts.waiting()), count(health.unresolved, texts.needs_attention())];
    let last = health.succeeded_at.map(|at| view! { " · "{texts.last_delivered()}" "<Relative at=at /> });
    view! {
        <li class="delivery-row">
            <ChannelMark channel=channel.clone() />
            <div class="delivery-what">
                <a href=href>{channel.settings.name.clone()}</a>
                <span class="muted detail">{texts.transport_name(channel.settings.endpoint.transport())}" · "{channel.settings.endpoint.address()}</span>
                <span class="muted detail">
                    {health_word(texts, &channel)}{counts.into_iter().flatten().collect::<String>()}{next_try(texts, health)}{last}
                </span>
            </div>
        </li>
    }
}

/// Health of a channel as text.
fn health_word(texts: ChannelTexts, channel: &Channel) -> String {
    let health = &channel.health;
    if health.is_failing() {
        let response = last_response(health).map(|response| format!(" · {}", texts.last_response(response)));
        let state = match health.undelivered {
            0 => texts.failing_now().to_owned(),
            undelivered => texts.failing(undelivered),
        };
        return format!("{state}{}", response.unwrap_or_default());
    }
    match (health.has_attempts, health.succeeded_at) {
        (false, _) => texts.never_used(),
        (true, None) => texts.none_arrived(),
        (true, Some(_)) => texts.delivering(),
    }
    .to_owned()
}

/// Returns the last failed response, e.g. `500 no room`.
fn last_response(health: &ChannelHealth) -> Option<String> {
    let status = health.last_status.map(|status| status.to_string());
    let text = health.last_response_body.as_ref().map(|text| text.chars().take(MAX_RESPONSE_CHARS).collect());
    let parts: Vec<String> = status.into_iter().chain(text).collect();
    (!parts.is_empty()).then(|| parts.join(" "))
}

/// Time of the next attempt.
fn next_try(texts: ChannelTexts, health: &ChannelHealth) -> Option<impl IntoView + use<>> {
    let at = health.next_at.filter(|_| health.is_failing())?;
    let at = health.breaker_open_until.map_or(at, |until| until.max(at));
    Some(view! { " · "{texts.next_try()}" "<Relative at=at /> })
}

/// State of a channel.
#[component]
fn ChannelMark(channel: Channel) -> impl IntoView {
    let texts = ChannelTexts::here();
    let (phase, icon) = match channel.state {
        ChannelState::Active if channel.health.is_failing() => ("failed", "attention"),
        ChannelState::Active => ("executed", "executed"),
        ChannelState::Paused => ("cancelled", "pause"),
        ChannelState::Off => ("failed", "failed"),
    };
    let word = match phase {
        "failed" if channel.state == ChannelState::Active => texts.failing_now(),
        _ => texts.channel_state(channel.state),
    };
    view! { <span class="phase no-animation" data-phase=phase><Icon name=icon />{word}</span> }
}
