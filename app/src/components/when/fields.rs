//! Date, time and zone as parts of a sentence, with what they mean below.

use super::wanted::Wanted;
use crate::{
    live::live,
    visitor::visitor,
    words::{
        language,
        schedule::ScheduleWords,
        time::{desk_moment, moment, relative},
    },
};
use domain::{Moment, Refusal, Timestamp, time::wall};
use leptos::prelude::*;

/// The three fields. `name` keeps the ids of several forms on one page apart.
#[component]
pub fn WhenFields(
    /// The choice.
    wanted: Wanted,
    /// Beginning of the ids.
    #[prop(into)]
    name: String,
) -> impl IntoView {
    let words = ScheduleWords::here();
    let field = move |part: &str| format!("{name}-{part}");
    let date = wanted.date.get_untracked();
    let time = wanted.time.get_untracked();
    let zone = wanted.zone.get_untracked();
    view! {
        <span class="when-part">
            <label for=field("date")>
                <span aria-hidden="true">{words.on()}</span>
                <span class="hidden-word">{words.date()}</span>
            </label>
            <input
                id=field("date")
                name="date"
                type="date"
                required
                min="2000-01-01"
                max="2199-12-31"
                value=date
                prop:value=wanted.date
                on:input:target=move |event| wanted.type_into(wanted.date, event.target().value())
            />
        </span>
        <span class="when-part">
            <label for=field("time")>
                <span aria-hidden="true">{words.at()}</span>
                <span class="hidden-word">{words.time()}</span>
            </label>
            <input
                id=field("time")
                name="time"
                type="time"
                step="1"
                required
                value=time
                prop:value=wanted.time
                on:input:target=move |event| wanted.type_into(wanted.time, event.target().value())
            />
        </span>
        <span class="when-part">
            <label for=field("zone")>
                <span aria-hidden="true">{words.zone_in()}</span>
                <span class="hidden-word">{words.zone()}</span>
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
                prop:value=wanted.zone
                on:input:target=move |event| wanted.type_into(wanted.zone, event.target().value())
            />
        </span>
    }
}

/// What the choice means: the moment on both clocks with the time that is left, or what must be chosen first.
#[component]
pub fn Meaning(
    /// The choice.
    wanted: Wanted,
    /// Why the form was refused, where that is about the time.
    refusal: Signal<Option<Refusal>>,
) -> impl IntoView {
    let problem = Memo::new(move |_| match wanted.meant.get() {
        Some(Ok(_)) => None,
        Some(Err(refusal)) => Some(refusal),
        None => refusal.get(),
    });
    let is_twice = Memo::new(move |_| {
        // The question stays after it was answered, so that the answer can be seen and changed.
        problem.with(|problem| doubled(problem.as_ref()))
    });
    let last_twice = RwSignal::new(is_twice.get_untracked());
    Effect::new(move |_| match (is_twice.get(), wanted.which.with(String::is_empty)) {
        (Some(twice), _) => last_twice.set(Some(twice)),
        (None, true) => last_twice.set(None),
        (None, false) => {}
    });
    let is_past = wanted.is_past();
    view! {
        {move || last_twice.get().map(|(earlier, later, local)| {
            view! { <Twice wanted=wanted earlier=earlier later=later local=local /> }
        })}
        <div class="when-meaning" role="status">
            {move || match (wanted.meant.get(), problem.get()) {
                (Some(Ok(at)), _) => view! {
                    {move || is_past.get().then(|| {
                        view! { <p class="notice warn">{ScheduleWords::here().past()}</p> }
                    })}
                    <div class="only-live"><Meant at=at /></div>
                }
                .into_any(),
                (_, Some(Refusal::SkippedTime { before, after, .. })) => {
                    view! { <Skipped wanted=wanted before=before after=after /> }.into_any()
                }
                (_, Some(Refusal::Past { .. })) => {
                    view! { <p class="notice warn">{ScheduleWords::here().past()}</p> }.into_any()
                }
                (_, Some(refusal @ Refusal::Invalid { .. })) => {
                    let said = crate::words::refusal::sentence(language(), &refusal);
                    view! { <p class="notice warn">{said}</p> }.into_any()
                }
                _ => ().into_any(),
            }}
        </div>
    }
}

/// Whether [`Meaning`] tells this refusal, so that its form need not.
#[must_use]
pub fn is_told(refusal: &Refusal) -> bool {
    use Refusal as R;
    matches!(refusal, R::DoubledTime { .. } | R::SkippedTime { .. } | R::Past { .. } | R::Invalid { .. })
}

/// What stands on the button: the moment, where scripts let it follow the fields; else the plain word.
#[component]
pub fn Label(
    /// With the moment.
    #[prop(into)]
    live: Signal<String>,
    /// Without it.
    paper: &'static str,
) -> impl IntoView {
    view! {
        <span class="only-live">{live}</span>
        <span class="only-paper">{paper}</span>
    }
}

/// The moment on the viewer's clock, on the desk's where that shows another time, and what is left.
#[component]
pub fn Meant(at: Moment) -> impl IntoView {
    let words = ScheduleWords::here();
    let visitor = visitor();
    let live = live();
    let (zone, desk_zone) = (visitor.zone().to_owned(), visitor.desk.zone.clone());
    let now = live.now().get_untracked();
    let here = moment(language(), at, &zone, now);
    let at_desk = desk_moment(language(), at, &desk_zone, now);
    let is_split = at_desk.is_some();
    view! {
        <p class="meant">
            <span class="meant-line">
                <time datetime=at.at.to_string()>{here}</time>
                {is_split.then(|| view! { <small>{words.your_time()}</small> })}
            </span>
            {at_desk.map(|text| view! {
                <span class="meant-line">{text} <small>{words.desk_time()}</small></span>
            })}
            <span class="meant-left">{move || relative(language(), at.at, live.now().get())}</span>
        </p>
    }
}

type Both = (Timestamp, Timestamp, String);

fn doubled(refusal: Option<&Refusal>) -> Option<Both> {
    match refusal {
        Some(Refusal::DoubledTime { earlier, later, local, .. }) => Some((*earlier, *later, local.clone())),
        _ => None,
    }
}

#[component]
fn Twice(wanted: Wanted, earlier: Timestamp, later: Timestamp, local: String) -> impl IntoView {
    let words = ScheduleWords::here();
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
                    checked=move || wanted.which.get() == value
                    on:change=move |_| wanted.which.set(value.to_owned())
                />
                {format!("{clock} {offset} — {name}")}
            </label>
        }
    };
    view! {
        <fieldset class="choices">
            <legend>{words.twice()}</legend>
            {choice("earlier", words.earlier(), earlier)}
            {choice("later", words.later(), later)}
        </fieldset>
    }
}

/// `UTC+2` when a wall clock shows `local` at `at`.
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
fn Skipped(wanted: Wanted, before: String, after: String) -> impl IntoView {
    let words = ScheduleWords::here();
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
                    wanted.pick(&date, &time);
                }
            >
                {shown}
            </button>
        }
    };
    view! {
        <p class="notice warn">{words.skipped()}</p>
        <p class="row">{button(before)} {button(after)}</p>
    }
}

/// `YYYY-MM-DD` and `HH:MM:SS` (without seconds that are 0) of a moment on the viewer's clock.
#[must_use]
pub fn typed_of(at: Moment) -> (String, String) {
    let wall = wall(at.at, at.viewer_offset);
    let date = format!("{:04}-{:02}-{:02}", wall.year, wall.month, wall.day);
    (date, crate::words::time::clock(wall))
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
