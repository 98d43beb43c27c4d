//! The form fields of a channel's endpoint, by transport.

use crate::{
    deliveries::mail_fields::ServerChoice,
    ui::form::{
        choice::{Choice, error_of},
        field::Field,
        refusal_of,
        textarea::TextareaField,
        typed,
    },
};
use domain::{
    account::Language,
    channel::{
        AmqpEndpoint, Endpoint, GhostEndpoint, MailEndpoint, SmsEndpoint, SmsFormat, WebhookEndpoint,
        WordPressEndpoint,
    },
};
use leptos::prelude::*;
use texts::deliveries::{ChannelTexts, posts::PostTexts, sending::SendingTexts};

/// The fields of one transport.
#[component]
pub fn EndpointFields(
    /// Path of the form's server function.
    path: &'static str,
    /// Initial values.
    endpoint: Endpoint,
    /// Whether a secret is stored.
    has_secret: bool,
    /// The mail server of the desk; `None`: it has none.
    desk: Option<MailEndpoint>,
) -> impl IntoView {
    match endpoint {
        Endpoint::Webhook(endpoint) => view! { <Webhook path=path endpoint=endpoint /> }.into_any(),
        Endpoint::Mail(endpoint) => {
            view! { <Mail path=path endpoint=endpoint has_secret=has_secret desk=desk /> }.into_any()
        }
        Endpoint::Sms(endpoint) => {
            view! { <Sms path=path endpoint=endpoint has_secret=has_secret /> }.into_any()
        }
        Endpoint::Amqp(endpoint) => {
            view! { <Amqp path=path endpoint=endpoint has_secret=has_secret /> }.into_any()
        }
        Endpoint::WordPress(endpoint) => {
            view! { <WordPress path=path endpoint=endpoint has_secret=has_secret /> }.into_any()
        }
        Endpoint::Ghost(endpoint) => {
            view! { <Ghost path=path endpoint=endpoint has_secret=has_secret /> }.into_any()
        }
    }
}

#[component]
fn Webhook(path: &'static str, endpoint: WebhookEndpoint) -> impl IntoView {
    let texts = ChannelTexts::here();
    view! {
        <TextField path=path name="channel[url]" label=texts.url() kind="url" value=endpoint.url hint=texts.url_hint() />
    }
}

#[component]
fn Mail(
    path: &'static str,
    endpoint: MailEndpoint,
    has_secret: bool,
    desk: Option<MailEndpoint>,
) -> impl IntoView {
    let texts = ChannelTexts::here();
    let (to, language) = (endpoint.to.join("\n"), endpoint.language);
    view! {
        <ServerChoice path=path endpoint=endpoint has_secret=has_secret desk=desk />
        <MultilineField path=path name="channel[to]" label=texts.recipients() value=to hint=texts.mail_to_hint() />
        <LanguageField path=path language=language />
    }
}

#[component]
fn Sms(path: &'static str, endpoint: SmsEndpoint, has_secret: bool) -> impl IntoView {
    let texts = ChannelTexts::here();
    let format = typed(path, "channel[format]").unwrap_or_else(|| endpoint.format.to_string());
    let choices = SmsFormat::ALL.iter().map(|one| (one.to_string(), texts.format_of(*one).to_owned()));
    view! {
        <TextField path=path name="channel[url]" label=texts.gateway() kind="url" value=endpoint.url hint=texts.gateway_hint() />
        <Choice name="channel[format]" label=texts.format() options=choices.collect() chosen=format />
        <MultilineField path=path name="channel[template]" label=texts.template() value=endpoint.template hint=texts.template_hint() />
        <div class="fields">
            <TextField
                path=path name="channel[header]" label=texts.header() value=endpoint.header.unwrap_or_default()
                hint=texts.header_hint() is_optional=true
            />
            <SecretField path=path name="channel[secret]" label=texts.header_secret() is_stored=has_secret />
        </div>
        <MultilineField path=path name="channel[to]" label=texts.recipients() value=endpoint.to.join("\n") hint=texts.sms_to_hint() />
        <LanguageField path=path language=endpoint.language />
    }
}

#[component]
fn Amqp(path: &'static str, endpoint: AmqpEndpoint, has_secret: bool) -> impl IntoView {
    let (texts, sending) = (ChannelTexts::here(), SendingTexts::here());
    let headers: Vec<String> =
        endpoint.headers.iter().map(|(name, value)| format!("{name}: {value}")).collect();
    view! {
        <TextField path=path name="channel[url]" label=texts.url() value=endpoint.url hint=texts.broker_hint() />
        <div class="fields">
            <TextField path=path name="channel[username]" label=texts.user() value=endpoint.username />
            <SecretField path=path name="channel[password]" label=texts.password() is_stored=has_secret />
        </div>
        <TextField
            path=path name="channel[exchange]" label=texts.exchange() value=endpoint.exchange hint=texts.exchange_hint()
            is_optional=true
        />
        <TextField path=path name="channel[routing_key]" label=texts.routing_key() value=endpoint.key hint=texts.routing_key_hint() />
        <MultilineField path=path name="channel[headers]" label=sending.headers() value=headers.join("\n") hint=sending.headers_hint() />
        <div class="fields">
            <Switch
                path=path name="channel[persistent]" label=sending.storage() is_on=endpoint.persistent
                on=sending.persistent() off=sending.transient()
            />
            <Switch
                path=path name="channel[mandatory]" label=sending.no_queue() is_on=endpoint.mandatory
                on=sending.mandatory() off=sending.not_mandatory()
            />
            <Switch
                path=path name="channel[confirm]" label=sending.delivered_when() is_on=endpoint.confirm
                on=sending.confirmed() off=sending.received()
            />
        </div>
    }
}

#[component]
fn WordPress(path: &'static str, endpoint: WordPressEndpoint, has_secret: bool) -> impl IntoView {
    let (texts, posts) = (ChannelTexts::here(), PostTexts::here());
    view! {
        <TextField path=path name="channel[url]" label=posts.site() kind="url" value=endpoint.url hint=posts.site_hint() />
        <div class="fields">
            <TextField
                path=path name="channel[username]" label=texts.user() value=endpoint.username hint=posts.user_hint()
            />
            <SecretField path=path name="channel[password]" label=posts.password() is_stored=has_secret />
        </div>
        <p class="hint">{posts.password_hint()}</p>
        <p class="hint">{posts.limits()}</p>
    }
}

#[component]
fn Ghost(path: &'static str, endpoint: GhostEndpoint, has_secret: bool) -> impl IntoView {
    let posts = PostTexts::here();
    view! {
        <TextField path=path name="channel[url]" label=posts.site() kind="url" value=endpoint.url hint=posts.site_hint() />
        <SecretField path=path name="channel[admin_key]" label=posts.admin_key() is_stored=has_secret />
        <p class="hint">{posts.admin_key_hint()}</p>
        <p class="hint">{posts.limits()}</p>
    }
}

/// Two choices that say what each does.
#[component]
fn Switch(
    path: &'static str,
    name: &'static str,
    label: &'static str,
    is_on: bool,
    on: &'static str,
    off: &'static str,
) -> impl IntoView {
    let chosen = typed(path, name).unwrap_or_else(|| is_on.to_string());
    let options = vec![(true.to_string(), on.to_owned()), (false.to_string(), off.to_owned())];
    view! { <Choice name=name label=label options=options chosen=chosen /> }
}

/// A one-line field with the previous input.
#[component]
fn TextField(
    path: &'static str,
    name: &'static str,
    label: &'static str,
    value: String,
    #[prop(default = "text")] kind: &'static str,
    #[prop(default = "")] hint: &'static str,
    #[prop(optional)] is_optional: bool,
) -> impl IntoView {
    let value = typed(path, name).unwrap_or(value);
    let refusal = Signal::stored(refusal_of(path));
    view! {
        <Field name=name label=label kind=kind value=value hint=hint is_optional=is_optional refusal=refusal />
    }
}

/// A secret. Never filled in.
#[component]
fn SecretField(
    path: &'static str,
    name: &'static str,
    label: &'static str,
    is_stored: bool,
) -> impl IntoView {
    let texts = ChannelTexts::here();
    let hint = if is_stored { texts.secret_kept() } else { texts.secret_new() };
    let refusal = Signal::stored(refusal_of(path));
    view! {
        <Field name=name label=label kind="password" fill="new-password" hint=hint is_optional=true refusal=refusal />
    }
}

/// A field of several lines with the previous input.
#[component]
fn MultilineField(
    path: &'static str,
    name: &'static str,
    label: &'static str,
    value: String,
    hint: &'static str,
) -> impl IntoView {
    let value = typed(path, name).unwrap_or(value);
    let problem = error_of(refusal_of(path).as_ref(), name);
    view! { <TextareaField name=name label=label hint=hint value=value rows=3 problem=problem /> }
}

#[component]
fn LanguageField(path: &'static str, language: Language) -> impl IntoView {
    let texts = ChannelTexts::here();
    let chosen = typed(path, "channel[language]").unwrap_or_else(|| language.to_string());
    let options = Language::ALL.iter().map(|one| (one.to_string(), one.own_name().to_owned()));
    view! { <Choice name="channel[language]" label=texts.language() options=options.collect() chosen=chosen /> }
}
