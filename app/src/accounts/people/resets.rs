//! The accounts that have a second factor or a passkey, and the reset for those who have lost it.

use crate::{
    accounts::password_confirmation::PasswordConfirmation,
    server_fns::Refused,
    ui::{async_view::AsyncView, form::PlainForm},
};
use domain::account::Account;
use leptos::prelude::*;
use texts::accounts::AccountTexts;

/// A list of accounts with a button each; nothing if there are none.
#[component]
pub fn Resets(
    /// The accounts.
    accounts: Resource<Result<Vec<Account>, Refused>>,
    /// Id of the heading.
    id: &'static str,
    /// The heading.
    title: &'static str,
    /// Label of the buttons.
    label: &'static str,
    /// Path of the server function that resets an account.
    function: &'static str,
) -> impl IntoView {
    view! {
        <AsyncView from=accounts let:accounts>
            {move || {
                let row = move |account: Account| view! { <Row account=account label=label function=function /> };
                let accounts = accounts.get();
                (!accounts.is_empty()).then(|| view! {
                    <section class="panel invitations" aria-labelledby=id>
                        <header><h2 id=id>{title}</h2></header>
                        <ul>{accounts.into_iter().map(row).collect_view()}</ul>
                    </section>
                })
            }}
        </AsyncView>
    }
}

#[component]
fn Row(account: Account, label: &'static str, function: &'static str) -> impl IntoView {
    let full = AccountTexts::here().of(label.to_owned(), account.name.clone());
    let id = account.id.to_string();
    view! {
        <li class="session-row">
            <span class="session-agent"><bdi>{account.name}</bdi></span>
            <span class="muted">{account.email}</span>
            <PlainForm function=function about=id.clone() class="inline">
                <input type="hidden" name="id" value=id.clone() />
                <PasswordConfirmation function=function about=id />
                <button class="button small" type="submit" aria-label=full>{label}</button>
            </PlainForm>
        </li>
    }
}
