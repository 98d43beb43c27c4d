//! The form fields of a room.

use crate::{
    accounts::people::role_options::RoleOptions,
    meetings::new_page::fields::Problem,
    ui::form::{field::Field, refusal_of, typed, weekdays::WeekdayBoxes},
};
use domain::{
    DomainError, Role,
    meetings::{Approval, DeadlineDecision, RoomPolicy, RoomSettings},
    reminders::minutes_text,
};
use leptos::prelude::*;
use texts::{accounts::AccountTexts, meetings::rooms::RoomSettingsTexts};

/// Fields that show their errors themselves.
pub(super) const FIELDS: &[&str] = &[
    "name",
    "capacity",
    "place",
    "equipment",
    "zone",
    "opening_hours",
    "buffer_minutes",
    "after_minutes",
    "before_start_minutes",
    "grace_minutes",
    "offer_minutes",
    "reminder_minutes",
    "approval_deadline.after_minutes",
    "approval_deadline.before_start_minutes",
    "check_in.grace_minutes",
];

/// What the fields of one form share. Cheap to copy.
#[derive(Clone, Copy)]
struct FormValues {
    path: &'static str,
    /// Prefix of the ids: the page has two such forms.
    prefix: &'static str,
    refusal: Signal<Option<DomainError>>,
    is_answered: bool,
}

impl FormValues {
    /// What was typed into a refused form, else the value.
    fn text(self, field: &str, value: String) -> String {
        typed(self.path, field).unwrap_or(value)
    }

    /// Whether a checkbox is on.
    fn is_on(self, field: &str, value: bool) -> bool {
        if self.is_answered { typed(self.path, field).is_some() } else { value }
    }

    fn id(self, field: &str) -> String {
        format!("{}-{field}", self.prefix)
    }
}

/// The fields, with the previous input if the form at `path` was refused.
#[component]
pub(super) fn RoomFields(
    /// Path of the form's server function.
    path: &'static str,
    /// Initial values.
    settings: RoomSettings,
    /// Prefix of the ids.
    prefix: &'static str,
) -> impl IntoView {
    let (texts, account_texts) = (RoomSettingsTexts::here(), AccountTexts::here());
    let answered = refusal_of(path);
    let form =
        FormValues { path, prefix, is_answered: answered.is_some(), refusal: Signal::stored(answered) };
    let role = form.text("room[booked_by]", settings.booked_by.to_string()).parse().unwrap_or(Role::Creator);
    let role_id = form.id("booked_by");
    let capacity = settings.capacity.map(|seats| seats.to_string()).unwrap_or_default();
    view! {
        <TextField form=form name="room[name]" label=texts.name() value=settings.name.clone() is_required=true />
        <div class="fields">
            <TextField form=form name="room[capacity]" label=texts.capacity() value=capacity kind="number" hint=texts.capacity_hint() />
            <TextField form=form name="room[place]" label=texts.place() value=settings.place.clone() hint=texts.place_hint() />
        </div>
        <TextField form=form name="room[equipment]" label=texts.equipment() value=settings.equipment.join(", ") hint=texts.equipment_hint() />
        <TextField form=form name="room[zone]" label=account_texts.zone() value=settings.zone.clone().unwrap_or_default() hint=account_texts.zone_hint() />
        <OpeningFields form=form policy=settings.policy.clone() />
        <div class="field">
            <label for=role_id.clone()>{texts.booked_by()}</label>
            <select id=role_id name="room[booked_by]"><RoleOptions chosen=role /></select>
        </div>
        <PolicyFields form=form policy=settings.policy />
    }
}

/// A one-line field.
#[component]
fn TextField(
    form: FormValues,
    name: &'static str,
    label: &'static str,
    value: String,
    #[prop(default = "text")] kind: &'static str,
    #[prop(optional)] hint: &'static str,
    #[prop(optional)] is_required: bool,
) -> impl IntoView {
    view! {
        <Field
            name=name
            id=form.id(name)
            label=label
            kind=kind
            value=form.text(name, value)
            hint=hint
            is_optional=!is_required
            refusal=form.refusal
        />
    }
}

/// The opening hours: one time on some weekdays. Several of them are kept as they are.
#[component]
fn OpeningFields(form: FormValues, policy: RoomPolicy) -> impl IntoView {
    let texts = RoomSettingsTexts::here();
    if policy.opening_hours.len() > 1 {
        let hours = policy.opening_hours.iter().map(|hours| format!("{}–{}", hours.from, hours.to));
        let hours: Vec<String> = hours.collect();
        return view! {
            <input type="hidden" name="room[keeps_hours]" value="true" />
            <p class="hint">{texts.kept_hours(hours.join(", "))}</p>
        }
        .into_any();
    }
    let hours = policy.opening_hours.first().cloned();
    let (from, to) = hours.as_ref().map(|hours| (hours.from.clone(), hours.to.clone())).unwrap_or_default();
    let to = if to == "24:00" { "00:00".to_owned() } else { to };
    let days = hours.map(|hours| hours.weekdays).unwrap_or_default();
    let is_on = move |name: &str, day: &str| form.is_on(name, days.iter().any(|known| known == day));
    view! {
        <fieldset class="field">
            <legend class="label">{texts.opening()}</legend>
            <div class="fields">
                <TextField form=form name="room[opens]" label=texts.opens() value=from kind="time" />
                <TextField form=form name="room[closes]" label=texts.closes() value=to kind="time" hint=texts.opening_hint() />
            </div>
            <WeekdayBoxes name="room[weekdays]" is_on=is_on />
            <span class="hint">{texts.opening_days()}</span>
            <Problem refusal=form.refusal fields=&["opening_hours"] id=form.id("hours-problem") />
        </fieldset>
    }
    .into_any()
}

/// Buffer, approval and check-in.
#[component]
fn PolicyFields(form: FormValues, policy: RoomPolicy) -> impl IntoView {
    let texts = RoomSettingsTexts::here();
    let number = |value: Option<i32>| value.map(|value| value.to_string()).unwrap_or_default();
    let approval = form.text("room[approval]", policy.approval.to_string());
    let radio = |value: Approval, label: &'static str| {
        let is_on = approval == value.as_str();
        view! {
            <label class="choice"><input type="radio" name="room[approval]" value=value.as_str() checked=is_on /><span>{label}</span></label>
        }
    };
    let radios =
        [radio(Approval::None, texts.approval_none()), radio(Approval::Required, texts.approval_required())];
    let holds = form.is_on("room[request_holds]", policy.request_holds);
    let releases = form.is_on("room[has_check_in]", policy.check_in.is_some());
    let grace = policy.check_in.unwrap_or_default().grace_minutes;
    view! {
        <TextField form=form name="room[buffer_minutes]" label=texts.buffer() value=policy.buffer_minutes.to_string() kind="number" />
        <fieldset class="field">
            <legend class="label">{texts.approval()}</legend>
            {radios.collect_view()}
            <label class="choice">
                <input type="checkbox" name="room[request_holds]" value="true" checked=holds /><span>{texts.holds()}</span>
            </label>
            <div class="fields">
                <TextField form=form name="room[after_minutes]" label=texts.after_minutes() value=number(policy.deadline.after_minutes) kind="number" />
                <TextField form=form name="room[before_start_minutes]" label=texts.before_minutes() value=number(policy.deadline.before_start_minutes) kind="number" />
            </div>
            <span class="hint">{texts.deadline_hint()}</span>
            <Decision form=form chosen=policy.deadline.decision />
        </fieldset>
        <fieldset class="field">
            <legend class="label">{texts.check_in_title()}</legend>
            <label class="choice">
                <input type="checkbox" name="room[has_check_in]" value="true" checked=releases /><span>{texts.check_in()}</span>
            </label>
            <TextField form=form name="room[grace_minutes]" label=texts.grace() value=grace.to_string() kind="number" />
        </fieldset>
        <TextField form=form name="room[offer_minutes]" label=texts.offer() value=policy.offer_minutes.to_string() kind="number" hint=texts.offer_hint() />
        <TextField form=form name="room[reminder_minutes]" label=texts.reminders() value=minutes_text(&policy.reminder_minutes) hint=texts.reminders_hint() />
    }
}

/// What happens if no one decides.
#[component]
fn Decision(form: FormValues, chosen: DeadlineDecision) -> impl IntoView {
    let texts = RoomSettingsTexts::here();
    let chosen = form.text("room[decision]", chosen.to_string());
    let option = |decision: DeadlineDecision, label: &'static str| {
        let is_chosen = chosen == decision.as_str();
        view! { <option value=decision.as_str() selected=is_chosen>{label}</option> }
    };
    let options = [
        option(DeadlineDecision::Reject, texts.decision_reject()),
        option(DeadlineDecision::Confirm, texts.decision_confirm()),
        option(DeadlineDecision::Hold, texts.decision_hold()),
    ];
    let id = form.id("decision");
    view! {
        <div class="field">
            <label for=id.clone()>{texts.decision()}</label>
            <select id=id name="room[decision]">{options.collect_view()}</select>
        </div>
    }
}
