//! A task that waits for the article: its moment, what is left, and what can be done to it.

use super::{
    done::Done,
    fields::{Meaning, Meant, WhenFields, typed_of},
    form::save_first,
    wanted::Wanted,
};
use crate::{
    calls::tasks::{ChangeTask, MoveTask},
    components::editor::draft::Draft,
    form::{Form, answer_of},
    live::live,
    visitor::visitor,
    words::{language, schedule::ScheduleWords, time::countdown},
};
use domain::{Kind, article::Drift, task::TaskRow};
use leptos::prelude::*;
use server_fn::ServerFn;

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
    let at_once = match task.kind {
        Kind::ArticlePublish => words.publish_now(),
        Kind::ArticleUnpublish => words.unpublish_now(),
    };
    let address = format!("/tasks/{}", task.id);
    let may_change = task.may_change;
    let due = task.due;
    let actions = may_change.then(|| {
        let (cancel, now) = (task.clone(), task.clone());
        let mover = task.clone();
        view! {
            <div class="row">
                <ChangeButton task=now what="publish_now" verb="publish" label=at_once class="button" done=done />
                <ChangeButton
                    task=cancel what="cancel" verb="cancel" label=words.unschedule() class="button bare" done=done
                />
            </div>
            <MoveForm task=mover done=done />
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
    label: &'static str,
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
        <div class="drift" on:submit:capture=move |event| save_first(draft, "replace-revision", &event)>
            <p>{words.drift(drift.changes)}</p>
            {task.may_change.then(|| view! {
                <Form action=action attr:id="replace-revision">
                    <input type="hidden" name="id" value=id />
                    <input type="hidden" name="seen" value=task.version.0 />
                    <input type="hidden" name="what" value="replace_revision" />
                    <button type="submit" class="button">{words.replace()}</button>
                </Form>
            })}
        </div>
    }
}

/// Another moment for the task.
#[component]
fn MoveForm(task: TaskRow, done: RwSignal<Option<Done>>) -> impl IntoView {
    let words = ScheduleWords::here();
    let action = ServerAction::<MoveTask>::new();
    Done::follow(action, "move", done);
    let id = task.id.to_string();
    let answer = answer_of(MoveTask::PATH, Some(&id));
    let is_open = answer.is_some();
    let typed = |field: &str| answer.as_ref().and_then(|answer| answer.typed(field)).map(str::to_owned);
    let (date, time) = typed_of(task.due);
    let wanted = Wanted::new(
        typed("date").unwrap_or(date),
        typed("time").unwrap_or(time),
        typed("zone").unwrap_or_else(|| visitor().zone().to_owned()),
        typed("which").unwrap_or_default(),
    );
    let is_past = wanted.is_past();
    let first = answer.as_ref().map(|answer| answer.refusal.clone());
    let refusal = Signal::derive(move || match &*action.value().read() {
        Some(Err(refused)) => Some(refused.0.clone()),
        Some(Ok(_)) => None,
        None => first.clone(),
    });
    let label = move || {
        wanted
            .spoken(language())
            .map_or_else(|| words.move_it().to_owned(), |when| words.move_to_moment(when))
    };
    let name = if task.kind == Kind::ArticlePublish { "move" } else { "move-off" };
    view! {
        <details class="open-in-place" open=is_open>
            <summary class="button small">{words.move_to()}</summary>
            <Form action=action about=id.clone()>
                <input type="hidden" name="id" value=id />
                <input type="hidden" name="seen" value=task.version.0 />
                <p class="when-sentence"><WhenFields wanted=wanted name=name /></p>
                <Meaning wanted=wanted refusal=refusal />
                <button type="submit" class="button main" disabled=move || is_past.get()>{label}</button>
            </Form>
        </details>
    }
}
