//! The bar with the last result, above the page at its lower edge. It takes the focus. Its time is a CSS animation that pauses on hover and focus.

use crate::{
    calendar::slots::gap::{CloseGap, find_gap, may_leave_gap},
    live::live,
    meetings::{
        result::{UndoMeeting, result_of_meeting},
        server_fns::{ChangedMeeting, find_meeting},
    },
    shell::{result_of_url, texts::LayoutTexts},
    tasks::{
        result::{UndoButton, UndoChange, result_of_change, result_of_start},
        server_fns::find_task,
    },
    ui::{
        action_result::{ActionResult, ResultLink, Undo, UndoForm, last_result},
        form::{self, PlainForm},
        icon::Icon,
        shortcut::{has_single_keys, typed_letter},
    },
};
use domain::{calendar::SlotGap, task::TaskRow};
use leptos::{ev, html, prelude::*};
use leptos_router::hooks::{use_location, use_query_map};
use serde::{Deserialize, Serialize};
use wasm_bindgen::JsCast;

/// The last result. Without JavaScript, the URL of the page names it.
#[component]
pub fn ResultBar() -> impl IntoView {
    let last = last_result();
    let query = use_query_map();
    let first = result_of_url::find();
    let is_refused = form::is_form_result();
    let changed = Resource::new(
        move || {
            let value = |name| query.with(|query| query.get(name)).filter(|_| !is_refused);
            (value("changed"), value("meeting"))
        },
        |(task, meeting)| find_changed(task, meeting),
    );
    press_undo_on_z();
    view! {
        <div class="results" role="status">
            <Transition fallback=|| ()>
                // Untracked: only the first URL of the page counts.
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
                            let of_url = || first.clone().filter(|_| !last.is_url_over.get());
                            (was.map_or(0, |was| was.0 + 1), last.shown.get().or_else(of_url))
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

/// What the URL names as changed.
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

/// A result: sentence, undo and link, in the order of the Tab key.
#[component]
pub fn ResultView(
    /// The result.
    result: ActionResult,
) -> impl IntoView {
    let (texts, last, main) = (LayoutTexts::here(), last_result(), live().main());
    let bar = NodeRef::<html::Div>::new();
    bar.on_load(|bar: web_sys::HtmlDivElement| _ = bar.focus());
    let close = move || last.close(bar, main);
    let is_of_url = last.shown.with_untracked(Option::is_none);
    let is_final = result.undo.is_none() && !result.is_warning;
    let path = use_location().pathname;
    let gap = match &result.undo {
        Some(Undo::Task(row)) => Some(view! { <CloseGap row=(**row).clone() known=result.gap /> }),
        _ => None,
    };
    let end = result.started.map(|row| result_of_start(*row));
    let end = Memo::new(move |_| end.and_then(|end| end.get()));
    let is_warning = move || end.with(|end| end.as_ref().map_or(result.is_warning, |end| end.is_warning));
    let icon = move || view! { <Icon name=if is_warning() { "attention" } else { "check" } /> };
    let sentence = result.sentence;
    let sentence =
        move || end.with(|end| end.as_ref().map_or_else(|| sentence.clone(), |end| end.sentence.clone()));
    let link = result.link;
    let link = move || {
        let link = end.with(|end| end.as_ref().map_or_else(|| link.clone(), |end| end.link.clone()));
        link.map(|link| view! { <Link link=link path=path /> })
    };
    view! {
        <div
            class="result timed"
            class:is-final=is_final
            class:is-of-url=is_of_url
            class:warn=is_warning
            role="group"
            aria-label=texts.last_result()
            tabindex="-1"
            autofocus=true
            node_ref=bar
            on:animationend=move |_| close()
            on:keydown=move |event: ev::KeyboardEvent| {
                if event.key() == "Escape" {
                    close();
                }
            }
        >
            {icon}
            <p>{sentence}</p>
            {result.undo.map(undo_view)}
            {gap}
            {link}
            <button class="button bare small needs-js" type="button" aria-label=texts.close() on:click=move |_| close()>
                <Icon name="cross" />
            </button>
        </div>
    }
}

/// The link of a result. Hidden on the page to which it leads.
#[component]
fn Link(link: ResultLink, path: Memo<String>) -> impl IntoView {
    let ResultLink { href, label, is_external } = link;
    move || {
        let href = href.clone();
        let is_here = path.with(|path| *path == href);
        (!is_here).then(|| view! { <a href=href rel=is_external.then_some("external")>{label}</a> })
    }
}

fn undo_view(undo: Undo) -> AnyView {
    match undo {
        Undo::Task(row) => view! { <UndoChange row=*row /> }.into_any(),
        Undo::Meeting(row) => view! { <UndoMeeting row=*row /> }.into_any(),
        Undo::Form(UndoForm { function, fields, label }) => {
            let inputs = fields
                .into_iter()
                .map(|(name, value)| view! { <input type="hidden" name=name value=value /> });
            view! {
                <PlainForm function=function class="inline">
                    {inputs.collect_view()}
                    <UndoButton label=label />
                </PlainForm>
            }
            .into_any()
        }
    }
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
