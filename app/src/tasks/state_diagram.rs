//! State diagram of a task: scheduled and the four end states.

use crate::tasks::texts::TaskTexts;
use domain::{
    Kind, State,
    task::{Phase, Task},
};
use leptos::prelude::*;

/// The boxes: state and centre.
const BOXES: [(Phase, i32, i32); 5] = [
    (Phase::Scheduled, 90, 110),
    (Phase::Executed, 480, 35),
    (Phase::Failed, 480, 85),
    (Phase::Missed, 480, 135),
    (Phase::Cancelled, 480, 185),
];

/// The diagram, with the path of this task.
#[component]
pub fn StateDiagram(
    /// The task.
    task: Task,
    /// Current state.
    #[prop(into)]
    phase: Signal<Phase>,
) -> impl IntoView {
    let (texts, kind) = (TaskTexts::here(), task.row.kind);
    let visited = visited(&task);
    let lines: Vec<_> = BOXES[1..]
        .iter()
        .map(|(end, x, y)| {
            let is_visited = visited.contains(&end.as_str());
            let line = format!("M150 110C290 110 290 {y} {} {y}", x - 70);
            view! { <path d=line class:is-visited=is_visited /> }
        })
        .collect();
    let boxes: Vec<_> = BOXES
        .iter()
        .map(|(state, x, y)| {
            let is_visited = visited.contains(&state.as_str());
            view! { <StateBox state=*state x=*x y=*y is_visited=is_visited phase=phase kind=kind /> }
        })
        .collect();
    view! {
        <svg class="state-diagram" viewBox="0 0 580 220" role="img"
            aria-label=move || texts.diagram_alt(texts.phase(phase.get(), kind).to_owned())>
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
    is_visited: bool,
    phase: Signal<Phase>,
    kind: Kind,
) -> impl IntoView {
    let texts = TaskTexts::here();
    let shown = move || match (state, phase.get()) {
        (Phase::Scheduled, Phase::Due) => Phase::Due,
        _ => state,
    };
    let is_current = move || shown() == phase.get();
    view! {
        <g class="state-box" class:is-visited=is_visited class:is-current=is_current data-phase=move || shown().as_str()>
            <rect x=x - 70 y=y - 19 width="140" height="38" rx="4" />
            <text x=x y=y>{move || texts.phase(shown(), kind)}</text>
        </g>
    }
}

/// Returns every state the task has been in, from its timeline.
fn visited(task: &Task) -> Vec<&str> {
    let mut all = vec![State::Scheduled.as_str(), task.row.state.as_str()];
    all.extend(task.timeline.iter().filter_map(|event| event.to_state.as_deref()));
    all
}
