//! `/settings/people`: who works here. For admins.

mod disable;
mod row;

use crate::{
    calls::people::{FreshLink, Invite, fresh_link, list_people},
    components::{
        copy_button::CopyButton,
        field::Field,
        head::Head,
        loaded::Loaded,
        password_again::PasswordAgain,
        said::Said,
        settings_menu::{AdminsOnly, SettingsMenu},
    },
    form::{PlainForm, refusal_of, typed},
    visitor::visitor,
    words::account::AccountWords,
};
use disable::AskToDisable;
use domain::Role;
use leptos::prelude::*;
use leptos_router::hooks::use_query_map;
use row::PersonRow;
use server_fn::ServerFn;

/// The list, an invitation, and the question that shutting an account asks.
#[component]
pub fn People() -> impl IntoView {
    let words = AccountWords::here();
    let body = if visitor().is_admin() {
        view! { <ForAdmins /> }.into_any()
    } else {
        view! { <AdminsOnly /> }.into_any()
    };
    view! {
        <Head title=words.people().to_owned() />
        <SettingsMenu />
        {body}
    }
}

#[component]
fn ForAdmins() -> impl IntoView {
    let people = Resource::new(|| (), |()| list_people());
    let fresh = Resource::new(|| (), |()| fresh_link());
    let query = use_query_map();
    let words = AccountWords::here();
    let said =
        [("role", words.role_changed()), ("disable", words.was_disabled()), ("enable", words.was_enabled())];
    view! {
        <Said said=said.to_vec() />
        <Suspense>
            {move || Suspend::new(async move {
                fresh.await.ok().flatten().map(|fresh| view! { <Fresh fresh=fresh /> })
            })}
        </Suspense>
        <Loaded from=people let:people>
            {move || {
                let id = query.read().get("disable")?;
                let person = people.get().into_iter().find(|person| person.id.to_string() == id)?;
                Some(view! { <AskToDisable person=person /> })
            }}
            <ul class="person-list">
                {move || people.get().into_iter().map(|person| view! { <PersonRow person=person /> }).collect_view()}
            </ul>
        </Loaded>
        <InviteForm />
    }
}

/// The link that was just made; shown once.
#[component]
fn Fresh(fresh: FreshLink) -> impl IntoView {
    let words = AccountWords::here();
    let address = fresh.address.clone();
    let lasts = if fresh.is_reset { words.link_reset() } else { words.link_invite() };
    view! {
        <section class="notice good fresh" role="status">
            <p>{words.link_ready(fresh.name)} " " {lasts}</p>
            <p class="row"><code class="secret" tabindex="0">{fresh.address}</code> <CopyButton text=address /></p>
        </section>
    }
}

#[component]
fn InviteForm() -> impl IntoView {
    let words = AccountWords::here();
    let path = Invite::PATH;
    let refusal = Signal::stored(refusal_of(path));
    let chosen = typed(path, "role").and_then(|word| word.parse().ok()).unwrap_or(Role::Creator);
    view! {
        <section class="panel invite settings" aria-labelledby="invite">
            <header><h2 id="invite">{words.invite()}</h2></header>
            <PlainForm function=path class="stack">
                <Field name="name" label=words.name() value=typed(path, "name").unwrap_or_default() refusal=refusal />
                <Field
                    name="email" label=words.email() kind="email" value=typed(path, "email").unwrap_or_default()
                    refusal=refusal
                />
                <div class="field">
                    <label for="role">{words.role()}</label>
                    <select id="role" name="role"><RoleOptions chosen=chosen is_full=true /></select>
                </div>
                <PasswordAgain function=path />
                <p><button class="button main" type="submit">{words.make_link()}</button></p>
            </PlainForm>
        </section>
    }
}

/// The roles, with what they may do where `is_full`.
#[component]
pub fn RoleOptions(chosen: Role, #[prop(optional)] is_full: bool) -> impl IntoView {
    let words = AccountWords::here();
    Role::ALL
        .iter()
        .map(|role| {
            let hint = match role {
                Role::Creator => words.creator_hint(),
                Role::Reviewer => words.reviewer_hint(),
                Role::Admin => words.admin_hint(),
            };
            let name = words.role_name(*role);
            let text = if is_full { format!("{name}: {hint}") } else { name.to_owned() };
            view! { <option value=role.as_str() selected=*role == chosen>{text}</option> }
        })
        .collect_view()
}
