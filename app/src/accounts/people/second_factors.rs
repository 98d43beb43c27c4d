//! The accounts that have a second factor, and its reset for those who have lost it.

use crate::{
    accounts::{
        password_confirmation::PasswordConfirmation,
        second_factor_fns::{ResetSecondFactor, list_second_factors},
    },
    ui::{async_view::AsyncView, form::PlainForm},
};
use domain::account::Account;
use leptos::prelude::*;
use server_fn::ServerFn;
use texts::accounts::{AccountTexts, second_factor::SecondFactorTexts};

/// The list; nothing if no account has a second factor.
#[component]
pub fn SecondFactors() -> impl IntoView {
    let accounts = Resource::new(|| (), |()| list_second_factors());
    view! {
        <AsyncView from=accounts let:accounts>
            {move || {
                let accounts = accounts.get();
                (!accounts.is_empty()).then(|| view! {
                    <section class="panel invitations" aria-labelledby="second-factors">
                        <header><h2 id="second-factors">{SecondFactorTexts::here().title()}</h2></header>
                        <ul>{accounts.into_iter().map(|account| view! { <Row account=account /> }).collect_view()}</ul>
                    </section>
                })
            }}
        </AsyncView>
    }
}

#[component]
fn Row(account: Account) -> impl IntoView {
    let label = SecondFactorTexts::here().reset();
    let full = AccountTexts::here().of(label.to_owned(), account.name.clone());
    let (path, id) = (ResetSecondFactor::PATH, account.id.to_string());
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
