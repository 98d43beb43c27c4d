//! `/settings/review`: what happens before an article is published. For admins.

use crate::{
    review::{
        server_fns::{ReviewSettingsPage, SaveReviewSettings, find_review_settings},
        texts::ReviewSettingsTexts,
    },
    shell::settings_menu::AdminSettings,
    ui::{
        async_view::AsyncView,
        form::{PlainForm, choice::Choice, field::Field, refusal_of, result_of, typed},
    },
};
use domain::review::workflow::{DeadlineDecision, Workflow};
use leptos::prelude::*;
use server_fn::ServerFn;

/// The page.
#[component]
pub fn ReviewSettingsView() -> impl IntoView {
    let texts = ReviewSettingsTexts::here();
    view! {
        <AdminSettings title=texts.title() lead=texts.lead() messages=vec![("save", texts.saved())]><ForAdmins /></AdminSettings>
    }
}

#[component]
fn ForAdmins() -> impl IntoView {
    let read = Resource::new(|| (), |()| find_review_settings());
    view! {
        <AsyncView from=read let:page>
            <SettingsForm page=page.get_untracked() />
        </AsyncView>
    }
}

#[component]
fn SettingsForm(page: ReviewSettingsPage) -> impl IntoView {
    let texts = ReviewSettingsTexts::here();
    let path = SaveReviewSettings::PATH;
    let ReviewSettingsPage { settings, reviewers } = page;
    let refusal = Signal::stored(refusal_of(path));
    let is_refused = result_of(path, None).is_some();
    let workflow = typed(path, "workflow").and_then(|word| word.parse().ok()).unwrap_or(settings.workflow);
    let minutes = |field: &str, stored: Option<i32>| {
        typed(path, field).unwrap_or_else(|| stored.map(|minutes| minutes.to_string()).unwrap_or_default())
    };
    let decision = typed(path, "decision").unwrap_or_else(|| settings.deadline.decision.to_string());
    let decisions = DeadlineDecision::ALL.iter().map(|one| (one.to_string(), decision_text(*one).to_owned()));
    let stored = settings.deadline.escalate_to.map(|to| to.to_string()).unwrap_or_default();
    let escalate_to = typed(path, "escalate_to").unwrap_or(stored);
    let people = reviewers.into_iter().map(|one| (one.id.to_string(), one.name));
    let people = [(String::new(), texts.no_reviewer().to_owned())].into_iter().chain(people);
    let allow_own = if is_refused { typed(path, "allow_own").is_some() } else { settings.allow_own };
    view! {
        <PlainForm function=path fields={&["after_submit", "before_publish"]} class="stack">
            <input type="hidden" name="seen" value=settings.version.0 />
            <WorkflowChoice chosen=workflow />
            <fieldset class="field">
                <legend class="label">{texts.deadline()}</legend>
                <Field
                    name="after_submit" label=texts.after_submit() kind="number" is_optional=true hint=texts.empty_hint()
                    value=minutes("after_submit", settings.deadline.after_submit) refusal=refusal
                />
                <Field
                    name="before_publish" label=texts.before_publish() kind="number" is_optional=true hint=texts.empty_hint()
                    value=minutes("before_publish", settings.deadline.before_publish) refusal=refusal
                />
                <Choice name="decision" label=texts.decision() options=decisions.collect() chosen=decision />
                <Choice name="escalate_to" label=texts.escalate_to() options=people.collect() chosen=escalate_to />
            </fieldset>
            <label class="choice">
                <input type="checkbox" name="allow_own" checked=allow_own />
                {texts.allow_own()}
            </label>
            <p><button class="button main" type="submit">{texts.save()}</button></p>
        </PlainForm>
    }
}

#[component]
fn WorkflowChoice(chosen: Workflow) -> impl IntoView {
    let texts = ReviewSettingsTexts::here();
    let option = move |workflow: Workflow, label: &'static str, hint: &'static str| {
        view! {
            <label class="choice">
                <input type="radio" name="workflow" value=workflow.as_str() checked=workflow == chosen />
                <span>{label}<span class="hint">{hint}</span></span>
            </label>
        }
    };
    view! {
        <fieldset class="field review-workflow">
            <legend class="label">{texts.workflow()}</legend>
            {option(Workflow::None, texts.none(), texts.none_hint())}
            {option(Workflow::Automatic, texts.automatic(), texts.automatic_hint())}
            {option(Workflow::OneReviewer, texts.one_reviewer(), texts.one_reviewer_hint())}
        </fieldset>
    }
}

fn decision_text(decision: DeadlineDecision) -> &'static str {
    let texts = ReviewSettingsTexts::here();
    match decision {
        DeadlineDecision::SendBack => texts.send_back(),
        DeadlineDecision::Approve => texts.approve(),
        DeadlineDecision::Hold => texts.hold(),
        DeadlineDecision::Escalate => texts.escalate(),
    }
}
