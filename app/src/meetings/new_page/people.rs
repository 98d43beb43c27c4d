//! The people of the desk, each with what the person has at the time of the meeting.

use crate::meetings::room_fns::{Checked, PersonChoice};
use leptos::prelude::*;
use texts::meetings::{MeetingFormTexts, span::clocks};

/// Name of the boxes.
pub const PEOPLE: &str = "meeting[people][]";

/// A box for each person. Whether they are free follows the time.
#[component]
pub fn PeopleChoice(
    /// What is free at the chosen time.
    checked: RwSignal<Option<Checked>>,
    /// Ids of those that are ticked at first.
    chosen: Vec<String>,
) -> impl IntoView {
    let texts = MeetingFormTexts::here();
    let people = Memo::new(move |last: Option<&Vec<PersonChoice>>| {
        checked.with(|checked| match checked {
            Some(Checked::Known(known)) => known.people.clone(),
            // A time that cannot be read keeps the list, and what is ticked in it.
            _ => last.cloned().unwrap_or_default(),
        })
    });
    let names = Memo::new(move |_| {
        people.with(|people| people.iter().map(|one| (one.id.clone(), one.name.clone())).collect::<Vec<_>>())
    });
    let is_any = Memo::new(move |_| names.with(|names| !names.is_empty()));
    let chosen = StoredValue::new(chosen);
    move || {
        is_any.get().then(|| {
            view! {
                <fieldset class="field">
                    <legend class="label">{texts.optional(texts.people())}</legend>
                    <div class="weekday-choices meeting-people">
                        <For each=move || names.get() key=|(id, _)| id.clone() children=move |(id, name)| {
                            let is_on = chosen.with_value(|chosen| chosen.contains(&id));
                            view! { <Person id=id name=name is_on=is_on people=people /> }
                        } />
                    </div>
                </fieldset>
            }
        })
    }
}

#[component]
fn Person(id: String, name: String, is_on: bool, people: Memo<Vec<PersonChoice>>) -> impl IntoView {
    let texts = MeetingFormTexts::here();
    let value = id.clone();
    let state = move || {
        people.with(|people| {
            let one = people.iter().find(|one| one.id == id)?;
            Some(match one.busy {
                Some((starts, ends)) => texts.is_busy_then(clocks(starts, ends)),
                None => texts.is_free_then().to_owned(),
            })
        })
    };
    view! {
        <label class="choice">
            <input type="checkbox" name=PEOPLE value=value checked=is_on />
            <span dir="auto">{name}</span>
            <span class="muted">{state}</span>
        </label>
    }
}
