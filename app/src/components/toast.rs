//! The offer to take the last change back, for ten seconds.

use crate::{
    calls::tasks::{ChangeTask, find_task},
    form::Form,
    live::live,
    visitor::visitor,
    words::{language, task::TaskWords, time},
};
use domain::{
    limit::UNDO_OFFER_MS,
    task::{TaskRow, Undo},
};
use leptos::prelude::*;
use leptos_router::hooks::use_query_map;

/// The task that was changed last on this page.
#[derive(Clone, Copy)]
struct Last(RwSignal<Option<TaskRow>>);

/// Provides the place where changes are told. Called once, by the app.
pub fn provide() {
    provide_context(Last(RwSignal::new(None)));
}

/// Offers to take back each change this action makes.
pub fn offer<F>(action: ServerAction<F>)
where
    F: server_fn::ServerFn<Output = TaskRow, Error = crate::calls::Refused> + Clone + Send + Sync + 'static,
{
    let last = expect_context::<Last>().0;
    Effect::new(move |_| {
        if let Some(Ok(row)) = action.value().get() {
            last.set(Some(row));
        }
    });
}

/// Milliseconds the undo of a row is still offered; `None`: not any more.
#[must_use]
pub fn offered_for(undo: &Undo, now: domain::Timestamp) -> Option<i64> {
    let left = undo.changed_at.plus(UNDO_OFFER_MS).since(now).min(undo.until.since(now));
    (left > 0).then_some(left)
}

/// The offer. Without JavaScript the page after a change is asked to make it: `?changed=` and the task.
#[component]
pub fn Toast() -> impl IntoView {
    let last = expect_context::<Last>().0;
    let query = use_query_map();
    let asked = Resource::new(
        move || query.with(|query| query.get("changed")),
        |id| async move {
            match id {
                Some(id) => find_task(id).await.ok().map(|task| task.row),
                None => None,
            }
        },
    );
    view! {
        <div class="toasts" role="status">
            <Transition fallback=|| ()>
                // Untracked: only the page as it was opened asks.
                {move || untrack(move || Suspend::new(async move {
                    let asked = asked.await;
                    move || last.get().or_else(|| asked.clone()).map(|row| view! { <Offer row=row /> })
                }))}
            </Transition>
        </div>
    }
}

/// One offer; gone when its time is over.
#[component]
fn Offer(row: TaskRow) -> impl IntoView {
    let undo = row.undo.clone()?;
    let (words, now) = (TaskWords::here(), live().now());
    let left = Memo::new(move |_| offered_for(&undo, now.get()));
    let is_open = Memo::new(move |_| left.with(Option::is_some));
    let said = what_was_done(&row);
    let action = ServerAction::<ChangeTask>::new();
    let last = expect_context::<Last>().0;
    Effect::new(move |_| {
        if action.value().with(|value| matches!(value, Some(Ok(_)))) {
            last.set(None);
        }
    });
    let (id, seen) = (row.id.to_string(), row.version.0);
    Some(move || {
        let (id, said) = (id.clone(), said.clone());
        is_open.get().then(|| {
            view! {
                <div class="toast">
                    <p>{said}</p>
                    <Form action=action about=id.clone()>
                        <input type="hidden" name="id" value=id />
                        <input type="hidden" name="seen" value=seen />
                        <button class="button small" type="submit" name="what" value="undo">
                            {move || words.undo_for(left.get().unwrap_or(0).saturating_add(999) / 1_000)}
                        </button>
                    </Form>
                </div>
            }
        })
    })
}

/// What the last change of a task did, in a sentence.
fn what_was_done(row: &TaskRow) -> String {
    let words = TaskWords::here();
    let said = match row.undo.as_ref().map(|undo| undo.verb.as_str()) {
        Some("cancel") => words.was_cancelled().to_owned(),
        Some(verb @ ("schedule" | "reschedule")) => {
            let to = time::moment(language(), row.due, visitor().zone(), live().now().get_untracked());
            if verb == "schedule" { words.was_scheduled(to) } else { words.was_moved(to) }
        }
        Some("publish_now") => words.was_published().to_owned(),
        Some("unpublish") => words.was_unpublished().to_owned(),
        _ => words.was_changed().to_owned(),
    };
    format!("{} — {said}", row.title)
}
