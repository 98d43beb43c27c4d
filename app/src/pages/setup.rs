//! `/setup?token=…`: the first admin and the desk. Once.

use crate::{
    calls::account::{SetUp as SetUpForm, needs_set_up},
    components::{
        choose::{LanguageChoice, ZoneField},
        field::Field,
        head::Head,
    },
    form::{PlainForm, refusal_of, typed},
    visitor::visitor,
    words::{account::AccountWords, language},
};
use domain::limit;
use leptos::prelude::*;
use leptos_router::hooks::use_query_map;
use server_fn::ServerFn;

/// Makes the first admin, or says that this has been done.
#[component]
pub fn SetUp() -> impl IntoView {
    let words = AccountWords::here();
    let token = use_query_map().with_untracked(|query| query.get("token")).unwrap_or_default();
    let fresh = Resource::new(|| (), |()| needs_set_up());
    view! {
        <Head title=words.set_up().to_owned() />
        <Suspense>
            {move || {
                let token = token.clone();
                Suspend::new(async move {
                    match (fresh.await, token.is_empty()) {
                        (Ok(false), _) => view! {
                            <p class="notice">{words.set_up_done()}</p>
                            <p><a class="button main" href="/login">{words.log_in()}</a></p>
                        }
                        .into_any(),
                        (_, true) => view! { <p class="notice warn">{words.no_token()}</p> }.into_any(),
                        (_, false) => view! { <Fields token=token /> }.into_any(),
                    }
                })
            }}
        </Suspense>
    }
}

#[component]
fn Fields(token: String) -> impl IntoView {
    let words = AccountWords::here();
    let path = SetUpForm::PATH;
    let again = move |field: &str| typed(path, field).unwrap_or_default();
    let refusal = Signal::stored(refusal_of(path));
    let title = typed(path, "title").unwrap_or_else(|| visitor().desk.title);
    let chosen = typed(path, "language").and_then(|word| word.parse().ok()).unwrap_or_else(language);
    view! {
        <p class="lead">{words.set_up_lead()}</p>
        <PlainForm function=path class="stack">
            <input type="hidden" name="token" value=token />
            <fieldset class="stack">
                <legend>{words.about_you()}</legend>
                <Field name="name" label=words.name() fill="name" value=again("name") refusal=refusal />
                <Field name="email" label=words.email() kind="email" fill="username" value=again("email") refusal=refusal />
                <Field
                    name="password" label=words.password() kind="password" fill="new-password"
                    hint=words.password_hint(limit::PASSWORD_MIN) refusal=refusal
                />
            </fieldset>
            <fieldset class="stack">
                <legend>{words.about_desk()}</legend>
                <Field name="title" label=words.desk_title() value=title refusal=refusal />
                <ZoneField value=typed(path, "zone") refusal=refusal />
                <LanguageChoice chosen=chosen />
            </fieldset>
            <button class="button main" type="submit">{words.finish()}</button>
        </PlainForm>
    }
}
