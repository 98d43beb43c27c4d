//! What was just done, with a link to it, and the button that takes it back. It takes the focus, and holds its time while it is
//! focused by keys or hovered: that time is an animation of the stylesheet.

use crate::{
    calls::tasks::{ChangeTask, find_task},
    form::Form,
    live::live,
    visitor::visitor,
    words::{language, task::TaskWords, time},
};
use domain::{
    Kind, State, Timestamp,
    limit::UNDO_OFFER_MS,
    task::{TaskRow, Undo},
};
use leptos::{ev, html, prelude::*, tachys::html::node_ref::NodeRefContainer};
use leptos_router::hooks::use_query_map;
use wasm_bindgen::JsCast;

/// What the last change made, and the row that comes after the changed one.
#[derive(Clone, Copy)]
struct Last {
    row: RwSignal<Option<TaskRow>>,
    next: NodeRef<html::Li>,
}

/// Provides the place where changes are told. Called once, by the app.
pub fn provide() {
    provide_context(Last { row: RwSignal::new(None), next: NodeRef::new() });
}

/// Tells each change this action makes, and offers to take it back.
pub fn offer<F>(action: ServerAction<F>)
where
    F: server_fn::ServerFn<Output = TaskRow, Error = crate::calls::Refused> + Clone + Send + Sync + 'static,
{
    let last = expect_context::<Last>();
    Effect::new(move |_| {
        if let Some(Ok(row)) = action.value().get() {
            last.tell(row);
        }
    });
}

impl Last {
    fn tell(self, row: TaskRow) {
        let pressed = document().active_element().and_then(|pressed| pressed.closest("li").ok().flatten());
        let next = pressed.and_then(|li| li.next_element_sibling().or_else(|| li.previous_element_sibling()));
        if let Some(next) = next {
            self.next.load(&next);
        }
        self.row.set(Some(row));
    }

    /// Takes the toast away; a focus that it had goes to the row after the changed one, or to the page.
    fn close(self, toast: NodeRef<html::Div>) {
        let focused = document().active_element();
        let is_inside = toast.get_untracked().is_some_and(|toast| toast.contains(focused.as_deref()));
        self.row.set(None);
        if is_inside {
            let next = self.next.get_untracked().filter(|next| next.is_connected());
            let link = next.and_then(|next| next.query_selector("a").ok().flatten());
            let link = link.and_then(|link| link.dyn_into::<web_sys::HtmlElement>().ok());
            _ = link.or_else(|| live().main().get_untracked()).map(|place| place.focus());
        }
    }
}

/// Whether the undo of a row is still offered beside the change.
#[must_use]
pub fn is_offered(undo: &Undo, now: Timestamp) -> bool {
    undo.changed_at.plus(UNDO_OFFER_MS).min(undo.until) > now
}

/// Whether it would change what readers see.
#[must_use]
pub fn is_at_once(undo: &Undo) -> bool {
    matches!(undo.verb.as_str(), "publish_now" | "unpublish")
}

/// What was done last. Without JavaScript the page after a change is asked to tell it: `?changed=` and the task.
#[component]
pub fn Toast() -> impl IntoView {
    let last = expect_context::<Last>().row;
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
                    let asked = RwSignal::new(asked.await);
                    move || {
                        let row = last.get().or_else(|| asked.get());
                        row.map(|row| view! { <Offer row=row asked=asked /> })
                    }
                }))}
            </Transition>
        </div>
    }
}

/// One change.
#[component]
fn Offer(row: TaskRow, asked: RwSignal<Option<TaskRow>>) -> impl IntoView {
    let (words, last) = (TaskWords::here(), expect_context::<Last>());
    let action = ServerAction::<ChangeTask>::new();
    offer(action);
    let toast = NodeRef::<html::Div>::new();
    toast.on_load(|toast: web_sys::HtmlDivElement| _ = toast.focus());
    let close = move || {
        asked.set(None);
        last.close(toast);
    };
    let (said, is_final) = (what_was_done(&row), row.undo.is_none());
    let href = format!("/tasks/{}", row.id);
    view! {
        <div
            class="toast timed"
            class:is-final=is_final
            role="group"
            aria-label=words.last_change()
            tabindex="-1"
            autofocus=true
            node_ref=toast
            on:animationend=move |_| close()
            on:keydown=move |event: ev::KeyboardEvent| {
                if event.key() == "Escape" {
                    close();
                }
            }
        >
            <p><a href=href>{row.title.clone()}</a>" — "{said}</p>
            <UndoForm row=row action=action />
        </div>
    }
}

/// The button that takes the last change of a task back, named after the change. What readers see is not changed by it after
/// ten seconds: then the way to the button with that name stands there.
#[component]
pub fn UndoForm(
    /// The task.
    row: TaskRow,
    /// What takes it back.
    action: ServerAction<ChangeTask>,
) -> impl IntoView {
    let undo = row.undo?;
    let (words, now) = (TaskWords::here(), live().now());
    let label = words.undo_of(&undo.verb);
    let is_over = Memo::new(move |_| is_at_once(&undo) && !is_offered(&undo, now.get()));
    let (id, seen) = (row.id.to_string(), row.version.0);
    let article = format!("/articles/{}?view=moment", row.target_id);
    let other = if row.kind == Kind::ArticlePublish { words.unpublish() } else { words.publish() };
    Some(move || {
        if is_over.get() {
            return view! { <a class="button small" href=article.clone()>{other}</a> }.into_any();
        }
        let id = id.clone();
        view! {
            <Form action=action about=id.clone()>
                <input type="hidden" name="id" value=id />
                <input type="hidden" name="seen" value=seen />
                <button class="button small" type="submit" name="what" value="undo">{label}</button>
            </Form>
        }
        .into_any()
    })
}

/// What the last change of a task did, in a sentence.
fn what_was_done(row: &TaskRow) -> String {
    let words = TaskWords::here();
    let to = || time::moment(language(), row.due, visitor().zone(), live().now().get_untracked());
    match (row.undo.as_ref().map(|undo| undo.verb.as_str()), row.state) {
        (Some("reschedule"), _) => words.was_moved(to()),
        (Some("publish_now"), _) => words.was_published().to_owned(),
        (Some("unpublish"), _) => words.was_unpublished().to_owned(),
        (Some("replace_revision"), _) => words.was_changed().to_owned(),
        (_, State::Scheduled) => words.was_scheduled(to()),
        (_, State::Cancelled) => words.was_cancelled().to_owned(),
        (_, State::Executed) if row.kind == Kind::ArticleUnpublish => words.was_unpublished().to_owned(),
        (_, State::Executed) => words.was_published().to_owned(),
        _ => words.was_changed().to_owned(),
    }
}
