//! Times people often want, one press away.

use super::wanted::Wanted;
use crate::{
    calls::schedule::{Pick, Picks, usual_times},
    components::pause::Pause,
    words::schedule::ScheduleWords,
};
use leptos::{prelude::*, task::spawn_local};

/// How long after the last change of the zone its times are read, in milliseconds.
const READ_AFTER_MS: u64 = 400;

/// Buttons that fill the fields; they follow the zone.
#[component]
pub fn QuickPicks(
    /// The times in the first zone.
    picks: Picks,
    /// The choice they fill.
    wanted: Wanted,
) -> impl IntoView {
    let words = ScheduleWords::here();
    let picks = RwSignal::new(picks);
    let pause = Pause::new();
    Effect::new(move |_| {
        let zone = wanted.zone.get();
        if picks.with_untracked(|picks| picks.zone != zone) {
            pause.then(READ_AFTER_MS, move || read(zone, picks));
        }
    });
    let button = move |pick: Pick| {
        let label = match pick.name.as_str() {
            "hour" => words.in_an_hour(),
            "tomorrow" => words.tomorrow(),
            _ => words.monday(),
        };
        view! {
            <button type="button" class="chip" on:click=move |_| wanted.pick(&pick.date, &pick.time)>{label}</button>
        }
    };
    view! {
        <div class="quick needs-script" role="group" aria-label=words.quick()>
            {move || picks.get().picks.into_iter().map(button).collect_view()}
        </div>
    }
}

/// Takes the times of a zone, if it is one.
fn read(zone: String, picks: RwSignal<Picks>) {
    spawn_local(async move {
        if let Ok(found) = usual_times(zone.clone()).await
            && found.zone == zone
        {
            picks.try_set(found);
        }
    });
}
