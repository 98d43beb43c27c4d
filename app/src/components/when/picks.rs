//! Times people often want, as buttons.

use super::Wanted;
use crate::{calls::schedule::Picks, words::schedule::ScheduleWords};
use leptos::prelude::*;

/// The buttons: they fill the fields. There while the fields ask in the zone of the times.
#[component]
pub fn QuickPicks(picks: Picks, wanted: Wanted) -> impl IntoView {
    let words = ScheduleWords::here();
    let zone = picks.zone.clone();
    let is_same_zone = Memo::new(move |_| wanted.zone.with(|typed| *typed == zone));
    let buttons = picks
        .picks
        .into_iter()
        .map(|pick| {
            let label = match pick.name.as_str() {
                "hour" => words.in_an_hour(),
                "tomorrow" => words.tomorrow(),
                _ => words.monday(),
            };
            view! {
                <button type="button" class="chip" on:click=move |_| wanted.pick(&pick.date, &pick.time)>
                    {label}
                </button>
            }
        })
        .collect_view();
    view! {
        <p class="quick needs-script" class:is-off=move || !is_same_zone.get()>
            <span class="quick-name">{words.quick()}</span>
            {buttons}
        </p>
    }
}
