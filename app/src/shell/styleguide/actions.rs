//! Buttons, messages and results.

use crate::shell::styleguide::{Part, Specimen};
use crate::ui::{
    copy_button::CopyButton,
    form::Alert,
    icon::Icon,
    result::{ActionResult, Undo, UndoForm, view::ResultView},
};
use domain::DomainError;
use leptos::prelude::*;

#[component]
pub fn Buttons() -> impl IntoView {
    view! {
        <Part title="Buttons">
            <Specimen name="One primary action a page; others beside it">
                <p class="row">
                    <button class="button main" type="button">"Schedule"</button>
                    <button class="button" type="button"><Icon name="now" />"Publish now"</button>
                    <button class="button bare" type="button">"Unschedule"</button>
                    <button class="button danger" type="button">"Unpublish now"</button>
                    <a class="button" href="#buttons">"A link"</a>
                </p>
            </Specimen>
            <Specimen name="In a row of a list">
                <p class="row">
                    <button class="button small" type="button">"Publish now"</button>
                    <button class="button small bare" type="button">"Reschedule"</button>
                    <button class="button small danger" type="button">"Revoke"</button>
                </p>
            </Specimen>
            <Specimen name="Not possible: disabled, or with its reason">
                <p class="row">
                    <button class="button" type="button" disabled>"Save"</button>
                    <button class="button main" type="button" aria-disabled="true" aria-describedby="why">"Schedule"</button>
                    <span class="why" id="why">"This time has passed."</span>
                </p>
            </Specimen>
            <Specimen name="Suggestion; copy; opens a form in place">
                <p class="row"><button class="chip" type="button">"Tomorrow 09:00"</button><CopyButton text=String::new() /></p>
                <details class="open-in-place"><summary class="button small">"Dismiss 30…"</summary><p>"They are not sent."</p></details>
            </Specimen>
        </Part>
    }
}

#[component]
pub fn Messages() -> impl IntoView {
    let alert = |refusal| view! { <Alert refusal=Signal::stored(Some(refusal)) /> };
    view! {
        <Part title="Messages">
            <Specimen name="Information, success, warning">
                <p class="notice">"Readers see an older revision."</p>
                <p class="notice good">"Token “robot”. It is shown only once."</p>
                <p class="notice warn">"The text contains “TK”, a placeholder for missing text."</p>
            </Specimen>
            <Specimen name="Refused: the session is over, the database is unavailable, changed meanwhile">
                {alert(DomainError::LogIn)}
                {alert(DomainError::Unavailable)}
                {alert(DomainError::Changed)}
            </Specimen>
            <Specimen name="A decision">
                <div class="prompt">
                    <p>"An unsaved copy of this text is on this device."</p>
                    <p class="row"><button class="button" type="button">"Restore"</button></p>
                </div>
            </Specimen>
            <Specimen name="Banner: impaired, and not publishing">
                <div class="banner"><Icon name="attention" /><p>"Publishing paused since 14:20 Berlin. You paused it."</p></div>
                <div class="banner critical"><Icon name="attention" /><p>"Engine is not publishing. The database is full."</p></div>
            </Specimen>
        </Part>
    }
}

#[component]
pub fn Results() -> impl IntoView {
    let undo = Undo::Form(UndoForm { function: "#", fields: Vec::new(), label: "Undo reschedule" });
    let rescheduled = ActionResult::new("“Zones” is rescheduled to Thu 26 Nov, 09:00 Berlin.");
    let rescheduled = rescheduled.with_undo(undo).with_link("/tasks", "Open task");
    let partly = ActionResult { is_warning: true, ..ActionResult::new("Dismissed: 28. 2 skipped.") };
    view! {
        <Part title="Results">
            <Specimen name="Final"><ResultView result=ActionResult::new("Saved.") /></Specimen>
            <Specimen name="With undo and link"><ResultView result=rescheduled /></Specimen>
            <Specimen name="Partly done"><ResultView result=partly /></Specimen>
        </Part>
    }
}
