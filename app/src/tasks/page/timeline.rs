//! The history of a task, newest first.

use crate::{live::live, session::visitor, ui::time::date_time::DateTime};
use domain::{event::Event, lateness::ON_TIME_MS, task::Task};
use leptos::prelude::*;
use texts::tasks::sentence::SentenceTexts;
use texts::{Language, event_verb, language, reason, tasks::TaskTexts, time};

/// The events of a task.
#[component]
pub fn Timeline(
    /// The task.
    task: Task,
) -> impl IntoView {
    let (texts, language) = (TaskTexts::here(), language());
    let lines: Vec<_> = task
        .timeline
        .iter()
        .rev()
        .map(|event| {
            let text = event_verb::sentence(language, event, task.row.kind);
            let more = detail(language, event, &task);
            view! {
                <li>
                    <DateTime at=event.at />
                    <span>{text}{more.map(|more| view! { <span class="detail">{more}</span> })}</span>
                </li>
            }
        })
        .collect();
    view! {
        <section class="panel" aria-labelledby="timeline">
            <header><h2 id="timeline">{texts.timeline()}</h2></header>
            <ol class="timeline">{lines}</ol>
        </section>
    }
}

/// Details of an event: the times of a reschedule, the lateness, or the reason.
fn detail(language: Language, event: &Event, task: &Task) -> Option<String> {
    if event.verb == "execute" {
        return Some(lateness(language, event.at.at.since(task.row.due.at).max(0)));
    }
    let (visitor, now) = (visitor(), live().now().get_untracked());
    let text = |at| time::moment(language, at, visitor.zone(), now);
    let (was, due) = (event.was_due.map(text), event.due.map(text));
    let why = event.detail.get("reason").and_then(|why| why.as_str());
    match (was, due, why) {
        (Some(was), Some(due), _) if was != due => Some(format!("{was} → {due}")),
        (_, _, Some(why)) => Some(reason::sentence(language, why)),
        (_, Some(due), _) => Some(format!("{} {due}", TaskTexts(language).due_at())),
        _ => None,
    }
}

fn lateness(language: Language, ms: i64) -> String {
    let (texts, measured) = (SentenceTexts(language), time::measured(language, ms));
    if ms > ON_TIME_MS { texts.executed_late(measured) } else { texts.executed_after(measured) }
}
