//! The text field for date and time with its calendar, and the native pair of fields.

use super::{TimeInput, bind_field, outer_form};
use crate::ui::{form::typed_in_any, icon::Icon};
use domain::base::when::MAX_BYTES;
use leptos::{html, prelude::*};
use texts::{articles::schedule::ScheduleTexts, picker::TimeFieldTexts};
use wasm_bindgen::{JsCast, JsValue};

/// Date and time. With JavaScript a text field, which the calendar fills too. The native fields
/// carry the value in the form, and are all there is without JavaScript and before hydration.
#[component]
pub fn TypedTimeField(
    /// The input.
    input: TimeInput,
    /// Prefix of the ids.
    name: String,
) -> impl IntoView {
    let texts = TimeFieldTexts::here();
    let is_live = RwSignal::new(false);
    Effect::new(move |_| is_live.set(true));
    let calendar = bind_field(input.date, move |date| {
        input.set_preset(&date, &input.time.get_untracked());
    });
    let id = format!("{name}-when");
    let typed = input.typed.get_untracked();
    let is_unread = move || input.problem.with(Option::is_some);
    view! {
        <span class="time-when">
            <span class="time-part time-typed needs-js">
                <label class="visually-hidden" for=id.clone()>{texts.when()}</label>
                <input
                    id=id
                    type="text"
                    autocomplete="off"
                    spellcheck="false"
                    placeholder=texts.example()
                    value=typed
                    prop:value=input.typed
                    aria-invalid=move || is_unread().then_some("true")
                    aria-describedby=format!("{name}-feedback")
                    on:input:target=move |event| input.set_typed(event.target().value())
                    on:blur=move |_| input.show_typed()
                />
                <button
                    type="button"
                    class="button bare calendar-button"
                    aria-label=texts.calendar()
                    on:click=move |_| open_calendar(calendar)
                >
                    <Icon name="calendar" />
                </button>
            </span>
            <span class="time-part time-native" aria-hidden=move || is_live.get().then_some("true")>
                <NativeFields input=input name=name is_live=is_live calendar=calendar />
            </span>
        </span>
    }
}

#[component]
fn NativeFields(
    input: TimeInput,
    name: String,
    is_live: RwSignal<bool>,
    calendar: NodeRef<html::Input>,
) -> impl IntoView {
    let texts = ScheduleTexts::here();
    let clock = bind_field(input.time, move |time| {
        input.set_preset(&input.date.get_untracked(), &time);
    });
    let (date_id, time_id) = (format!("{name}-date"), format!("{name}-time"));
    let (date, time) = (input.date.get_untracked(), input.time.get_untracked());
    let tab_index = move || is_live.get().then_some("-1");
    let outer = outer_form();
    let form = move || outer.get().map(|outer| outer.form);
    // Seconds are shown only if the time has them.
    view! {
        <label for=date_id.clone()>
            <span aria-hidden="true">{texts.on()}</span>
            <span class="visually-hidden">{texts.date()}</span>
        </label>
        <input
            id=date_id
            form=form
            name="date"
            type="date"
            required
            min="2000-01-01"
            max="2199-12-31"
            value=date
            tabindex=tab_index
            node_ref=calendar
            on:input:target=move |event| input.set_preset(&event.target().value(), &input.time.get_untracked())
        />
        <label for=time_id.clone()>
            <span aria-hidden="true">{texts.at()}</span>
            <span class="visually-hidden">{texts.time()}</span>
        </label>
        <input
            id=time_id
            form=form
            name="time"
            type="time"
            step="any"
            required
            value=time
            tabindex=tab_index
            node_ref=clock
            on:input:target=move |event| input.set_preset(&input.date.get_untracked(), &event.target().value())
        />
    }
}

/// The time in words instead, without JavaScript. What was typed is kept while its form is refused.
#[component]
pub fn WordsField(
    /// The input.
    input: TimeInput,
    /// Prefix of the ids.
    name: String,
) -> impl IntoView {
    let texts = TimeFieldTexts::here();
    let outer = outer_form();
    let is_refused = input.resolved.with_untracked(|resolved| matches!(resolved, Some(Err(_))));
    let words = is_refused.then(|| typed_in_any("words")).flatten();
    let id = format!("{name}-words");
    view! {
        <span class="no-js time-words">
            <label for=id.clone()>{texts.or_words()}</label>
            <input
                id=id
                form=move || outer.get().map(|outer| outer.form)
                name="words"
                type="text"
                value=words
                autocomplete="off"
                maxlength=MAX_BYTES.to_string()
                placeholder=texts.example()
            />
        </span>
    }
}

/// Opens the browser's calendar of the date field.
fn open_calendar(field: NodeRef<html::Input>) {
    let Some(field) = field.get_untracked() else { return };
    let show = js_sys::Reflect::get(&field, &JsValue::from_str("showPicker"));
    let show = show.ok().and_then(|show| show.dyn_into::<js_sys::Function>().ok());
    if show.is_none_or(|show| show.call0(&field).is_err()) {
        _ = field.focus();
    }
}
