//! What an admin decides about a channel, as fields.

use super::route::RouteFields;
use crate::{
    components::field::{Field, is_of},
    form::{refusal_of, typed},
    words::{channel::ChannelWords, language, refusal::problem},
};
use domain::{
    Refusal,
    channel::{ChannelEdit, Doubt, Happening},
};
use leptos::prelude::*;

/// How many messages may be on their way at once, to choose from.
const AT_ONCE: [u16; 6] = [1, 2, 4, 8, 12, 20];

/// The fields, with what was typed before where `path` was refused.
#[component]
pub fn Fields(
    /// The server function of their form.
    path: &'static str,
    /// What stands in them.
    settings: ChannelEdit,
    /// Whether a secret is kept.
    #[prop(optional)]
    has_secret: bool,
) -> impl IntoView {
    let words = ChannelWords::here();
    let refusal = Signal::stored(refusal_of(path));
    let was = move |field: &str, value: String| typed(path, field).unwrap_or(value);
    let on_ambiguous = was("channel[on_ambiguous]", settings.on_ambiguous.to_string());
    let concurrency = was("channel[concurrency]", settings.concurrency.to_string());
    view! {
        <input type="hidden" name="channel[way]" value=settings.route.way().as_str() />
        <Field
            name="channel[name]" label=words.name() value=was("channel[name]", settings.name.clone()) refusal=refusal
        />
        <RouteFields path=path route=settings.route.clone() has_secret=has_secret />
        <Events path=path chosen=settings.events.clone() />
        <Field
            name="channel[ladder]" label=words.ladder() value=was("channel[ladder]", settings.ladder.to_string())
            hint=words.ladder_hint() is_optional=true refusal=refusal
        />
        <div class="fields">
            <Choice
                name="channel[on_ambiguous]" label=words.doubt() is_wide=true
                options=Doubt::ALL.iter().map(|doubt| (doubt.to_string(), words.doubt_of(*doubt).to_owned())).collect()
                chosen=on_ambiguous
            />
            <Choice
                name="channel[concurrency]" label=words.concurrency() options=at_once(&concurrency) chosen=concurrency
            />
        </div>
    }
}

/// One of several, to choose from.
#[component]
pub fn Choice(
    /// Name as sent, and its id.
    name: &'static str,
    /// What it is called.
    label: &'static str,
    /// Values as sent, and what they are called.
    options: Vec<(String, String)>,
    /// The value that stands in it at first.
    chosen: String,
    /// Whether it takes more room than its neighbours.
    #[prop(optional)]
    is_wide: bool,
    /// Why its form was refused.
    #[prop(default = None)]
    refusal: Option<Refusal>,
) -> impl IntoView {
    let options = options.into_iter().map(|(value, text)| {
        let is_chosen = value == chosen;
        view! { <option value=value selected=is_chosen>{text}</option> }
    });
    view! {
        <div class="field" class:grow=is_wide>
            <label for=name>{label}</label>
            <select id=name name=name>{options.collect_view()}</select>
            {wrong(refusal.as_ref(), name).map(|wrong| view! { <span class="problem">{wrong}</span> })}
        </div>
    }
}

/// What is wrong with the field of this name.
pub fn wrong(refusal: Option<&Refusal>, name: &str) -> Option<String> {
    match refusal {
        Some(Refusal::Invalid { field, problem: what }) if is_of(name, field) => {
            Some(problem(language(), what))
        }
        _ => None,
    }
}

#[component]
fn Events(path: &'static str, chosen: Vec<Happening>) -> impl IntoView {
    let words = ChannelWords::here();
    let refusal = refusal_of(path);
    let is_answered = refusal.is_some();
    let wrong = wrong(refusal.as_ref(), "channel[events]");
    let boxes = Happening::CHOICES.into_iter().enumerate().map(move |(place, event)| {
        let name = format!("channel[events][{place}]");
        let is_on = if is_answered { typed(path, &name).is_some() } else { chosen.contains(&event) };
        view! {
            <label class="choice">
                <input type="checkbox" name=name value=event.as_str() checked=is_on />
                <span>{words.event(event)}</span>
            </label>
        }
    });
    view! {
        <fieldset class="field">
            <legend class="label">{words.events()}</legend>
            {boxes.collect_view()}
            {wrong.map(|wrong| view! { <span class="problem">{wrong}</span> })}
        </fieldset>
    }
}

fn at_once(chosen: &str) -> Vec<(String, String)> {
    let mut choices: Vec<u16> = AT_ONCE.into_iter().chain(chosen.parse()).collect();
    choices.sort_unstable();
    choices.dedup();
    choices.into_iter().map(|number| (number.to_string(), number.to_string())).collect()
}
