//! `/`: the dashboard: what needs the user, the next task, the day, the next days, and recent tasks.

pub mod day_line;
pub mod outlook;
pub mod quick;
pub mod server_fns;
pub mod texts;

use crate::{
    calendar::wall::date_words,
    live::{live, live_resource},
    shell::{session::visitor, texts::LayoutTexts},
    tasks::{
        actions::TaskActions,
        row::{MoveRow, TaskList},
        target::title_of,
        texts::TaskTexts,
    },
    texts::{language, number::counted},
    ui::{
        async_view::AsyncView,
        form::kept_view::KeptView,
        icon::Icon,
        page_header::TabTitle,
        time::{
            date_time::{Countdown, DateTime},
            picker::CityList,
        },
    },
};
use day_line::{DayLine, Zones};
use domain::{
    Kind,
    task::{Dashboard, TaskRow as Row},
};
use leptos::{either::Either, prelude::*};
use outlook::{AttentionFirst, Waiting, Week};
use server_fns::{Board, DayPlan, read_dashboard};
use texts::DashboardTexts;

/// The dashboard.
#[component]
pub fn DashboardPage() -> impl IntoView {
    let texts = DashboardTexts::here();
    let read = live_resource(
        |change| matches!(change.entity.as_str(), "task" | "article" | "meeting" | "engine" | "settings"),
        || (),
        |()| read_dashboard(),
    );
    view! {
        <TabTitle title=texts.title().to_owned() />
        <AsyncView from=read children=|board| view! { <Content board=board /> } />
        <CityList />
    }
}

#[component]
fn Content(board: Signal<Board>) -> impl IntoView {
    let dashboard = Memo::new(move |_| board.with(|board| board.tasks.clone())).into();
    let plan: Signal<DayPlan> = Memo::new(move |_| board.with(|board| board.plan.clone())).into();
    let today = move || plan.with(|plan| date_words(language(), &plan.today.date, &plan.today.date));
    let lists = view! { <Lists dashboard=dashboard /> };
    // The first row is the headline. It is replaced only by a different row.
    let first = Memo::new(move |_| board.with(|board| board.tasks.next.first().cloned()));
    let is_first_run =
        Memo::new(move |_| board.with(|board| board.tasks.recent.is_empty() && board.tasks.scheduled == 0));
    let headline = move |first: Option<Row>| match first {
        Some(row) => Either::Left(view! { <Upcoming row=row /> }),
        None => Either::Right(view! { <Nothing is_first_run=is_first_run /> }),
    };
    view! {
        <AttentionFirst />
        <KeptView latest=first children=headline />
        <section class="day" aria-labelledby="day">
            <header>
                <h2 id="day">{today}</h2>
                <p class="muted"><Zones plan=plan /></p>
                <Figures dashboard=dashboard />
            </header>
            <DayLine plan=plan />
        </section>
        <div class="dashboard-columns">
            {lists}
            <div class="dashboard-side">
                <Waiting plan=plan />
                <Week plan=plan />
            </div>
        </div>
    }
}

/// The tasks that come next, and the last ones.
#[component]
fn Lists(dashboard: Signal<Dashboard>) -> impl IntoView {
    let texts = DashboardTexts::here();
    let others =
        move || dashboard.with(|dashboard| dashboard.next.iter().skip(1).cloned().collect::<Vec<_>>());
    let has_others = Memo::new(move |_| dashboard.with(|dashboard| dashboard.next.len() > 1));
    let recent = move || dashboard.with(|dashboard| dashboard.recent.clone());
    let has_recent = Memo::new(move |_| dashboard.with(|dashboard| !dashboard.recent.is_empty()));
    view! {
        {move || has_others.get().then(|| view! {
            <section class="panel" aria-labelledby="next">
                <header><h2 id="next">{texts.next_up()}</h2><a href="/tasks?state=scheduled">{texts.all_tasks()}</a></header>
                <TaskList rows=others />
            </section>
        })}
        <section class="panel" aria-labelledby="recent">
            <header><h2 id="recent">{texts.recent()}</h2><a href="/activity">{LayoutTexts::here().activity()}</a></header>
            <Show when=move || has_recent.get() fallback=move || view! { <p class="muted">{texts.no_recent()}</p> }>
                <TaskList rows=recent />
            </Show>
        </section>
    }
}

/// The next task: title, countdown and actions.
#[component]
fn Upcoming(row: Row) -> impl IntoView {
    let (texts, now, due, kind) = (DashboardTexts::here(), live().now(), row.due.at, row.kind);
    let is_due = Memo::new(move |_| due <= now.get());
    let other = TaskTexts::here().kind(kind);
    let verb = move || match (is_due.get(), kind) {
        (true, Kind::Other(_)) => texts.due_now_other(other),
        (false, Kind::Other(_)) => texts.next_other(other),
        (true, _) => texts.due_now().to_owned(),
        (false, Kind::ArticlePublish) => texts.next_publish().to_owned(),
        (false, Kind::ArticleUnpublish) => texts.next_unpublish().to_owned(),
    };
    let (actions_row, moves, title) = (row.clone(), row.clone(), title_of(language(), &row));
    view! {
        <section class="upcoming" id=format!("task-{}", row.id)>
            <h1>{verb}<a dir="auto" href=format!("/tasks/{}", row.id)>{title}</a></h1>
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

/// Numbers of scheduled tasks, and of tasks executed in the last 24 hours.
#[component]
fn Figures(dashboard: Signal<Dashboard>) -> impl IntoView {
    let texts = DashboardTexts::here();
    let scheduled = move || texts.waiting(counted(dashboard.with(|dashboard| dashboard.scheduled)));
    let today = move || texts.today(counted(dashboard.with(|dashboard| dashboard.executed_today)));
    view! {
        <p class="row dashboard-figures muted">
            <span>{scheduled}</span>
            <span aria-hidden="true">"·"</span>
            <span>{today}</span>
        </p>
    }
}
