//! Fields for date, time and time zone, and feedback on the resolved time.

use super::time_input::TimeInput;
use crate::{
    articles::schedule_texts::ScheduleTexts,
    live::live,
    shell::session::visitor,
    texts::{
        language,
        time::{desk_moment, moment, relative},
    },
};
use domain::{DomainError, LocalizedTime, Timestamp, time::wall_clock_time};
use leptos::prelude::*;

/// The three fields. `name` makes the ids unique if a page has several forms.
#[component]
pub fn TimeFields(
    /// The input.
    input: TimeInput,
    /// Prefix of the ids.
    #[prop(into)]
    name: String,
) -> impl IntoView {
    let texts = ScheduleTexts::here();
    let field = move |part: &str| format!("{name}-{part}");
    let date = input.date.get_untracked();
    let time = input.time.get_untracked();
    let zone = input.zone.get_untracked();
    view! {
        <span class="time-part">
            <label for=field("date")>
                <span aria-hidden="true">{texts.on()}</span>
                <span class="visually-hidden">{texts.date()}</span>
            </label>
            <input
                id=field("date")
                name="date"
                type="date"
                required
                min="2000-01-01"
                max="2199-12-31"
                value=date
                prop:value=input.date
                on:input:target=move |event| input.set_field(input.date, event.target().value())
            />
        </span>
        <span class="time-part">
            <label for=field("time")>
                <span aria-hidden="true">{texts.at()}</span>
                <span class="visually-hidden">{texts.time()}</span>
            </label>
            <input
                id=field("time")
                name="time"
                type="time"
                step="1"
                required
                value=time
                prop:value=input.time
                on:input:target=move |event| input.set_field(input.time, event.target().value())
            />
        </span>
        <span class="time-part">
            <label for=field("zone")>
                <span aria-hidden="true">{texts.zone_in()}</span>
                <span class="visually-hidden">{texts.zone()}</span>
            </label>
            <input
                id=field("zone")
                name="zone"
                type="text"
                list="zones"
                required
                autocomplete="off"
                spellcheck="false"
                value=zone
                prop:value=input.zone
                on:input:target=move |event| input.set_field(input.zone, event.target().value())
            />
        </span>
    }
}

/// Shows the resolved time in both time zones and relative to now, or the choice that is needed
/// first.
#[component]
pub fn TimeFeedback(
    /// The input.
    input: TimeInput,
    /// Error of the form, if it is about the time.
    refusal: Signal<Option<DomainError>>,
) -> impl IntoView {
    let problem = Memo::new(move |_| match input.resolved.get() {
        Some(Ok(_)) => None,
        Some(Err(refusal)) => Some(refusal),
        None => refusal.get(),
    });
    let ambiguous = Memo::new(move |_| {
        // The question stays after the answer, so that the answer can be changed.
        problem.with(|problem| ambiguous_time(problem.as_ref()))
    });
    let last_ambiguous = RwSignal::new(ambiguous.get_untracked());
    Effect::new(move |_| match (ambiguous.get(), input.which.with(String::is_empty)) {
        (Some(ambiguous), _) => last_ambiguous.set(Some(ambiguous)),
        (None, true) => last_ambiguous.set(None),
        (None, false) => {}
    });
    let is_past = input.is_past();
    view! {
        {move || last_ambiguous.get().map(|(earlier, later, local)| {
            view! { <AmbiguousTimeChoice input=input earlier=earlier later=later local=local /> }
        })}
        <div class="time-feedback" role="status">
            {move || match (input.resolved.get(), problem.get()) {
                (Some(Ok(at)), _) => view! {
                    {move || is_past.get().then(|| {
                        view! { <p class="notice warn">{ScheduleTexts::here().past()}</p> }
                    })}
                    <div class="js-only"><TimePreview at=at /></div>
                }
                .into_any(),
                (_, Some(DomainError::SkippedTime { before, after, .. })) => {
                    view! { <SkippedTimeChoice input=input before=before after=after /> }.into_any()
                }
                (_, Some(DomainError::Past { .. })) => {
                    view! { <p class="notice warn">{ScheduleTexts::here().past()}</p> }.into_any()
                }
                (_, Some(refusal @ DomainError::Invalid { .. })) => {
                    let message = crate::texts::refusal::sentence(language(), &refusal);
                    view! { <p class="notice warn">{message}</p> }.into_any()
                }
                _ => ().into_any(),
            }}
        </div>
    }
}

/// Whether [`TimeFeedback`] shows this error, so that its form need not.
#[must_use]
pub fn shows_refusal(refusal: &DomainError) -> bool {
    use DomainError as R;
    matches!(refusal, R::DoubledTime { .. } | R::SkippedTime { .. } | R::Past { .. } | R::Invalid { .. })
}

/// Label of the submit button: with JavaScript it contains the time.
#[component]
pub fn SubmitLabel(
    /// Label with the time.
    #[prop(into)]
    text: Signal<String>,
    /// Label without JavaScript.
    no_js: &'static str,
) -> impl IntoView {
    view! {
        <span class="js-only">{text}</span>
        <span class="no-js">{no_js}</span>
    }
}

/// The time in the user's time zone, in the desk's time zone if it differs, and relative to now.
#[component]
pub fn TimePreview(at: LocalizedTime) -> impl IntoView {
    let texts = ScheduleTexts::here();
    let visitor = visitor();
    let live = live();
    let (zone, desk_zone) = (visitor.zone().to_owned(), visitor.desk.zone.clone());
    let now = live.now().get_untracked();
    let here = moment(language(), at, &zone, now);
    let at_desk = desk_moment(language(), at, &desk_zone, now);
    let is_split = at_desk.is_some();
    view! {
        <p class="time-preview">
            <span class="time-preview-line">
                <time datetime=at.at.to_string()>{here}</time>
                {is_split.then(|| view! { <small>{texts.your_time()}</small> })}
            </span>
            {at_desk.map(|text| view! {
                <span class="time-preview-line">{text} <small>{texts.desk_time()}</small></span>
            })}
            <span class="time-preview-left">{move || relative(language(), at.at, live.now().get())}</span>
        </p>
    }
}

type AmbiguousTime = (Timestamp, Timestamp, String);

fn ambiguous_time(refusal: Option<&DomainError>) -> Option<AmbiguousTime> {
    match refusal {
        Some(DomainError::DoubledTime { earlier, later, local, .. }) => {
            Some((*earlier, *later, local.clone()))
        }
        _ => None,
    }
}

#[component]
fn AmbiguousTimeChoice(
    input: TimeInput,
    earlier: Timestamp,
    later: Timestamp,
    local: String,
) -> impl IntoView {
    let texts = ScheduleTexts::here();
    let clock = local.split('T').nth(1).unwrap_or_default().to_owned();
    let choice = move |value: &'static str, name: &'static str, at: Timestamp| {
        let offset = offset_name(&local, at);
        let clock = clock.clone();
        view! {
            <label class="choice">
                <input
                    type="radio"
                    name="which"
                    value=value
                    checked=move || input.which.get() == value
                    on:change=move |_| input.which.set(value.to_owned())
                />
                {format!("{clock} {offset} — {name}")}
            </label>
        }
    };
    view! {
        <fieldset class="choices">
            <legend>{texts.occurs_twice()}</legend>
            {choice("earlier", texts.earlier(), earlier)}
            {choice("later", texts.later(), later)}
        </fieldset>
    }
}

/// Returns the UTC offset, e.g. `UTC+2`, of a wall clock that shows `local` at `at`.
fn offset_name(local: &str, at: Timestamp) -> String {
    let as_utc = format!("{local}{}Z", if local.matches(':').count() == 1 { ":00" } else { "" });
    let Ok(shown) = as_utc.parse::<Timestamp>() else { return String::new() };
    let minutes = shown.since(at) / 60_000;
    let (sign, minutes) = if minutes < 0 { ('-', -minutes) } else { ('+', minutes) };
    match minutes % 60 {
        0 => format!("UTC{sign}{}", minutes / 60),
        rest => format!("UTC{sign}{}:{rest:02}", minutes / 60),
    }
}

#[component]
fn SkippedTimeChoice(input: TimeInput, before: String, after: String) -> impl IntoView {
    let texts = ScheduleTexts::here();
    let button = move |local: String| {
        let (date, time) =
            local.split_once('T').map(|(d, t)| (d.to_owned(), t.to_owned())).unwrap_or_default();
        let shown = time.clone();
        view! {
            <button
                type="submit"
                class="button"
                name="which"
                value=local
                on:click=move |event| {
                    event.prevent_default();
                    input.set_preset(&date, &time);
                }
            >
                {shown}
            </button>
        }
    };
    view! {
        <p class="notice warn">{texts.does_not_exist()}</p>
        <p class="row">{button(before)} {button(after)}</p>
    }
}

/// Returns `YYYY-MM-DD` and `HH:MM:SS` (without seconds that are 0) in the user's time zone.
#[must_use]
pub fn date_and_time(at: LocalizedTime) -> (String, String) {
    let wall = wall_clock_time(at.at, at.viewer_offset);
    let date = format!("{:04}-{:02}-{:02}", wall.year, wall.month, wall.day);
    (date, crate::texts::time::clock(wall))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_offset_is_named_as_people_write_it() {
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        assert_eq!(offset_name("2026-10-25T02:30", at("2026-10-25T00:30:00Z")), "UTC+2");
        assert_eq!(offset_name("2026-10-25T02:30:00", at("2026-10-25T01:30:00Z")), "UTC+1");
        assert_eq!(offset_name("2026-04-05T01:45", at("2026-04-04T15:15:00Z")), "UTC+10:30");
        assert_eq!(offset_name("2026-11-01T01:30", at("2026-11-01T05:30:00Z")), "UTC-4");
    }
}
