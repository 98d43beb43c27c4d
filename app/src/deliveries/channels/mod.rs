//! `/settings/channels`: channels. For admins.

mod detail;
mod endpoint_fields;
mod fields;
mod health;
mod log;
pub mod posts;
pub mod posts_fns;
pub mod text_there;

pub use detail::ChannelPage;

use crate::{
    deliveries::{
        mail_fields::desk_route,
        mail_server_fns::mail_server_page,
        refresh::refresh_tick,
        server_fns::{AddChannel, NewSecret, list_channels, new_secret},
    },
    help::link::WordLink,
    live::live_resource,
    session::visitor,
    ui::{
        async_view::AsyncView,
        copy_button::CopyButton,
        empty::Empty,
        form::PlainForm,
        page::{
            header::PageHeader,
            settings_menu::{AdminsOnly, SettingsMenu},
        },
        result::flash::Flash,
    },
};
use domain::channel::{Channel, ChannelSettings, MailEndpoint, Transport};
use fields::{Fields, SHOWN_BY_FIELDS};
use health::{ChannelMark, DeletionLine, HealthLine};
use leptos::prelude::*;
use leptos_router::hooks::use_query_map;
use server_fn::ServerFn;
use texts::deliveries::{ChannelTexts, mail_server::MailServerTexts};

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
        <PageHeader title=texts.title().to_owned() lead=texts.lead()>
            <WordLink topic="channels" word="channel" name=texts.title() />
        </PageHeader>
        <SettingsMenu />
        <Flash messages=vec![("delete", texts.deleted()), ("deleting", texts.deletion_begun())] />
        {body}
    }
}

#[component]
fn ForAdmins() -> impl IntoView {
    let tick = refresh_tick();
    let read = live_resource(
        |change| matches!(change.entity.as_str(), "channel" | "delivery"),
        move || tick.get(),
        |_| list_channels(),
    );
    // Read before the form is shown: its fields say what the mail server is, and wait for nothing themselves.
    let desk = Resource::new(|| (), |()| mail_server_page());
    view! {
        <NewSecretNotice />
        <AsyncView from=read children=|channels| view! { <List channels=channels /> } />
        <AsyncView from=desk children=|page| view! { <AddForm desk=desk_route(page.get_untracked().channel) /> } />
    }
}

/// The form for a new channel, with the transport in the URL.
#[component]
fn AddForm(
    /// The mail server of the desk; `None`: it has none.
    desk: Option<MailEndpoint>,
) -> impl IntoView {
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
        let (initial, desk) = (ChannelSettings::initial(transport.get()), desk.clone());
        view! {
            <PlainForm function=AddChannel::PATH class="stack" fields=SHOWN_BY_FIELDS>
                <Fields path=AddChannel::PATH settings=initial desk=desk />
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
    let address = MailServerTexts::here().address(&channel.settings.endpoint);
    let line = match channel.deletion {
        Some(progress) => view! { <DeletionLine progress=progress /> }.into_any(),
        None => view! { <HealthLine health=channel.health.clone() /> }.into_any(),
    };
    view! {
        <li class="delivery-row">
            <ChannelMark channel=channel.clone() />
            <div class="delivery-what">
                <a href=href>{channel.settings.name.clone()}</a>
                <span class="muted detail">{texts.transport_name(channel.settings.endpoint.transport())}" · "{address}</span>
                {line}
            </div>
        </li>
    }
}
