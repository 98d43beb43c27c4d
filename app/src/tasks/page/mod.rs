//! `/tasks/{id}`: what a task does, its actions, states, history and deliveries.

pub mod sentence;
mod stages;
mod state_strip;
mod timeline;

use crate::{
    deliveries::{
        channels::{posts::AlsoOn, posts_fns::list_posts},
        list::Deliveries,
    },
    live::{live, live_resource},
    server_fns::Refused,
    session::visitor,
    tasks::{
        actions::TaskActions,
        move_form::can_move,
        phase::PhaseMark,
        row::MoveRow,
        server_fns::find_task,
        target::{is_of_meeting, open_label, target_page, title_of},
    },
    ui::{async_view::AsyncView, form::kept_view::KeptView, page::header::TabTitle, time::picker::CityList},
};
use domain::{Kind, State, post::Post, task::Task};
use leptos::prelude::*;
use leptos_router::hooks::use_params_map;
use sentence::{Reader, paragraph};
use stages::Timing;
use state_strip::StateStrip;
use texts::tasks::sentence::SentenceTexts;
use texts::{language, tasks::TaskTexts, time};
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
        <div class="task-page">
            <AsyncView from=read children=|task| view! { <TaskView task=task /> } />
            <AlsoOn id=id list=posts_of />
            <Deliveries task=id />
            <CityList />
        </div>
    }
}

/// The task. A changed response replaces the whole view.
#[component]
fn TaskView(task: Signal<Task>) -> impl IntoView {
    let latest = Memo::new(move |_| task.get());
    let language = language();
    let title = move || latest.with(|task| title_of(language, &task.row));
    view! {
        <TabTitle title=Signal::derive(title) />
        <KeptView latest=latest children=|task: Task| view! {
            <Header task=task.clone() />
            <StateStrip task=task.clone() />
            <Timeline task=task.clone() />
            <Timing task=task />
        } />
    }
}

/// The article of a task on other sites, if the task publishes one. Not in the view of the task: a resource in a view that
/// is replaced would get different ids on server and browser.
async fn posts_of(task: String) -> Result<Vec<Post>, Refused> {
    // The page says why a task cannot be read.
    let Ok(task) = find_task(task).await else { return Ok(Vec::new()) };
    if task.row.kind != Kind::ArticlePublish {
        return Ok(Vec::new());
    }
    list_posts(task.row.target_id.to_string()).await
}

/// Title, state, sentence and actions.
#[component]
fn Header(task: Task) -> impl IntoView {
    let (texts, row) = (TaskTexts::here(), task.row.clone());
    let (target, is_meeting) = (target_page(&row), is_of_meeting(&row));
    let (open, title) = (open_label(&row), title_of(language(), &row));
    let site = task.is_public.then(|| format!("/site/{}", row.slug));
    view! {
        <header class="task-header">
            <p class="row">
                <PhaseMark row=row.clone() />
                <span class="eyebrow">{texts.kind(row.kind)}" · "<bdi>{row.owner.clone()}</bdi></span>
            </p>
            <h1 dir="auto">{title}</h1>
            <Sentence task=task />
            {row.has_newer_revision.then(|| view! { <p class="why">{texts.newer_revision_hint()}</p> })}
            <div class="task-actions">
                <TaskActions row=row.clone() keeps_undo=true />
                {can_move(&row).then(|| view! { <MoveRow row=row.clone() /> })}
                <a class="button small" href=target>{open}</a>
                {site.map(|site| view! { <a class="button small" href=site rel="external">{texts.view_public()}</a> })}
            </div>
            {(!row.may_change && !is_meeting).then(|| view! { <p class="why">{texts.not_yours()}</p> })}
        </header>
    }
}

/// The sentence, and the time until the task is due.
#[component]
fn Sentence(task: Task) -> impl IntoView {
    let (visitor, now, language) = (visitor(), live().now(), language());
    let due = (task.row.state == State::Scheduled).then_some(task.row.due.at);
    // It changes when the task becomes due.
    let text = Memo::new(move |_| {
        let now = now.get();
        let (zone, desk_zone) = (visitor.zone(), visitor.desk.zone.as_str());
        paragraph(Reader { language, zone, desk_zone, now }, &task)
    });
    let left = Memo::new(move |_| {
        let left = due?.since(now.get());
        (left > 0).then(|| SentenceTexts(language).remaining(time::countdown(language, left)))
    });
    view! {
        <p class="task-sentence">
            {text}
            {move || left.get().map(|left| view! { " " <span class="countdown" role="timer" aria-live="off">{left}</span> })}
        </p>
    }
}
