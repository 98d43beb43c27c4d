//! The states of a task in one line. Failed, missed and cancelled appear only if they happened and
//! were not undone.

use crate::{
    live::live,
    tasks::phase::icon_of,
    ui::{icon::Icon, time::date_time::DateTime},
};
use domain::{
    LocalizedTime, State,
    task::{Phase, Task},
};
use leptos::prelude::*;
use texts::tasks::TaskTexts;

/// One state of the strip.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Step {
    phase: Phase,
    /// When it was reached, or will be; `None`: not shown.
    at: Option<LocalizedTime>,
    is_reached: bool,
}

/// The strip.
#[component]
pub fn StateStrip(
    /// The task.
    task: Task,
) -> impl IntoView {
    let (texts, now, kind) = (TaskTexts::here(), live().now(), task.row.kind);
    let steps = Memo::new(move |_| steps(&task, task.row.phase(now.get())));
    let items = move || {
        let steps = steps.get();
        let current = steps.iter().rposition(|step| step.is_reached);
        let item = |(place, step): (usize, Step)| {
            let is_current = current == Some(place);
            view! {
                <li class:is-reached=step.is_reached aria-current=is_current.then_some("step") data-phase=step.phase.as_str()>
                    <Icon name=icon_of(step.phase) />
                    <span>{texts.phase(step.phase, kind)}</span>
                    {step.at.map(|at| view! { <DateTime at=at /> })}
                </li>
            }
        };
        steps.into_iter().enumerate().map(item).collect_view()
    };
    view! { <ol class="state-strip" aria-label=texts.status()>{items}</ol> }
}

/// Returns the states that the task has been in and, while it waits, those to come.
fn steps(task: &Task, phase: Phase) -> Vec<Step> {
    let row = &task.row;
    let reached = |phase, at| Step { phase, at, is_reached: true };
    let mut steps = vec![reached(Phase::Scheduled, Some(task.created))];
    let ended = |event: &&domain::event::Event| match event.to_state.as_deref() {
        Some("failed") => Some(Phase::Failed),
        Some("missed") => Some(Phase::Missed),
        _ => None,
    };
    let mut past: Vec<Step> =
        task.timeline.iter().filter_map(|event| Some(reached(ended(&event)?, Some(event.at)))).collect();
    // The current state comes last, after *due*.
    let current = past.pop_if(|step| step.phase == phase);
    steps.append(&mut past);
    let is_due = phase != Phase::Scheduled;
    let due = Step { phase: Phase::Due, at: Some(row.due), is_reached: is_due };
    match row.state {
        State::Scheduled => {
            steps.extend([due, Step { phase: Phase::Executed, at: None, is_reached: false }]);
        }
        State::Executed => steps.extend([due, reached(Phase::Executed, row.executed)]),
        State::Failed | State::Missed => {
            steps.push(due);
            steps.push(current.unwrap_or(reached(phase, None)));
        }
        State::Cancelled => {
            let at = task.timeline.iter().rfind(|event| event.to_state.as_deref() == Some("cancelled"));
            steps.push(reached(Phase::Cancelled, at.map(|event| event.at)));
        }
    }
    steps
}
