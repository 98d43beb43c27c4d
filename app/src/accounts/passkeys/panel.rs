//! The passkeys in the profile.

use crate::{
    accounts::{
        passkeys::fns::{AddPasskey, RemovePasskey, TurnPasswordOff, passkeys},
        password_confirmation::PasswordConfirmation,
    },
    session::visitor,
    ui::{
        async_view::AsyncView,
        form::{PlainForm, field::Field, refusal_of, typed},
        time::date_time::Relative,
    },
};
use domain::accounts::passkey::{MAX_PASSKEYS, OwnPasskeys, Passkey};
use leptos::prelude::*;
use server_fn::ServerFn;
use texts::accounts::passkeys::PasskeyTexts;

/// Lists, adds and removes the user's own passkeys, and turns the password off.
#[component]
pub fn PasskeyPanel() -> impl IntoView {
    let texts = PasskeyTexts::here();
    let own = Resource::new(|| (), |()| passkeys());
    view! {
        <section class="panel" id="passkeys">
            <header><h2>{texts.title()}</h2></header>
            <p>{texts.lead()}</p>
            <AsyncView from=own let:own>
                {move || view! { <PanelState own=own.get() /> }}
            </AsyncView>
        </section>
    }
}

#[component]
fn PanelState(own: OwnPasskeys) -> impl IntoView {
    let texts = PasskeyTexts::here();
    let (count, is_last) = (own.items.len(), own.is_password_off && own.items.len() == 1);
    let add = if !own.is_possible {
        view! { <NoSite localhost_url=own.localhost_url /> }.into_any()
    } else if count >= MAX_PASSKEYS {
        view! { <p>{texts.is_full(MAX_PASSKEYS)}</p> }.into_any()
    } else {
        view! { <Add /> }.into_any()
    };
    view! {
        {(count == 0).then(|| view! { <p class="muted">{texts.none()}</p> })}
        <ul class="session-list">
            {own.items.into_iter().map(|one| view! { <Row one=one /> }).collect_view()}
        </ul>
        {is_last.then(|| view! { <p class="notice warn">{texts.last_one()}</p> })}
        {add}
        {(count > 0).then(|| view! { <PasswordSwitch is_off=own.is_password_off /> })}
    }
}

/// Says that the address of the desk cannot have passkeys, and which one can.
#[component]
fn NoSite(localhost_url: Option<String>) -> impl IntoView {
    let texts = PasskeyTexts::here();
    let link = localhost_url.map(|url| {
        let path = format!("{url}/settings/profile");
        view! { <a href=path rel="external">{texts.open_localhost()}</a> }
    });
    view! { <p class="notice">{texts.no_site()} " " {link}</p> }
}

/// The form that the script fills with what the device created.
#[component]
fn Add() -> impl IntoView {
    let texts = PasskeyTexts::here();
    let path = AddPasskey::PATH;
    let fields: &'static [&'static str] =
        if visitor().asks_password { &["name", "password"] } else { &["name"] };
    let name = typed(path, "new[name]").unwrap_or_else(|| texts.default_name().to_owned());
    let names = ["credential", "client_data", "authenticator_data", "public_key"];
    let field = |name: &str| {
        let name = format!("new[{name}]");
        view! { <input type="hidden" name=name /> }
    };
    view! {
        <div data-passkey="add">
            <p class="hint" data-state="none">{texts.needs_script()}</p>
            <p class="hint" data-state="unsupported" hidden=true>{texts.unsupported()}</p>
            <div data-state="ready" hidden=true>
                <PlainForm function=path fields=fields class="stack">
                    {names.map(field).collect_view()}
                    <Field
                        name="new[name]" id="passkey-name" label=texts.name() value=name hint=texts.name_hint()
                        refusal=Signal::stored(refusal_of(path))
                    />
                    <PasswordConfirmation function=path />
                    <p><button class="button" type="submit">{texts.add()}</button></p>
                </PlainForm>
            </div>
            <p class="alert" role="alert" data-failed="" hidden=true>{texts.not_added()}</p>
        </div>
    }
}

#[component]
fn Row(one: Passkey) -> impl IntoView {
    let texts = PasskeyTexts::here();
    let (path, id) = (RemovePasskey::PATH, one.id.to_string());
    let label = texts.remove_of(&one.name);
    let used = match one.used_at {
        Some(at) => view! { {texts.used()} " " <Relative at=at is_past=true /> }.into_any(),
        None => texts.never_used().into_any(),
    };
    view! {
        <li class="session-row">
            <span class="session-agent" dir="auto">{one.name}</span>
            <span class="muted">{texts.added_at()} " " <Relative at=one.created_at is_past=true /> " · " {used}</span>
            <PlainForm function=path about=id.clone() class="inline">
                <input type="hidden" name="id" value=id.clone() />
                <PasswordConfirmation function=path about=id />
                <button class="button small" type="submit" aria-label=label>{texts.remove()}</button>
            </PlainForm>
        </li>
    }
}

/// Turns log-ins with the password off or on.
#[component]
fn PasswordSwitch(is_off: bool) -> impl IntoView {
    let texts = PasskeyTexts::here();
    let path = TurnPasswordOff::PATH;
    let fields: &'static [&'static str] = if visitor().asks_password { &["password"] } else { &[] };
    let next = if is_off { "false" } else { "true" };
    let (state, label) = if is_off {
        (texts.password_off(), texts.turn_on())
    } else {
        (texts.password_on(), texts.turn_off())
    };
    view! {
        <p>{state}</p>
        <PlainForm function=path fields=fields class="stack">
            <input type="hidden" name="off" value=next />
            <PasswordConfirmation function=path />
            <p><button class="button" type="submit">{label}</button></p>
        </PlainForm>
    }
}
