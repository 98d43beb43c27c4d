//! `/settings/review`: what happens before an article is published. For admins.

use crate::{
    meetings::new_page::fields::Problem,
    review::{
        checks::panel::item_name,
        settings::{
            fns::{ReviewSettingsPage, SaveReviewSettings, find_review_settings},
            waiting::WaitingChoiceFields,
        },
    },
    ui::{
        async_view::AsyncView,
        form::{
            PlainForm, choice::Choice, field::Field, refusal_of, result_of, typed, weekdays::WeekdayBoxes,
        },
        page::settings_menu::AdminSettings,
    },
};
use domain::{
    DomainError,
    meetings::OpeningHours,
    review::workflow::{
        DeadlineCount, DeadlineDecision, Workflow,
        checklist::{CheckItem, CheckMode, Checklist},
    },
};
use leptos::prelude::*;
use server_fn::ServerFn;
use texts::review::{CheckTexts, ReviewSettingsTexts};

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
    let ReviewSettingsPage { settings, reviewers, waiting } = page;
    let refusal = Signal::stored(refusal_of(path));
    let is_refused = result_of(path, None).is_some();
    let workflow = typed(path, "workflow").and_then(|word| word.parse().ok()).unwrap_or(settings.workflow);
    let minutes = |field: &str, stored: Option<i32>| {
        typed(path, field).unwrap_or_else(|| stored.map(|minutes| minutes.to_string()).unwrap_or_default())
    };
    let decision = typed(path, "decision").unwrap_or_else(|| settings.deadline.decision.to_string());
    let count = typed(path, "count").unwrap_or_else(|| settings.deadline.count.to_string());
    let counts = [
        (DeadlineCount::Clock.to_string(), texts.count_clock().to_owned()),
        (DeadlineCount::WorkingHours.to_string(), texts.count_working().to_owned()),
    ];
    let decisions = DeadlineDecision::ALL.iter().map(|one| (one.to_string(), decision_text(*one).to_owned()));
    let stored = settings.deadline.escalate_to.map(|to| to.to_string()).unwrap_or_default();
    let escalate_to = typed(path, "escalate_to").unwrap_or(stored);
    let people = reviewers.into_iter().map(|one| (one.id.to_string(), one.name));
    let people = [(String::new(), texts.no_reviewer().to_owned())].into_iter().chain(people);
    let other_texts = if is_refused { typed(path, "other_texts").is_some() } else { settings.other_texts };
    let allow_own = if is_refused { typed(path, "allow_own").is_some() } else { settings.allow_own };
    view! {
        <PlainForm function=path fields={&["after_submit", "before_publish", "working_hours"]} class="stack">
            <input type="hidden" name="seen" value=settings.version.0 />
            <WorkflowChoice chosen=workflow />
            <WaitingChoiceFields count=waiting form=SaveReviewSettings::PATH />
            <PinSwitch pins_always=settings.pins_always />
            <fieldset class="field">
                <legend class="label">{texts.deadline()}</legend>
                <Field
                    name="after_submit" label=texts.after_submit() kind="number" is_optional=true hint=texts.empty_hint()
                    value=minutes("after_submit", settings.deadline.after_submit) refusal=refusal
                />
                <Choice name="count" label=texts.count() options=counts.to_vec() chosen=count />
                <Field
                    name="before_publish" label=texts.before_publish() kind="number" is_optional=true hint=texts.empty_hint()
                    value=minutes("before_publish", settings.deadline.before_publish) refusal=refusal
                />
                <Choice name="decision" label=texts.decision() options=decisions.collect() chosen=decision />
                <Choice name="escalate_to" label=texts.escalate_to() options=people.collect() chosen=escalate_to />
            </fieldset>
            <WorkingHours hours=settings.working_hours refusal=refusal />
            <ChecklistFields list=settings.checklist />
            <label class="choice">
                <input type="checkbox" name="allow_own" checked=allow_own />
                {texts.allow_own()}
            </label>
            <label class="choice">
                <input type="checkbox" name="other_texts" checked=other_texts />
                {texts.other_texts()}
            </label>
            <p><button class="button main" type="submit">{texts.save()}</button></p>
        </PlainForm>
    }
}

/// Whether a scheduled article keeps its version when a newer one is saved.
#[component]
fn PinSwitch(pins_always: bool) -> impl IntoView {
    let (texts, path) = (ReviewSettingsTexts::here(), SaveReviewSettings::PATH);
    let is_refused = result_of(path, None).is_some();
    let is_on = if is_refused { typed(path, "pins_always").is_some() } else { pins_always };
    view! {
        <label class="choice">
            <input type="checkbox" name="pins_always" checked=is_on />
            <span>{texts.pins_always()}<span class="hint">{texts.pins_always_hint()}</span></span>
        </label>
    }
}

/// The working hours: one time on some weekdays. Several of them are kept as they are.
#[component]
fn WorkingHours(hours: Vec<OpeningHours>, refusal: Signal<Option<DomainError>>) -> impl IntoView {
    let (texts, path) = (ReviewSettingsTexts::here(), SaveReviewSettings::PATH);
    let is_refused = result_of(path, None).is_some();
    let kept = hours.len() > 1;
    let first = hours.into_iter().next();
    let (from, to) = first.as_ref().map(|one| (one.from.clone(), one.to.clone())).unwrap_or_default();
    let to = if to == "24:00" { "00:00".to_owned() } else { to };
    let days = first.map(|one| one.weekdays).unwrap_or_default();
    let is_on = move |name: &str, day: &str| {
        if is_refused { typed(path, name).is_some() } else { days.iter().any(|known| known == day) }
    };
    view! {
        <fieldset class="field">
            <legend class="label">{texts.working_hours()}</legend>
            {kept.then(|| view! { <input type="hidden" name="keeps_hours" value="true" /> })}
            <div class="fields">
                <Field
                    name="opens" label=texts.opens() kind="time" is_optional=true
                    value=typed(path, "opens").unwrap_or(from)
                />
                <Field
                    name="closes" label=texts.closes() kind="time" is_optional=true
                    value=typed(path, "closes").unwrap_or(to)
                />
            </div>
            <WeekdayBoxes name="weekdays" is_on=is_on />
            <span class="hint">{texts.working_days()}</span>
            <Problem refusal=refusal fields=&["working_hours"] id="hours-problem".to_owned() />
        </fieldset>
    }
}

/// The mode of each item of the checklist.
#[component]
fn ChecklistFields(list: Checklist) -> impl IntoView {
    let (texts, path) = (CheckTexts::here(), SaveReviewSettings::PATH);
    let mode_word = move |mode: &CheckMode| match mode {
        CheckMode::Off => texts.off(),
        CheckMode::Warn => texts.warn(),
        CheckMode::Require => texts.require(),
    };
    let choice = move |item: &CheckItem| {
        let name = item_field(*item);
        let options = CheckMode::ALL.iter().map(|mode| (mode.to_string(), mode_word(mode).to_owned()));
        let chosen = typed(path, name).unwrap_or_else(|| list.mode(*item).to_string());
        view! { <Choice name=name label=item_name(*item) options=options.collect() chosen=chosen /> }
    };
    view! {
        <fieldset class="field checklist-fields">
            <legend class="label">{texts.checklist()}</legend>
            {CheckItem::ALL.iter().map(choice).collect_view()}
        </fieldset>
    }
}

/// Name of the field of an item.
const fn item_field(item: CheckItem) -> &'static str {
    match item {
        CheckItem::Title => "checklist[title]",
        CheckItem::Summary => "checklist[summary]",
        CheckItem::AltTexts => "checklist[alt_texts]",
        CheckItem::Marks => "checklist[marks]",
        CheckItem::Headings => "checklist[headings]",
        CheckItem::Links => "checklist[links]",
        CheckItem::OwnLinks => "checklist[own_links]",
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
            {option(Workflow::TwoReviewers, texts.two_reviewers(), texts.two_reviewers_hint())}
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
