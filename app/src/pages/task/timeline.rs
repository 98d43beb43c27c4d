//! All that happened to a task, newest first.

use crate::{
    components::moment::Moment,
    live::live,
    visitor::visitor,
    words::{Language, language, reason, task::TaskWords, time, verb},
};
use domain::{event::Event, task::Task};
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
            let more = detail(language, event);
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
fn detail(language: Language, event: &Event) -> Option<String> {
    let (visitor, now) = (visitor(), live().now().get_untracked());
    let told = |at| time::moment(language, at, visitor.zone(), now);
    let (was, due) = (event.was_due.map(told), event.due.map(told));
    let why = event.detail.get("reason").and_then(|why| why.as_str());
    match (was, due, why) {
        (Some(was), Some(due), _) if was != due => Some(format!("{was} → {due}")),
        (_, _, Some(why)) => Some(reason::sentence(language, why)),
        (_, Some(due), _) => Some(format!("{} {due}", TaskWords(language).due_at())),
        _ => None,
    }
}
