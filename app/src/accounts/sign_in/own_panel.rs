//! The identities of the user's own account in the profile.

use super::{
    buttons::SignInNotice,
    sign_in_fns::{ConfirmLink, UnlinkIdentity, own_identities},
};
use crate::{
    accounts::password_confirmation::PasswordConfirmation,
    session::visitor,
    ui::{async_view::AsyncView, form::PlainForm, html::encoded, time::date_time::Relative},
};
use domain::accounts::sign_in::{LinkedIdentity, OfferedProvider, OwnIdentities};
use leptos::prelude::*;
use server_fn::ServerFn;
use texts::accounts::sign_in::SignInTexts;

/// Links and removes identities. Shows nothing without providers.
#[component]
pub fn OwnSignIns() -> impl IntoView {
    let read = Resource::new(|| (), |()| own_identities());
    view! {
        <AsyncView from=read let:read>
            {panel(read.get_untracked())}
        </AsyncView>
    }
}

fn panel(own: OwnIdentities) -> AnyView {
    let texts = SignInTexts::here();
    if own.linked.is_empty() && own.offered.is_empty() {
        return ().into_any();
    }
    let linked = own.linked.into_iter().map(|identity| view! { <Linked identity=identity /> });
    let linked = linked.collect_view();
    let offers = match (own.offered.is_empty(), visitor().asks_password) {
        (true, _) => ().into_any(),
        (false, true) => view! { <Confirm /> }.into_any(),
        (false, false) => own.offered.into_iter().map(offer).collect_view().into_any(),
    };
    view! {
        <section class="panel" id="sign-in">
            <header><h2>{texts.own_title()}</h2></header>
            <p>{texts.own_lead()}</p>
            <SignInNotice />
            <ul class="plain-list stack">{linked}</ul>
            {offers}
        </section>
    }
    .into_any()
}

fn offer((provider, proof): (OfferedProvider, String)) -> impl IntoView {
    let path = format!("/oidc/{}?link={}", provider.id, encoded(&proof));
    let label = SignInTexts::here().link_with(&provider.name);
    view! { <p><a class="button" href=path rel="external"><span dir="auto">{label}</span></a></p> }
}

#[component]
fn Confirm() -> impl IntoView {
    let texts = SignInTexts::here();
    view! {
        <PlainForm function=ConfirmLink::PATH fields=&["password"] class="stack">
            <p>{texts.confirm_first()}</p>
            <PasswordConfirmation function=ConfirmLink::PATH />
            <p><button class="button" type="submit">{texts.confirm()}</button></p>
        </PlainForm>
    }
}

#[component]
fn Linked(identity: LinkedIdentity) -> impl IntoView {
    let texts = SignInTexts::here();
    let id = identity.provider.to_string();
    let label = texts.unlink_of(&identity.name);
    view! {
        <li>
            <p><strong dir="auto">{identity.name}</strong> " " <span dir="auto">{identity.address}</span></p>
            <p class="muted">{texts.last_used()} " " <Relative at=identity.used_at is_past=true /></p>
            <PlainForm function=UnlinkIdentity::PATH about=id.clone() fields=&["password"] class="stack">
                <input type="hidden" name="id" value=id.clone() />
                <PasswordConfirmation function=UnlinkIdentity::PATH about=id />
                <p><button class="button small" type="submit" aria-label=label>{texts.unlink()}</button></p>
            </PlainForm>
        </li>
    }
}
