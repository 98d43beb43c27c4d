//! The submit button of a form with a time field.

use super::{TimeInput, outer_form, time_input::Blocker};
use leptos::{ev, prelude::*};

/// The button names the time. With JavaScript it is disabled while the time is missing, past or
/// undecided; pressed nevertheless, it moves the focus to what must be changed.
#[component]
pub fn TimeSubmit(
    /// The input.
    input: TimeInput,
    /// Prefix of the ids.
    #[prop(into)]
    name: String,
    /// Label with the time.
    #[prop(into)]
    label: Signal<String>,
    /// Label without JavaScript.
    #[prop(into)]
    no_js: String,
) -> impl IntoView {
    let is_live = RwSignal::new(false);
    Effect::new(move |_| is_live.set(true));
    let blocker = input.blocker();
    let reason = format!("{name}-feedback");
    let outer = outer_form();
    view! {
        <button
            type="submit"
            class="button main"
            form=move || outer.get().map(|outer| outer.form)
            name=move || outer.get().map(|outer| outer.button.0)
            value=move || outer.get().map(|outer| outer.button.1)
            aria-disabled=move || (is_live.get() && blocker.get().is_some()).then_some("true")
            aria-describedby=reason
            on:click=move |event| stop_if_blocked(&event, input, blocker, &name)
        >
            <span class="js-only">{label}</span>
            <span class="no-js">{no_js}</span>
        </button>
    }
}

/// The button that Enter in a field presses: the first one of the form. Otherwise Enter would press
/// a button that chooses a time beside a gap.
#[component]
pub fn EnterSubmit(
    /// The input.
    input: TimeInput,
    /// Prefix of the ids.
    name: String,
) -> impl IntoView {
    let blocker = input.blocker();
    view! {
        <button
            type="submit"
            class="visually-hidden"
            tabindex="-1"
            aria-hidden="true"
            on:click=move |event| stop_if_blocked(&event, input, blocker, &name)
        ></button>
    }
}

fn stop_if_blocked(event: &ev::MouseEvent, input: TimeInput, blocker: Memo<Option<Blocker>>, name: &str) {
    if let Some(blocker) = blocker.get_untracked() {
        event.prevent_default();
        input.focus_blocker(name, blocker);
    }
}
