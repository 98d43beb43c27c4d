//! `/settings/tokens`: the user's own API tokens. Admins see and revoke those of others too.

use crate::{
    accounts::{
        own_account_fns::{CreateToken, NewToken, RevokeToken, list_tokens, new_token},
        password_confirmation::PasswordConfirmation,
    },
    session::visitor,
    ui::{
        async_view::AsyncView,
        copy_button::CopyButton,
        empty::Empty,
        form::{PlainForm, field::Field, refusal_of, typed},
        page::{header::PageHeader, settings_menu::SettingsMenu},
        result::flash::Flash,
        time::date_time::Relative,
    },
};
use domain::account::{Scope, TokenRow};
use leptos::prelude::*;
use server_fn::ServerFn;
use texts::accounts::AccountTexts;

/// The tokens, and the form for a new one.
#[component]
pub fn Tokens() -> impl IntoView {
    let texts = AccountTexts::here();
    let tokens = Resource::new(|| (), |()| list_tokens());
    let created = Resource::new(|| (), |()| new_token());
    view! {
        <PageHeader title=texts.tokens().to_owned() lead=texts.tokens_lead() />
        <SettingsMenu />
        <Flash messages=vec![("revoke", texts.revoked())] />
        <Suspense>
            {move || Suspend::new(async move {
                created.await.ok().flatten().map(|created| view! { <NewTokenNotice created=created /> })
            })}
        </Suspense>
        <div class="stack settings">
            <NewTokenForm />
            <AsyncView from=tokens let:tokens>
                {move || view! { <List tokens=tokens.get() /> }}
            </AsyncView>
        </div>
    }
}

#[component]
fn NewTokenNotice(created: NewToken) -> impl IntoView {
    let texts = AccountTexts::here();
    let secret = created.secret.clone();
    view! {
        <section class="notice good new-secret" role="status">
            <p>{texts.token_ready(created.name)}</p>
            <p class="row"><code class="secret" tabindex="0">{created.secret}</code> <CopyButton text=secret /></p>
        </section>
    }
}

#[component]
fn NewTokenForm() -> impl IntoView {
    let texts = AccountTexts::here();
    let path = CreateToken::PATH;
    let fields: &'static [&'static str] =
        if visitor().asks_password { &["name", "password"] } else { &["name"] };
    let refusal = Signal::stored(refusal_of(path));
    let days = typed(path, "days").unwrap_or_else(|| "90".to_owned());
    let option = move |value: &'static str, name: &'static str| {
        view! { <option value=value selected=value == days>{name}</option> }
    };
    let chosen = typed(path, "scope").and_then(|word| word.parse().ok()).unwrap_or(Scope::Read);
    let scope = move |scope: Scope, name: &'static str| {
        view! {
            <label class="choice">
                <input type="radio" name="scope" value=scope.as_str() checked=scope == chosen />
                {name}
            </label>
        }
    };
    view! {
        <PlainForm function=path fields=fields class="stack">
            <Field
                name="name" label=texts.token_name() value=typed(path, "name").unwrap_or_default() refusal=refusal
            />
            <div class="field">
                <label for="days">{texts.valid_for()}</label>
                <select id="days" name="days">
                    {option.clone()("30", texts.days_30())}
                    {option.clone()("90", texts.days_90())}
                    {option("365", texts.days_365())}
                </select>
            </div>
            <fieldset class="field">
                <legend class="label">{texts.scope()}</legend>
                {scope(Scope::Read, texts.scope_read())}
                {scope(Scope::Write, texts.scope_write())}
                {scope(Scope::Signal, texts.scope_signal())}
            </fieldset>
            <PasswordConfirmation function=path />
            <p><button class="button main" type="submit">{texts.create()}</button></p>
        </PlainForm>
    }
}

#[component]
fn List(tokens: Vec<TokenRow>) -> impl IntoView {
    let texts = AccountTexts::here();
    let with_owner = visitor().is_admin();
    if tokens.is_empty() {
        return view! { <Empty title=texts.no_tokens() hint=texts.no_tokens_hint() /> }.into_any();
    }
    let rows = tokens.into_iter().map(|row| view! { <Row row=row with_owner=with_owner /> }).collect_view();
    view! { <ul class="token-list">{rows}</ul> }.into_any()
}

#[component]
fn Row(row: TokenRow, with_owner: bool) -> impl IntoView {
    let texts = AccountTexts::here();
    let scope = match row.scope {
        Scope::Read => texts.reads(),
        Scope::Write => texts.writes(),
        Scope::Signal => texts.sends_signals(),
    };
    let label = texts.of(texts.revoke().to_owned(), row.name.clone());
    let owner = with_owner.then_some(row.owner);
    view! {
        <li class="session-row">
            <span class="session-agent">
                {row.name} " " <span class="mark">{scope}</span> {owner.map(|owner| view! { " " <bdi class="muted">{owner}</bdi> })}
            </span>
            <span class="muted">
                {texts.created()} " " <Relative at=row.created_at /> " · " {texts.used()} " "
                {match row.used_at {
                    Some(at) => view! { <Relative at=at /> }.into_any(),
                    None => texts.never().into_any(),
                }}
                " · " {texts.expires()} " " <Relative at=row.expires_at />
            </span>
            <PlainForm function=RevokeToken::PATH class="inline">
                <input type="hidden" name="id" value=row.id.to_string() />
                <button class="button small danger" type="submit" aria-label=label>{texts.revoke()}</button>
            </PlainForm>
        </li>
    }
}
