//! One task in a list.

use crate::{
    tasks::{
        actions::TaskActions, move_form::MoveInPlace, phase::PhaseMark, server_fns::MoveTask,
        texts::TaskTexts,
    },
    texts::{language, reason, time},
    ui::{
        icon::Icon,
        time::date_time::{DateTime, Relative},
        toast,
    },
};
use domain::{State, lateness::ON_TIME_MS, task::TaskRow as Row};
use leptos::prelude::*;

/// Key of a row. A row with an equal key keeps its element, focus and input.
#[must_use]
pub fn key(row: &Row) -> (domain::TaskId, domain::Version, State, [bool; 2]) {
    (row.id, row.version, row.state, [row.undo.is_some(), row.has_newer_revision])
}

/// One task in a list: state, title, time and actions.
#[component]
pub fn TaskRow(
    /// The task.
    row: Row,
) -> impl IntoView {
    let texts = TaskTexts::here();
    let href = format!("/tasks/{}", row.id);
    let why = row.reason.as_deref().map(|why| reason::sentence(language(), why));
    let can_move = row.may_change && matches!(row.state, State::Scheduled | State::Failed | State::Missed);
    let (actions_row, move_row) = (row.clone(), row.clone());
    view! {
        <li class="task-row" id=format!("task-{}", row.id)>
            <PhaseMark row=row.clone() />
            <div class="what">
                <a class="title" dir="auto" href=href>{row.title.clone()}</a>
                <p class="meta">
                    <span>{texts.kind(row.kind)}</span>
                    <Times row=row.clone() />
                    <bdi>{row.owner.clone()}</bdi>
                </p>
                {why.map(|why| view! { <p class="meta single-cause">{why}</p> })}
                {row.has_newer_revision.then(|| view! { <p class="meta">{texts.newer_revision_hint()}</p> })}
            </div>
            <div class="actions">
                <TaskActions row=actions_row />
                {can_move.then(|| view! { <MoveRow row=move_row /> })}
            </div>
        </li>
    }
}

/// Due time, or execution time and lateness.
#[component]
fn Times(row: Row) -> impl IntoView {
    match row.executed {
        Some(executed) => {
            let lateness = executed.at.since(row.due.at);
            let is_late = lateness > ON_TIME_MS;
            let lateness = time::measured(language(), lateness);
            view! { <DateTime at=executed /><Relative at=executed.at is_past=true /><span class="lateness" class:late=is_late>"+"{lateness}</span> }
                .into_any()
        }
        None => view! { <DateTime at=row.due /><Relative at=row.due.at /> }.into_any(),
    }
}

/// The form that reschedules it. The toast offers the undo.
#[component]
pub fn MoveRow(
    /// The task.
    row: Row,
) -> impl IntoView {
    let texts = TaskTexts::here();
    let action = ServerAction::<MoveTask>::new();
    toast::offer(action);
    let label = texts.reschedule_of(row.title.clone());
    let name = format!("when-{}", row.id);
    view! {
        <MoveInPlace row=row action=action name=name label=label class="button bare small">
            <Icon name="move" />{texts.reschedule()}
        </MoveInPlace>
    }
}
