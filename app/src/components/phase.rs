//! The state of a task: icon and word, never colour alone.

use super::icon::Icon;
use crate::{live::live, words::task::TaskWords};
use domain::task::{Phase, TaskRow};
use leptos::prelude::*;

/// The icon of a state. The word of the state is its name.
#[must_use]
pub const fn icon_of(phase: Phase) -> &'static str {
    phase.as_str()
}

/// Where a task stands now; turns to *due* by itself when its moment comes.
#[component]
pub fn PhaseMark(
    /// The task.
    row: TaskRow,
) -> impl IntoView {
    let (now, words, kind) = (live().now(), TaskWords::here(), row.kind);
    let phase = Memo::new(move |_| row.phase(now.get()));
    view! {
        <span class="phase" data-phase=move || phase.get().as_str()>
            {move || view! { <Icon name=icon_of(phase.get()) /> }}
            {move || words.phase(phase.get(), kind)}
        </span>
    }
}
