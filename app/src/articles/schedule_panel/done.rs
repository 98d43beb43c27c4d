//! The last action in the schedule panel, with its undo.

use crate::{
    articles::schedule_texts::ScheduleTexts,
    live::live,
    server_fns::Refused,
    shell::session::visitor,
    tasks::server_fns::ChangeTask,
    texts::{language, time::moment},
    ui::toast::UndoForm,
};
use domain::{Kind, State, task::TaskRow};
use leptos::{html, prelude::*};
use server_fn::ServerFn;

/// A successful change.
#[derive(Debug, Clone, PartialEq)]
pub struct Done {
    /// `schedule`, `move`, `publish`, `unpublish`, `cancel`, `replace`, `undo`.
    pub verb: String,
    /// The task after the change, if known.
    pub task: Option<TaskRow>,
}

impl Done {
    /// Records each success of an action under this verb.
    pub fn record<F>(action: ServerAction<F>, verb: &'static str, done: RwSignal<Option<Self>>)
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

/// Describes the last change and offers its undo. Takes the focus.
#[component]
pub fn DoneMessage(done: RwSignal<Option<Done>>) -> impl IntoView {
    let undo = ServerAction::<ChangeTask>::new();
    Done::record(undo, "undo", done);
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
    let texts = ScheduleTexts::here();
    let message = match done.verb.as_str() {
        "publish" => Some(texts.done_publish()),
        "unpublish" => Some(texts.done_unpublish()),
        "cancel" => Some(texts.done_cancel()),
        "replace" => Some(texts.done_replace()),
        "undo" => Some(texts.done_undo()),
        _ => None,
    };
    let waits = done.task.clone().filter(|task| task.state == State::Scheduled && message.is_none());
    let next = waits.map(|task| {
        let when = moment(language(), task.due, visitor().zone(), live().now().get_untracked());
        match task.kind {
            Kind::ArticlePublish | Kind::Other(_) => texts.will_publish(when),
            Kind::ArticleUnpublish => texts.will_unpublish(when),
        }
    });
    let message = message.or_else(|| next.is_none().then(|| texts.done()));
    view! {
        <p class="done-line"><strong>{message}{next}</strong></p>
        {done.task.map(|task| view! { <Outcome task=task undo=undo /> })}
    }
}

/// Link to the task, and for ten seconds the undo button.
#[component]
fn Outcome(task: TaskRow, undo: ServerAction<ChangeTask>) -> impl IntoView {
    let is_offered = RwSignal::new(task.undo.is_some());
    let address = format!("/tasks/{}", task.id);
    view! {
        <p><a href=address>{ScheduleTexts::here().view()}</a></p>
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
