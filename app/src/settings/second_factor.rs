//! Which accounts must have a second factor.

use crate::{
    accounts::{
        password_confirmation::PasswordConfirmation,
        second_factor_fns::{RequireSecondFactor, second_factor_rule},
    },
    session::visitor,
    ui::{
        async_view::AsyncView,
        form::{PlainForm, typed},
        time::date_time::Relative,
    },
};
use domain::accounts::second_factor::{RequiredFor, SecondFactorRule};
use leptos::prelude::*;
use server_fn::ServerFn;
use texts::accounts::{AccountTexts, second_factor::SecondFactorTexts};

/// The form of the rule.
#[component]
pub fn RequiredSecondFactor() -> impl IntoView {
    let rule = Resource::new(|| (), |()| second_factor_rule());
    view! {
        <section class="panel" id="second-factor">
            <header><h2>{SecondFactorTexts::here().title()}</h2></header>
            <AsyncView from=rule let:rule>
                {move || view! { <RuleForm rule=rule.get() /> }}
            </AsyncView>
        </section>
    }
}

#[component]
fn RuleForm(rule: SecondFactorRule) -> impl IntoView {
    let texts = SecondFactorTexts::here();
    let path = RequireSecondFactor::PATH;
    let fields: &'static [&'static str] = if visitor().asks_password { &["password"] } else { &[] };
    let chosen = typed(path, "required_for").and_then(|word| word.parse().ok()).unwrap_or(rule.required_for);
    let choice = move |required_for: RequiredFor, name: &'static str| {
        view! {
            <label class="choice">
                <input type="radio" name="required_for" value=required_for.as_str() checked=required_for == chosen />
                {name}
            </label>
        }
    };
    let enforced = rule.enforced_at.filter(|_| rule.required_for != RequiredFor::None);
    view! {
        <PlainForm function=path fields=fields class="stack">
            <fieldset class="field">
                <legend class="label">{texts.required_for()}</legend>
                {choice(RequiredFor::None, texts.for_none())}
                {choice(RequiredFor::Admins, texts.for_admins())}
                {choice(RequiredFor::Reviewers, texts.for_reviewers())}
                {choice(RequiredFor::All, texts.for_all())}
                <span class="hint">{texts.required_hint()}</span>
            </fieldset>
            {enforced.map(|at| view! { <p>{texts.enforced()} " " <Relative at=at /></p> })}
            <PasswordConfirmation function=path />
            <p><button class="button" type="submit">{AccountTexts::here().save()}</button></p>
        </PlainForm>
    }
}
