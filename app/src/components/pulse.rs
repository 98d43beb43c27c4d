//! The engine's heartbeat and the stream's, on every page.

use super::icon::Icon;
use crate::{
    live::{Pulse, live},
    words::{frame::FrameWords, language, time},
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
        Pulse::Behind => "behind",
    };
    let word = move || match pulse.get() {
        Pulse::Alive => words.engine_alive(),
        Pulse::Paused => words.engine_is_paused(),
        Pulse::Silent | Pulse::Behind => words.engine_is_down(),
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
    let (pulse, is_stale) = (live.pulse(), live.is_stale());
    let ago = move || {
        let beat_at = live.heartbeat().with(|beat| beat.beat_at);
        time::relative(language, beat_at, live.now().get())
    };
    let trouble = move || match pulse.get() {
        // A page that hears nothing cannot know how the engine does.
        _ if is_stale.get() => None,
        Pulse::Alive => None,
        Pulse::Silent => Some(("banner red", words.engine_silent(ago()))),
        Pulse::Behind => Some(("banner red", words.engine_behind().to_owned())),
        Pulse::Paused => Some(("banner", words.engine_paused().to_owned())),
    };
    view! {
        <div class="banners" role="status">
            {move || is_stale.get().then(|| view! { <p class="banner" data-banner="stale"><Icon name="attention" />{words.stale()}</p> })}
            {move || {
                trouble().map(|(class, text)| {
                    view! { <p class=class data-banner="engine"><Icon name="attention" />{text}</p> }
                })
            }}
        </div>
    }
}
