//! `/`: the dashboard: the next task, recent tasks, and figures.

pub mod quick;
pub mod texts;

use crate::{
    live::{live, live_resource},
    shell::{session::visitor, texts::LayoutTexts},
    tasks::{
        actions::TaskActions,
        row::{MoveRow, TaskRow, key},
        server_fns::read_dashboard,
        texts::TaskTexts,
    },
    texts::number::counted,
    ui::{
        async_view::AsyncView,
        icon::Icon,
        page_header::TabTitle,
        time::date_time::{Countdown, DateTime},
    },
};
use domain::{
    Kind,
    task::{Dashboard, TaskRow as Row},
};
use leptos::{either::Either, prelude::*};
use texts::DashboardTexts;

/// The dashboard.
#[component]
pub fn DashboardPage() -> impl IntoView {
    let texts = DashboardTexts::here();
    let read = live_resource(
        |change| matches!(change.entity.as_str(), "task" | "article" | "engine" | "settings"),
        || (),
        |()| read_dashboard(),
    );
    view! {
        <TabTitle title=texts.title().to_owned() />
        <AsyncView from=read children=|dashboard| view! { <Content dashboard=dashboard /> } />
    }
}

#[component]
fn Content(dashboard: Signal<Dashboard>) -> impl IntoView {
    let texts = DashboardTexts::here();
    // The first row is the headline. It is replaced only by a different row.
    let first = Memo::new(move |_| dashboard.with(|dashboard| dashboard.next.first().cloned()));
    let others =
        move || dashboard.with(|dashboard| dashboard.next.iter().skip(1).cloned().collect::<Vec<_>>());
    let has_others = Memo::new(move |_| dashboard.with(|dashboard| dashboard.next.len() > 1));
    let recent = move || dashboard.with(|dashboard| dashboard.recent.clone());
    let has_recent = Memo::new(move |_| dashboard.with(|dashboard| !dashboard.recent.is_empty()));
    let is_first_run =
        Memo::new(move |_| !has_recent.get() && dashboard.with(|dashboard| dashboard.scheduled == 0));
    view! {
        {move || match first.get() {
            Some(row) => Either::Left(view! { <Upcoming row=row /> }),
            None => Either::Right(view! { <Nothing is_first_run=is_first_run /> }),
        }}
        <Figures dashboard=dashboard />
        <div class="columns-2">
            {move || has_others.get().then(|| view! {
                <section class="panel" aria-labelledby="next">
                    <header><h2 id="next">{texts.next_up()}</h2><a href="/tasks?state=scheduled">{texts.all_tasks()}</a></header>
                    <ul class="task-list"><For each=others key=key children=|row| view! { <TaskRow row=row /> } /></ul>
                </section>
            })}
            <section class="panel" aria-labelledby="recent">
                <header><h2 id="recent">{texts.recent()}</h2></header>
                <Show when=move || has_recent.get() fallback=move || view! { <p class="muted">{texts.no_recent()}</p> }>
                    <ul class="task-list"><For each=recent key=key children=|row| view! { <TaskRow row=row /> } /></ul>
                </Show>
            </section>
        </div>
    }
}

/// The next task: title, countdown and actions.
#[component]
fn Upcoming(row: Row) -> impl IntoView {
    let (texts, now, due, kind) = (DashboardTexts::here(), live().now(), row.due.at, row.kind);
    let is_due = Memo::new(move |_| due <= now.get());
    let verb = move || match (is_due.get(), kind) {
        (true, _) => texts.due_now(),
        (false, Kind::ArticlePublish) => texts.next_publish(),
        (false, Kind::Other(_)) => texts.next_other(),
        (false, Kind::ArticleUnpublish) => texts.next_unpublish(),
    };
    let (actions_row, moves) = (row.clone(), row.clone());
    view! {
        <section class="upcoming" id=format!("task-{}", row.id)>
            <h1>{verb}<a dir="auto" href=format!("/tasks/{}", row.id)>{row.title.clone()}</a></h1>
            <Countdown at=due />
            <p class="muted"><DateTime at=row.due is_full=true /></p>
            <div class="actions row">
                <TaskActions row=actions_row />
                {row.may_change.then(|| view! { <MoveRow row=moves /> })}
            </div>
            {row.has_newer_revision.then(|| view! { <p class="muted">{TaskTexts::here().newer_revision_hint()}</p> })}
        </section>
    }
}

/// No task is scheduled: links to a new article. While nothing was published either, with the other
/// ways to begin.
#[component]
fn Nothing(is_first_run: Memo<bool>) -> impl IntoView {
    let texts = DashboardTexts::here();
    let write = move || {
        view! { <a class="button main" href="/articles/new"><Icon name="plus" />{texts.write_first()}</a> }
    };
    view! {
        <section class="upcoming">
            <h1>{texts.nothing_next()}</h1>
            {move || if is_first_run.get() {
                Either::Left(view! { <FirstSteps>{write()}</FirstSteps> })
            } else {
                Either::Right(view! {
                    <p class="muted">{texts.nothing_hint()}</p>
                    <p class="actions">{write()}</p>
                })
            }}
        </section>
    }
}

/// The ways to begin on an empty desk: write, import, see the site.
#[component]
fn FirstSteps(
    /// The link to a new article.
    children: Children,
) -> impl IntoView {
    let texts = DashboardTexts::here();
    view! {
        <p class="muted">{texts.first_steps()}</p>
        <ul class="first-steps">
            <li>{children()} <p class="muted">{texts.nothing_hint()}</p></li>
            {visitor().is_admin().then(|| view! {
                <li>
                    <p><strong>{texts.import_articles()}</strong> " " <code>"presstime import markdown FOLDER"</code></p>
                    <p class="muted">{texts.import_hint()}</p>
                </li>
            })}
            <li><a class="button" href="/site" rel="external">{texts.see_site()}</a> <p class="muted">{texts.site_hint()}</p></li>
        </ul>
    }
}

/// Numbers of scheduled tasks, of tasks executed today, and of entries that need attention.
#[component]
fn Figures(dashboard: Signal<Dashboard>) -> impl IntoView {
    let (texts, layout_texts, beat) = (DashboardTexts::here(), LayoutTexts::here(), live().heartbeat());
    let attention = Memo::new(move |_| beat.with(|beat| beat.attention));
    let line = move || {
        dashboard.with(|dashboard| {
            (texts.waiting(counted(dashboard.scheduled)), texts.today(counted(dashboard.executed_today)))
        })
    };
    view! {
        <p class="row dashboard-figures muted">
            <span>{move || line().0}</span>
            <span aria-hidden="true">"·"</span>
            <span>{move || line().1}</span>
            <span aria-hidden="true">"·"</span>
            <a href="/attention">{move || layout_texts.needs_attention(attention.get())}</a>
        </p>
    }
}
