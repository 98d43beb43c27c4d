//! `/settings/people`: accounts. For admins.

mod disable;
mod invitations;
mod list;
mod query;
mod resets;
pub mod role_options;
mod row;

use crate::{
    accounts::{
        passkeys::fns::{ResetPasskeys, list_passkey_accounts},
        password_confirmation::PasswordConfirmation,
        second_factor_fns::{ResetSecondFactor, list_second_factors},
        server_fns::{Invite, NewLink, UndoAccountChange, account_undo, list_accounts, new_link},
    },
    session::visitor,
    ui::{
        async_view::AsyncView,
        copy_button::CopyButton,
        form::{PlainForm, field::Field, refusal_of, typed},
        page::{
            header::PageHeader,
            settings_menu::{AdminsOnly, SettingsMenu},
        },
        result::{Undo, UndoForm, flash::Flash, words::result_words},
    },
};
use disable::DisableForm;
use domain::{Role, account::AccountUndo};
use invitations::Invitations;
use leptos::prelude::*;
use leptos_router::hooks::use_query_map;
use list::AccountList;
use resets::Resets;
use role_options::RoleOptions;
use server_fn::ServerFn;
use texts::{
    accounts::{AccountTexts, passkeys::PasskeyTexts, second_factor::SecondFactorTexts},
    sentences,
};

/// The accounts, the invitation form, and the question before an account is disabled.
#[component]
pub fn Accounts() -> impl IntoView {
    let texts = AccountTexts::here();
    let body = if visitor().is_admin() {
        view! { <ForAdmins /> }.into_any()
    } else {
        view! { <AdminsOnly /> }.into_any()
    };
    view! {
        <PageHeader title=texts.people().to_owned() />
        <SettingsMenu />
        {body}
    }
}

#[component]
fn ForAdmins() -> impl IntoView {
    let accounts = Resource::new(|| (), |()| list_accounts());
    let created = Resource::new(|| (), |()| new_link());
    let query = use_query_map();
    let (codes, passkeys) = (SecondFactorTexts::here(), PasskeyTexts::here());
    view! {
        <AccountResult />
        <Suspense>
            {move || Suspend::new(async move {
                created.await.ok().flatten().map(|created| view! { <NewLinkNotice created=created /> })
            })}
        </Suspense>
        <AsyncView from=accounts let:accounts>
            {move || {
                let id = query.read().get("disable")?;
                let accounts = accounts.get();
                let account = accounts.iter().find(|account| account.id.to_string() == id)?.clone();
                Some(view! { <DisableForm account=account accounts=accounts /> })
            }}
            <AccountList accounts=accounts />
        </AsyncView>
        <Resets
            accounts=Resource::new(|| (), |()| list_second_factors()) id="second-factors" title=codes.title()
            label=codes.reset() function=ResetSecondFactor::PATH
        />
        <Resets
            accounts=Resource::new(|| (), |()| list_passkey_accounts()) id="passkey-accounts" title=passkeys.title()
            label=passkeys.reset() function=ResetPasskeys::PATH
        />
        <Invitations />
        <InviteForm />
    }
}

/// What was done to an account, with its undo while that is possible.
#[component]
fn AccountResult() -> impl IntoView {
    let texts = AccountTexts::here();
    let messages = [
        ("role", texts.role_changed()),
        ("disable", texts.was_disabled()),
        ("handed", texts.was_handed_over()),
        ("enable", texts.was_enabled()),
        ("undo", texts.was_undone()),
        ("withdraw", texts.was_withdrawn()),
        ("second_factor", SecondFactorTexts::here().was_reset()),
        ("passkeys", PasskeyTexts::here().was_reset()),
    ];
    let account = result_words().with_untracked(|words| words.get("account")?.parse().ok());
    let offer = Resource::new(move || account, account_undo);
    view! {
        <Suspense>
            {move || Suspend::new(async move {
                let undo = offer.await.ok().flatten().map(undo_form);
                view! { <Flash messages=messages.to_vec() undo=undo /> }
            })}
        </Suspense>
    }
}

fn undo_form(offer: AccountUndo) -> Undo {
    let texts = AccountTexts::here();
    let label = match offer.verb.as_str() {
        "disable" => texts.undo_disable(),
        "enable" => texts.undo_enable(),
        _ => texts.undo_role(),
    };
    let fields = vec![("id", offer.account.to_string()), ("seen", offer.seen.to_string())];
    Undo::Form(UndoForm { function: UndoAccountChange::PATH, fields, label })
}

/// The new one-time link; shown once.
#[component]
fn NewLinkNotice(created: NewLink) -> impl IntoView {
    let texts = AccountTexts::here();
    let address = created.address.clone();
    let lasts = if created.is_reset { texts.link_reset() } else { texts.link_invite() };
    let replaced = created.was_invited.then(|| texts.was_invited(created.name.clone()));
    view! {
        <section class="notice good new-secret" role="status">
            <p>{sentences(&texts.link_ready(created.name), lasts)}</p>
            {replaced.map(|replaced| view! { <p>{replaced}</p> })}
            <p class="row"><code class="secret" tabindex="0">{created.address}</code> <CopyButton text=address /></p>
        </section>
    }
}

#[component]
fn InviteForm() -> impl IntoView {
    let texts = AccountTexts::here();
    let path = Invite::PATH;
    let refusal = Signal::stored(refusal_of(path));
    let chosen = typed(path, "role").and_then(|word| word.parse().ok()).unwrap_or(Role::Creator);
    let fields: &'static [&'static str] =
        if visitor().asks_password { &["name", "email", "password"] } else { &["name", "email"] };
    view! {
        <section class="panel invite settings" aria-labelledby="invite">
            <header><h2 id="invite">{texts.invite()}</h2></header>
            <PlainForm function=path fields=fields class="stack">
                <Field name="name" label=texts.name() value=typed(path, "name").unwrap_or_default() refusal=refusal />
                <Field
                    name="email" label=texts.email() kind="email" value=typed(path, "email").unwrap_or_default()
                    refusal=refusal
                />
                <div class="field">
                    <label for="role">{texts.role()}</label>
                    <select id="role" name="role"><RoleOptions chosen=chosen is_full=true /></select>
                </div>
                <PasswordConfirmation function=path />
                <p><button class="button main" type="submit">{texts.create_link()}</button></p>
            </PlainForm>
        </section>
    }
}
