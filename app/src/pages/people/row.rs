//! One person of the list, with what an admin can do.

use super::RoleOptions;
use crate::{
    calls::people::{ChangeRole, DisablePerson, EnablePerson, ResetPerson},
    components::password_again::PasswordAgain,
    form::{PlainForm, answer_of},
    visitor::visitor,
    words::account::AccountWords,
};
use domain::person::Person;
use leptos::prelude::*;
use server_fn::ServerFn;

/// Name, address, role, and the buttons.
#[component]
pub fn PersonRow(person: Person) -> impl IntoView {
    let words = AccountWords::here();
    let is_me = visitor().person.is_some_and(|me| me.id == person.id);
    let is_disabled = person.is_disabled;
    let marks = [is_me.then(|| words.you()), person.is_disabled.then(|| words.disabled())];
    let marks = marks.into_iter().flatten().map(|mark| view! { <span class="mark">{mark}</span> " " });
    view! {
        <li class="person-row" class:is-disabled=is_disabled>
            <div class="person-who">
                <strong>{person.name.clone()}</strong> " " {marks.collect_view()}
                <span class="quiet">{person.email.clone()}</span>
            </div>
            <RoleForm person=person.clone() />
            <div class="row person-acts"><Acts person=person is_me=is_me /></div>
        </li>
    }
}

#[component]
fn RoleForm(person: Person) -> impl IntoView {
    let words = AccountWords::here();
    let select = format!("role-{}", person.id);
    let id = person.id.to_string();
    let answer = answer_of(ChangeRole::PATH, Some(&id));
    let chosen = answer.and_then(|answer| answer.typed("role")?.parse().ok()).unwrap_or(person.role);
    let label = words.role_of(person.name.clone());
    let button = words.of(words.set_role().to_owned(), label.clone());
    view! {
        <PlainForm function=ChangeRole::PATH about=id.clone() class="tight">
            <input type="hidden" name="id" value=id />
            <label class="hidden-word" for=select.clone()>{label}</label>
            <select class="input" id=select name="role"><RoleOptions chosen=chosen /></select>
            <PasswordAgain function=ChangeRole::PATH about=person.id.to_string() />
            <button class="button small" type="submit" aria-label=button>{words.set_role()}</button>
        </PlainForm>
    }
}

#[component]
fn Acts(person: Person, is_me: bool) -> impl IntoView {
    let words = AccountWords::here();
    let id = person.id.to_string();
    if person.is_disabled {
        return view! { <Act function=EnablePerson::PATH id=id name=person.name label=words.enable() /> }
            .into_any();
    }
    let other = id.clone();
    let name = person.name.clone();
    view! {
        <Act function=ResetPerson::PATH id=id name=person.name label=words.reset() />
        {(!is_me).then(|| view! { <Act function=DisablePerson::PATH id=other name=name label=words.disable() /> })}
    }
    .into_any()
}

/// One button for one person.
#[component]
fn Act(function: &'static str, id: String, name: String, label: &'static str) -> impl IntoView {
    let full = AccountWords::here().of(label.to_owned(), name.clone());
    view! {
        <PlainForm function=function about=id.clone() class="tight">
            <input type="hidden" name="id" value=id.clone() />
            <input type="hidden" name="name" value=name />
            <PasswordAgain function=function about=id />
            <button class="button small" type="submit" aria-label=full>{label}</button>
        </PlainForm>
    }
}
