//! How a new meeting repeats, and what that means.

use super::{fields::Problem, preview::SeriesPreview, span_input::SpanInput};
use crate::{
    live::live_value,
    meetings::{
        form_values::{REPEAT_DAYS, RepeatForm},
        server_fns::{CheckedSeries, check_series},
    },
    ui::{debounce::Debounce, form::weekdays::WEEKDAYS},
};
use domain::DomainError;
use leptos::{prelude::*, task::spawn_local};
use texts::{language, meetings::RepeatTexts, time::weekday_name};

/// Delay between the last input and the request, in milliseconds.
const CHECK_AFTER_MS: u64 = 300;
/// Words of the frequencies.
const EVERY: [&str; 5] = ["", "daily", "weekly", "monthly", "yearly"];

/// The fields. `first`: what was typed or named by the URL, and what it means.
#[component]
pub fn RepeatFields(
    /// Room and times.
    input: SpanInput,
    /// Initial values.
    first: RepeatForm,
    /// What they mean.
    checked: CheckedSeries,
    /// Error of the form.
    refusal: Signal<Option<DomainError>>,
) -> impl IntoView {
    let texts = RepeatTexts::here();
    let form = RwSignal::new(first.clone());
    let checked = follow(input, form, checked);
    let every = move || form.with(|form| form.every.clone());
    let class = move || match every().as_str() {
        "" => "repeat repeat-none",
        "weekly" => "repeat repeat-weekly",
        "monthly" | "yearly" => "repeat repeat-monthly",
        _ => "repeat",
    };
    let chosen = first.every.clone();
    let options = EVERY.into_iter().map(|word| {
        view! { <option value=word selected={word == chosen}>{texts.every_word(word)}</option> }
    });
    view! {
        <fieldset class=class>
            <legend class="label">{texts.repeats()}</legend>
            <div class="repeat-row">
                <select
                    name="repeat[every]"
                    aria-label=texts.repeats()
                    on:change=move |event| form.update(|form| choose(form, |form| form.every = event_target_value(&event)))
                >
                    {options.collect_view()}
                </select>
                <span class="repeat-detail"><Interval form=form first=first.interval.clone() /></span>
            </div>
            <Problem refusal=refusal fields=&["rule.interval", "rule.frequency"] id="repeat-interval-problem".to_owned() />
            <div class="repeat-detail repeat-days"><Weekdays form=form first=first.weekdays.clone() /></div>
            <div class="repeat-detail repeat-on"><OnDay form=form first=first.on.clone() /></div>
            <div class="repeat-detail repeat-row"><Ends form=form first=first.clone() /></div>
            <p class="repeat-detail hint">{texts.usual_end()}</p>
            <Problem refusal=refusal fields=&["rule.until", "rule.count"] id="repeat-end-problem".to_owned() />
            <div class="repeat-detail"><OnConflicts form=form first=first.conflicts /></div>
            <p class="no-js">
                <button class="button small" type="submit" formmethod="get" formaction="/meetings/new" formnovalidate>
                    {texts.preview()}
                </button>
            </p>
            <SeriesPreview checked=checked refusal=refusal />
        </fieldset>
    }
}

/// Changes how often it repeats. An end that was not typed follows: it is shown, and can be changed.
fn choose(form: &mut RepeatForm, change: impl FnOnce(&mut RepeatForm)) {
    let usual = |form: &RepeatForm| form.usual_count().map(|count| count.to_string()).unwrap_or_default();
    let follows = form.until.is_empty() && (form.count.is_empty() || form.count == usual(form));
    change(form);
    if follows {
        form.count = usual(form);
    }
}

/// Follows the input and the bookings of others.
fn follow(input: SpanInput, form: RwSignal<RepeatForm>, first: CheckedSeries) -> RwSignal<CheckedSeries> {
    let (checked, timer) = (RwSignal::new(first), Debounce::new());
    let question = move || {
        let (room, time) = input.question();
        (room, time, form.get())
    };
    let ask = move || {
        if form.try_with_untracked(|form| form.every.is_empty()) != Some(false) {
            return;
        }
        let asked = untrack(question);
        spawn_local(async move {
            let answer = check_series(asked.0.clone(), asked.1.clone(), asked.2.clone()).await;
            let is_current = form.try_get_untracked().is_some() && untrack(question) == asked;
            if let (true, Ok(answer)) = (is_current, answer) {
                checked.try_set(answer);
            }
        });
    };
    Effect::new(move |was: Option<()>| {
        let (_, _, form) = question();
        if form.every.is_empty() {
            checked.try_set(CheckedSeries::Incomplete);
        } else if was.is_some() {
            timer.schedule(CHECK_AFTER_MS, ask);
        }
    });
    let _ = live_value(
        (),
        true,
        |change| matches!(change.entity.as_str(), "meeting" | "room"),
        move || {
            ask();
            std::future::ready(Ok(()))
        },
    );
    checked
}

/// Every how many days, weeks, months or years.
#[component]
fn Interval(form: RwSignal<RepeatForm>, first: String) -> impl IntoView {
    let texts = RepeatTexts::here();
    let unit = move || form.with(|form| texts.unit(&form.every));
    let value = if first.is_empty() { "1".to_owned() } else { first };
    view! {
        <label class="repeat-interval">
            <span>{texts.interval()}</span>
            <input
                name="repeat[interval]" type="number" min="1" max="366" value=value aria-describedby="repeat-interval-problem"
                on:input:target=move |event| form.update(|form| choose(form, |form| form.interval = event.target().value()))
            />
            <span>{unit}</span>
        </label>
    }
}

/// The days of a weekly meeting.
#[component]
fn Weekdays(form: RwSignal<RepeatForm>, first: Vec<String>) -> impl IntoView {
    let texts = RepeatTexts::here();
    let boxes = WEEKDAYS.into_iter().enumerate().map(|(place, day)| {
        let is_on = first.iter().any(|known| known == day);
        let toggle = move |event| {
            let is_on = event_target_checked(&event);
            form.update(|form| {
                form.weekdays.retain(|known| known != day);
                if is_on {
                    form.weekdays.push(day.to_owned());
                }
            });
        };
        view! {
            <label class="choice">
                <input type="checkbox" name=format!("repeat[weekdays][{place}]") value=day checked=is_on on:change=toggle />
                <span>{weekday_name(language(), place)}</span>
            </label>
        }
    });
    view! {
        <div role="group" aria-label=texts.weekdays() class="weekday-choices">{boxes.collect_view()}</div>
        <span class="hint">{texts.weekdays_hint()}</span>
    }
}

/// The day of a monthly or yearly meeting.
#[component]
fn OnDay(form: RwSignal<RepeatForm>, first: String) -> impl IntoView {
    let texts = RepeatTexts::here();
    let options = REPEAT_DAYS.into_iter().map(|word| {
        view! { <option value=word selected={word == first}>{texts.on_day(word)}</option> }
    });
    view! {
        <label class="repeat-interval">
            <span>{texts.on()}</span>
            <select name="repeat[on]" on:change=move |event| form.update(|form| form.on = event_target_value(&event))>
                {options.collect_view()}
            </select>
        </label>
    }
}

/// The last day, or the number of meetings.
#[component]
fn Ends(form: RwSignal<RepeatForm>, first: RepeatForm) -> impl IntoView {
    let texts = RepeatTexts::here();
    view! {
        <label class="repeat-interval">
            <span>{texts.until()}</span>
            <input
                name="repeat[until]" type="date" min="2000-01-01" max="2199-12-31" value=first.until aria-describedby="repeat-end-problem"
                on:input:target=move |event| form.update(|form| form.until = event.target().value())
            />
        </label>
        <label class="repeat-interval">
            <span>{texts.or_count()}</span>
            <input
                name="repeat[count]" type="number" min="1" max="1000" value=first.count prop:value=move || form.with(|form| form.count.clone()) aria-describedby="repeat-end-problem"
                on:input:target=move |event| form.update(|form| form.count = event.target().value())
            />
            <span>{texts.times()}</span>
        </label>
    }
}

/// What happens where the room is not free.
#[component]
fn OnConflicts(form: RwSignal<RepeatForm>, first: String) -> impl IntoView {
    let texts = RepeatTexts::here();
    let is_skip = first == "skip";
    view! {
        <label class="repeat-interval">
            <span>{texts.if_taken()}</span>
            <select
                name="repeat[conflicts]"
                on:change=move |event| form.update(|form| form.conflicts = event_target_value(&event))
            >
                <option value="refuse" selected=!is_skip>{texts.book_none()}</option>
                <option value="skip" selected=is_skip>{texts.book_others()}</option>
            </select>
        </label>
    }
}
