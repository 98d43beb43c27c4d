//! What an admin decides about a channel, as fields.

use crate::{
    components::field::Field,
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
) -> impl IntoView {
    let words = ChannelWords::here();
    let refusal = Signal::stored(refusal_of(path));
    let was = move |field: &str, value: String| typed(path, field).unwrap_or(value);
    view! {
        <Field name="name" label=words.name() value=was("name", settings.name.clone()) refusal=refusal />
        <Field
            name="address" label=words.address() kind="url" value=was("address", settings.address.clone())
            hint=words.address_hint() refusal=refusal
        />
        <Events path=path chosen=settings.events.clone() />
        <Field
            name="ladder" label=words.ladder() value=was("ladder", settings.ladder.to_string())
            hint=words.ladder_hint() is_optional=true refusal=refusal
        />
        <div class="fields">
            <div class="field grow">
                <label for="on_ambiguous">{words.doubt()}</label>
                <select id="on_ambiguous" name="on_ambiguous">
                    <DoubtOptions chosen=was("on_ambiguous", settings.on_ambiguous.to_string()) />
                </select>
            </div>
            <div class="field">
                <label for="concurrency">{words.concurrency()}</label>
                <select id="concurrency" name="concurrency">
                    <AtOnce chosen=was("concurrency", settings.concurrency.to_string()) />
                </select>
            </div>
        </div>
    }
}

#[component]
fn Events(path: &'static str, chosen: Vec<Happening>) -> impl IntoView {
    let words = ChannelWords::here();
    let refusal = refusal_of(path);
    let is_answered = refusal.is_some();
    let wrong = match &refusal {
        Some(Refusal::Invalid { field, problem: what }) if field == "events" => {
            Some(problem(language(), what))
        }
        _ => None,
    };
    let boxes = Happening::CHOICES.into_iter().enumerate().map(move |(place, event)| {
        let name = format!("events[{place}]");
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

#[component]
fn DoubtOptions(chosen: String) -> impl IntoView {
    let words = ChannelWords::here();
    let option = move |doubt: &Doubt| {
        view! { <option value=doubt.as_str() selected=doubt.as_str() == chosen>{words.doubt_of(*doubt)}</option> }
    };
    Doubt::ALL.iter().map(option).collect_view()
}

#[component]
fn AtOnce(chosen: String) -> impl IntoView {
    let mut choices: Vec<u16> = AT_ONCE.into_iter().chain(chosen.parse()).collect();
    choices.sort_unstable();
    choices.dedup();
    let option = move |number: u16| {
        let text = number.to_string();
        view! { <option value=text.clone() selected=text == chosen>{text.clone()}</option> }
    };
    choices.into_iter().map(option).collect_view()
}
