//! What has just been done, with the way back.

use crate::{
    calls::{Refused, tasks::ChangeTask},
    form::Form,
    live::live,
    visitor::visitor,
    words::{language, schedule::ScheduleWords, time::moment},
};
use domain::{Kind, State, limit, task::TaskRow};
use leptos::prelude::*;
use server_fn::ServerFn;

/// A change that went well.
#[derive(Debug, Clone, PartialEq)]
pub struct Done {
    /// `schedule`, `move`, `publish`, `unpublish`, `cancel`, `replace`, `undo`.
    pub verb: String,
    /// The task after it, where it is known.
    pub task: Option<TaskRow>,
}

impl Done {
    /// Remembers each good outcome of an action as this verb.
    pub fn follow<F>(action: ServerAction<F>, verb: &'static str, done: RwSignal<Option<Self>>)
    where
        F: ServerFn<Output = TaskRow, Error = Refused> + Clone + Send + Sync + 'static,
    {
        Effect::new(move |_| {
            if let Some(Ok(task)) = action.value().get() {
                done.set(Some(Self { verb: verb.to_owned(), task: Some(task) }));
            }
        });
    }
}

/// "All set": what will happen, on both clocks, and how to take it back.
#[component]
pub fn DoneLine(done: RwSignal<Option<Done>>) -> impl IntoView {
    let undo = ServerAction::<ChangeTask>::new();
    Done::follow(undo, "undo", done);
    view! {
        <div class="done" role="status">
            {move || done.get().map(|done| view! { <Line done=done undo=undo /> })}
        </div>
    }
}

#[component]
fn Line(done: Done, undo: ServerAction<ChangeTask>) -> impl IntoView {
    let words = ScheduleWords::here();
    let said = match done.verb.as_str() {
        "publish" => Some(words.done_publish()),
        "unpublish" => Some(words.done_unpublish()),
        "cancel" => Some(words.done_cancel()),
        "replace" => Some(words.done_replace()),
        "undo" => Some(words.done_undo()),
        _ => None,
    };
    let waits = done.task.clone().filter(|task| task.state == State::Scheduled && said.is_none());
    let next = waits.map(|task| {
        let when = moment(language(), task.due, visitor().zone(), live().now().get_untracked());
        match task.kind {
            Kind::ArticlePublish => words.will_publish(when),
            Kind::ArticleUnpublish => words.will_unpublish(when),
        }
    });
    view! {
        <p class="done-line">
            <strong>{words.all_set()}</strong>
            " "
            {said}
            {next}
        </p>
        {done.task.map(|task| view! { <UndoButton task=task action=undo /> })}
    }
}

/// Takes the last change back; there for ten seconds.
#[component]
fn UndoButton(task: TaskRow, action: ServerAction<ChangeTask>) -> impl IntoView {
    let words = ScheduleWords::here();
    let changed_at = task.undo.as_ref().map(|undo| undo.changed_at);
    let live = live();
    let left = Memo::new(move |_| {
        let age = live.now().get().since(changed_at?);
        let left = (limit::UNDO_OFFER_MS - age + 999) / 1_000;
        (left > 0).then_some(left)
    });
    let (id, seen) = (task.id.to_string(), task.version.0);
    move || {
        left.get().is_some().then(|| {
            let id = id.clone();
            view! {
                <Form action=action about=id.clone()>
                    <input type="hidden" name="id" value=id />
                    <input type="hidden" name="seen" value=seen />
                    <input type="hidden" name="what" value="undo" />
                    <button type="submit" class="button">
                        {words.undo()} " "
                        <span aria-hidden="true">{move || left.get().map(|left| format!("({left})"))}</span>
                    </button>
                </Form>
            }
        })
    }
}
