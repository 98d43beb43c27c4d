//! All that happened to a task, newest first.

use crate::{
    components::moment::Moment,
    live::live,
    visitor::visitor,
    words::{Language, language, reason, task::TaskWords, time, verb},
};
use domain::{Timestamp, event::Event, task::Task, time::wall};
use leptos::prelude::*;

/// The log of a task, in words.
#[component]
pub fn Timeline(
    /// The task.
    task: Task,
) -> impl IntoView {
    let (words, language) = (TaskWords::here(), language());
    let lines: Vec<_> = task
        .timeline
        .iter()
        .rev()
        .map(|event| {
            let who = verb::actor(language, &event.actor);
            let did = verb::verb(language, &event.verb);
            let more = detail(language, event, &task);
            view! {
                <li>
                    <Moment at=event.at />
                    <span>{who}" "{did}{more.map(|more| view! { <span class="detail">{more}</span> })}</span>
                </li>
            }
        })
        .collect();
    view! {
        <section class="panel" aria-labelledby="timeline">
            <header><h2 id="timeline">{words.timeline()}</h2></header>
            <ol class="timeline">{lines}</ol>
        </section>
    }
}

/// What more an event says: the times of a move, the reason of an end.
fn detail(language: Language, event: &Event, task: &Task) -> Option<String> {
    let due = moment_in(event, "due_at").map(|at| told(language, at, task));
    let was = moment_in(event, "was_due_at").map(|at| told(language, at, task));
    let why = event.detail.get("reason").and_then(|why| why.as_str());
    match (was, due, why) {
        (Some(was), Some(due), _) if was != due => Some(format!("{was} → {due}")),
        (_, _, Some(why)) => Some(reason::sentence(language, why)),
        (_, Some(due), _) => Some(format!("{} {due}", TaskWords(language).due_at())),
        _ => None,
    }
}

fn moment_in(event: &Event, name: &str) -> Option<Timestamp> {
    let value = event.detail.get(name)?;
    value.as_i64().map(Timestamp::from_millis).or_else(|| value.as_str()?.parse().ok())
}

/// A bare time in words. Its offset is known only where it is the task's own moment: else UTC says what it is.
fn told(language: Language, at: Timestamp, task: &Task) -> String {
    let now = live().now().get_untracked();
    if at == task.row.due.at {
        return time::moment(language, task.row.due, visitor().zone(), now);
    }
    format!("{} UTC", time::wall_text(language, wall(at, 0), Some(wall(now, 0).year)))
}
