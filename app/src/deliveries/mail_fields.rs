//! The form fields of a mail server: of the desk's, and of a channel with its own.

use crate::ui::form::{choice::Choice, field::Field, refusal_of, typed};
use domain::channel::{Channel, Endpoint, MailEndpoint, MailSecurity};
use leptos::prelude::*;
use texts::deliveries::{ChannelTexts, mail_server::MailServerTexts};

/// Value of the choice for the mail server of the desk.
pub const OF_DESK: &str = "desk";
/// Value of the choice for a server of the channel's own.
const OF_CHANNEL: &str = "own";
/// Name of the choice.
const CHOICE: &str = "channel[server]";

/// Names of the fields in a form.
#[derive(Debug, Clone, Copy)]
pub struct FieldNames {
    /// Host name.
    host: &'static str,
    /// Port.
    port: &'static str,
    /// Encryption.
    security: &'static str,
    /// User name.
    username: &'static str,
    /// Password.
    password: &'static str,
    /// Sender.
    from: &'static str,
}

impl FieldNames {
    /// Names in the form of the desk's mail server.
    pub const DESK: Self = Self {
        host: "mail[host]",
        port: "mail[port]",
        security: "mail[security]",
        username: "mail[username]",
        password: "mail[password]",
        from: "mail[from]",
    };
    /// Names in the form of a channel.
    pub const CHANNEL: Self = Self {
        host: "channel[host]",
        port: "channel[port]",
        security: "channel[security]",
        username: "channel[username]",
        password: "channel[password]",
        from: "channel[from]",
    };
}

/// The fields of a mail server.
#[component]
pub fn ServerFields(
    /// Path of the form's server function.
    path: &'static str,
    /// Names of the fields.
    names: FieldNames,
    /// Initial values.
    endpoint: MailEndpoint,
    /// Whether a password is stored.
    has_secret: bool,
    /// Whether the form may be sent without them.
    #[prop(optional)]
    is_optional: bool,
) -> impl IntoView {
    let texts = ChannelTexts::here();
    let refusal = Signal::stored(refusal_of(path));
    let previous = move |field: &str, value: String| typed(path, field).unwrap_or(value);
    let security = previous(names.security, endpoint.security.to_string());
    let choices = MailSecurity::ALL.iter().map(|one| (one.to_string(), texts.security_of(*one).to_owned()));
    // A browser cannot say what is wrong with a hidden field, and would not send the form: there the server checks.
    let checked = move |kind: &'static str| if is_optional { "text" } else { kind };
    let password_hint = if has_secret { texts.secret_kept() } else { texts.secret_new() };
    view! {
        <div class="fields">
            <div class="field grow">
                <Field
                    name=names.host label=texts.server() value=previous(names.host, endpoint.host) hint=texts.server_hint()
                    is_optional=is_optional refusal=refusal
                />
            </div>
            <Field
                name=names.port label=texts.port() kind=checked("number") value=previous(names.port, endpoint.port.to_string())
                is_optional=is_optional refusal=refusal
            />
            <Choice
                name=names.security label=texts.security() options=choices.collect() chosen=security
                refusal=refusal_of(path)
            />
        </div>
        <p class="hint">{texts.security_hint()}</p>
        <div class="fields">
            <Field
                name=names.username label=texts.user() value=previous(names.username, endpoint.username.unwrap_or_default())
                hint=texts.user_hint() is_optional=true refusal=refusal
            />
            <Field
                name=names.password label=texts.password() kind="password" fill="new-password" hint=password_hint
                is_optional=true refusal=refusal
            />
        </div>
        <Field
            name=names.from label=texts.from() kind=checked("email") value=previous(names.from, endpoint.from)
            hint=texts.from_hint() is_optional=is_optional refusal=refusal
        />
    }
}

/// Whose mail server sends for a channel, and the fields of its own one.
#[component]
pub fn ServerChoice(
    /// Path of the form's server function.
    path: &'static str,
    /// Initial values.
    endpoint: MailEndpoint,
    /// Whether a password is stored.
    has_secret: bool,
    /// The mail server of the desk; `None`: it has none.
    desk: Option<MailEndpoint>,
) -> impl IntoView {
    let (texts, names) = (MailServerTexts::here(), FieldNames::CHANNEL);
    let has_host = typed(path, names.host).is_some_and(|host| !host.trim().is_empty());
    let is_of_desk = match typed(path, CHOICE) {
        Some(chosen) => chosen == OF_DESK,
        None => endpoint.uses_desk_server() && !has_host,
    };
    view! {
        <fieldset class="field server-choice">
            <legend class="label">{texts.sent_through()}</legend>
            <label class="choice">
                <input type="radio" name=CHOICE value=OF_DESK checked=is_of_desk />
                <span>{texts.of_desk()}</span>
            </label>
            <div class="of-desk"><DeskServerLine desk=desk /></div>
            <label class="choice">
                <input type="radio" name=CHOICE value=OF_CHANNEL checked=!is_of_desk />
                <span>{texts.another()}</span>
            </label>
            <div class="of-channel">
                <ServerFields path=path names=names endpoint=endpoint has_secret=has_secret is_optional=true />
            </div>
        </fieldset>
    }
}

/// Returns the route of the mail server of the desk; `None`: it has none.
#[must_use]
pub fn desk_route(server: Option<Channel>) -> Option<MailEndpoint> {
    match server?.settings.endpoint {
        Endpoint::Mail(route) => Some(route),
        _ => None,
    }
}

/// Says what the mail server of the desk is, or that there is none, with a link to its settings.
#[component]
fn DeskServerLine(desk: Option<MailEndpoint>) -> impl IntoView {
    let texts = MailServerTexts::here();
    match desk {
        Some(desk) => {
            let address = format!("{}:{}", desk.host, desk.port);
            view! {
                <p class="hint">
                    {texts.through(address, desk.from)} " " <a href="/settings/mail">{texts.change()}</a>
                </p>
            }
            .into_any()
        }
        None => view! { <NoDeskServer /> }.into_any(),
    }
}

/// Says that the desk has no mail server, with a link to its settings.
#[component]
pub fn NoDeskServer() -> impl IntoView {
    let texts = MailServerTexts::here();
    view! {
        <p class="notice warn">
            {texts.none_for_channel()} " " <a href="/settings/mail">{texts.set()}</a>
        </p>
    }
}
