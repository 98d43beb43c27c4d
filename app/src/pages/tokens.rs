//! `/settings/tokens`: one's own API tokens; an admin sees and ends those of others, too.

use crate::{
    calls::account::{CreateToken, FreshToken, RevokeToken, fresh_token, list_tokens},
    components::{
        copy_button::CopyButton, empty::Empty, field::Field, head::Head, loaded::Loaded, moment::Relative,
        password_again::PasswordAgain, said::Said, settings_menu::SettingsMenu,
    },
    form::{PlainForm, refusal_of, typed},
    visitor::visitor,
    words::account::AccountWords,
};
use domain::person::{Scope, TokenRow};
use leptos::prelude::*;
use server_fn::ServerFn;

/// The tokens, and a new one.
#[component]
pub fn Tokens() -> impl IntoView {
    let words = AccountWords::here();
    let tokens = Resource::new(|| (), |()| list_tokens());
    let fresh = Resource::new(|| (), |()| fresh_token());
    view! {
        <Head title=words.tokens().to_owned() lead=words.tokens_lead() />
        <SettingsMenu />
        <Said said=vec![("revoke", words.revoked())] />
        <Suspense>
            {move || Suspend::new(async move {
                fresh.await.ok().flatten().map(|fresh| view! { <Fresh fresh=fresh /> })
            })}
        </Suspense>
        <div class="stack settings">
            <New />
            <Loaded from=tokens let:tokens>
                {move || view! { <List tokens=tokens.get() /> }}
            </Loaded>
        </div>
    }
}

#[component]
fn Fresh(fresh: FreshToken) -> impl IntoView {
    let words = AccountWords::here();
    let secret = fresh.secret.clone();
    view! {
        <section class="notice good fresh" role="status">
            <p>{words.token_ready(fresh.name)}</p>
            <p class="row"><code class="secret" tabindex="0">{fresh.secret}</code> <CopyButton text=secret /></p>
        </section>
    }
}

#[component]
fn New() -> impl IntoView {
    let words = AccountWords::here();
    let path = CreateToken::PATH;
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
        <PlainForm function=path class="stack">
            <Field
                name="name" label=words.token_name() value=typed(path, "name").unwrap_or_default() refusal=refusal
            />
            <div class="field">
                <label for="days">{words.days()}</label>
                <select id="days" name="days">
                    {option.clone()("30", words.days_30())}
                    {option.clone()("90", words.days_90())}
                    {option("365", words.days_365())}
                </select>
            </div>
            <fieldset class="field">
                <legend class="label">{words.scope()}</legend>
                {scope(Scope::Read, words.scope_read())}
                {scope(Scope::Write, words.scope_write())}
            </fieldset>
            <PasswordAgain function=path />
            <p><button class="button main" type="submit">{words.create()}</button></p>
        </PlainForm>
    }
}

#[component]
fn List(tokens: Vec<TokenRow>) -> impl IntoView {
    let words = AccountWords::here();
    let with_owner = visitor().is_admin();
    if tokens.is_empty() {
        return view! { <Empty title=words.no_tokens() hint=words.no_tokens_hint() /> }.into_any();
    }
    let rows = tokens.into_iter().map(|row| view! { <Row row=row with_owner=with_owner /> }).collect_view();
    view! {
        <div class="scroll">
            <table class="table">
                <thead>
                    <tr>
                        <th scope="col">{words.token_name()}</th>
                        <th scope="col">{words.scope()}</th>
                        <th scope="col">{words.made()}</th>
                        <th scope="col">{words.used()}</th>
                        <th scope="col">{words.expires()}</th>
                        <th scope="col"><span class="hidden-word">{words.actions()}</span></th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
    .into_any()
}

#[component]
fn Row(row: TokenRow, with_owner: bool) -> impl IntoView {
    let words = AccountWords::here();
    let scope = match row.scope {
        Scope::Read => words.reads(),
        Scope::Write => words.writes(),
    };
    let label = words.of(words.revoke().to_owned(), row.name.clone());
    view! {
        <tr>
            <th scope="row">
                {row.name} {with_owner.then(|| view! { <span class="quiet token-owner">{row.owner}</span> })}
            </th>
            <td>{scope}</td>
            <td><Relative at=row.created_at /></td>
            <td>
                {match row.used_at {
                    Some(at) => view! { <Relative at=at /> }.into_any(),
                    None => words.never().into_any(),
                }}
            </td>
            <td><Relative at=row.expires_at /></td>
            <td>
                <PlainForm function=RevokeToken::PATH class="tight">
                    <input type="hidden" name="id" value=row.id.to_string() />
                    <button class="button small danger" type="submit" aria-label=label>{words.revoke()}</button>
                </PlainForm>
            </td>
        </tr>
    }
}
