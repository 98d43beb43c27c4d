//! The state of a task as icon and text.

use crate::{live::live, ui::icon::Icon};
use domain::task::{Phase, TaskRow};
use leptos::prelude::*;
use texts::tasks::TaskTexts;

/// Name of the icon of a state: the name of the state.
#[must_use]
pub const fn icon_of(phase: Phase) -> &'static str {
    phase.as_str()
}

/// Current state of a task. Changes to *due* when the due time passes.
#[component]
pub fn PhaseMark(
    /// The task.
    row: TaskRow,
) -> impl IntoView {
    let (now, texts, kind) = (live().now(), TaskTexts::here(), row.kind);
    let phase = Memo::new(move |_| row.phase(now.get()));
    view! {
        <span class="phase" data-phase=move || phase.get().as_str()>
            {move || view! { <Icon name=icon_of(phase.get()) /> }}
            {move || texts.phase(phase.get(), kind)}
        </span>
    }
}
