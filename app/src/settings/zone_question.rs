//! The question what scheduled items keep when the time zone of the desk changes. Nothing is changed before
//! it is answered.

use super::server_fns::ChangeSettings;
use crate::{
    live::live,
    ui::form::{Alert, FromField, refusal_of, typed},
};
use domain::{
    LocalizedTime,
    accounts::zone_effect::{ZoneEffect, ZoneExample},
    settings::ZoneChange,
};
use leptos::prelude::*;
use server_fn::ServerFn;
use texts::{
    language,
    problem::zone::ZoneEffectTexts,
    sentences,
    time::{moment, place},
};

/// The question, with the settings as they were typed.
#[component]
pub fn ZoneQuestion(
    /// What the new zone means.
    effect: ZoneEffect,
) -> impl IntoView {
    let (texts, path) = (ZoneEffectTexts::here(), ChangeSettings::PATH);
    let refusal = Signal::stored(refusal_of(path));
    let inputs = ["title", "zone", "language"].map(|name| {
        view! { <input type="hidden" name=name value=typed(path, name).unwrap_or_default() /> }
    });
    let times = effect.example.as_ref().map(|example| Times::of(example, &effect));
    let example = effect.example.as_ref().zip(times.as_ref());
    let example = example.map(|(example, times)| texts.example(&example.title, times.due.clone()));
    let button = |choice: ZoneChange, label: &'static str, class: &'static str| {
        view! { <button class=class type="submit" name="zone_change" value=choice.as_str()>{label}</button> }
    };
    view! {
        <form method="post" action=path class="stack">
            <FromField />
            {inputs}
            <Alert refusal=refusal />
            {example.map(|example| view! { <p dir="auto">{example}</p> })}
            <div class="field">
                {(effect.movable > 0).then(|| button(ZoneChange::KeepWallClock, texts.keep_wall_clock(), "button main"))}
                <p class="hint" dir="auto">{wall_clock_text(&effect, times.as_ref())}</p>
            </div>
            <div class="field">
                {button(ZoneChange::KeepInstant, texts.keep_instant(), "button")}
                <p class="hint">{instant_text(&effect, times.as_ref())}</p>
            </div>
            <p><a href="/settings/desk" rel="external">{texts.cancel()}</a></p>
            <p class="hint">{texts.others()}</p>
        </form>
    }
}

/// The times of the example, each with its zone.
struct Times {
    /// As it is planned.
    due: String,
    /// The same instant in the new zone.
    same: String,
    /// With the same wall-clock time in the new zone.
    moved: String,
}

impl Times {
    fn of(example: &ZoneExample, effect: &ZoneEffect) -> Self {
        let (language, now) = (language(), live().now().get_untracked());
        let in_new = |at: LocalizedTime| {
            let at = LocalizedTime {
                viewer_offset: at.site_offset,
                is_viewer_time_repeated: at.is_site_time_repeated,
                ..at
            };
            moment(language, at, &effect.to, now)
        };
        Self {
            due: moment(language, example.due, &effect.from, now),
            same: in_new(example.due),
            moved: in_new(example.moved),
        }
    }
}

/// What happens if they keep their wall-clock times.
fn wall_clock_text(effect: &ZoneEffect, times: Option<&Times>) -> String {
    let (texts, zone) = (ZoneEffectTexts::here(), place(language(), &effect.to));
    let more = effect.past > effect.past_titles.len() as u64;
    let titles = effect.past_titles.iter().map(String::as_str).chain(more.then(|| texts.more()));
    let titles = titles.collect::<Vec<_>>().join(", ");
    let parts = [
        times.map(|times| texts.becomes(times.due.clone(), times.moved.clone())),
        Some(texts.movable(effect.movable, &zone)),
        (effect.past > 0).then(|| texts.past(effect.past, titles)),
        (effect.skipped > 0).then(|| texts.skipped(effect.skipped, &zone)),
        (effect.doubled > 0).then(|| texts.doubled(effect.doubled, &zone)),
    ];
    parts.into_iter().flatten().reduce(|all, part| sentences(&all, &part)).unwrap_or_default()
}

/// What happens if they keep their instants.
fn instant_text(effect: &ZoneEffect, times: Option<&Times>) -> String {
    let texts = ZoneEffectTexts::here();
    let stay = texts.stay_planned(&place(language(), &effect.from));
    match times {
        Some(times) => sentences(&texts.is_instant(times.due.clone(), times.same.clone()), &stay),
        None => stay,
    }
}
