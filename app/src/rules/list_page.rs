//! `/rules`: all rules, by name.

use crate::{
    help::link::WordLink,
    live::live_resource,
    rules::{
        sentence::sentence,
        server_fns::{ChannelName, PauseRule, RuleList, list_rules},
        templates::templates,
    },
    session::visitor,
    ui::{
        async_view::AsyncView,
        empty::Empty,
        form::PlainForm,
        icon::Icon,
        page::{
            header::{PageHeader, TabTitle},
            settings_menu::AdminsOnly,
        },
    },
};
use domain::rule::{Rule, RuleActivity, RuleError, RuleState};
use leptos::{either::Either, prelude::*};
use server_fn::ServerFn;
use texts::{
    language, layout::LayoutTexts, lists::TableTexts, number::counted, reason, rules::RuleTexts, time,
};

/// The list.
#[component]
pub fn Rules() -> impl IntoView {
    let texts = RuleTexts::here();
    if !visitor().is_admin() {
        return view! {
            <TabTitle title=texts.title().to_owned() />
            <h1>{texts.title()}</h1>
            <AdminsOnly />
        }
        .into_any();
    }
    let read = live_resource(
        |change| matches!(change.entity.as_str(), "rule" | "task" | "account" | "channel"),
        || (),
        |()| list_rules(),
    );
    view! {
        <PageHeader title=texts.title().to_owned() lead=texts.lead()>
            <WordLink topic="rules" word="signal" name=texts.signal_name() />
            <a class="button" href="/settings/channels"><Icon name="link" />{LayoutTexts::here().channels()}</a>
            <a class="button main" href="/rules/new"><Icon name="plus" />{texts.new_rule()}</a>
        </PageHeader>
        <AsyncView from=read children=move |list| view! { <List list=list /> } />
    }
    .into_any()
}

#[component]
fn List(list: Signal<RuleList>) -> impl IntoView {
    let (texts, table_texts) = (RuleTexts::here(), TableTexts::here());
    let latest = Memo::new(move |_| list.get());
    move || {
        let RuleList { rules, channels } = latest.get();
        if rules.is_empty() {
            return Either::Left(view! {
                <Empty title=texts.none() hint=texts.none_hint() />
                <Templates />
            });
        }
        let rows = rules.into_iter().map(|rule| view! { <RuleRow channels=channels.clone() rule=rule /> });
        let rows = rows.collect_view();
        Either::Right(view! {
            <table class="list-table rule-table">
                <thead>
                    <tr>
                        <th scope="col">{texts.rule()}</th>
                        <th scope="col">{texts.state()}</th>
                        <th scope="col">{texts.waiting()}</th>
                        <th scope="col">{texts.today()}</th>
                        <th scope="col" class="actions">{table_texts.actions()}</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        })
    }
}

/// State of a rule as shape and word.
#[component]
pub fn RuleMark(
    /// Whether it opens waits.
    state: RuleState,
    /// Whether the account of its owner is disabled.
    is_held: bool,
) -> impl IntoView {
    let texts = RuleTexts::here();
    let (phase, word) = match (state, is_held) {
        (_, true) => ("failed", texts.held()),
        (RuleState::Active, false) => ("executed", texts.active()),
        (RuleState::Paused | RuleState::Deleted, false) => ("cancelled", texts.paused()),
    };
    view! { <span class="phase state-mark" data-phase=phase>{word}</span> }
}

/// Describes why a rule could not act the last time.
pub fn error_text(error: RuleError) -> String {
    let texts = RuleTexts::here();
    let now = crate::live::live().now().get_untracked();
    let due = time::moment(language(), error.due, visitor().zone(), now);
    let why = error
        .reason
        .map_or_else(|| texts.unknown_reason().to_owned(), |reason| reason::sentence(language(), &reason));
    texts.recently_failed(due, why)
}

/// What a rule did today.
#[must_use]
pub fn today_text(today: RuleActivity) -> String {
    let texts = RuleTexts::here();
    format!("{} {}, {} {}", counted(today.acted), texts.acted(), counted(today.closed), texts.closed())
}

/// One rule: name and sentence, state, what waits, what it did today, and its action.
#[component]
fn RuleRow(rule: Rule, channels: Vec<ChannelName>) -> impl IntoView {
    let texts = RuleTexts::here();
    let id = rule.id.to_string();
    let (href, row_id) = (format!("/rules/{id}"), format!("rule-{id}"));
    let waits = href.clone();
    let error = rule.last_error.map(error_text);
    let is_paused = rule.state == RuleState::Paused;
    let label = if is_paused { texts.resume() } else { texts.pause() };
    let name = rule.settings.name.clone();
    let held = rule.is_held.then(|| texts.held_hint(rule.owner.clone()));
    view! {
        <tr class="list-row" id=row_id>
            <th scope="row" class="main">
                <a class="title" dir="auto" href=href>{name.clone()}</a>
                <p class="meta" dir="auto">{sentence(language(), &rule.settings, &channels)}</p>
                {held.map(|held| view! { <p class="meta" dir="auto">{held}</p> })}
                {error.map(|error| view! { <p class="meta">{texts.last_error()}" "{error}</p> })}
            </th>
            <td class="state"><RuleMark state=rule.state is_held=rule.is_held /></td>
            <td class="when"><a href=waits>{counted(rule.waiting)}</a></td>
            <td class="when">{today_text(rule.today)}</td>
            <td class="actions">
                <PlainForm function=PauseRule::PATH about=id.clone() class="inline">
                    <input type="hidden" name="id" value=id />
                    <input type="hidden" name="is_paused" value=(!is_paused).to_string() />
                    <button class="button small" type="submit" aria-label=format!("{label} – {name}")>{label}</button>
                </PlainForm>
            </td>
        </tr>
    }
}

/// Links to the form, filled from a template.
#[component]
pub fn Templates() -> impl IntoView {
    let texts = RuleTexts::here();
    let item = |template: crate::rules::templates::RuleTemplate| {
        view! {
            <li>
                <a href=format!("/rules/new?template={}", template.id)>
                    {template.label}<span>{template.hint}</span>
                </a>
            </li>
        }
    };
    view! {
        <section class="panel" aria-labelledby="templates">
            <header><h2 id="templates">{texts.templates()}</h2></header>
            <ul class="template-list">{templates(language()).into_iter().map(item).collect_view()}</ul>
        </section>
    }
}
