//! The history of a task, newest first.

use crate::{
    live::live,
    shell::session::visitor,
    tasks::{event_verb, texts::TaskTexts},
    texts::{Language, language, reason, time},
    ui::time::date_time::DateTime,
};
use domain::{event::Event, task::Task};
use leptos::prelude::*;

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
            let actor = event_verb::actor(language, &event.actor);
            let verb = event_verb::verb(language, &event.verb);
            let more = detail(language, event);
            view! {
                <li>
                    <DateTime at=event.at />
                    <span>{actor}{if language == Language::En { " " } else { "：" }}{verb}{more.map(|more| view! { <span class="detail">{more}</span> })}</span>
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

/// Details of an event: the times of a reschedule, or the reason.
fn detail(language: Language, event: &Event) -> Option<String> {
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
