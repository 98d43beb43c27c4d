//! One task in a list.

use super::{
    icon::Icon,
    moment::{Moment, Relative},
    move_form::MoveInPlace,
    phase::PhaseMark,
    task_acts::TaskActs,
    toast,
};
use crate::{
    calls::tasks::MoveTask,
    words::{language, reason, task::TaskWords, time},
};
use domain::{State, lag::ON_TIME_MS, task::TaskRow as Row};
use leptos::prelude::*;

/// What tells two readings of a row apart: a row that is the same keeps its place, its focus and what is typed into it.
#[must_use]
pub fn key(row: &Row) -> (domain::TaskId, domain::Version, State, bool) {
    (row.id, row.version, row.state, row.undo.is_some())
}

/// One task in a list: state, title, moment, and what can be done.
#[component]
pub fn TaskRow(
    /// The task.
    row: Row,
) -> impl IntoView {
    let words = TaskWords::here();
    let href = format!("/tasks/{}", row.id);
    let why = row.reason.as_deref().map(|why| reason::sentence(language(), why));
    let can_move = row.may_change && matches!(row.state, State::Scheduled | State::Failed | State::Missed);
    let (acts, moves) = (row.clone(), row.clone());
    view! {
        <li class="task-row" id=format!("task-{}", row.id)>
            <PhaseMark row=row.clone() />
            <div class="what">
                <a class="title" dir="auto" href=href>{row.title.clone()}</a>
                <p class="meta">
                    <span>{words.kind(row.kind)}</span>
                    <Times row=row.clone() />
                    <bdi>{row.owner.clone()}</bdi>
                </p>
                {why.map(|why| view! { <p class="meta cause-of-one">{why}</p> })}
            </div>
            <div class="acts">
                <TaskActs row=acts />
                {can_move.then(|| view! { <MoveRow row=moves /> })}
            </div>
        </li>
    }
}

/// When it is due, or when it happened and how late.
#[component]
fn Times(row: Row) -> impl IntoView {
    match row.executed {
        Some(executed) => {
            let lag = executed.at.since(row.due.at);
            let is_late = lag > ON_TIME_MS;
            let lag = time::measured(language(), lag);
            view! { <Moment at=executed /><Relative at=executed.at is_past=true /><span class="lag" class:late=is_late>"+"{lag}</span> }
                .into_any()
        }
        None => view! { <Moment at=row.due /><Relative at=row.due.at /> }.into_any(),
    }
}

/// The form that moves it; what it did can be taken back from the toast.
#[component]
pub fn MoveRow(
    /// The task.
    row: Row,
) -> impl IntoView {
    let words = TaskWords::here();
    let action = ServerAction::<MoveTask>::new();
    toast::offer(action);
    let label = words.move_of(row.title.clone());
    let name = format!("when-{}", row.id);
    view! {
        <MoveInPlace row=row action=action name=name label=label class="button bare small">
            <Icon name="move" />{words.move_()}
        </MoveInPlace>
    }
}
