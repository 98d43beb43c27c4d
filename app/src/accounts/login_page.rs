//! `/login`.

use crate::{
    accounts::own_account_fns::{LogIn, needs_set_up},
    session::visitor,
    ui::{
        form::{PENDING_FORM, PlainForm, field::Field, form_awaiting_log_in, typed},
        page::header::PageHeader,
    },
};
use domain::account::PERSISTENT_SESSION_DAYS;
use leptos::prelude::*;
use leptos_router::hooks::use_query_map;
use server_fn::ServerFn;
use texts::accounts::AccountTexts;

/// Asks for email and password; continues at `?next=…`.
#[component]
pub fn Login() -> impl IntoView {
    let texts = AccountTexts::here();
    let next = use_query_map().with_untracked(|query| query.get("next")).unwrap_or_else(|| "/".to_owned());
    let pending_form = form_awaiting_log_in(LogIn::PATH);
    let set_up_needed = Resource::new(|| (), |()| needs_set_up());
    let visitor = visitor();
    let account = visitor.account;
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
        <PlainForm function=LogIn::PATH class="stack">
            <input type="hidden" name="next" value=next />
            {pending_form.map(|pending_form| view! {
                <input type="hidden" name=PENDING_FORM value=pending_form />
                <p class="notice">{texts.input_is_kept()}</p>
            })}
            <Field
                name="email" label=texts.email() kind="email" fill="username"
                value=typed(LogIn::PATH, "email").unwrap_or_default()
            />
            <Field name="password" label=texts.password() kind="password" fill="current-password" />
            <label class="choice">
                <input type="checkbox" name="stay" value="true" checked=typed(LogIn::PATH, "stay").is_some() />
                {texts.stay_logged_in(PERSISTENT_SESSION_DAYS)}
            </label>
            <button class="button main" type="submit">{texts.log_in()}</button>
        </PlainForm>
        <p class="muted">{texts.forgot()}</p>
    }
}
