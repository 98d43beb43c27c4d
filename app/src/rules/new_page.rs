//! `/rules/new`: writes a rule, from a template or without one.

use crate::{
    rules::{
        editor::{FIELDS, RuleFields},
        form_values::RuleForm,
        server_fns::{CreateRule, RuleOptions, rule_options},
        templates::{RuleTemplate, form_of, templates},
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
    let options = Resource::new(|| (), |()| rule_options());
    let query = use_query_map();
    let template = Memo::new(move |_| query.with(|query| query.get("template")));
    view! {
        <PageHeader title=texts.new_rule().to_owned() lead=texts.lead() />
        <TemplateChips chosen=template />
        <AsyncView from=options children=move |options| {
            let options = options.get_untracked();
            move || {
                let values = form_of(language(), template.get().as_deref());
                view! { <NewForm values=values options=options.clone() /> }
            }
        } />
    }
    .into_any()
}

/// Links that fill the form from a template.
#[component]
fn TemplateChips(
    /// The template in the URL.
    chosen: Memo<Option<String>>,
) -> impl IntoView {
    let texts = RuleTexts::here();
    let chip = |template: RuleTemplate| {
        let is_chosen = move || chosen.with(|chosen| chosen.as_deref() == Some(template.id));
        view! {
            <a
                class="chip"
                href=format!("/rules/new?template={}", template.id)
                title=template.hint
                aria-current=move || is_chosen().then_some("true")
            >
                {template.label}
            </a>
        }
    };
    view! {
        <nav class="chip-row" aria-label=texts.templates()>
            <span class="label" aria-hidden="true">{texts.templates()}</span>
            {templates(language()).into_iter().map(chip).collect_view()}
        </nav>
    }
}

#[component]
fn NewForm(values: RuleForm, options: RuleOptions) -> impl IntoView {
    let RuleOptions { channels, signals } = options;
    view! {
        <PlainForm function=CreateRule::PATH class="rule-form" fields=FIELDS>
            <RuleFields path=CreateRule::PATH values=values channels=channels signals=signals />
            <p><button class="button main" type="submit">{RuleFormTexts::here().create()}</button></p>
        </PlainForm>
    }
}
