//! The bar with the last result, above the page at its lower edge. It takes the focus. Its time is a CSS animation that pauses on hover and focus.

use crate::{
    calendar::slots::gap::{CloseGap, find_gap, may_leave_gap},
    meetings::{
        result::{UndoMeeting, result_of_meeting},
        server_fns::{ChangedMeeting, find_meeting},
    },
    shell::result_of_words,
    tasks::{
        result::{UndoChange, result_of_change, result_of_start},
        server_fns::find_task,
    },
    ui::{
        form,
        result::{
            ActionResult, last_result,
            view::{ResultParts, ResultView},
            words::{ResultWords, result_words},
        },
        shortcut::{has_single_keys, typed_letter},
    },
};
use domain::{calendar::SlotGap, task::TaskRow};
use leptos::{ev, prelude::*};
use leptos_router::hooks::use_location;
use serde::{Deserialize, Serialize};
use wasm_bindgen::JsCast;

/// Provides what features show of a result. Called once, by the app.
pub fn provide() {
    provide_context(ResultParts {
        undo_task: |row| view! { <UndoChange row=row /> }.into_any(),
        undo_meeting: |row| view! { <UndoMeeting row=row /> }.into_any(),
        gap: |row, known| view! { <CloseGap row=row known=known /> }.into_any(),
        end: result_of_start,
    });
}

/// The last result. Without JavaScript, it is that of the form that led to the page.
#[component]
pub fn ResultBar() -> impl IntoView {
    let last = last_result();
    let words = result_words();
    let first = result_of_words::find();
    let is_refused = form::is_form_result();
    let changed = Resource::new(
        move || {
            let value = |name| words.with(|words| words.get(name)).filter(|_| !is_refused);
            (value("changed"), value("meeting"))
        },
        |(task, meeting)| find_changed(task, meeting),
    );
    press_undo_on_z();
    end_with_words();
    view! {
        <div class="results" role="status">
            <Transition fallback=|| ()>
                // Untracked: only the result with which the page was loaded counts.
                {move || {
                    let first = first.clone();
                    untrack(move || Suspend::new(async move {
                        let first = match changed.await {
                            Some(Changed::Task(row, gap)) => Some(ActionResult { gap, ..result_of_change(*row) }),
                            Some(Changed::Meeting(changed)) => Some(result_of_meeting(*changed)),
                            None => first,
                        };
                        // Each result is a new element, whose time begins again.
                        let current = Memo::new(move |was: Option<&(u32, Option<ActionResult>)>| {
                            let of_page = || first.clone().filter(|_| !last.is_page_over.get());
                            (was.map_or(0, |was| was.0 + 1), last.shown.get().or_else(of_page))
                        });
                        let each = move || {
                            let (number, result) = current.get();
                            result.map(|result| (number, result))
                        };
                        view! {
                            <For each=each key=|(number, _)| *number children=move |(_, result)| {
                                view! { <ResultView result=result /> }
                            } />
                        }
                    }))
                }}
            </Transition>
        </div>
    }
}

/// The result with which the page was loaded ends with the next action there: then its words are gone.
fn end_with_words() {
    let (path, words, last) = (use_location().pathname, result_words(), last_result());
    let named = Memo::new(move |_| (path.get(), !words.with(ResultWords::is_empty)));
    let end = move |now: &(String, bool), before: Option<&(String, bool)>, _: Option<()>| {
        if before.is_some_and(|(path, was_named)| *was_named && *path == now.0) && !now.1 {
            last.is_page_over.set(true);
        }
    };
    Effect::watch(move || named.get(), end, false);
}

/// What the words name as changed.
#[derive(Debug, Clone, Serialize, Deserialize)]
enum Changed {
    Task(Box<TaskRow>, Option<SlotGap>),
    Meeting(Box<ChangedMeeting>),
}

/// Finds what was changed: a task by its id, or a meeting by what was done, a dot and its id.
async fn find_changed(task: Option<String>, meeting: Option<String>) -> Option<Changed> {
    if let Some(id) = task {
        let row = find_task(id).await.ok()?.row;
        let gap = if may_leave_gap(&row) { find_gap(row.id).await.ok().flatten() } else { None };
        return Some(Changed::Task(Box::new(row), gap));
    }
    let value = meeting?;
    let (what, id) = value.rsplit_once('.')?;
    let row = find_meeting(id.to_owned()).await.ok()?.row;
    Some(Changed::Meeting(Box::new(ChangedMeeting { row, what: what.to_owned() })))
}

/// The key Z presses the first undo button of the page: that of the last result, else that of the
/// task or article. Not while the user types.
fn press_undo_on_z() {
    if !has_single_keys() {
        return;
    }
    Effect::new(move |_| {
        let handle = window_event_listener(ev::keydown, |event| {
            if typed_letter(&event) != Some('z') {
                return;
            }
            let button = document().query_selector("[data-undo]").ok().flatten();
            if let Some(button) = button.and_then(|button| button.dyn_into::<web_sys::HtmlElement>().ok()) {
                event.prevent_default();
                button.click();
            }
        });
        on_cleanup(move || handle.remove());
    });
}
