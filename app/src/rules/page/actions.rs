//! Actions on a rule: pause, resume, take over, edit and delete.

use crate::{
    rules::{
        editor::{FIELDS, RuleFields},
        form_values::RuleForm,
        server_fns::{DeleteRule, EditRule, OpenedRule, PauseRule, TakeOverRule},
    },
    ui::{
        form::{PlainForm, result_of, typed},
        icon::Icon,
    },
};
use domain::rule::{Rule, RuleState, Waiting};
use leptos::prelude::*;
use server_fn::ServerFn;
use texts::{
    language,
    number::counted,
    rules::{RuleFormTexts, RuleTexts},
};

/// The buttons.
#[component]
pub(super) fn RuleActions(rule: Rule) -> impl IntoView {
    let texts = RuleTexts::here();
    let id = rule.id.to_string();
    let is_paused = rule.state == RuleState::Paused;
    let (icon, label) = if is_paused { ("play", texts.resume()) } else { ("pause", texts.pause()) };
    let other = id.clone();
    let take_over = rule.is_held.then(|| view! {
        <PlainForm function=TakeOverRule::PATH class="inline">
            <input type="hidden" name="id" value=other />
            <button class="button small main" type="submit"><Icon name="person" />{texts.take_over()}</button>
        </PlainForm>
    });
    view! {
        <div class="task-actions">
            {take_over}
            <PlainForm function=PauseRule::PATH class="inline">
                <input type="hidden" name="id" value=id />
                <input type="hidden" name="is_paused" value=(!is_paused).to_string() />
                <button class="button small" type="submit"><Icon name=icon />{label}</button>
            </PlainForm>
        </div>
    }
}

/// The forms that change and delete the rule, folded unless one was refused.
#[component]
pub(super) fn RuleForms(opened: OpenedRule) -> impl IntoView {
    let (texts, form_texts) = (RuleTexts::here(), RuleFormTexts::here());
    let OpenedRule { rule, channels, signals } = opened;
    let id = rule.id.to_string();
    let is_edited = result_of(EditRule::PATH, Some(&id)).is_some();
    let is_deleted = result_of(DeleteRule::PATH, Some(&id)).is_some();
    let values = RuleForm::of(language(), &rule.settings);
    let (seen, deleted) = (rule.version.0, id.clone());
    // The version that the user saw stays with the input.
    let seen = typed(EditRule::PATH, "seen").filter(|_| is_edited).unwrap_or_else(|| seen.to_string());
    let waiting = rule.waiting;
    let edit_choices: &[Waiting] = &[Waiting::Keep, Waiting::Recount, Waiting::Cancel];
    view! {
        <details class="fold" open=is_edited>
            <summary><h2>{texts.edit()}</h2></summary>
            <PlainForm function=EditRule::PATH about=id.clone() class="rule-form" fields=FIELDS>
                <input type="hidden" name="id" value=id />
                <input type="hidden" name="seen" value=seen />
                <RuleFields path=EditRule::PATH values=values channels=channels signals=signals />
                <WaitingChoice count=waiting choices=edit_choices path=EditRule::PATH />
                <p><button class="button main" type="submit">{form_texts.save()}</button></p>
            </PlainForm>
        </details>
        <details class="fold" open=is_deleted>
            <summary><h2>{texts.delete()}</h2></summary>
            <p class="hint">{texts.delete_hint()}</p>
            <PlainForm function=DeleteRule::PATH about=deleted.clone() class="rule-form">
                <input type="hidden" name="id" value=deleted />
                <WaitingChoice count=waiting choices=&[Waiting::Keep, Waiting::Cancel] path=DeleteRule::PATH />
                <p><button class="button" type="submit"><Icon name="trash" />{texts.delete()}</button></p>
            </PlainForm>
        </details>
    }
}

/// Asks what becomes of those that wait. Hidden if nothing waits.
#[component]
fn WaitingChoice(count: u64, choices: &'static [Waiting], path: &'static str) -> impl IntoView {
    let texts = RuleTexts::here();
    let chosen = typed(path, "waiting").unwrap_or_else(|| Waiting::Keep.as_str().to_owned());
    let choice = move |choice: &Waiting| {
        let label = match choice {
            Waiting::Keep => texts.keep(),
            Waiting::Recount => texts.recount(),
            Waiting::Cancel => texts.cancel_them(),
        };
        view! {
            <label class="choice">
                <input type="radio" name="waiting" value=choice.as_str() checked=chosen == choice.as_str() />
                {label}
            </label>
        }
    };
    (count > 0).then(move || {
        view! {
            <fieldset class="choices">
                <legend>{texts.what_of_waiting(counted(count))}</legend>
                {choices.iter().map(choice).collect_view()}
            </fieldset>
        }
    })
}
