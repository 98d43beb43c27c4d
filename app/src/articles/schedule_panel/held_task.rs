//! Card of a publish that the review holds: an approval executes it at once.

use super::scheduled_task::ChangeButton;
use crate::{
    tasks::{
        move_form::MoveInPlace,
        result::{LaterUndo, announce_change},
        server_fns::MoveTask,
    },
    ui::time::date_time::DateTime,
};
use domain::{
    ArticleId,
    article::Article,
    task::{TaskRow, reason::WORDS_BLOCK},
};
use leptos::prelude::*;
use texts::{
    articles::{ArticleTexts, schedule::ScheduleTexts},
    review::ReviewTexts,
    tasks::TaskTexts,
};

/// The card. Nothing while no task is held.
#[component]
pub fn HeldTask(
    /// The article.
    article: Signal<Article>,
) -> impl IntoView {
    let held = Memo::new(move |_| {
        article.with(|article| article.row.held.clone().filter(|_| article.row.deleted.is_none()))
    });
    let way = Memo::new(move |_| article.with(HeldChoice::of));
    move || held.get().map(|task| view! { <Card task=task way=way /> })
}

/// How a held article is published.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct HeldChoice {
    /// Label of the button that publishes it now; `None`: it must be approved before.
    publish: Option<&'static str>,
    /// What must be done.
    hint: Option<&'static str>,
    /// The article, if a reviewer can decide.
    review: Option<ArticleId>,
}

impl HeldChoice {
    fn of(article: &Article) -> Self {
        let texts = ScheduleTexts::here();
        let open = article.review.as_ref().filter(|review| review.state.is_open());
        let held = article.row.held.as_ref().and_then(|task| task.reason.as_deref());
        let hint = match open {
            Some(_) if held == Some(WORDS_BLOCK) => Some(texts.held_mend()),
            Some(_) => Some(texts.held_waits()),
            None if article.workflow.reviewers() > 0 && article.approved.is_none() => Some(texts.held_mend()),
            None => None,
        };
        let publish = match (article.approved, open, hint) {
            (Some(_), None, _) => Some(texts.publish_approved()),
            (Some(_), Some(_), _) => Some(TaskTexts::here().retry()),
            (None, None, None) => Some(texts.publish_now()),
            (None, ..) => None,
        };
        Self { publish, hint, review: open.map(|review| review.article_id) }
    }
}

#[component]
fn Card(task: TaskRow, way: Memo<HeldChoice>) -> impl IntoView {
    let (texts, article_texts) = (ScheduleTexts::here(), ArticleTexts::here());
    let state = article_texts.held_because(task.reason.as_deref());
    let address = format!("/tasks/{}", task.id);
    let moving = ServerAction::<MoveTask>::new();
    announce_change(moving);
    let due = task.due;
    let actions = task.may_change.then(|| {
        let (dismissed, undo, retried) = (task.clone(), task.clone(), task.clone());
        let publish = move || {
            let task = retried.clone();
            let label = way.get().publish;
            label.map(|label| view! { <ChangeButton task=task what="retry" label=label class="button" /> })
        };
        view! {
            <div class="row">
                {publish}
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
            {move || way.get().hint.map(|hint| view! { <p>{hint}</p> })}
            {actions}
            {move || way.get().review.map(|id| view! {
                <p><a href=format!("/review/{id}")>{ReviewTexts::here().open_review()}</a></p>
            })}
            <p><a href=address>{texts.history()}</a></p>
        </section>
    }
}
