//! The accounts that have a passkey, for admins: one whose owner has lost them is reset.

use crate::{
    accounts::{
        passkeys::fns::{ResetPasskeys, list_passkey_accounts},
        password_confirmation::PasswordConfirmation,
    },
    ui::{async_view::AsyncView, form::PlainForm},
};
use domain::account::Account;
use leptos::prelude::*;
use server_fn::ServerFn;
use texts::accounts::{AccountTexts, passkeys::PasskeyTexts};

/// The list; nothing if no account has a passkey.
#[component]
pub fn PasskeyAccounts() -> impl IntoView {
    let accounts = Resource::new(|| (), |()| list_passkey_accounts());
    view! {
        <AsyncView from=accounts let:accounts>
            {move || {
                let accounts = accounts.get();
                (!accounts.is_empty()).then(|| view! {
                    <section class="panel invitations" aria-labelledby="passkey-accounts">
                        <header><h2 id="passkey-accounts">{PasskeyTexts::here().title()}</h2></header>
                        <ul>{accounts.into_iter().map(|account| view! { <Row account=account /> }).collect_view()}</ul>
                    </section>
                })
            }}
        </AsyncView>
    }
}

#[component]
fn Row(account: Account) -> impl IntoView {
    let label = PasskeyTexts::here().reset();
    let full = AccountTexts::here().of(label.to_owned(), account.name.clone());
    let (path, id) = (ResetPasskeys::PATH, account.id.to_string());
    view! {
        <li class="session-row">
            <span class="session-agent"><bdi>{account.name}</bdi></span>
            <span class="muted">{account.email}</span>
            <PlainForm function=path about=id.clone() class="inline">
                <input type="hidden" name="id" value=id.clone() />
                <PasswordConfirmation function=path about=id />
                <button class="button small" type="submit" aria-label=full>{label}</button>
            </PlainForm>
        </li>
    }
}
