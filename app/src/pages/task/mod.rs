//! The page of one task: where it stands, what happened to it, and every stage of its way.

mod stages;
mod timeline;

use crate::{
    calls::tasks::find_task,
    components::{
        deliveries::Deliveries,
        head::TabTitle,
        loaded::Loaded,
        machine::Machine,
        moment::{Countdown, Moment, Relative},
        phase::PhaseMark,
        task_acts::TaskActs,
        task_row::MoveRow,
    },
    live::{follow, live},
    words::{language, reason, task::TaskWords, time},
};
use domain::{State, task::Task};
use leptos::prelude::*;
use leptos_router::hooks::use_params_map;
use stages::StageTable;
use timeline::Timeline;

/// The page.
#[component]
pub fn TaskPage() -> impl IntoView {
    let params = use_params_map();
    let id = Memo::new(move |_| params.with(|params| params.get("id").unwrap_or_default()));
    let wanted = id;
    let read = follow(
        move |change| {
            change.entity == "task"
                && wanted.try_with_untracked(|id| *id == change.entity_id.to_string()) == Some(true)
        },
        move || id.get(),
        find_task,
    );
    view! {
        <Loaded from=read children=|task| view! { <One task=task /> } />
        <Deliveries task=id />
    }
}

/// The task. A reading that differs draws it anew: here everything hangs together.
#[component]
fn One(task: Signal<Task>) -> impl IntoView {
    let latest = Memo::new(move |_| task.get());
    let title = move || latest.with(|task| task.row.title.clone());
    view! {
        <TabTitle title=Signal::derive(title) />
        {move || {
            let task = latest.get();
            view! {
                <Opening task=task.clone() />
                <div class="two">
                    <div class="stack">
                        <Where task=task.clone() />
                        <StageTable task=task.clone() />
                    </div>
                    <div class="stack">
                        <Facts task=task.clone() />
                        <Timeline task=task />
                    </div>
                </div>
            }
        }}
    }
}

/// Title, state, clock, and what can be done.
#[component]
fn Opening(task: Task) -> impl IntoView {
    let (words, row) = (TaskWords::here(), task.row);
    let is_waiting = row.state == State::Scheduled;
    let can_move = row.may_change && !matches!(row.state, State::Executed | State::Cancelled);
    let now = live().now().get_untracked();
    let has_undo = row.undo.as_ref().is_some_and(|undo| undo.until > now);
    let why_not = match (row.may_change, row.state) {
        (false, _) => Some(words.not_yours()),
        (true, State::Executed | State::Cancelled) if !has_undo => Some(words.cannot_change()),
        (true, _) => None,
    };
    let why = row.reason.as_deref().map(|why| reason::sentence(language(), why));
    view! {
        <header class="next-up">
            <p class="row"><PhaseMark row=row.clone() /><span class="over">{words.kind(row.kind)}</span></p>
            <h1 dir="auto">{row.title.clone()}</h1>
            {is_waiting.then(|| view! { <Countdown at=row.due.at /> })}
            {why.map(|why| view! { <p class="alert">{why}</p> })}
            <div class="task-acts">
                <TaskActs row=row.clone() keeps_undo=true />
                {can_move.then(|| view! { <MoveRow row=row.clone() /> })}
            </div>
            {why_not.map(|why| view! { <p class="why">{why}</p> })}
        </header>
    }
}

/// The state machine.
#[component]
fn Where(task: Task) -> impl IntoView {
    let (words, now, row) = (TaskWords::here(), live().now(), task.row.clone());
    let phase = Memo::new(move |_| row.phase(now.get()));
    view! {
        <section class="panel" aria-labelledby="machine">
            <header><h2 id="machine">{words.machine()}</h2></header>
            <Machine task=task phase=phase />
        </section>
    }
}

/// What is known of it.
#[component]
fn Facts(task: Task) -> impl IntoView {
    let (words, language) = (TaskWords::here(), language());
    let row = task.row;
    let grace = words.grace_of(time::span(language, task.late_grace / 1_000));
    let article = format!("/articles/{}", row.target_id);
    let site = format!("/site/{}", row.slug);
    view! {
        <dl class="facts">
            <dt>{words.due_at()}</dt>
            <dd><Moment at=row.due is_full=true /><Relative at=row.due.at /></dd>
            {row.executed.map(|at| view! { <dt>{words.happened_at()}</dt><dd><Moment at=at is_full=true /></dd> })}
            <dt>{words.owner()}</dt>
            <dd>{row.owner}</dd>
            {task.revision.map(|number| view! { <dt>{words.revision()}</dt><dd>{number}</dd> })}
            <dt>{words.made()}</dt>
            <dd><Moment at=task.created /></dd>
            <dt>{words.attempts()}</dt>
            <dd>{task.attempts}</dd>
            <dt>{words.grace()}</dt>
            <dd>{grace}</dd>
        </dl>
        <p class="row">
            <a href=article>{words.open_article()}</a>
            {task.is_public.then(|| view! { <a href=site rel="external">{words.view_public()}</a> })}
        </p>
    }
}
