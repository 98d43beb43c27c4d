//! The engine's heartbeat and the stream's, on every page.

use super::icon::Icon;
use crate::{
    live::{Pulse, live},
    visitor::visitor,
    words::{frame::FrameWords, language, time, weather::WeatherWords},
};
use leptos::prelude::*;

/// Whether the engine lives, in a word.
#[component]
pub fn PulseMark() -> impl IntoView {
    let (live, words) = (live(), FrameWords::here());
    let pulse = live.pulse();
    let name = move || match pulse.get() {
        Pulse::Alive => "alive",
        Pulse::Paused => "paused",
        Pulse::Silent => "silent",
        Pulse::Unknown => "unknown",
        Pulse::Behind => "behind",
    };
    let word = move || match pulse.get() {
        Pulse::Alive => words.engine_alive(),
        Pulse::Paused => words.engine_is_paused(),
        Pulse::Silent | Pulse::Behind => words.engine_is_down(),
        Pulse::Unknown => words.engine_unknown(),
    };
    view! {
        <p class="pulse" data-pulse=name>
            <span class="dot" aria-hidden="true"></span>
            <span>{word}</span>
        </p>
    }
}

/// Lines across the page while something is wrong: the stream lost, the engine silent, behind or paused.
#[component]
pub fn Banners() -> impl IntoView {
    let (live, words, language) = (live(), FrameWords::here(), language());
    let (pulse, lost_since) = (live.pulse(), live.lost_since());
    // In steps: what is read aloud must not speak every second.
    let silence = Memo::new(move |_| {
        let beat_at = live.heartbeat().with(|beat| beat.beat_at);
        let seconds = live.heartbeat().with(|beat| beat.now).since(beat_at) / 1_000;
        time::span(language, (seconds / 5 * 5).max(4))
    });
    let weather = Memo::new(move |_| live.heartbeat().with(|beat| beat.weather));
    let (skies, is_admin) = (WeatherWords::here(), visitor().is_admin());
    let trouble = move || match (pulse.get(), weather.get()) {
        // What was heard last may no longer be so.
        (Pulse::Unknown, _) => None,
        (_, Some(weather)) if weather.stops() => Some(("banner red", skies.sentence(weather).to_owned())),
        (Pulse::Silent, _) => Some(("banner red", words.engine_silent(silence.get()))),
        (Pulse::Behind, _) => Some(("banner red", words.engine_behind().to_owned())),
        (Pulse::Paused, _) => Some(("banner", words.engine_paused().to_owned())),
        // Without Redis nothing stands still: nobody but an admin need know.
        (Pulse::Alive, Some(weather)) if is_admin => Some(("banner", skies.sentence(weather).to_owned())),
        (Pulse::Alive, _) => None,
    };
    view! {
        <div class="banners" role="status">
            {move || lost_since.get().map(|(hour, minute)| view! {
                <p class="banner" data-banner="stale">
                    <Icon name="attention" />{words.offline_since(format!("{hour:02}:{minute:02}"))}
                </p>
            })}
            {move || {
                trouble().map(|(class, text)| {
                    view! { <p class=class data-banner="engine"><Icon name="attention" />{text}</p> }
                })
            }}
        </div>
    }
}
