//! One account in the list, with the actions of an admin.

use super::role_options::RoleOptions;
use crate::{
    accounts::{
        password_confirmation::PasswordConfirmation,
        server_fns::{ChangeRole, DisableAccount, EnableAccount, ResetPassword},
    },
    session::visitor,
    ui::{
        form::{PlainForm, result_of},
        table::row_menu::RowMenu,
        time::date_time::Relative,
    },
};
use domain::account::Account;
use leptos::prelude::*;
use server_fn::ServerFn;
use texts::accounts::AccountTexts;

/// Name, email, role and actions.
#[component]
pub fn AccountRow(account: Account) -> impl IntoView {
    let texts = AccountTexts::here();
    let is_me = visitor().account.is_some_and(|me| me.id == account.id);
    let is_disabled = account.is_disabled;
    let marks = [is_me.then(|| texts.you()), account.is_disabled.then(|| texts.disabled())];
    let marks = marks.into_iter().flatten().map(|mark| view! { <span class="mark">{mark}</span> " " });
    view! {
        <tr class="list-row account-row" class:is-disabled=is_disabled>
            <th scope="row" class="main account-name">
                <strong dir="auto">{account.name.clone()}</strong> " " {marks.collect_view()}
                <p class="meta">{account.email.clone()}</p>
            </th>
            <td class="role"><RoleForm account=account.clone() /></td>
            <td class="joined"><Relative at=account.created_at is_past=true /></td>
            <td class="actions"><Actions account=account is_me=is_me /></td>
        </tr>
    }
}

#[component]
fn RoleForm(account: Account) -> impl IntoView {
    let texts = AccountTexts::here();
    let select = format!("role-{}", account.id);
    let id = account.id.to_string();
    let result = result_of(ChangeRole::PATH, Some(&id));
    let chosen = result.and_then(|result| result.typed("role")?.parse().ok()).unwrap_or(account.role);
    let label = texts.role_of(account.name.clone());
    let button = texts.of(texts.set_role().to_owned(), label.clone());
    view! {
        <PlainForm function=ChangeRole::PATH about=id.clone() class="inline">
            <input type="hidden" name="id" value=id />
            <label class="visually-hidden" for=select.clone()>{label}</label>
            <select class="input" id=select name="role"><RoleOptions chosen=chosen /></select>
            <PasswordConfirmation function=ChangeRole::PATH about=account.id.to_string() />
            <button class="button small" type="submit" aria-label=button>{texts.set_role()}</button>
        </PlainForm>
    }
}

#[component]
fn Actions(account: Account, is_me: bool) -> impl IntoView {
    let texts = AccountTexts::here();
    let id = account.id.to_string();
    if account.is_disabled {
        return view! {
            <RowMenu title=account.name.clone() />
            <ActionButton function=EnableAccount::PATH id=id name=account.name label=texts.enable() />
        }
        .into_any();
    }
    let other = id.clone();
    let name = account.name.clone();
    view! {
        <RowMenu title=account.name.clone() />
        <ActionButton function=ResetPassword::PATH id=id name=account.name label=texts.reset() />
        {(!is_me).then(|| view! { <ActionButton function=DisableAccount::PATH id=other name=name label=texts.disable() /> })}
    }
    .into_any()
}

/// One action on an account.
#[component]
fn ActionButton(function: &'static str, id: String, name: String, label: &'static str) -> impl IntoView {
    let full = AccountTexts::here().of(label.to_owned(), name.clone());
    view! {
        <PlainForm function=function about=id.clone() class="inline">
            <input type="hidden" name="id" value=id.clone() />
            <input type="hidden" name="name" value=name />
            <PasswordConfirmation function=function about=id />
            <button class="button small" type="submit" aria-label=full>{label}</button>
        </PlainForm>
    }
}
