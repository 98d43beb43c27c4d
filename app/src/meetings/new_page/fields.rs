//! The sentence with room, start and end.

use super::span_input::SpanInput;
use crate::{
    server_fns::Refused,
    ui::{
        async_view::AsyncView,
        form::field::{CLOCK_EXAMPLE, is_of},
        time::picker::{TimeFeedback, TimeFields, bind_field},
    },
};
use domain::{
    DomainError,
    base::{local_time::minute_of_day, when::clock_text},
    meetings::Room,
};
use leptos::{html, prelude::*};
use texts::{language, meetings::MeetingFormTexts, problem::meeting::whole_sentence, refusal::problem};

/// Usual lengths, in minutes.
const LENGTHS: [i64; 4] = [15, 30, 45, 60];

/// `in [room] [start] until [end]`, what the start means, and the date of the end.
#[component]
pub fn SpanFields(
    /// The input.
    input: SpanInput,
    /// Prefix of the ids.
    name: &'static str,
    /// The rooms.
    rooms: Resource<Result<Vec<Room>, Refused>>,
    /// Error of the form.
    refusal: Signal<Option<DomainError>>,
) -> impl IntoView {
    let texts = MeetingFormTexts::here();
    let room_id = format!("{name}-room");
    view! {
        <div class="time-sentence meeting-sentence">
            <label for=room_id.clone()>{texts.in_room()}</label>
            <AsyncView from=rooms children=move |rooms| view! {
                <RoomSelect id=room_id.clone() rooms=rooms.get_untracked() input=input refusal=refusal />
            } />
            <TimeFields input=input.start name=name />
            <EndField input=input name=name refusal=refusal />
        </div>
        <Problem refusal=refusal fields=&["room_id"] id=format!("{name}-room-problem") />
        <Problem refusal=refusal fields=&["local_end", "ends_at", "end"] id=format!("{name}-end-problem") />
        <Lengths input=input />
        <TimeFeedback input=input.start name=name />
        <EndDate input=input name=name />
    }
}

/// Buttons that set the end.
#[component]
fn Lengths(input: SpanInput) -> impl IntoView {
    let texts = MeetingFormTexts::here();
    let chips = LENGTHS.into_iter().map(|minutes| {
        let is_pressed = move || if input.length() == Some(minutes) { "true" } else { "false" };
        view! {
            <button type="button" class="chip" aria-pressed=is_pressed on:click=move |_| input.set_length(minutes)>
                {texts.minutes(minutes)}
            </button>
        }
    });
    view! { <div class="row needs-js" role="group" aria-label=texts.length()>{chips.collect_view()}</div> }
}

#[component]
fn RoomSelect(
    id: String,
    rooms: Vec<Room>,
    input: SpanInput,
    refusal: Signal<Option<DomainError>>,
) -> impl IntoView {
    let texts = MeetingFormTexts::here();
    let select = NodeRef::<html::Select>::new();
    Effect::new(move |was: Option<()>| {
        let room = input.room.get();
        let Some(select) = select.get() else { return };
        match (select.value() == room, was) {
            (true, _) => {}
            // Chosen before the page was hydrated.
            (false, None) => input.room.set(select.value()),
            (false, Some(())) => select.set_value(&room),
        }
    });
    let is_wrong = Memo::new(move |_| has_problem(refusal, &["room_id"]));
    Effect::new(move |_| {
        if let (true, Some(select)) = (has_problem(refusal, &["room_id"]), select.get()) {
            _ = select.focus();
        }
    });
    let chosen = input.room.get_untracked();
    let options =
        rooms.into_iter().filter(|room| room.may_book || room.id.to_string() == chosen).map(|room| {
            let id = room.id.to_string();
            let name = room.settings.name;
            let seats = room.settings.capacity.and_then(|seats| u32::try_from(seats).ok());
            let label = seats.map_or(name.clone(), |seats| texts.capacity(name, seats));
            let is_chosen = id == chosen;
            view! { <option value=id selected=is_chosen>{label}</option> }
        });
    let problem_id = format!("{id}-problem");
    view! {
        <select
            id=id
            name="room_id"
            node_ref=select
            autofocus=is_wrong.get_untracked()
            aria-invalid=move || is_wrong.get().then_some("true")
            aria-describedby=problem_id
            on:change=move |event| input.room.set(event_target_value(&event))
        >
            <option value="">{texts::meetings::MeetingTexts::here().no_room()}</option>
            {options.collect_view()}
        </select>
    }
}

#[component]
fn EndField(input: SpanInput, name: &'static str, refusal: Signal<Option<DomainError>>) -> impl IntoView {
    let texts = MeetingFormTexts::here();
    let field = bind_field(input.end, move |end| input.end.set(end));
    let id = format!("{name}-end");
    let end = input.end.get_untracked();
    view! {
        <span class="until">
            <label for=id.clone()>
                <span aria-hidden="true">{texts.until()}</span>
                <span class="visually-hidden">{texts.ends_at()}</span>
            </label>
            <input
                id=id
                name="end"
                type="text"
                autocomplete="off"
                placeholder=CLOCK_EXAMPLE
                required
                value=end
                node_ref=field
                aria-invalid=move || has_problem(refusal, &["local_end", "ends_at", "end"]).then_some("true")
                aria-describedby=format!("{name}-end-problem")
                on:input:target=move |event| {
                    // A part of a time means nothing yet.
                    let typed = event.target().value();
                    if typed == clock_text(&typed) && minute_of_day(&typed).is_some() {
                        input.end.set(typed);
                    }
                }
                on:change:target=move |event| input.end.set(clock_text(&event.target().value()))
            />
        </span>
    }
}

/// The date of the end, for a meeting that ends on another day.
#[component]
fn EndDate(input: SpanInput, name: &'static str) -> impl IntoView {
    let texts = MeetingFormTexts::here();
    let field = bind_field(input.end_date, move |date| input.end_date.set(date));
    let id = format!("{name}-end-date");
    let date = input.end_date.get_untracked();
    // It stays open while a date is typed: an incomplete one is empty.
    let is_open = Memo::new(move |was: Option<&bool>| {
        was.is_some_and(|was| *was) || !input.end_date.with(String::is_empty)
    });
    view! {
        <details class="other-day" open=move || is_open.get()>
            <summary>{texts.ends_other_day()}</summary>
            <div class="field">
                <label for=id.clone()>{texts.end_date()}</label>
                <input
                    id=id
                    name="end_date"
                    type="date"
                    min="2000-01-01"
                    max="2199-12-31"
                    value=date
                    node_ref=field
                    on:input:target=move |event| input.end_date.set(event.target().value())
                />
            </div>
        </details>
    }
}

fn has_problem(refusal: Signal<Option<DomainError>>, fields: &[&str]) -> bool {
    refusal.with(|refusal| {
        let problem = |refusal: &DomainError| refusal.problem_of(|field| fields.contains(&field)).is_some();
        refusal.as_ref().is_some_and(problem)
    })
}

/// The problem of one of these fields, below it.
#[component]
pub fn Problem(
    /// Error of the form.
    refusal: Signal<Option<DomainError>>,
    /// Names of the fields.
    fields: &'static [&'static str],
    /// Id of the element.
    id: String,
) -> impl IntoView {
    let text = Memo::new(move |_| {
        refusal.with(|refusal| {
            let is_it = |field: &str| fields.iter().any(|name| is_of(name, field));
            let (what, language) = (refusal.as_ref()?.problem_of(is_it)?, language());
            let whole = fields.iter().find_map(|field| whole_sentence(language, field, what));
            Some(whole.map_or_else(|| problem(language, what), str::to_owned))
        })
    });
    view! { <p class="field-problem" id=id role="alert">{move || text.get()}</p> }
}
