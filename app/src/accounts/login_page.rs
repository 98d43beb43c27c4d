//! `/login`.

use crate::{
    accounts::{
        own_account_fns::{AcceptInvitation, LogIn, needs_set_up},
        passkeys::{PasskeyLogIn, fns::LogInWithPasskey},
        second_factor_fns::CompleteLogIn,
        sign_in::buttons::{SignInButtons, SignInNotice},
    },
    session::visitor,
    ui::{
        form::{Alert, PENDING_FORM, PlainForm, field::Field, form_awaiting_log_in, refusal_of, typed},
        page::header::PageHeader,
    },
};
use domain::{DomainError, account::PERSISTENT_SESSION_DAYS};
use leptos::prelude::*;
use leptos_router::hooks::use_query_map;
use server_fn::ServerFn;
use texts::accounts::{AccountTexts, second_factor::SecondFactorTexts};

/// Asks for email and password, then for the code of a second factor; continues at `?next=…`.
#[component]
pub fn Login() -> impl IntoView {
    let texts = AccountTexts::here();
    let set_up_needed = Resource::new(|| (), |()| needs_set_up());
    let visitor = visitor();
    let account = visitor.account;
    let form = match pending_log_in() {
        Some(token) => view! { <CodeForm token=token /> }.into_any(),
        None => view! { <PasswordForm /> }.into_any(),
    };
    view! {
        <PageHeader title=texts.log_in().to_owned() />
        {visitor.is_unencrypted.then(|| view! { <p class="notice warn">{texts.unencrypted()}</p> })}
        {account.map(|account| view! {
            <p class="notice">{texts.logged_in_as(account.name)} " " <a href="/">{texts.go_to_desk()}</a></p>
        })}
        <Suspense>
            {move || Suspend::new(async move {
                let is_set_up_needed = set_up_needed.await.unwrap_or(false);
                is_set_up_needed.then(|| view! { <p class="notice warn">{texts.not_set_up()}</p> })
            })}
        </Suspense>
        {form}
    }
}

/// Returns the token of the log-in whose code this page asks for.
fn pending_log_in() -> Option<String> {
    let log_ins = [LogIn::PATH, AcceptInvitation::PATH, CompleteLogIn::PATH];
    match log_ins.into_iter().find_map(refusal_of)? {
        DomainError::CodeNeeded { token } => Some(token),
        DomainError::LogInExpired => None,
        _ => typed(CompleteLogIn::PATH, "token"),
    }
}

/// The hidden fields with which the log-in continues: the next page, and the form that waits for the log-in.
#[component]
fn Continuation(
    /// Whether another form of this page says that the input is kept.
    #[prop(optional)]
    is_second: bool,
) -> impl IntoView {
    let next = use_query_map().with_untracked(|query| query.get("next")).unwrap_or_else(|| "/".to_owned());
    let pending_form = form_awaiting_log_in(&[
        LogIn::PATH,
        AcceptInvitation::PATH,
        CompleteLogIn::PATH,
        LogInWithPasskey::PATH,
    ]);
    view! {
        <input type="hidden" name="next" value=next />
        {pending_form.map(|pending_form| view! {
            <input type="hidden" name=PENDING_FORM value=pending_form />
            {(!is_second).then(|| view! { <p class="notice">{AccountTexts::here().input_is_kept()}</p> })}
        })}
    }
}

#[component]
fn PasswordForm() -> impl IntoView {
    let texts = AccountTexts::here();
    // The step that asked for a code is over: this form says why it is back.
    let expired = Signal::stored(refusal_of(CompleteLogIn::PATH));
    view! {
        <SignInNotice />
        <Alert refusal=expired />
        <PlainForm function=LogIn::PATH class="stack">
            <Continuation />
            <Field
                name="email" label=texts.email() kind="email" fill="username webauthn"
                value=typed(LogIn::PATH, "email").unwrap_or_default()
            />
            <Field name="password" label=texts.password() kind="password" fill="current-password" />
            <label class="choice">
                <input type="checkbox" name="stay" value="true" checked=typed(LogIn::PATH, "stay").is_some() />
                {texts.stay_logged_in(PERSISTENT_SESSION_DAYS)}
            </label>
            <button class="button main" type="submit">{texts.log_in()}</button>
        </PlainForm>
        <PasskeyLogIn><Continuation is_second=true /></PasskeyLogIn>
        <p class="muted">{texts.forgot()}</p>
        <SignInButtons />
    }
}

/// Asks for the code of the second factor.
#[component]
fn CodeForm(token: String) -> impl IntoView {
    let texts = SecondFactorTexts::here();
    let path = CompleteLogIn::PATH;
    view! {
        <p class="lead">{texts.step_lead()}</p>
        <PlainForm function=path fields={&["code"]} class="stack">
            <Continuation />
            <input type="hidden" name="token" value=token />
            <Field
                name="code" label=texts.code() fill="one-time-code" refusal=Signal::stored(refusal_of(path))
            />
            <button class="button main" type="submit">{AccountTexts::here().log_in()}</button>
        </PlainForm>
        <p class="muted">{texts.step_lost()}</p>
        <p><a href="/login" rel="external">{texts.step_back()}</a></p>
    }
}
