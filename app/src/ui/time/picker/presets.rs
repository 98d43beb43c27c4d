//! Time presets, as buttons.

use super::TimeInput;
use crate::ui::time::time_fns::time_presets;
use domain::TimePresets;
use leptos::{prelude::*, task::spawn_local};
use texts::articles::schedule::ScheduleTexts;

/// The buttons fill the fields, in the time zone of the field. Hidden while its zone is unknown.
#[component]
pub fn PresetButtons(
    /// Presets; replaced when the zone changes.
    presets: RwSignal<Option<TimePresets>>,
    /// The input.
    input: TimeInput,
) -> impl IntoView {
    let texts = ScheduleTexts::here();
    let zone = input.zone_name();
    let is_same_zone = Memo::new(move |_| {
        presets.with(|presets| presets.as_ref().is_some_and(|presets| zone.get() == canonical(&presets.zone)))
    });
    Effect::new(move |_| {
        if let (false, true, Some(zone)) = (is_same_zone.get(), presets.with(Option::is_some), zone.get()) {
            load(presets, zone);
        }
    });
    Effect::new(move |_| {
        presets.with(|presets| {
            if let Some(presets) = presets {
                input.set_rules(presets);
            }
        });
    });
    let buttons = move || {
        let list = presets.with(|presets| presets.as_ref().map(|presets| presets.presets.clone()));
        let buttons = list.unwrap_or_default().into_iter().map(|preset| {
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
        });
        buttons.collect_view()
    };
    view! {
        <p class="time-presets needs-js" class:is-hidden=move || !is_same_zone.get()>
            <span class="visually-hidden">{texts.quick()}</span>
            {buttons}
        </p>
    }
}

fn canonical(zone: &str) -> Option<&'static str> {
    domain::base::city::City::of_zone(zone).map(|city| city.zone)
}

fn load(presets: RwSignal<Option<TimePresets>>, zone: &'static str) {
    spawn_local(async move {
        if let Ok(found) = time_presets(zone.to_owned()).await {
            presets.try_set(Some(found));
        }
    });
}
