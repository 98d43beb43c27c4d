//! `/invite?token=…`: accepts an invitation, or sets a new password.

use crate::{
    accounts::{
        own_account_fns::{AcceptInvitation, invitation},
        sign_in::buttons::SignInButtons,
    },
    ui::{
        form::{
            PlainForm,
            field::Field,
            refusal_of,
            select::{LanguageChoice, ZoneField},
            typed,
        },
        page::header::PageHeader,
    },
};
use domain::{account::Invitation, input_limits};
use leptos::prelude::*;
use leptos_router::hooks::use_query_map;
use server_fn::ServerFn;
use texts::{accounts::AccountTexts, language};

/// The form for the link, or the message that it has expired.
#[component]
pub fn Invite() -> impl IntoView {
    let texts = AccountTexts::here();
    let token = use_query_map().with_untracked(|query| query.get("token")).unwrap_or_default();
    let asked = token.clone();
    let found = Resource::new(move || asked.clone(), invitation);
    view! {
        <Suspense>
            {move || {
                let token = token.clone();
                Suspend::new(async move {
                    match found.await {
                        Ok(invitation) => view! { <Accept token=token invitation=invitation /> }.into_any(),
                        Err(_) => view! {
                            <PageHeader title=texts.invited().to_owned() />
                            <p class="notice warn">{texts.link_expired()}</p>
                            <p><a class="button" href="/login">{texts.log_in()}</a></p>
                        }
                        .into_any(),
                    }
                })
            }}
        </Suspense>
    }
}

#[component]
fn Accept(token: String, invitation: Invitation) -> impl IntoView {
    let texts = AccountTexts::here();
    let path = AcceptInvitation::PATH;
    let refusal = Signal::stored(refusal_of(path));
    let (heading, button) = if invitation.is_reset {
        (texts.new_password(), texts.set_password())
    } else {
        (texts.invited(), texts.accept())
    };
    let name = typed(path, "name").unwrap_or(invitation.name);
    let email = invitation.email.clone();
    let of_invitation = (!invitation.is_reset).then(|| token.clone());
    let chosen = typed(path, "language").and_then(|word| word.parse().ok()).unwrap_or_else(language);
    view! {
        <PageHeader title=heading.to_owned() lead=texts.invited_lead(invitation.email) />
        <PlainForm function=path fields={&["name", "password", "zone"]} class="stack">
            <input type="hidden" name="token" value=token />
            <input class="visually-hidden" type="email" value=email autocomplete="username" readonly tabindex="-1" aria-hidden="true" />
            {if invitation.is_reset {
                view! { <input type="hidden" name="name" value=name /> }.into_any()
            } else {
                view! { <Field name="name" label=texts.name() fill="name" value=name refusal=refusal /> }.into_any()
            }}
            <Field
                name="password" label=texts.password() kind="password" fill="new-password"
                hint=texts.password_hint(input_limits::MIN_PASSWORD_CHARS) refusal=refusal
            />
            {(!invitation.is_reset).then(|| view! {
                <ZoneField value=typed(path, "zone") refusal=refusal />
                <LanguageChoice chosen=chosen />
            })}
            <button class="button main" type="submit">{button}</button>
        </PlainForm>
        {of_invitation.map(|token| view! { <SignInButtons invitation=token /> })}
    }
}
