//! Card of a scheduled task: time, countdown and actions.

use super::form::{PublishNowForm, SubmitStatus, save_before_submit};
use crate::{
    articles::editor::draft::Draft,
    live::live,
    tasks::{
        move_form::MoveInPlace,
        result::{LaterUndo, announce_change},
        server_fns::{ChangeTask, MoveTask},
    },
    ui::{form::Form, time::picker::TimePreview},
};
use domain::{
    Kind,
    article::Drift,
    review::workflow::{Review, ReviewState},
    task::TaskRow,
};
use leptos::prelude::*;
use texts::{articles::schedule::ScheduleTexts, language, time::countdown};

/// What a refusal of an action depends on in a review: the revision, the state, and whether one of two
/// reviewers has approved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReviewSeen(i32, ReviewState, bool);

impl ReviewSeen {
    /// Returns what is seen of a review.
    #[must_use]
    pub fn of(review: &Review) -> Self {
        Self(review.revision, review.state, review.first.is_some())
    }
}

/// The card.
#[component]
pub fn ScheduledTask(
    /// The task.
    task: TaskRow,
    /// Changes that are not in the scheduled revision.
    drift: Memo<Option<Drift>>,
    /// The draft; saved before the task takes its text.
    draft: Draft,
    /// The review; `None`: there is none.
    review: Memo<Option<ReviewSeen>>,
    /// Which approval it needs before it is published; `None`: none.
    approval: Memo<Option<&'static str>>,
) -> impl IntoView {
    let texts = ScheduleTexts::here();
    let is_unpublish = task.kind == Kind::ArticleUnpublish;
    let head = move || match (is_unpublish, approval.get()) {
        (true, _) => texts.will_be_unpublished(),
        (false, Some(_)) => texts.will_be_published_approved(),
        (false, None) => texts.will_be_published(),
    };
    // "Publish now" uses the scheduled revision. If the text differs from it, there is a button for
    // each.
    let is_publish = task.kind == Kind::ArticlePublish;
    let with_changes = Memo::new(move |_| {
        let is_typed = draft.text.with(|_| draft.is_changed());
        let changes = drift.with(|drift| drift.as_ref().map(|drift| drift.changes));
        match (is_publish, is_typed, changes) {
            (true, false, Some(changes)) => Some(texts.publish_with(changes)),
            (true, true, _) => Some(texts.publish_typed().to_owned()),
            _ => None,
        }
    });
    let at_once = Signal::derive(move || match (is_publish, with_changes.with(Option::is_some)) {
        (false, _) => texts.unpublish_now(),
        (true, false) => texts.publish_now(),
        (true, true) => texts.publish_scheduled(),
    });
    let address = format!("/tasks/{}", task.id);
    let may_change = task.may_change;
    let due = task.due;
    let moving = ServerAction::<MoveTask>::new();
    announce_change(moving);
    let name = if task.kind == Kind::ArticlePublish { "move" } else { "move-off" };
    let actions = may_change.then(|| {
        let (cancel, now, undo) = (task.clone(), task.clone(), task.clone());
        let mover = task.clone();
        view! {
            <div class="row">
                <ChangeButton task=now what="publish_now" label=at_once class="button" review=review />
                {move || with_changes.get().map(|label| view! {
                    <PublishNowForm draft=draft revision="current" label=label />
                })}
                <ChangeButton task=cancel what="cancel" label=texts.unschedule() class="button bare" />
                <LaterUndo row=undo />
            </div>
            <MoveInPlace row=mover action=moving name=name>{texts.reschedule_more()}</MoveInPlace>
        }
    });
    let drift = move || {
        let task = task.clone();
        drift.get().map(|drift| view! { <DriftNotice task=task drift=drift draft=draft /> })
    };
    view! {
        <section class="scheduled-card">
            <h3>{head}</h3>
            <TimePreview at=due />
            <p class="scheduled-countdown" aria-hidden="true">{move || left(due.at)}</p>
            {move || approval.get().map(|needed| view! { <p class="notice warn">{needed}</p> })}
            {drift}
            {actions}
            <p><a href=address>{texts.history()}</a></p>
        </section>
    }
}

fn left(at: domain::Timestamp) -> String {
    let left = at.since(live().now().get());
    if left > 0 { countdown(language(), left) } else { ScheduleTexts::here().due().to_owned() }
}

/// A button that changes a task.
#[component]
pub fn ChangeButton(
    /// The task.
    task: TaskRow,
    /// The change, as the server names it.
    what: &'static str,
    /// Label of the button.
    #[prop(into)]
    label: Signal<&'static str>,
    /// Its CSS class.
    class: &'static str,
    /// The review that a refusal may be about: the refusal ends with its next change.
    #[prop(optional)]
    review: Option<Memo<Option<ReviewSeen>>>,
) -> impl IntoView {
    let action = ServerAction::<ChangeTask>::new();
    announce_change(action);
    if let Some(review) = review {
        Effect::watch(move || review.get(), move |_, _, _| action.clear(), false);
    }
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

/// Says how many changes are not scheduled, and offers to schedule the current text.
#[component]
fn DriftNotice(task: TaskRow, drift: Drift, draft: Draft) -> impl IntoView {
    let texts = ScheduleTexts::here();
    let action = ServerAction::<ChangeTask>::new();
    announce_change(action);
    let id = task.id.to_string();
    view! {
        <div class="drift" on:submit:capture=move |event| save_before_submit(draft, "replace", &event)>
            <p>{texts.drift(drift.changes)}</p>
            {task.may_change.then(|| view! {
                <Form action=action>
                    <input type="hidden" name="id" value=id />
                    <input type="hidden" name="seen" value=task.version.0 />
                    <input type="hidden" name="what" value="replace_revision" />
                    <button type="submit" class="button">{texts.use_current_text()}</button>
                </Form>
                <SubmitStatus draft=draft form="replace" />
            })}
        </div>
    }
}
