//! The stages of an executed task, in milliseconds, and why it was late.

use domain::{
    Timestamp,
    task::{StageTimes, Task},
};
use leptos::prelude::*;
use texts::tasks::sentence::SentenceTexts;
use texts::{Language, language, lateness, sentences, tasks::TaskTexts, time};

/// One stage.
struct Step {
    name: &'static str,
    /// Milliseconds after the due time; negative: before it.
    at: i64,
    /// Milliseconds since the previous stage; `None` for the first stage and before the due time.
    took: Option<i64>,
}

/// The stages as a table with a bar each, folded; `None` until the task is executed.
#[component]
pub fn Timing(
    /// The task.
    task: Task,
) -> impl IntoView {
    let (texts, language) = (TaskTexts::here(), language());
    let stages = task.stages?;
    let due = task.row.due.at;
    let lag = stages.executed_at.since(due).max(0);
    let steps = steps(texts, due, &stages);
    let worst = steps.iter().filter_map(|step| step.took).max();
    let rows: Vec<_> = steps.iter().map(|step| row(language, step, lag, worst)).collect();
    let why = task.late.as_ref().map(|late| lateness::sentence(language, late));
    let title = if why.is_some() { texts.why_late() } else { texts.was_on_time() };
    let was_swept = stages.moved_at.is_none() && why.is_none();
    let summary = texts.lateness(time::measured(language, lag));
    Some(view! {
        <details class="fold">
            <summary>
                <h2 id="stages">{SentenceTexts(language).timing()}</h2>
                <span class="fold-summary">{summary}</span>
            </summary>
            <div class="scroll" tabindex="0" role="group" aria-labelledby="stages">
                <table class="table stage-table">
                    <thead><tr>
                        <th scope="col">{texts.stage()}</th>
                        <th scope="col" class="number">{texts.from_due()}</th>
                        <th scope="col" class="number">{texts.took()}</th>
                        <td></td>
                    </tr></thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
            <div class="lateness-cause">
                <h3 class="eyebrow">{title}</h3>
                <p>{sentences(&texts.lateness(time::measured(language, lag)), why.as_deref().unwrap_or(texts.on_time()))}</p>
                {was_swept.then(|| view! { <p class="muted">{texts.swept()}</p> })}
            </div>
        </details>
    })
}

/// Returns the stages sorted by time, including the due time.
fn steps(texts: TaskTexts, due: Timestamp, stages: &StageTimes) -> Vec<Step> {
    let named = [
        (texts.stage_hinted(), stages.hinted_at),
        (texts.stage_due(), Some(due)),
        (texts.stage_moved(), stages.moved_at),
        (texts.stage_popped(), stages.popped_at),
        (texts.stage_started(), Some(stages.started_at)),
        (texts.stage_executed(), Some(stages.executed_at)),
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
