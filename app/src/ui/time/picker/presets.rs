//! Time presets, as buttons.

use super::TimeInput;
use crate::articles::{schedule_fns::TimePresets, schedule_texts::ScheduleTexts};
use leptos::prelude::*;

/// The buttons fill the fields. Hidden while the fields use a different time zone than the presets.
#[component]
pub fn PresetButtons(presets: TimePresets, input: TimeInput) -> impl IntoView {
    let texts = ScheduleTexts::here();
    let zone = presets.zone.clone();
    let is_same_zone = Memo::new(move |_| input.zone.with(|typed| *typed == zone));
    let buttons = presets
        .presets
        .into_iter()
        .map(|preset| {
            let label = match preset.name.as_str() {
                "hour" => texts.in_an_hour(),
                "tomorrow" => texts.tomorrow(),
                _ => texts.monday(),
            };
            view! {
                <button type="button" class="chip" on:click=move |_| input.set_preset(&preset.date, &preset.time)>
                    {label}
                </button>
            }
        })
        .collect_view();
    view! {
        <p class="time-presets needs-js" class:is-hidden=move || !is_same_zone.get()>
            <span class="visually-hidden">{texts.quick()}</span>
            {buttons}
        </p>
    }
}
