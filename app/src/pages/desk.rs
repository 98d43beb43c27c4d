//! The front page: what goes out next, what just went out, and whether all is well.

use crate::{
    calls::tasks::board,
    components::{
        head::TabTitle,
        icon::Icon,
        loaded::Loaded,
        moment::{Countdown, Moment},
        task_acts::TaskActs,
        task_row::{MoveRow, TaskRow, key},
    },
    live::{follow, live},
    words::{desk::DeskWords, frame::FrameWords, number::counted},
};
use domain::{
    Kind,
    task::{Board, TaskRow as Row},
};
use leptos::{either::Either, prelude::*};

/// The front page.
#[component]
pub fn Desk() -> impl IntoView {
    let words = DeskWords::here();
    let read = follow(
        |change| matches!(change.entity.as_str(), "task" | "article" | "engine" | "settings"),
        || (),
        |()| board(),
    );
    view! {
        <TabTitle title=words.title().to_owned() />
        <Loaded from=read children=|board| view! { <Front board=board /> } />
    }
}

#[component]
fn Front(board: Signal<Board>) -> impl IntoView {
    let words = DeskWords::here();
    // The first row stands in the headline; it changes only when it is another one.
    let first = Memo::new(move |_| board.with(|board| board.next.first().cloned()));
    let others = move || board.with(|board| board.next.iter().skip(1).cloned().collect::<Vec<_>>());
    let has_others = Memo::new(move |_| board.with(|board| board.next.len() > 1));
    let recent = move || board.with(|board| board.recent.clone());
    let has_recent = Memo::new(move |_| board.with(|board| !board.recent.is_empty()));
    view! {
        {move || match first.get() {
            Some(row) => Either::Left(view! { <NextUp row=row /> }),
            None => Either::Right(view! { <Nothing /> }),
        }}
        <Figures board=board />
        <div class="two">
            {move || has_others.get().then(|| view! {
                <section class="panel" aria-labelledby="next">
                    <header><h2 id="next">{words.next_up()}</h2><a href="/tasks?state=scheduled">{words.all_tasks()}</a></header>
                    <ul class="task-list"><For each=others key=key children=|row| view! { <TaskRow row=row /> } /></ul>
                </section>
            })}
            <section class="panel" aria-labelledby="recent">
                <header><h2 id="recent">{words.just_out()}</h2></header>
                <Show when=move || has_recent.get() fallback=move || view! { <p class="quiet">{words.nothing_out()}</p> }>
                    <ul class="task-list"><For each=recent key=key children=|row| view! { <TaskRow row=row /> } /></ul>
                </Show>
            </section>
        </div>
    }
}

/// A sentence, a clock, and what can be done.
#[component]
fn NextUp(row: Row) -> impl IntoView {
    let (words, now, due, kind) = (DeskWords::here(), live().now(), row.due.at, row.kind);
    let is_due = Memo::new(move |_| due <= now.get());
    let verb = move || match (is_due.get(), kind) {
        (true, _) => words.is_due(),
        (false, Kind::ArticlePublish) => words.goes_out(),
        (false, Kind::ArticleUnpublish) => words.goes_off(),
    };
    let (acts, moves) = (row.clone(), row.clone());
    view! {
        <section class="next-up" id=format!("task-{}", row.id)>
            <h1><a dir="auto" href=format!("/tasks/{}", row.id)>{row.title.clone()}</a>" "{verb}</h1>
            <Countdown at=due />
            <p class="quiet"><Moment at=row.due is_full=true /></p>
            <div class="acts row">
                <TaskActs row=acts />
                {row.may_change.then(|| view! { <MoveRow row=moves /> })}
            </div>
        </section>
    }
}

/// Nothing waits: leads to the first article.
#[component]
fn Nothing() -> impl IntoView {
    let words = DeskWords::here();
    view! {
        <section class="next-up">
            <h1>{words.nothing_next()}</h1>
            <p class="quiet">{words.nothing_hint()}</p>
            <p class="acts"><a class="button main" href="/articles/new"><Icon name="plus" />{words.write_first()}</a></p>
        </section>
    }
}

/// How many wait, went out, and need a person.
#[component]
fn Figures(board: Signal<Board>) -> impl IntoView {
    let (words, frame, beat) = (DeskWords::here(), FrameWords::here(), live().heartbeat());
    let attention = Memo::new(move |_| beat.with(|beat| beat.attention));
    let line = move || {
        board.with(|board| {
            (words.waiting(counted(board.scheduled)), words.today(counted(board.executed_today)))
        })
    };
    view! {
        <p class="row desk-figures quiet">
            <span>{move || line().0}</span>
            <span aria-hidden="true">"·"</span>
            <span>{move || line().1}</span>
            <span aria-hidden="true">"·"</span>
            <a href="/attention">{move || frame.needs_attention(attention.get())}</a>
        </p>
    }
}
