//! The result of an action as it is shown.

use crate::{
    live::live,
    ui::{
        form::PlainForm,
        icon::Icon,
        result::{ActionResult, ResultLink, Undo, UndoForm, last_result},
        shortcut::{has_single_keys, single_key},
    },
};
use domain::{calendar::SlotGap, meetings::MeetingRow, task::TaskRow};
use leptos::{ev, html, prelude::*};
use leptos_router::hooks::use_location;
use texts::layout::LayoutTexts;

/// The parts of a result that features show: the layout provides them as context.
#[derive(Clone, Copy)]
pub struct ResultParts {
    /// The undo of a change of a task.
    pub undo_task: fn(TaskRow) -> AnyView,
    /// The undo of a change of a meeting.
    pub undo_meeting: fn(MeetingRow) -> AnyView,
    /// The way to close the posting slot that a task left, if it left one; known already, or to be found.
    pub gap: fn(TaskRow, Option<SlotGap>) -> AnyView,
    /// The result of a task that was started, once it is done.
    pub end: fn(TaskRow) -> Signal<Option<ActionResult>>,
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
    let parts = use_context::<ResultParts>();
    let gap = match (&result.undo, parts) {
        (Some(Undo::Task(row)), Some(parts)) => Some((parts.gap)((**row).clone(), result.gap)),
        _ => None,
    };
    let end = result.started.zip(parts).map(|(row, parts)| (parts.end)(*row));
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
            {result.undo.zip(parts).map(|(undo, parts)| undo_view(undo, parts))}
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

fn undo_view(undo: Undo, parts: ResultParts) -> AnyView {
    match undo {
        Undo::Task(row) => (parts.undo_task)(*row),
        Undo::Meeting(row) => (parts.undo_meeting)(*row),
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

/// A button that undoes something. The key Z presses the first one of the page.
#[component]
pub fn UndoButton(
    /// Its label.
    label: &'static str,
) -> impl IntoView {
    view! {
        <button class="button small" type="submit" data-undo="" aria-keyshortcuts=single_key("Z")>
            {label}{has_single_keys().then(|| view! { <kbd class="needs-js" aria-hidden="true">"Z"</kbd> })}
        </button>
    }
}
