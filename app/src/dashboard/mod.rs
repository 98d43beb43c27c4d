//! `/`: Today: what needs the user, the next task, the day, the next days, and recent tasks.

pub mod day_line;
mod first_week;
pub mod outlook;
pub mod quick;
pub mod server_fns;
mod whose;

use crate::{
    attention::{NeedsYou, read_attention},
    calendar::clock_text::{clock_on, date_words},
    live::{live, live_resource},
    tasks::{
        actions::TaskActions,
        row::{MoveRow, TaskList},
        target::title_of,
    },
    ui::{
        async_view::AsyncView,
        form::{kept_view::KeptView, refusal_of},
        icon::Icon,
        page::header::TabTitle,
        time::{
            date_time::{Countdown, DateTime},
            picker::CityList,
        },
    },
};
use day_line::{DayLine, Zones};
use domain::{
    attention::AttentionPage,
    calendar::CalendarStatus,
    task::{Dashboard, TaskRow as Row},
};
use first_week::{FirstArticle, FirstSteps, asks_for_article};
use leptos::{either::Either, prelude::*};
use outlook::{Waiting, Week, done_today};
use server_fn::ServerFn;
use server_fns::{Board, DayPlan, PublishFirst, read_dashboard};
use texts::dashboard::DashboardTexts;
use texts::{language, layout::LayoutTexts, number::counted, sentences, tasks::TaskTexts};
use whose::{Whose, is_own};

/// The page.
#[component]
pub fn Today() -> impl IntoView {
    let texts = DashboardTexts::here();
    let is_own = is_own();
    let read = live_resource(
        |change| matches!(change.entity.as_str(), "task" | "article" | "meeting" | "engine" | "settings"),
        move || is_own.get(),
        read_dashboard,
    );
    let needs = read_attention();
    // Both are there before anything is shown, so that nothing moves.
    let content = move |needs| view! { <AsyncView from=read children=move |board| view! { <Content board=board needs=needs /> } /> };
    view! {
        <TabTitle title=texts.title().to_owned() />
        <AsyncView from=needs children=content />
        <CityList />
    }
}

#[component]
fn Content(board: Signal<Board>, needs: Signal<AttentionPage>) -> impl IntoView {
    let dashboard = Memo::new(move |_| board.with(|board| board.tasks.clone())).into();
    let plan: Signal<DayPlan> = Memo::new(move |_| board.with(|board| board.plan.clone())).into();
    let today = move || plan.with(|plan| date_words(language(), &plan.today.date, &plan.today.date));
    let lists = view! { <Lists dashboard=dashboard /> };
    // The first row is the headline. It is replaced only by a different row.
    let first = Memo::new(move |_| board.with(|board| board.tasks.next.first().cloned()));
    let first_week = Memo::new(move |_| board.with(|board| board.first_week.clone()));
    let is_first_run =
        Memo::new(move |_| board.with(|board| board.tasks.recent.is_empty() && board.tasks.scheduled == 0));
    // The form of the first article says what to do, so nothing else does. Neither a refusal nor what others do in
    // the meantime takes it away with what was typed.
    let is_asked_for = first_week.with_untracked(|week| asks_for_article(week.as_ref()));
    let has_form = (is_asked_for && is_first_run.get_untracked()) || refusal_of(PublishFirst::PATH).is_some();
    let headline = move |first: Option<Row>| match first {
        Some(row) => Either::Left(view! { <Upcoming row=row /> }),
        None => Either::Right((!has_form).then(|| view! { <Nothing is_first_run=is_first_run /> })),
    };
    view! {
        <header class="page-header"><h1><Summary plan=plan /></h1><Whose /></header>
        <NeedsYou content=needs />
        {has_form.then(|| view! { <FirstArticle /> })}
        <FirstSteps week=first_week />
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

/// The state of the day in one sentence: what is planned, when the next item begins, what needs the user.
#[component]
fn Summary(plan: Signal<DayPlan>) -> impl IntoView {
    let (texts, beat) = (DashboardTexts::here(), live().heartbeat());
    let needs = Memo::new(move |_| beat.with(|beat| beat.attention.saturating_sub(beat.attention_watched)));
    let planned = Memo::new(move |_| {
        plan.with(|plan| {
            let today = &plan.today;
            let mut coming = today.items.iter().filter(|item| item.status == CalendarStatus::Upcoming);
            let next = coming.next().map(|first| {
                let minute = first.at.plus(-first.at.millis().rem_euclid(60_000));
                clock_on(today, minute, first.offset)
            });
            // Only the first items of a day are read; the others come after them.
            let rest = today.count.saturating_sub(today.items.len() as u64);
            match (next, coming.count() as u64 + rest) {
                (None, 0) => match done_today(today) {
                    0 => texts.nothing_today().to_owned(),
                    done => texts.all_done_today(counted(done)),
                },
                (None, later) => texts.later_today(counted(later)),
                (Some(next), 0) => texts.one_today(next),
                (Some(next), others) => texts.many_today(counted(others + 1), next),
            }
        })
    });
    move || match needs.get() {
        0 => planned.get(),
        1 => sentences(&planned.get(), texts.one_needs_you()),
        many => sentences(&planned.get(), &texts.many_need_you(counted(many))),
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
    let verb =
        move || format!("{}{}", if is_due.get() { texts.due_now() } else { texts.next() }, texts.what(kind));
    let (actions_row, moves, title) = (row.clone(), row.clone(), title_of(language(), &row));
    view! {
        <section class="upcoming" id=format!("task-{}", row.id)>
            <h2>{verb}<a dir="auto" href=format!("/tasks/{}", row.id)>{title}</a></h2>
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

/// No task is scheduled: links to a new article. While nothing was published either, also to the public site.
#[component]
fn Nothing(is_first_run: Memo<bool>) -> impl IntoView {
    let texts = DashboardTexts::here();
    view! {
        <section class="upcoming">
            <h2>{texts.nothing_next()}</h2>
            <p class="muted">{texts.nothing_hint()}</p>
            <p class="actions">
                <a class="button main" href="/articles/new"><Icon name="plus" />{texts.write_first()}</a>
            </p>
            {move || is_first_run.get().then(|| view! {
                <p><a href="/site" rel="external">{texts.see_site()}</a>" "<span class="muted">{texts.site_hint()}</span></p>
            })}
        </section>
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
