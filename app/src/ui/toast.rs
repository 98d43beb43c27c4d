//! Toast with the last change, a link to its task, and undo. It takes the focus. Its time is a CSS
//! animation that pauses on hover and keyboard focus.

use crate::{
    live::live,
    shell::session::visitor,
    tasks::{
        server_fns::{ChangeTask, find_task},
        texts::TaskTexts,
    },
    texts::{language, time},
    ui::form::Form,
};
use domain::{
    Kind, State, Timestamp,
    input_limits::UNDO_OFFER_MS,
    task::{TaskRow, UndoOffer},
};
use leptos::{ev, html, prelude::*, tachys::html::node_ref::NodeRefContainer};
use leptos_router::hooks::use_query_map;
use wasm_bindgen::JsCast;

/// The last change, and the list item after the changed one.
#[derive(Clone, Copy)]
struct LastChange {
    row: RwSignal<Option<TaskRow>>,
    next: NodeRef<html::Li>,
}

/// Provides the state of the toast. Called once, by the app.
pub fn provide() {
    provide_context(LastChange { row: RwSignal::new(None), next: NodeRef::new() });
}

/// Shows each success of this action in the toast, with undo.
pub fn offer<F>(action: ServerAction<F>)
where
    F: server_fn::ServerFn<Output = TaskRow, Error = crate::server_fns::Refused>
        + Clone
        + Send
        + Sync
        + 'static,
{
    let last = expect_context::<LastChange>();
    Effect::new(move |_| {
        if let Some(Ok(row)) = action.value().get() {
            last.show(row);
        }
    });
}

impl LastChange {
    fn show(self, row: TaskRow) {
        let pressed = document().active_element().and_then(|pressed| pressed.closest("li").ok().flatten());
        let next = pressed.and_then(|li| li.next_element_sibling().or_else(|| li.previous_element_sibling()));
        if let Some(next) = next {
            self.next.load(&next);
        }
        self.row.set(Some(row));
    }

    /// Closes the toast. If it had the focus, the focus moves to the next list item, or to the
    /// page.
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

/// Whether undo is still offered in the toast.
#[must_use]
pub fn is_offered(undo: &UndoOffer, now: Timestamp) -> bool {
    undo.changed_at.plus(UNDO_OFFER_MS).min(undo.until) > now
}

/// Whether undo would change the public site.
#[must_use]
pub fn changes_site(undo: &UndoOffer) -> bool {
    matches!(undo.verb.as_str(), "publish_now" | "unpublish")
}

/// The toast. Without JavaScript, the URL parameter `changed` names the task.
#[component]
pub fn Toast() -> impl IntoView {
    let last = expect_context::<LastChange>().row;
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
                // Untracked: only the first URL of the page counts.
                {move || untrack(move || Suspend::new(async move {
                    let asked = RwSignal::new(asked.await);
                    move || {
                        let row = last.get().or_else(|| asked.get());
                        row.map(|row| view! { <ChangeNotice row=row asked=asked /> })
                    }
                }))}
            </Transition>
        </div>
    }
}

/// One change.
#[component]
fn ChangeNotice(row: TaskRow, asked: RwSignal<Option<TaskRow>>) -> impl IntoView {
    let (texts, last) = (TaskTexts::here(), expect_context::<LastChange>());
    let action = ServerAction::<ChangeTask>::new();
    offer(action);
    let toast = NodeRef::<html::Div>::new();
    toast.on_load(|toast: web_sys::HtmlDivElement| _ = toast.focus());
    let close = move || {
        asked.set(None);
        last.close(toast);
    };
    let (message, is_final) = (what_was_done(&row), row.undo.is_none());
    let href = format!("/tasks/{}", row.id);
    view! {
        <div
            class="toast timed"
            class:is-final=is_final
            role="group"
            aria-label=texts.last_change()
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
            <p><a href=href>{row.title.clone()}</a>" — "{message}</p>
            <UndoForm row=row action=action />
        </div>
    }
}

/// The undo button. If undo would change the public site, it is replaced after ten seconds by a
/// link to the explicit action.
#[component]
pub fn UndoForm(
    /// The task.
    row: TaskRow,
    /// The action that undoes it.
    action: ServerAction<ChangeTask>,
) -> impl IntoView {
    let undo = row.undo?;
    let (texts, now) = (TaskTexts::here(), live().now());
    let label = texts.undo_of(&undo.verb);
    let is_over = Memo::new(move |_| changes_site(&undo) && !is_offered(&undo, now.get()));
    let (id, seen) = (row.id.to_string(), row.version.0);
    let article = format!("/articles/{}?view=schedule", row.target_id);
    let other = if row.kind == Kind::ArticlePublish { texts.unpublish() } else { texts.publish() };
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

/// Describes the last change of a task.
fn what_was_done(row: &TaskRow) -> String {
    let texts = TaskTexts::here();
    let to = || time::moment(language(), row.due, visitor().zone(), live().now().get_untracked());
    match (row.undo.as_ref().map(|undo| undo.verb.as_str()), row.state) {
        (Some("reschedule"), _) => texts.was_rescheduled(to()),
        (Some("publish_now"), _) => texts.was_published().to_owned(),
        (Some("unpublish"), _) => texts.was_unpublished().to_owned(),
        (Some("replace_revision"), _) => texts.was_changed().to_owned(),
        (_, State::Scheduled) => texts.was_scheduled(to()),
        (_, State::Cancelled) => texts.was_cancelled().to_owned(),
        (_, State::Executed) if row.kind == Kind::ArticleUnpublish => texts.was_unpublished().to_owned(),
        (_, State::Executed) => texts.was_published().to_owned(),
        _ => texts.was_changed().to_owned(),
    }
}
