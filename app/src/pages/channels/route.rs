//! Where a channel leads, as fields: each way its own.

use super::fields::{Choice, wrong};
use crate::{
    components::{field::Field, textarea::Textarea},
    form::{refusal_of, typed},
    words::channel::ChannelWords,
};
use domain::{
    channel::{AmqpRoute, MailRoute, Route, Security, SmsFormat, SmsRoute, WebhookRoute},
    person::Language,
};
use leptos::prelude::*;

/// The fields of one way.
#[component]
pub fn RouteFields(
    /// The server function of their form.
    path: &'static str,
    /// What stands in them.
    route: Route,
    /// Whether a secret is kept.
    has_secret: bool,
) -> impl IntoView {
    match route {
        Route::Webhook(route) => view! { <Webhook path=path route=route /> }.into_any(),
        Route::Mail(route) => view! { <Mail path=path route=route has_secret=has_secret /> }.into_any(),
        Route::Sms(route) => view! { <Sms path=path route=route has_secret=has_secret /> }.into_any(),
        Route::Amqp(route) => view! { <Amqp path=path route=route has_secret=has_secret /> }.into_any(),
    }
}

#[component]
fn Webhook(path: &'static str, route: WebhookRoute) -> impl IntoView {
    let words = ChannelWords::here();
    view! {
        <Line path=path name="channel[address]" label=words.address() kind="url" value=route.address hint=words.address_hint() />
    }
}

#[component]
fn Mail(path: &'static str, route: MailRoute, has_secret: bool) -> impl IntoView {
    let words = ChannelWords::here();
    let security = typed(path, "channel[security]").unwrap_or_else(|| route.security.to_string());
    let choices = Security::ALL.iter().map(|one| (one.to_string(), words.security_of(*one).to_owned()));
    view! {
        <div class="fields">
            <div class="field grow">
                <Line path=path name="channel[server]" label=words.server() value=route.server hint=words.server_hint() />
            </div>
            <Line path=path name="channel[port]" label=words.port() kind="number" value=route.port.to_string() />
            <Choice
                name="channel[security]" label=words.security() options=choices.collect() chosen=security
                refusal=refusal_of(path)
            />
        </div>
        <p class="hint">{words.security_hint()}</p>
        <div class="fields">
            <Line
                path=path name="channel[user]" label=words.user() value=route.user.unwrap_or_default()
                hint=words.user_hint() is_optional=true
            />
            <Secret path=path name="channel[password]" label=words.password() is_kept=has_secret />
        </div>
        <Line path=path name="channel[from]" label=words.from() kind="email" value=route.from hint=words.from_hint() />
        <Lines path=path name="channel[to]" label=words.recipients() value=route.to.join("\n") hint=words.mail_to_hint() />
        <InLanguage path=path language=route.language />
    }
}

#[component]
fn Sms(path: &'static str, route: SmsRoute, has_secret: bool) -> impl IntoView {
    let words = ChannelWords::here();
    let format = typed(path, "channel[format]").unwrap_or_else(|| route.format.to_string());
    let choices = SmsFormat::ALL.iter().map(|one| (one.to_string(), words.format_of(*one).to_owned()));
    view! {
        <Line path=path name="channel[address]" label=words.gateway() kind="url" value=route.address hint=words.gateway_hint() />
        <Choice name="channel[format]" label=words.format() options=choices.collect() chosen=format />
        <Lines path=path name="channel[template]" label=words.template() value=route.template hint=words.template_hint() />
        <div class="fields">
            <Line
                path=path name="channel[header]" label=words.header() value=route.header.unwrap_or_default()
                hint=words.header_hint() is_optional=true
            />
            <Secret path=path name="channel[secret]" label=words.header_secret() is_kept=has_secret />
        </div>
        <Lines path=path name="channel[to]" label=words.recipients() value=route.to.join("\n") hint=words.sms_to_hint() />
        <InLanguage path=path language=route.language />
    }
}

#[component]
fn Amqp(path: &'static str, route: AmqpRoute, has_secret: bool) -> impl IntoView {
    let words = ChannelWords::here();
    view! {
        <Line path=path name="channel[address]" label=words.address() value=route.address hint=words.broker_hint() />
        <div class="fields">
            <Line path=path name="channel[user]" label=words.user() value=route.user />
            <Secret path=path name="channel[password]" label=words.password() is_kept=has_secret />
        </div>
        <Line
            path=path name="channel[exchange]" label=words.exchange() value=route.exchange hint=words.exchange_hint()
            is_optional=true
        />
        <Line path=path name="channel[key]" label=words.routing_key() value=route.key hint=words.routing_key_hint() />
    }
}

/// One line, with what was typed into it before.
#[component]
fn Line(
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

/// A secret: never filled in.
#[component]
fn Secret(path: &'static str, name: &'static str, label: &'static str, is_kept: bool) -> impl IntoView {
    let words = ChannelWords::here();
    let hint = if is_kept { words.secret_kept() } else { words.secret_new() };
    let refusal = Signal::stored(refusal_of(path));
    view! {
        <Field name=name label=label kind="password" fill="new-password" hint=hint is_optional=true refusal=refusal />
    }
}

/// Several lines, with what was typed into them before.
#[component]
fn Lines(
    path: &'static str,
    name: &'static str,
    label: &'static str,
    value: String,
    hint: &'static str,
) -> impl IntoView {
    let value = typed(path, name).unwrap_or(value);
    let wrong = wrong(refusal_of(path).as_ref(), name);
    let (hint_id, problem_id) = (format!("{name}-hint"), format!("{name}-problem"));
    let described = if wrong.is_some() { problem_id.clone() } else { hint_id.clone() };
    view! {
        <div class="field">
            <label for=name>{label}</label>
            <Textarea
                name=name value=value rows=3 attr:aria-describedby=described
                attr:aria-invalid=wrong.is_some().then_some("true")
            />
            <span class="hint" id=hint_id>{hint}</span>
            {wrong.map(|wrong| view! { <span class="problem" id=problem_id>{wrong}</span> })}
        </div>
    }
}

#[component]
fn InLanguage(path: &'static str, language: Language) -> impl IntoView {
    let words = ChannelWords::here();
    let chosen = typed(path, "channel[language]").unwrap_or_else(|| language.to_string());
    let options =
        vec![("en".to_owned(), words.english().to_owned()), ("zh".to_owned(), words.chinese().to_owned())];
    view! { <Choice name="channel[language]" label=words.language() options=options chosen=chosen /> }
}
