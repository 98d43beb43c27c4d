//! `/rules/new`: writes a rule, from a template or without one.

use crate::{
    rules::{
        editor::{FIELDS, RuleFields},
        form_values::RuleForm,
        list_page::Templates,
        server_fns::{ChannelName, CreateRule, rule_channels},
        templates::form_of,
    },
    session::visitor,
    ui::{
        async_view::AsyncView,
        form::PlainForm,
        page::{
            header::{PageHeader, TabTitle},
            settings_menu::AdminsOnly,
        },
    },
};
use leptos::prelude::*;
use leptos_router::hooks::use_query_map;
use server_fn::ServerFn;
use texts::{
    language,
    rules::{RuleFormTexts, RuleTexts},
};

/// The page.
#[component]
pub fn RuleNew() -> impl IntoView {
    let texts = RuleTexts::here();
    if !visitor().is_admin() {
        return view! {
            <TabTitle title=texts.new_rule().to_owned() />
            <h1>{texts.new_rule()}</h1>
            <AdminsOnly />
        }
        .into_any();
    }
    let channels = Resource::new(|| (), |()| rule_channels());
    let query = use_query_map();
    let template = Memo::new(move |_| query.with(|query| query.get("template")));
    view! {
        <PageHeader title=texts.new_rule().to_owned() lead=texts.lead() />
        <AsyncView from=channels children=move |channels| {
            let channels = channels.get_untracked();
            move || {
                let values = form_of(language(), template.get().as_deref());
                view! { <NewForm values=values channels=channels.clone() /> }
            }
        } />
        <Templates />
    }
    .into_any()
}

#[component]
fn NewForm(values: RuleForm, channels: Vec<ChannelName>) -> impl IntoView {
    view! {
        <PlainForm function=CreateRule::PATH class="rule-form" fields=FIELDS>
            <RuleFields path=CreateRule::PATH values=values channels=channels />
            <p><button class="button main" type="submit">{RuleFormTexts::here().create()}</button></p>
        </PlainForm>
    }
}
