//! The form that moves a task to another moment.

use super::{field::Field, toast};
use crate::{
    calls::{Refused, tasks::MoveTask},
    form::{Form, answer_of},
    visitor::visitor,
    words::{task::TaskWords, time},
};
use domain::{Refusal, task::TaskRow};
use leptos::prelude::*;
use server_fn::ServerFn;

/// Asks for date, time and zone, and which one where a time happens twice. Keeps what was typed when it is refused.
#[component]
pub fn MoveForm(
    /// The task.
    row: TaskRow,
) -> impl IntoView {
    let words = TaskWords::here();
    let action = ServerAction::<MoveTask>::new();
    toast::offer(action);
    let id = row.id.to_string();
    let answer = answer_of(MoveTask::PATH, Some(&id));
    let typed = |field: &str| answer.as_ref().and_then(|answer| answer.typed(field)).map(str::to_owned);
    let wall = row.due.viewer_wall();
    let date = typed("date").unwrap_or_else(|| format!("{:04}-{:02}-{:02}", wall.year, wall.month, wall.day));
    let clock = typed("time").unwrap_or_else(|| time::clock(wall));
    let zone = typed("zone").unwrap_or_else(|| visitor().zone().to_owned());
    let first = answer.map(|answer| answer.refusal);
    let refusal = Signal::derive(move || match &*action.value().read() {
        Some(Err(Refused(refusal))) => Some(refusal.clone()),
        Some(Ok(_)) => None,
        None => first.clone(),
    });
    let is_doubled = move || refusal.with(|refusal| matches!(refusal, Some(Refusal::DoubledTime { .. })));
    let seen = row.version.0;
    let (date_id, time_id, zone_id) = (format!("date-{id}"), format!("time-{id}"), format!("zone-{id}"));
    view! {
        <Form action=action about=id.clone() class="stack move-form">
            <input type="hidden" name="id" value=id.clone() />
            <input type="hidden" name="seen" value=seen />
            <div class="fields">
                <Field name="date" id=date_id label=words.date() kind="date" value=date refusal=refusal />
                <Field name="time" id=time_id label=words.time() kind="time" step="1" value=clock refusal=refusal />
                <Field name="zone" id=zone_id label=words.zone() value=zone refusal=refusal />
            </div>
            {move || is_doubled().then(|| view! { <Which words=words /> })}
            <div class="row">
                <button class="button main" type="submit">{words.move_to()}</button>
            </div>
        </Form>
    }
}

/// Which of two equal times is meant.
#[component]
fn Which(words: TaskWords) -> impl IntoView {
    view! {
        <fieldset>
            <legend class="quiet">{words.which()}</legend>
            <label class="choice"><input type="radio" name="which" value="earlier" required />{words.earlier()}</label>
            <label class="choice"><input type="radio" name="which" value="later" />{words.later()}</label>
        </fieldset>
    }
}
