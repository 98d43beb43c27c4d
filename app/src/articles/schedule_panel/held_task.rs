//! Card of a publish that the review holds: an approval executes it at once.

use super::scheduled_task::ChangeButton;
use crate::{
    articles::{schedule_texts::ScheduleTexts, texts::ArticleTexts},
    tasks::{
        move_form::MoveInPlace,
        result::{LaterUndo, announce_change},
        server_fns::MoveTask,
        texts::TaskTexts,
    },
    ui::time::date_time::DateTime,
};
use domain::{article::Article, task::TaskRow};
use leptos::prelude::*;

/// The card. Nothing while no task is held.
#[component]
pub fn HeldTask(
    /// The article.
    article: Signal<Article>,
) -> impl IntoView {
    let held = Memo::new(move |_| {
        article.with(|article| article.row.held.clone().filter(|_| article.row.deleted.is_none()))
    });
    move || held.get().map(|task| view! { <Card task=task /> })
}

#[component]
fn Card(task: TaskRow) -> impl IntoView {
    let (texts, article_texts) = (ScheduleTexts::here(), ArticleTexts::here());
    let state = article_texts.held_because(task.reason.as_deref());
    let address = format!("/tasks/{}", task.id);
    let moving = ServerAction::<MoveTask>::new();
    announce_change(moving);
    let due = task.due;
    let actions = task.may_change.then(|| {
        let (dismissed, undo) = (task.clone(), task.clone());
        view! {
            <div class="row">
                <ChangeButton task=dismissed what="cancel" label=TaskTexts::here().dismiss() class="button bare" />
                <LaterUndo row=undo />
            </div>
            <MoveInPlace row=task action=moving name="move-held">{texts.reschedule_more()}</MoveInPlace>
        }
    });
    view! {
        <section class="scheduled-card">
            <h3>{state}</h3>
            <p>{article_texts.was_planned()} " " <DateTime at=due is_full=true /></p>
            {actions}
            <p><a href=address>{texts.history()}</a></p>
        </section>
    }
}
