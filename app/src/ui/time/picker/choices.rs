//! Asks which instant is meant, where the clocks change.

use super::{
    TimeInput, outer_form,
    time_input::{AmbiguousTime, text_of},
};
use crate::live::live;
use domain::Timestamp;
use leptos::prelude::*;
use texts::{articles::schedule::ScheduleTexts, language, picker::TimeFieldTexts, time::offset_text};

/// The two instants of a time that occurs twice. Stays after the choice, so that it can be changed.
#[component]
pub fn AmbiguousTimeChoice(
    /// The input.
    input: TimeInput,
    /// Prefix of the ids.
    name: String,
    /// The two instants.
    ambiguous: AmbiguousTime,
    /// Whether the first one takes the focus, on a page without JavaScript.
    autofocus: bool,
) -> impl IntoView {
    let texts = ScheduleTexts::here();
    let (earlier, later, local) = ambiguous;
    let outer = outer_form();
    let clock = local.split('T').nth(1).unwrap_or_default().to_owned();
    let choice = move |value: &'static str, label: &'static str, at: Timestamp| {
        let is_first = value == "earlier";
        let offset = offset_name(&local, at);
        let clock = clock.clone();
        view! {
            <label class="choice">
                <input
                    id=is_first.then(|| format!("{name}-choice"))
                    form=move || outer.get().map(|outer| outer.form)
                    type="radio"
                    name="which"
                    value=value
                    autofocus=is_first && autofocus
                    checked=move || input.which.get() == value
                    on:change=move |_| input.choose(value)
                />
                {format!("{clock} {offset} — {label}")}
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
    i32::try_from(shown.since(at) / 60_000).map(offset_text).unwrap_or_default()
}

/// The local times that the text can mean. Only with JavaScript: without, no text is read.
#[component]
pub fn OfferedTimes(
    /// The input.
    input: TimeInput,
    /// Prefix of the ids.
    name: String,
) -> impl IntoView {
    let texts = TimeFieldTexts::here();
    let button = move |at: usize, reading, id: String| {
        view! {
            <button
                type="button"
                class="button"
                id=(at == 0).then_some(id)
                on:click=move |_| input.choose_offer(reading)
            >
                {input.offer_text(reading)}
            </button>
        }
    };
    view! {
        {move || {
            let offers = input.offers.get();
            let buttons = offers.iter().enumerate().map(|(at, reading)| button(at, *reading, format!("{name}-choice")));
            (!offers.is_empty()).then(|| view! {
                <fieldset class="choices">
                    <legend>{texts.which_time()}</legend>
                    <p class="row">{buttons.collect_view()}</p>
                </fieldset>
            })
        }}
    }
}

/// The times before and after a gap. Without JavaScript, each submits the form with that time.
#[component]
pub fn SkippedTimeChoice(
    /// The input.
    input: TimeInput,
    /// Prefix of the ids.
    name: String,
    /// Local time before the gap.
    before: String,
    /// Local time after the gap.
    after: String,
    /// Whether the first one takes the focus, on a page without JavaScript.
    autofocus: bool,
) -> impl IntoView {
    let texts = ScheduleTexts::here();
    let outer = outer_form();
    let button = move |local: String, id: Option<String>| {
        let (date, time) =
            local.split_once('T').map(|(d, t)| (d.to_owned(), t.to_owned())).unwrap_or_default();
        let shown = time.clone();
        view! {
            <button
                id=id.clone()
                form=move || outer.get().map(|outer| outer.form)
                type="submit"
                class="button"
                name="which"
                value=local
                autofocus=id.is_some() && autofocus
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
        <p class="row">{button(before, Some(format!("{name}-choice")))} {button(after, None)}</p>
    }
}

/// The local times that words can mean, in a form without JavaScript.
#[component]
pub fn SeveralTimesChoice(
    /// The local times.
    locals: Vec<String>,
    /// Whether the first one takes the focus.
    autofocus: bool,
) -> impl IntoView {
    let outer = outer_form();
    let language = language();
    let options = locals.into_iter().enumerate().map(|(place, local)| {
        let (date, time) = local.split_once('T').unwrap_or((&local, ""));
        let label = text_of(language, date, time, live().now().get_untracked());
        let label = label.unwrap_or_else(|| local.clone());
        view! {
            <label class="choice">
                <input
                    type="radio"
                    form=move || outer.get().map(|outer| outer.form)
                    name="reading"
                    value=local
                    autofocus=place == 0 && autofocus
                />
                {label}
            </label>
        }
    });
    view! {
        <fieldset class="choices">
            <legend>{TimeFieldTexts::here().which_time()}</legend>
            {options.collect_view()}
        </fieldset>
    }
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
        assert_eq!(offset_name("2026-11-01T01:30", at("2026-11-01T05:30:00Z")), "UTC−4");
    }
}
