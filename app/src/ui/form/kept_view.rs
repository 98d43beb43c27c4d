//! Keeps what a user types while what the form is about changes.

use crate::ui::result::last_result;
use leptos::{ev, prelude::*};
use texts::layout::LayoutTexts;
use wasm_bindgen::JsCast;
use web_sys::Element;

/// Shows a value, and shows it again when it changes; not while a form inside has input that was not
/// sent. Then a line says that there are changes, and a button shows them. A success ends the wait.
#[component]
pub fn KeptView<T, V, F>(
    /// The value.
    latest: Memo<T>,
    /// View of the value.
    children: F,
) -> impl IntoView
where
    T: Clone + PartialEq + Send + Sync + 'static,
    V: IntoView + 'static,
    F: Fn(T) -> V + Send + Sync + 'static,
{
    let is_typed = RwSignal::new(false);
    let shown = Memo::new(move |last: Option<&T>| match last {
        Some(last) if is_typed.get() => last.clone(),
        _ => latest.get(),
    });
    let last = last_result();
    Effect::new(move |_| {
        if last.shown.with(Option::is_some) {
            is_typed.set(false);
        }
    });
    let is_behind =
        Memo::new(move |_| is_typed.get() && latest.with(|latest| shown.with(|shown| shown != latest)));
    view! {
        <div
            class="kept-view"
            on:input=move |event| is_typed.set(is_typed.get_untracked() || is_in_form(&event))
            on:click=move |event| is_typed.set(is_typed.get_untracked() || is_choice(&event))
        >
            <div role="status">{move || is_behind.get().then(|| view! { <Changes is_typed=is_typed /> })}</div>
            {move || children(shown.get()).into_any()}
        </div>
    }
}

/// That there are changes, and the button that shows them.
#[component]
fn Changes(is_typed: RwSignal<bool>) -> impl IntoView {
    let texts = LayoutTexts::here();
    view! {
        <div class="notice warn row">
            <p>{texts.changed_meanwhile()}</p>
            <button class="button small" type="button" on:click=move |_| is_typed.set(false)>{texts.show_changes()}</button>
        </div>
    }
}

/// Whether it happened in a form that changes something.
fn is_in_form(event: &ev::Event) -> bool {
    let target = event_target::<Element>(event);
    target.closest("form[method=post]").is_ok_and(|form| form.is_some())
}

/// Whether it is a value that is chosen by a button: a day, a city or a proposed time.
fn is_choice(event: &ev::MouseEvent) -> bool {
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    let button =
        "form[method=post] button[type=button], form[method=post] [role=option], .time-presets button";
    target.is_some_and(|target| target.closest(button).is_ok_and(|found| found.is_some()))
}
