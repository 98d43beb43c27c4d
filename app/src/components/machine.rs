//! The life of a task as a picture: scheduled, and the four ways it can end.

use crate::words::task::TaskWords;
use domain::{
    Kind, State,
    task::{Phase, Task},
};
use leptos::prelude::*;

/// One box: its state and its place.
const BOXES: [(Phase, i32, i32); 5] = [
    (Phase::Scheduled, 90, 110),
    (Phase::Executed, 480, 35),
    (Phase::Failed, 480, 85),
    (Phase::Missed, 480, 135),
    (Phase::Cancelled, 480, 185),
];

/// The state machine, with the way this task went.
#[component]
pub fn Machine(
    /// The task.
    task: Task,
    /// Where it stands now.
    #[prop(into)]
    phase: Signal<Phase>,
) -> impl IntoView {
    let (words, kind) = (TaskWords::here(), task.row.kind);
    let reached = reached(&task);
    let lines: Vec<_> = BOXES[1..]
        .iter()
        .map(|(end, x, y)| {
            let is_walked = reached.contains(&end.as_str());
            let line = format!("M150 110C290 110 290 {y} {} {y}", x - 70);
            view! { <path d=line class:walked=is_walked /> }
        })
        .collect();
    let boxes: Vec<_> = BOXES
        .iter()
        .map(|(state, x, y)| {
            let is_reached = reached.contains(&state.as_str());
            view! { <StateBox state=*state x=*x y=*y is_reached=is_reached phase=phase kind=kind /> }
        })
        .collect();
    view! {
        <svg class="machine" viewBox="0 0 580 220" role="img"
            aria-label=move || words.machine_alt(words.phase(phase.get(), kind).to_owned())>
            {lines}
            {boxes}
        </svg>
    }
}

#[component]
fn StateBox(
    state: Phase,
    x: i32,
    y: i32,
    is_reached: bool,
    phase: Signal<Phase>,
    kind: Kind,
) -> impl IntoView {
    let words = TaskWords::here();
    let shown = move || match (state, phase.get()) {
        (Phase::Scheduled, Phase::Due) => Phase::Due,
        _ => state,
    };
    let is_current = move || shown() == phase.get();
    view! {
        <g class="machine-box" class:reached=is_reached class:current=is_current data-phase=move || shown().as_str()>
            <rect x=x - 70 y=y - 19 width="140" height="38" rx="4" />
            <text x=x y=y>{move || words.phase(shown(), kind)}</text>
        </g>
    }
}

/// Every state the task has been in, from its timeline; it begins as scheduled.
fn reached(task: &Task) -> Vec<&str> {
    let mut all = vec![State::Scheduled.as_str(), task.row.state.as_str()];
    all.extend(task.timeline.iter().filter_map(|event| event.to_state.as_deref()));
    all
}
