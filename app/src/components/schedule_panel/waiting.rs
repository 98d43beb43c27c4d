//! A task that waits for the article: its moment, what is left, and what can be done to it.

use super::{
    done::Done,
    form::{AtButton, AtOnce, save_first},
};
use crate::{
    calls::tasks::{ChangeTask, MoveTask},
    components::{editor::draft::Draft, move_form::MoveInPlace, when::Meant},
    form::Form,
    live::live,
    words::{language, schedule::ScheduleWords, time::countdown},
};
use domain::{ArticleId, Kind, article::Drift, task::TaskRow};
use leptos::prelude::*;

/// The card of a waiting task.
#[component]
pub fn Waiting(
    /// The task.
    task: TaskRow,
    /// What it does not hold yet.
    drift: Memo<Option<Drift>>,
    /// The text; it is saved before the task gets it.
    draft: Draft,
    /// Where the outcome is shown.
    done: RwSignal<Option<Done>>,
) -> impl IntoView {
    let words = ScheduleWords::here();
    let head = match task.kind {
        Kind::ArticlePublish => words.waits_publish(),
        Kind::ArticleUnpublish => words.waits_unpublish(),
    };
    // What is published at once is the text that was scheduled; where there is another one, both are named.
    let is_publish = task.kind == Kind::ArticlePublish;
    let with_changes = Memo::new(move |_| {
        let is_typed = draft.text.with(|_| draft.is_changed());
        let changes = drift.with(|drift| drift.as_ref().map(|drift| drift.changes));
        match (is_publish, is_typed, changes) {
            (true, false, Some(changes)) => Some(words.publish_with(changes)),
            (true, true, _) => Some(words.publish_typed().to_owned()),
            _ => None,
        }
    });
    let at_once = Signal::derive(move || match (is_publish, with_changes.with(Option::is_some)) {
        (false, _) => words.unpublish_now(),
        (true, false) => words.publish_now(),
        (true, true) => words.publish_scheduled(),
    });
    let article = ArticleId(task.target_id);
    let address = format!("/tasks/{}", task.id);
    let may_change = task.may_change;
    let due = task.due;
    let moving = ServerAction::<MoveTask>::new();
    Done::follow(moving, "move", done);
    let name = if task.kind == Kind::ArticlePublish { "move" } else { "move-off" };
    let actions = may_change.then(|| {
        let (cancel, now) = (task.clone(), task.clone());
        let mover = task.clone();
        view! {
            <div class="row">
                <ChangeButton task=now what="publish_now" verb="publish" label=at_once class="button" done=done />
                {move || with_changes.get().map(|label| view! {
                    <AtOnce draft=draft article=article label=label done=done />
                })}
                <ChangeButton
                    task=cancel what="cancel" verb="cancel" label=words.unschedule() class="button bare" done=done
                />
            </div>
            <MoveInPlace row=mover action=moving name=name>{words.move_to()}</MoveInPlace>
        }
    });
    let drift = move || {
        let task = task.clone();
        drift.get().map(|drift| view! { <DriftNotice task=task drift=drift draft=draft done=done /> })
    };
    view! {
        <section class="waiting">
            <h3>{head}</h3>
            <Meant at=due />
            <p class="waiting-left" aria-hidden="true">{move || left(due.at)}</p>
            {drift}
            {actions}
            <p><a href=address>{words.open_task()}</a></p>
        </section>
    }
}

fn left(at: domain::Timestamp) -> String {
    let left = at.since(live().now().get());
    if left > 0 { countdown(language(), left) } else { ScheduleWords::here().due().to_owned() }
}

/// One button that changes a task.
#[component]
pub fn ChangeButton(
    /// The task.
    task: TaskRow,
    /// The change, as the server names it.
    what: &'static str,
    /// The change, as the page names it.
    verb: &'static str,
    /// What stands on the button.
    #[prop(into)]
    label: Signal<&'static str>,
    /// Its CSS class.
    class: &'static str,
    /// Where the outcome is shown.
    done: RwSignal<Option<Done>>,
) -> impl IntoView {
    let action = ServerAction::<ChangeTask>::new();
    Done::follow(action, verb, done);
    let id = task.id.to_string();
    view! {
        <Form action=action>
            <input type="hidden" name="id" value=id />
            <input type="hidden" name="seen" value=task.version.0 />
            <input type="hidden" name="what" value=what />
            <button type="submit" class=class>{label}</button>
        </Form>
    }
}

/// What the scheduled version does not hold, and the button that gives it the current text.
#[component]
fn DriftNotice(task: TaskRow, drift: Drift, draft: Draft, done: RwSignal<Option<Done>>) -> impl IntoView {
    let words = ScheduleWords::here();
    let action = ServerAction::<ChangeTask>::new();
    Done::follow(action, "replace", done);
    let id = task.id.to_string();
    view! {
        <div class="drift" on:submit:capture=move |event| save_first(draft, "replace", &event)>
            <p>{words.drift(drift.changes)}</p>
            {task.may_change.then(|| view! {
                <Form action=action>
                    <input type="hidden" name="id" value=id />
                    <input type="hidden" name="seen" value=task.version.0 />
                    <input type="hidden" name="what" value="replace_revision" />
                    <button type="submit" class="button">{words.replace()}</button>
                </Form>
                <AtButton draft=draft form="replace" />
            })}
        </div>
    }
}
