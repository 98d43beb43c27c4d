//! What would happen if a signal came now. The URL holds the signal.

use crate::{
    live::live,
    rules::server_fns::{OpenedRule, TypedSignal, try_signal},
    session::visitor,
    ui::{
        async_view::AsyncView,
        form::{field::Field, textarea::Textarea},
    },
};
use domain::rule::{RuleTrial, TrialAction, TrialEffect};
use leptos::prelude::*;
use leptos_router::{
    components::Form,
    hooks::{use_location, use_query_map},
};
use texts::{language, reason, rules::RuleTexts, time};

/// The form and its result.
#[component]
pub(super) fn TrialPanel(rule: Memo<String>, opened: Memo<OpenedRule>) -> impl IntoView {
    let texts = RuleTexts::here();
    let query = use_query_map();
    let typed = Memo::new(move |_| {
        query.with(|query| {
            let of = |name: &str| query.get(name).unwrap_or_default();
            let signal =
                TypedSignal { name: of("signal"), subject: of("about"), key: of("key"), data: of("data") };
            (!signal.name.is_empty()).then_some(signal)
        })
    });
    let path = use_location().pathname.get_untracked();
    let tried = Resource::new(move || (rule.get(), typed.get()), |(rule, signal)| try_signal(rule, signal));
    let first = typed.get_untracked().unwrap_or_else(|| TypedSignal {
        name: opened.with_untracked(|opened| opened.rule.settings.after.clone()),
        ..TypedSignal::default()
    });
    view! {
        <details class="fold" open=move || typed.with(Option::is_some)>
            <summary><h2 id="try">{texts.test()}</h2></summary>
            <p class="hint">{texts.test_hint()}</p>
            <Form method="GET" action=path attr:class="rule-form">
                <div class="row">
                    <Field name="signal" label=texts.signal_name() value=first.name />
                    <Field name="about" label=texts.subject() value=first.subject />
                    <Field name="key" label=texts.key() value=first.key is_optional=true />
                </div>
                <div class="field">
                    <label for="data">{texts.data()}</label>
                    <Textarea name="data" value=first.data rows=3 class="code" />
                    <span class="hint">{texts.data_hint()}</span>
                </div>
                <p><button class="button" type="submit">{texts.try_it()}</button></p>
            </Form>
            <AsyncView from=tried children=move |tried| move || {
                tried.get().map(|trial| view! { <Outcome trial=trial /> })
            } />
        </details>
    }
}

#[component]
fn Outcome(trial: RuleTrial) -> impl IntoView {
    let texts = RuleTexts::here();
    let effect = match trial.effect {
        TrialEffect::Opens => texts.opens_wait(),
        TrialEffect::Closes => texts.closes_waits(),
        TrialEffect::OtherName => texts.other_name(),
        TrialEffect::OtherSubject => texts.other_subject(),
        TrialEffect::NoMoment => texts.no_moment(),
        TrialEffect::TooLate => texts.too_late(),
    };
    let now = live().now().get_untracked();
    let moment = |at| texts.would_act(time::moment(language(), at, visitor().zone(), now));
    let due = trial.due.map(moment);
    let action = trial.action.map(|action| match action {
        TrialAction::Message { body, to } => {
            let sends = match to.is_empty() {
                true => texts.would_send_body().to_owned(),
                false => texts.would_send_to(to.join(", ")),
            };
            view! { <p>{sends}</p> <pre class="message-body" dir="auto" tabindex="0">{body}</pre> }.into_any()
        }
        TrialAction::Signal { name } => view! { <p>{texts.would_signal(name)}</p> }.into_any(),
        TrialAction::Fails { reason } => {
            let why = reason::sentence(language(), &reason);
            view! { <p class="notice warn">{texts.would_fail(why)}</p> }.into_any()
        }
    });
    view! {
        <div role="status">
            <p><strong>{effect}</strong></p>
            {due.map(|due| view! { <p>{due}</p> })}
            {action}
        </div>
    }
}
