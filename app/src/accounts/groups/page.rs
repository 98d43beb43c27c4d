//! `/settings/groups`: groups of accounts are created, changed and deleted. For admins.

use super::group_fns::{ChangeGroup, CreateGroup, DeleteGroup, GroupsAndPeople, list_groups_and_people};
use crate::ui::{
    async_view::AsyncView,
    empty::Empty,
    form::{FormResult, PlainForm, field::Field, result_of},
    page::settings_menu::AdminSettings,
};
use domain::{
    account::Account,
    accounts::group::{Group, GroupMember, MAX_GROUP_NAME},
};
use leptos::prelude::*;
use server_fn::ServerFn;
use texts::accounts::groups::GroupTexts;

/// The page.
#[component]
pub fn GroupsView() -> impl IntoView {
    let texts = GroupTexts::here();
    let messages = vec![("create", texts.created()), ("save", texts.saved()), ("delete", texts.deleted())];
    view! {
        <AdminSettings title=texts.title() lead=texts.lead() messages=messages><ForAdmins /></AdminSettings>
    }
}

#[component]
fn ForAdmins() -> impl IntoView {
    let read = Resource::new(|| (), |()| list_groups_and_people());
    view! {
        <AsyncView from=read let:read>
            <All read=read.get_untracked() />
        </AsyncView>
    }
}

#[component]
fn All(read: GroupsAndPeople) -> impl IntoView {
    let texts = GroupTexts::here();
    let GroupsAndPeople { groups, people } = read;
    let is_empty = groups.is_empty();
    let all = people.clone();
    let items = groups.into_iter().map(move |group| view! { <GroupItem group=group people=all.clone() /> });
    view! {
        {is_empty.then(|| view! { <Empty title=texts.none() hint=texts.none_hint() /> })}
        <ul class="plain-list stack">{items.collect_view()}</ul>
        <NewGroupForm people=people />
    }
}

/// A group with its members, and the forms that change and delete it.
#[component]
fn GroupItem(group: Group, people: Vec<Account>) -> impl IntoView {
    let texts = GroupTexts::here();
    let names = group.members.iter().map(|member| name_of(texts, member)).collect::<Vec<_>>();
    let members = if names.is_empty() { texts.no_members().to_owned() } else { names.join(texts.comma()) };
    let reviewers = group.members.iter().filter(|member| member.may_review).count();
    let id = group.id.to_string();
    view! {
        <li class="panel">
            <h2 dir="auto">{group.name.clone()}</h2>
            <p dir="auto">{members}</p>
            <p class="muted">{texts.counts(group.members.len(), reviewers)}</p>
            <ChangeForm group=group.clone() people=people id=id.clone() />
            <DeleteForm group=group id=id />
        </li>
    }
}

fn name_of(texts: GroupTexts, member: &GroupMember) -> String {
    if member.is_disabled { texts.disabled(&member.name) } else { member.name.clone() }
}

#[component]
fn ChangeForm(group: Group, people: Vec<Account>, id: String) -> impl IntoView {
    let texts = GroupTexts::here();
    let refused = result_of(ChangeGroup::PATH, Some(&id));
    let name = refused.as_ref().and_then(|form| form.typed("name").map(str::to_owned));
    let name = name.unwrap_or_else(|| group.name.clone());
    let is_open = refused.is_some();
    let refusal = Signal::stored(refused.as_ref().map(|form| form.refusal.clone()));
    let chosen = match &refused {
        Some(form) => ticked(form),
        None => group.members.iter().map(|member| member.id.to_string()).collect(),
    };
    view! {
        <details class="open-in-place" open=is_open>
            <summary class="button small" aria-label=texts.change_of(&group.name)>{texts.change()}</summary>
            <PlainForm function=ChangeGroup::PATH about=id.clone() class="stack" fields=&["name"]>
                <input type="hidden" name="id" value=id.clone() />
                <input type="hidden" name="seen" value=group.version.0 />
                <Field
                    name="name" id=format!("name-{id}") label=texts.name(MAX_GROUP_NAME) value=name refusal=refusal
                />
                <Members people=people chosen=chosen />
                <p><button type="submit" class="button main">{texts.save()}</button></p>
            </PlainForm>
        </details>
    }
}

#[component]
fn DeleteForm(group: Group, id: String) -> impl IntoView {
    let texts = GroupTexts::here();
    let is_open = result_of(DeleteGroup::PATH, Some(&id)).is_some();
    view! {
        <details class="open-in-place" open=is_open>
            <summary class="button small bare" aria-label=texts.delete_of(&group.name)>{texts.delete_open()}</summary>
            <PlainForm function=DeleteGroup::PATH about=id.clone() class="stack">
                <input type="hidden" name="id" value=id />
                <input type="hidden" name="seen" value=group.version.0 />
                <p>{texts.delete_hint(group.members.len())}</p>
                <p><button type="submit" class="button danger">{texts.delete()}</button></p>
            </PlainForm>
        </details>
    }
}

#[component]
fn NewGroupForm(people: Vec<Account>) -> impl IntoView {
    let texts = GroupTexts::here();
    let refused = result_of(CreateGroup::PATH, None);
    let name = refused.as_ref().and_then(|form| form.typed("name").map(str::to_owned)).unwrap_or_default();
    let chosen = refused.as_ref().map(ticked).unwrap_or_default();
    let refusal = Signal::stored(refused.map(|form| form.refusal));
    view! {
        <section class="panel" aria-labelledby="new-group">
            <header><h2 id="new-group">{texts.new_group()}</h2></header>
            <PlainForm function=CreateGroup::PATH class="stack" fields=&["name"]>
                <Field name="name" id="new-name" label=texts.name(MAX_GROUP_NAME) value=name refusal=refusal />
                <Members people=people chosen=chosen />
                <p><button type="submit" class="button main">{texts.create()}</button></p>
            </PlainForm>
        </section>
    }
}

/// A box for each account that is enabled or a member.
#[component]
fn Members(
    people: Vec<Account>,
    /// Ids of those that are ticked.
    chosen: Vec<String>,
) -> impl IntoView {
    let texts = GroupTexts::here();
    let is_offered = |one: &Account| !one.is_disabled || chosen.contains(&one.id.to_string());
    let offered: Vec<Account> = people.into_iter().filter(is_offered).collect();
    let boxes = offered.into_iter().enumerate().map(|(place, one)| {
        let id = one.id.to_string();
        let is_on = chosen.contains(&id);
        let name = if one.is_disabled { texts.disabled(&one.name) } else { one.name };
        view! {
            <label class="choice">
                <input type="checkbox" name=format!("members[{place}]") value=id checked=is_on />
                <span dir="auto">{name}</span>
            </label>
        }
    });
    view! {
        <fieldset class="field">
            <legend class="label">{texts.members()}</legend>
            <div class="weekday-choices">{boxes.collect_view()}</div>
        </fieldset>
    }
}

/// Ids of the accounts that are ticked in a refused form.
fn ticked(form: &FormResult) -> Vec<String> {
    let members = form.fields.iter().filter(|(name, _)| name.starts_with("members["));
    members.map(|(_, id)| id.clone()).collect()
}
