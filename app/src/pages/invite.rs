//! `/invite?token=…`: takes up an invitation, or sets a new password.

use crate::{
    calls::account::{AcceptInvitation, invitation},
    components::{field::Field, head::Head},
    form::{PlainForm, refusal_of, typed},
    words::account::AccountWords,
};
use domain::{limit, person::Invitation};
use leptos::prelude::*;
use leptos_router::hooks::use_query_map;
use server_fn::ServerFn;

/// What the link is for, or that it is spent.
#[component]
pub fn Invite() -> impl IntoView {
    let words = AccountWords::here();
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
                            <Head title=words.invited().to_owned() />
                            <p class="notice warn">{words.spent()}</p>
                            <p><a class="button" href="/login">{words.log_in()}</a></p>
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
    let words = AccountWords::here();
    let path = AcceptInvitation::PATH;
    let refusal = Signal::stored(refusal_of(path));
    let (heading, button) = if invitation.is_reset {
        (words.new_password(), words.set_password())
    } else {
        (words.invited(), words.accept())
    };
    let name = typed(path, "name").unwrap_or(invitation.name);
    let email = invitation.email.clone();
    view! {
        <Head title=heading.to_owned() lead=words.invited_lead(invitation.email) />
        <PlainForm function=path class="stack">
            <input type="hidden" name="token" value=token />
            <input class="hidden-word" type="email" value=email autocomplete="username" readonly tabindex="-1" aria-hidden="true" />
            {if invitation.is_reset {
                view! { <input type="hidden" name="name" value=name /> }.into_any()
            } else {
                view! { <Field name="name" label=words.name() fill="name" value=name refusal=refusal /> }.into_any()
            }}
            <Field
                name="password" label=words.password() kind="password" fill="new-password"
                hint=words.password_hint(limit::PASSWORD_MIN) refusal=refusal
            />
            <button class="button main" type="submit">{button}</button>
        </PlainForm>
    }
}
