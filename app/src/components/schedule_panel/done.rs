//! What has just been done, with the way back.

use crate::{
    calls::{Refused, tasks::ChangeTask},
    components::toast::UndoForm,
    live::live,
    visitor::visitor,
    words::{language, schedule::ScheduleWords, time::moment},
};
use domain::{Kind, State, task::TaskRow};
use leptos::{html, prelude::*};
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

/// "All set": what will happen, on both clocks, and how to take it back. It takes the focus.
#[component]
pub fn DoneLine(done: RwSignal<Option<Done>>) -> impl IntoView {
    let undo = ServerAction::<ChangeTask>::new();
    Done::follow(undo, "undo", done);
    let place = NodeRef::<html::Div>::new();
    Effect::new(move |was: Option<()>| {
        if let (Some(()), true, Some(place)) = (was, done.with(Option::is_some), place.get_untracked()) {
            _ = place.focus();
        }
    });
    let is_first = done.with_untracked(Option::is_some);
    view! {
        <div class="done" role="status" tabindex="-1" autofocus=is_first node_ref=place>
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
        {done.task.map(|task| view! { <Outcome task=task undo=undo /> })}
    }
}

/// The way to what was done, and for ten seconds the button that takes it back.
#[component]
fn Outcome(task: TaskRow, undo: ServerAction<ChangeTask>) -> impl IntoView {
    let is_offered = RwSignal::new(task.undo.is_some());
    let address = format!("/tasks/{}", task.id);
    view! {
        <p><a href=address>{ScheduleWords::here().see_it()}</a></p>
        {move || is_offered.get().then(|| {
            let task = task.clone();
            view! {
                <div class="timed" on:animationend=move |_| is_offered.set(false)>
                    <UndoForm row=task action=undo />
                </div>
            }
        })}
    }
}
