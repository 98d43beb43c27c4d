//! `/login`.

use crate::{
    calls::account::{LogIn, needs_set_up},
    components::{field::Field, head::Head},
    form::{HELD, PlainForm, typed, waiting_for_log_in},
    visitor::visitor,
    words::account::AccountWords,
};
use leptos::prelude::*;
use leptos_router::hooks::use_query_map;
use server_fn::ServerFn;

/// Asks for e-mail and password; goes on to `?next=…`.
#[component]
pub fn Login() -> impl IntoView {
    let words = AccountWords::here();
    let next = use_query_map().with_untracked(|query| query.get("next")).unwrap_or_else(|| "/".to_owned());
    let held = waiting_for_log_in(LogIn::PATH);
    let fresh = Resource::new(|| (), |()| needs_set_up());
    let visitor = visitor();
    let person = visitor.person;
    view! {
        <Head title=words.log_in().to_owned() />
        {visitor.is_unencrypted.then(|| view! { <p class="notice warn">{words.unencrypted()}</p> })}
        {person.map(|person| view! {
            <p class="notice">{words.logged_in_as(person.name)} " " <a href="/">{words.go_on()}</a></p>
        })}
        <Suspense>
            {move || Suspend::new(async move {
                let is_fresh = fresh.await.unwrap_or(false);
                is_fresh.then(|| view! { <p class="notice warn">{words.not_set_up()}</p> })
            })}
        </Suspense>
        <PlainForm function=LogIn::PATH class="stack">
            <input type="hidden" name="next" value=next />
            {held.map(|held| view! {
                <input type="hidden" name=HELD value=held />
                <p class="notice">{words.text_is_kept()}</p>
            })}
            <Field
                name="email" label=words.email() kind="email" fill="username"
                value=typed(LogIn::PATH, "email").unwrap_or_default()
            />
            <Field name="password" label=words.password() kind="password" fill="current-password" />
            <button class="button main" type="submit">{words.log_in()}</button>
        </PlainForm>
        <p class="quiet">{words.forgot()}</p>
    }
}
