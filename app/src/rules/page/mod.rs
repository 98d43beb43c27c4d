//! `/rules/{id}`: the rule as a sentence, its actions, who waits, a dry run and a trial.

mod actions;
mod dry_run;
mod trial;
mod waits;

use crate::{
    help::link::WordLink,
    live::{live, live_resource},
    rules::{
        duration::shown,
        list_page::{RuleMark, error_text, today_text},
        sentence::sentence,
        server_fns::{OpenedRule, find_rule},
    },
    session::visitor,
    ui::{
        async_view::AsyncView,
        form::kept_view::KeptView,
        page::{header::TabTitle, settings_menu::AdminsOnly},
        time::picker::CityList,
    },
};
use actions::{RuleActions, RuleForms};
use domain::rule::{Repeat, Rule};
use dry_run::DryRunPanel;
use leptos::prelude::*;
use leptos_router::hooks::use_params_map;
use texts::{language, number::counted, rules::RuleTexts, time};
use trial::TrialPanel;
use waits::Waits;

/// The page.
#[component]
pub fn RulePage() -> impl IntoView {
    let texts = RuleTexts::here();
    if !visitor().is_admin() {
        return view! {
            <TabTitle title=texts.title().to_owned() />
            <h1>{texts.title()}</h1>
            <AdminsOnly />
        }
        .into_any();
    }
    let params = use_params_map();
    let id = Memo::new(move |_| params.with(|params| params.get("id").unwrap_or_default()));
    let read = live_resource(
        |change| matches!(change.entity.as_str(), "rule" | "task" | "account" | "channel"),
        move || id.get(),
        find_rule,
    );
    view! {
        <div class="task-page">
            <AsyncView from=read children=move |opened| view! { <RuleView opened=opened /> } />
        </div>
        <CityList />
    }
    .into_any()
}

#[component]
fn RuleView(opened: Signal<OpenedRule>) -> impl IntoView {
    let latest = Memo::new(move |_| opened.get());
    let name = move || latest.with(|opened| opened.rule.settings.name.clone());
    let id = Memo::new(move |_| latest.with(|opened| opened.rule.id.to_string()));
    view! {
        <TabTitle title=Signal::derive(name) />
        {move || view! { <Header opened=latest.get() /> }}
        <Waits rule=id />
        <TrialPanel rule=id opened=latest />
        <DryRunPanel rule=id />
        <KeptView latest=latest children=|opened| view! { <RuleForms opened=opened /> } />
    }
}

/// Name, state, sentence, numbers and actions.
#[component]
fn Header(opened: OpenedRule) -> impl IntoView {
    let texts = RuleTexts::here();
    let OpenedRule { rule, channels, .. } = opened;
    let held = rule.is_held.then(|| texts.held_hint(rule.owner.clone()));
    let error = rule.last_error.clone().map(error_text);
    view! {
        <header class="task-header">
            <p class="row">
                <RuleMark state=rule.state is_held=rule.is_held />
                <span class="eyebrow">{texts.rule()}" · "<bdi>{rule.owner.clone()}</bdi></span>
            </p>
            <h1 dir="auto">{rule.settings.name.clone()}</h1>
            <p class="rule-sentence" dir="auto">{sentence(language(), &rule.settings, &channels)}</p>
            {held.map(|held| view! { <p class="notice warn" dir="auto">{held}</p> })}
            {error.map(|error| view! { <p class="why">{texts.last_error()}" "{error}</p> })}
            <RuleActions rule=rule.clone() />
            <Facts rule=rule />
        </header>
    }
}

/// What waits, what it did today, and its further settings.
#[component]
fn Facts(rule: Rule) -> impl IntoView {
    let texts = RuleTexts::here();
    let repeat = match rule.settings.repeat {
        Repeat::Restart => texts.restart(),
        Repeat::Ignore => texts.ignore(),
        Repeat::Another => texts.another(),
    };
    let changed = time::moment(language(), rule.changed, visitor().zone(), live().now().get_untracked());
    let facts = [
        (texts.waiting(), Some(counted(rule.waiting))),
        (texts.today(), Some(today_text(rule.today))),
        (texts.subjects(), rule.settings.subject.clone()),
        (texts.repeated(), Some(repeat.to_owned())),
        (texts.grace(), Some(shown(language(), &rule.settings.grace))),
        (texts.changed(), Some(changed)),
    ];
    let fact = |(name, value): (&'static str, Option<String>)| {
        value.map(|value| {
            let help =
                (name == texts.grace()).then(|| view! { <WordLink topic="rules" word="grace" name=name /> });
            view! { <div><dt>{name}{help}</dt><dd dir="auto">{value}</dd></div> }
        })
    };
    view! { <dl class="rule-facts">{facts.into_iter().map(fact).collect_view()}</dl> }
}
