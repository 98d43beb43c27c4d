//! `/tasks/{id}`: state, history and stages of a task.

mod stages;
mod timeline;

use crate::{
    deliveries::list::Deliveries,
    live::{live, live_resource},
    tasks::{
        actions::TaskActions, phase::PhaseMark, row::MoveRow, server_fns::find_task,
        state_diagram::StateDiagram, texts::TaskTexts,
    },
    texts::{language, reason, time},
    ui::{
        async_view::AsyncView,
        page_header::TabTitle,
        time::date_time::{Countdown, DateTime, Relative},
    },
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
    let task_id = id;
    let read = live_resource(
        move |change| {
            change.entity == "task"
                && task_id.try_with_untracked(|id| *id == change.entity_id.to_string()) == Some(true)
        },
        move || id.get(),
        find_task,
    );
    view! {
        <AsyncView from=read children=|task| view! { <TaskView task=task /> } />
        <Deliveries task=id />
    }
}

/// The task. A changed response replaces the whole view.
#[component]
fn TaskView(task: Signal<Task>) -> impl IntoView {
    let latest = Memo::new(move |_| task.get());
    let title = move || latest.with(|task| task.row.title.clone());
    view! {
        <TabTitle title=Signal::derive(title) />
        {move || {
            let task = latest.get();
            view! {
                <Header task=task.clone() />
                <div class="columns-2">
                    <div class="stack">
                        <Status task=task.clone() />
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

/// Title, state, countdown and actions.
#[component]
fn Header(task: Task) -> impl IntoView {
    let (texts, row) = (TaskTexts::here(), task.row);
    let is_waiting = row.state == State::Scheduled;
    let can_move = row.may_change && !matches!(row.state, State::Executed | State::Cancelled);
    let now = live().now().get_untracked();
    let has_undo = row.undo.as_ref().is_some_and(|undo| undo.until > now);
    let error_view = match (row.may_change, row.state) {
        (false, _) => Some(texts.not_yours()),
        (true, State::Executed | State::Cancelled) if !has_undo => Some(texts.cannot_change()),
        (true, _) => None,
    };
    let why = row.reason.as_deref().map(|why| reason::sentence(language(), why));
    view! {
        <header class="upcoming">
            <p class="row"><PhaseMark row=row.clone() /><span class="eyebrow">{texts.kind(row.kind)}</span></p>
            <h1 dir="auto">{row.title.clone()}</h1>
            {is_waiting.then(|| view! { <Countdown at=row.due.at /> })}
            {why.map(|why| view! { <p class="alert">{why}</p> })}
            <div class="task-actions">
                <TaskActions row=row.clone() keeps_undo=true />
                {can_move.then(|| view! { <MoveRow row=row.clone() /> })}
            </div>
            {row.has_newer_revision.then(|| view! { <p class="why">{texts.newer_revision_hint()}</p> })}
            {error_view.map(|why| view! { <p class="why">{why}</p> })}
        </header>
    }
}

/// The state diagram.
#[component]
fn Status(task: Task) -> impl IntoView {
    let (texts, now, row) = (TaskTexts::here(), live().now(), task.row.clone());
    let phase = Memo::new(move |_| row.phase(now.get()));
    view! {
        <section class="panel" aria-labelledby="status-diagram">
            <header><h2 id="status-diagram">{texts.status()}</h2></header>
            <StateDiagram task=task phase=phase />
        </section>
    }
}

/// Facts about the task.
#[component]
fn Facts(task: Task) -> impl IntoView {
    let (texts, language) = (TaskTexts::here(), language());
    let row = task.row;
    let grace = texts.grace_of(time::span(language, task.grace_ms / 1_000));
    let article = format!("/articles/{}", row.target_id);
    let site = format!("/site/{}", row.slug);
    view! {
        <dl class="facts">
            <dt>{texts.due_at()}</dt>
            <dd><DateTime at=row.due is_full=true /><Relative at=row.due.at /></dd>
            {row.executed.map(|at| view! { <dt>{texts.executed_at()}</dt><dd><DateTime at=at is_full=true /></dd> })}
            <dt>{texts.owner()}</dt>
            <dd>{row.owner}</dd>
            {task.revision.map(|number| view! { <dt>{texts.revision()}</dt><dd>{number}</dd> })}
            <dt>{texts.created()}</dt>
            <dd><DateTime at=task.created /></dd>
            <dt>{texts.attempts()}</dt>
            <dd>{task.attempts}</dd>
            <dt>{texts.grace()}</dt>
            <dd>{grace}</dd>
        </dl>
        <p class="row">
            <a href=article>{texts.open_article()}</a>
            {task.is_public.then(|| view! { <a href=site rel="external">{texts.view_public()}</a> })}
        </p>
    }
}
