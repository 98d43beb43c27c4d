//! Every stage of the way of an executed task, in milliseconds, and why it was late if it was.

use crate::words::{Language, language, late, task::TaskWords, time};
use domain::{
    Timestamp,
    task::{Stages, Task},
};
use leptos::prelude::*;

/// One stage.
struct Step {
    name: &'static str,
    /// Milliseconds after the task's moment; negative: before it.
    at: i64,
    /// Milliseconds since the stage before; `None` for the first and for what lies before the moment.
    took: Option<i64>,
}

/// The stages as a table with a bar each; nothing while the task has not been executed.
#[component]
pub fn StageTable(
    /// The task.
    task: Task,
) -> impl IntoView {
    let (words, language) = (TaskWords::here(), language());
    let stages = task.stages?;
    let due = task.row.due.at;
    let lag = stages.executed_at.since(due).max(0);
    let steps = steps(words, due, &stages);
    let worst = steps.iter().filter_map(|step| step.took).max();
    let rows: Vec<_> = steps.iter().map(|step| row(language, step, lag, worst)).collect();
    let why = task.late.as_ref().map(|late| late::sentence(language, late));
    let title = if why.is_some() { words.why_late() } else { words.was_on_time() };
    let was_swept = stages.moved_at.is_none() && why.is_none();
    Some(view! {
        <section class="panel" aria-labelledby="stages">
            <header><h2 id="stages">{words.stages()}</h2></header>
            <div class="scroll" tabindex="0" role="group" aria-labelledby="stages">
                <table class="table stage-table">
                    <thead><tr>
                        <th scope="col">{words.stage()}</th>
                        <th scope="col" class="number">{words.from_due()}</th>
                        <th scope="col" class="number">{words.took()}</th>
                        <td></td>
                    </tr></thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
            <div class="late-why">
                <h3 class="over">{title}</h3>
                <p>{words.lag(time::measured(language, lag))}" "{why.unwrap_or_else(|| words.on_time().to_owned())}</p>
                {was_swept.then(|| view! { <p class="quiet">{words.swept()}</p> })}
            </div>
        </section>
    })
}

/// The stages in the order of time, with the moment itself among them.
fn steps(words: TaskWords, due: Timestamp, stages: &Stages) -> Vec<Step> {
    let named = [
        (words.stage_hinted(), stages.hinted_at),
        (words.stage_due(), Some(due)),
        (words.stage_moved(), stages.moved_at),
        (words.stage_popped(), stages.popped_at),
        (words.stage_started(), Some(stages.started_at)),
        (words.stage_executed(), Some(stages.executed_at)),
    ];
    let mut known: Vec<_> = named.into_iter().filter_map(|(name, at)| Some((name, at?.since(due)))).collect();
    known.sort_by_key(|(_, at)| *at);
    let mut last = None;
    let mut steps = Vec::with_capacity(known.len());
    for (name, at) in known {
        let took = last.filter(|_| at > 0).map(|last: i64| at - last.max(0));
        steps.push(Step { name, at, took });
        last = Some(at);
    }
    steps
}

fn row(language: Language, step: &Step, lag: i64, worst: Option<i64>) -> impl IntoView + use<> {
    let sign = match step.at {
        0 => "",
        1.. => "+",
        _ => "−",
    };
    let at = format!("{sign}{}", time::measured(language, step.at.abs()));
    let took = step.took.map(|took| time::measured(language, took));
    let bar = step.took.filter(|took| *took > 0 && lag > 0).map(|took| {
        let is_worst = worst == Some(took);
        let (x, width) = ((step.at - took).max(0) * 1_000 / lag, (took * 1_000 / lag).max(4));
        view! {
            <svg class="bar" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
                <rect class:worst=is_worst x=x y="0" width=width height="10" />
            </svg>
        }
    });
    view! {
        <tr>
            <th scope="row">{step.name}</th>
            <td class="number">{at}</td>
            <td class="number">{took}</td>
            <td>{bar}</td>
        </tr>
    }
}
