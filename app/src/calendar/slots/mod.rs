//! `/settings/slots`: posting slots. For admins.

pub mod gap;
pub mod server_fns;

use crate::{
    help::link::WordLink,
    live::live_resource,
    session::visitor,
    ui::{
        async_view::AsyncView,
        form::{PlainForm, field::Field, refusal_of, select::ZoneField, textarea::Textarea, typed},
        page::{
            header::PageHeader,
            settings_menu::{AdminsOnly, SettingsMenu},
        },
        result::flash::Flash,
        time::date_time::DateTime,
    },
};
use domain::{
    DomainError,
    calendar::{SlotDay, is_slot_time},
    error::ValidationError,
};
use leptos::prelude::*;
use server_fn::ServerFn;
use server_fns::{SaveSlots, SlotOverview, read_slots, words};
use texts::calendar::{CalendarTexts, SlotTexts};

/// Fields that show their errors themselves.
const FIELDS: &[&str] = &["zone", "holidays", "days"];
/// Names of the fields of the weekdays, and of what switches them off.
const DAYS: [(&str, &str); 7] = [
    ("day0", "off0"),
    ("day1", "off1"),
    ("day2", "off2"),
    ("day3", "off3"),
    ("day4", "off4"),
    ("day5", "off5"),
    ("day6", "off6"),
];

/// The page.
#[component]
pub fn SlotsPage() -> impl IntoView {
    let texts = SlotTexts::here();
    let body = if visitor().is_admin() {
        view! { <ForAdmins /> }.into_any()
    } else {
        view! { <AdminsOnly /> }.into_any()
    };
    view! {
        <PageHeader title=texts.title().to_owned() lead=texts.lead()>
            <WordLink topic="posting-slots" word="posting-slot" name=texts.title() />
        </PageHeader>
        <SettingsMenu />
        <Flash messages=vec![("save", texts.saved())] />
        {body}
    }
}

#[component]
fn ForAdmins() -> impl IntoView {
    let read =
        live_resource(|change| matches!(change.entity.as_str(), "slots" | "task"), || (), |()| read_slots());
    view! { <AsyncView from=read children=|overview| view! { <Overview overview=overview /> } /> }
}

#[component]
fn Overview(overview: Signal<SlotOverview>) -> impl IntoView {
    let texts = SlotTexts::here();
    let next = Memo::new(move |_| overview.with(|overview| overview.next.clone()));
    view! {
        <section class="panel" aria-labelledby="next-slots">
            <header><h2 id="next-slots">{texts.next_free()}</h2></header>
            {move || match next.get() {
                slots if slots.is_empty() => view! { <p class="muted">{texts.none()}</p> }.into_any(),
                slots => view! {
                    <ul class="slot-list">{slots.into_iter().map(|slot| view! { <li><DateTime at=slot.at is_full=true /></li> }).collect_view()}</ul>
                }
                .into_any(),
            }}
        </section>
        <Fields overview=overview.get_untracked() />
    }
}

#[component]
fn Fields(overview: SlotOverview) -> impl IntoView {
    let texts = SlotTexts::here();
    let path = SaveSlots::PATH;
    let plan = overview.plan;
    let answered = refusal_of(path);
    let is_refused = answered.is_some();
    let wrong_day = wrong_day(answered.as_ref());
    let refusal = Signal::stored(answered);
    let days = DAYS.into_iter().zip(plan.settings.days).enumerate().map(|(place, ((times, off), day))| {
        let place = u8::try_from(place).unwrap_or(0);
        view! { <DayFields place=place names=(times, off) day=day is_refused=is_refused is_wrong=wrong_day == Some(times) /> }
    });
    let days = days.collect_view();
    let holidays = typed(path, "holidays").unwrap_or_else(|| plan.settings.holidays.join("\n"));
    view! {
        <PlainForm function=path fields=FIELDS class="stack">
            <input type="hidden" name="seen" value=plan.version.0 />
            <ZoneField value=Some(typed(path, "zone").unwrap_or(plan.settings.zone)) refusal=refusal />
            <fieldset class="slot-days">
                <legend>{texts.times()}</legend>
                <p class="hint">{texts.times_hint()}</p>
                {days}
                {wrong_day.is_none().then(|| view! { <Problem refusal=refusal field="days" /> })}
            </fieldset>
            <div class="field">
                <label for="holidays">{texts.holidays()}</label>
                <Textarea name="holidays" value=holidays rows=4 />
                <span class="hint">{texts.holidays_hint()}</span>
                <Problem refusal=refusal field="holidays" />
            </div>
            <p class="hint">{texts.nothing_moves()}</p>
            <p><button class="button main" type="submit">{texts.save()}</button></p>
        </PlainForm>
    }
}

/// Returns the name of the first day with a text that is no time, if the times were refused; `None`: the
/// refusal is about all days, or none.
fn wrong_day(refusal: Option<&DomainError>) -> Option<&'static str> {
    refusal?.problem_of(|name| name == "days")?;
    let is_wrong = |name: &str| {
        let times = typed(SaveSlots::PATH, name).unwrap_or_default();
        words(&times).iter().any(|time| !is_slot_time(time))
    };
    DAYS.into_iter().map(|(times, _)| times).find(|name| is_wrong(name))
}

/// What is wrong with a field.
#[component]
fn Problem(refusal: Signal<Option<DomainError>>, field: &'static str) -> impl IntoView {
    let wrong = move || {
        refusal.with(|refusal| {
            let wrong = refusal.as_ref()?.problem_of(|name| name == field)?;
            Some(texts::refusal::problem(texts::language(), wrong))
        })
    };
    move || wrong().map(|wrong| view! { <span class="problem" role="alert">{wrong}</span> })
}

#[component]
fn DayFields(
    place: u8,
    names: (&'static str, &'static str),
    day: SlotDay,
    is_refused: bool,
    is_wrong: bool,
) -> impl IntoView {
    let texts = SlotTexts::here();
    let path = SaveSlots::PATH;
    let (times, off) = names;
    let value = typed(path, times).unwrap_or_else(|| day.times.join(", "));
    let is_off = if is_refused { typed(path, off).is_some() } else { day.is_off };
    let wrong =
        is_wrong.then(|| DomainError::invalid(times, ValidationError::NotATime { like: "09:30".to_owned() }));
    view! {
        <div class="slot-day">
            <Field
                name=times label=CalendarTexts::here().weekday(place) value=value is_optional=true
                refusal=Signal::stored(wrong)
            />
            <label class="choice"><input type="checkbox" name=off value="on" checked=is_off />{texts.day_off()}</label>
        </div>
    }
}
