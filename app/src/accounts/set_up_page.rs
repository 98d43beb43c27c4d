//! `/setup?token=…`: creates the first admin and the desk. Works once.

use crate::{
    accounts::own_account_fns::{SetUp as SetUpForm, needs_set_up},
    session::visitor,
    ui::{
        form::{PlainForm, field::Field, refusal_of, select::ZoneField, typed},
        page::header::PageHeader,
        table::address::ListAddress,
    },
};
use domain::{account::Language, input_limits};
use leptos::prelude::*;
use leptos_router::hooks::use_query_map;
use server_fn::ServerFn;
use texts::{accounts::AccountTexts, language};

/// The set-up form, or the message that set-up is done.
#[component]
pub fn SetUp() -> impl IntoView {
    let texts = AccountTexts::here();
    let token = use_query_map().with_untracked(|query| query.get("token")).unwrap_or_default();
    let set_up_needed = Resource::new(|| (), |()| needs_set_up());
    view! {
        <PageHeader title=texts.set_up().to_owned() />
        <Suspense>
            {move || {
                let token = token.clone();
                Suspend::new(async move {
                    match (set_up_needed.await, token.is_empty()) {
                        (Ok(false), _) => view! {
                            <p class="notice">{texts.set_up_done()}</p>
                            <p><a class="button main" href="/login">{texts.log_in()}</a></p>
                        }
                        .into_any(),
                        (_, true) => view! { <p class="notice warn">{texts.needs_set_up_link()}</p> }.into_any(),
                        (_, false) => view! { <Fields token=token /> }.into_any(),
                    }
                })
            }}
        </Suspense>
    }
}

#[component]
fn Fields(token: String) -> impl IntoView {
    let texts = AccountTexts::here();
    let path = SetUpForm::PATH;
    let again = move |field: &str| typed(path, field).unwrap_or_default();
    let refusal = Signal::stored(refusal_of(path));
    view! {
        <Languages />
        <p class="lead">{texts.set_up_lead()}</p>
        <PlainForm function=path fields={&["name", "email", "password", "title", "zone"]} class="stack">
            <input type="hidden" name="token" value=token />
            <input type="hidden" name="language" value=language().as_str() />
            <fieldset class="stack">
                <legend>{texts.the_desk()}</legend>
                <Field
                    name="title" label=texts.desk_title() value=again("title") hint=texts.desk_title_hint(visitor().desk.title)
                    is_optional=true refusal=refusal
                />
                <ZoneField value=typed(path, "zone") refusal=refusal />
            </fieldset>
            <fieldset class="stack">
                <legend>{texts.your_account()}</legend>
                <Field name="name" label=texts.name() fill="name" value=again("name") refusal=refusal />
                <Field name="email" label=texts.email() kind="email" fill="username" value=again("email") refusal=refusal />
                <Field
                    name="password" label=texts.password() kind="password" fill="new-password"
                    hint=texts.password_hint(input_limits::MIN_PASSWORD_CHARS) refusal=refusal
                />
            </fieldset>
            <button class="button main" type="submit">{texts.finish()}</button>
        </PlainForm>
    }
}

/// The languages, each in its own name. The page, and with it the desk, has the chosen one.
#[component]
fn Languages() -> impl IntoView {
    let (texts, current) = (AccountTexts::here(), language());
    let links = Language::ALL.iter().map(move |one| {
        let href = ListAddress::here().with_untracked(|page| page.with("language", one.as_str()).to_string());
        let is_current = (*one == current).then_some("true");
        view! { <a class="button small" href=href rel="external" lang=one.as_str() aria-current=is_current>{one.own_name()}</a> }
    });
    view! {
        <nav class="row" aria-label=texts.language()>
            {links.collect_view()}
        </nav>
    }
}
