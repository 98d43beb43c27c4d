//! `/settings/sign-in`: providers of OpenID Connect. `?change=ID` shows the form of one of them. For admins.

use super::{
    fields::{FIELDS, ProviderFields},
    sign_in_fns::{
        ChangeProvider, CreateProvider, DeleteProvider, ProvidersAndGroups, TestProvider, list_providers,
    },
};
use crate::{
    accounts::password_confirmation::PasswordConfirmation,
    ui::{
        async_view::AsyncView,
        copy_button::CopyButton,
        empty::Empty,
        form::{PlainForm, field::Field, refusal_of, result_of, typed},
        page::settings_menu::AdminSettings,
    },
};
use domain::accounts::{
    group::Group,
    sign_in::{MAX_PROVIDERS, Provider, ProviderSettings},
};
use leptos::prelude::*;
use leptos_router::hooks::use_query_map;
use server_fn::ServerFn;
use texts::accounts::sign_in::SignInTexts;

/// The page.
#[component]
pub fn SignInView() -> impl IntoView {
    let texts = SignInTexts::here();
    let messages = vec![
        ("create", texts.created()),
        ("save", texts.saved()),
        ("delete", texts.deleted()),
        ("test", texts.works()),
    ];
    view! {
        <AdminSettings title=texts.title() lead=texts.lead() messages=messages><ForAdmins /></AdminSettings>
    }
}

#[component]
fn ForAdmins() -> impl IntoView {
    let read = Resource::new(|| (), |()| list_providers());
    let changed = use_query_map().with_untracked(|query| query.get("change"));
    view! {
        <AsyncView from=read let:read>
            {content(read.get_untracked(), changed.as_deref())}
        </AsyncView>
    }
}

/// The form of the provider that is changed; otherwise the list, and the form of a new one.
fn content(read: ProvidersAndGroups, changed: Option<&str>) -> AnyView {
    let ProvidersAndGroups { providers, groups } = read;
    let is_changed = |provider: &&Provider| {
        let id = provider.id.to_string();
        changed == Some(id.as_str()) || result_of(ChangeProvider::PATH, Some(&id)).is_some()
    };
    if let Some(provider) = providers.iter().find(is_changed) {
        return view! { <ChangeForm provider=provider.clone() groups=groups /> }.into_any();
    }
    let texts = SignInTexts::here();
    let is_empty = providers.is_empty();
    let is_full = providers.len() >= MAX_PROVIDERS;
    let items = providers.into_iter().map(|provider| view! { <ProviderItem provider=provider /> });
    let items = items.collect_view();
    view! {
        {is_empty.then(|| view! { <Empty title=texts.none() hint=texts.none_hint() /> })}
        <ul class="plain-list stack">{items}</ul>
        {(!is_full).then(|| view! { <NewForm groups=groups /> })}
    }
    .into_any()
}

#[component]
fn ProviderItem(provider: Provider) -> impl IntoView {
    let texts = SignInTexts::here();
    let id = provider.id.to_string();
    let name = provider.settings.name.clone();
    let change = format!("/settings/sign-in?change={id}");
    view! {
        <li class="panel">
            <h2 dir="auto">{name.clone()}</h2>
            {(!provider.settings.is_enabled).then(|| view! { <p class="notice warn">{texts.off()}</p> })}
            <p dir="auto">{provider.issuer.clone()}</p>
            <Address label=texts.redirect_url() url=provider.redirect_url.clone() />
            <Address label=texts.log_out_url() url=provider.log_out_url.clone() />
            <p class="muted">{texts.linked_accounts(provider.identities)}</p>
            <PlainForm function=TestProvider::PATH about=id.clone()>
                <input type="hidden" name="id" value=id.clone() />
                <p class="row">
                    <button class="button small" type="submit" aria-label=texts.test_of(&name)>{texts.test()}</button>
                    <a class="button small" href=change aria-label=texts.change_of(&name)>{texts.change()}</a>
                </p>
            </PlainForm>
            <DeleteForm provider=provider />
        </li>
    }
}

/// An address to be entered at the provider.
#[component]
fn Address(label: &'static str, url: String) -> impl IntoView {
    view! {
        <p class="row">
            <span>{label}</span> " " <code class="secret" tabindex="0">{url.clone()}</code> " " <CopyButton text=url />
        </p>
    }
}

#[component]
fn DeleteForm(provider: Provider) -> impl IntoView {
    let texts = SignInTexts::here();
    let id = provider.id.to_string();
    let path = DeleteProvider::PATH;
    let is_open = result_of(path, Some(&id)).is_some();
    let label = texts.delete_of(&provider.settings.name);
    view! {
        <details class="open-in-place" open=is_open>
            <summary class="button small bare" aria-label=label>{texts.delete_open()}</summary>
            <PlainForm function=path about=id.clone() class="stack" fields=&["password"]>
                <input type="hidden" name="id" value=id.clone() />
                <input type="hidden" name="seen" value=provider.version.0 />
                <p>{texts.delete_hint(provider.identities)}</p>
                <PasswordConfirmation function=path about=id />
                <p><button type="submit" class="button danger">{texts.delete()}</button></p>
            </PlainForm>
        </details>
    }
}

#[component]
fn ChangeForm(provider: Provider, groups: Vec<Group>) -> impl IntoView {
    let texts = SignInTexts::here();
    let path = ChangeProvider::PATH;
    let id = provider.id.to_string();
    let refusal = result_of(path, Some(&id)).map(|result| result.refusal);
    view! {
        <section class="panel" aria-labelledby="change-provider">
            <header><h2 id="change-provider" dir="auto">{texts.change_of(&provider.settings.name)}</h2></header>
            <p dir="auto">{provider.issuer}</p>
            <Address label=texts.redirect_url() url=provider.redirect_url />
            <PlainForm function=path about=id.clone() class="stack" fields=FIELDS>
                <input type="hidden" name="id" value=id />
                <input type="hidden" name="seen" value=provider.version.0 />
                <ProviderFields
                    function=path settings=provider.settings groups=groups has_secret=provider.has_secret
                    refusal=refusal
                />
                <PasswordConfirmation function=path />
                <p><button type="submit" class="button main">{texts.save()}</button></p>
            </PlainForm>
        </section>
    }
}

#[component]
fn NewForm(groups: Vec<Group>) -> impl IntoView {
    let texts = SignInTexts::here();
    let path = CreateProvider::PATH;
    let settings = ProviderSettings::new(String::new(), String::new());
    let refusal = refusal_of(path);
    view! {
        <section class="panel" aria-labelledby="new-provider">
            <header><h2 id="new-provider">{texts.new_provider()}</h2></header>
            <PlainForm function=path class="stack" fields=FIELDS>
                <Field
                    name="issuer" label=texts.issuer() kind="url" hint=texts.issuer_hint()
                    value=typed(path, "issuer").unwrap_or_default() refusal=Signal::stored(refusal.clone())
                />
                <ProviderFields
                    function=path settings=settings groups=groups has_secret=false refusal=refusal
                />
                <PasswordConfirmation function=path />
                <p><button type="submit" class="button main">{texts.add()}</button></p>
            </PlainForm>
        </section>
    }
}
