//! The engine's loops, what they stand on, and the counts of hints.

use crate::{
    components::{icon::Icon, moment::Relative},
    words::{engine::EngineWords, language, time},
};
use domain::engine::{EngineReport, LoopReport, PartReport};
use leptos::{either::Either, prelude::*};

/// Each loop with its last round.
#[component]
pub fn Loops(
    /// What the engine says.
    report: Signal<EngineReport>,
) -> impl IntoView {
    let words = EngineWords::here();
    let loops = Memo::new(move |_| report.with(|report| report.loops.clone()));
    let rows = move || loops.get().into_iter().map(|one| view! { <Loop one=one /> }).collect_view();
    view! {
        <section class="panel" aria-labelledby="loops">
            <header><h2 id="loops">{words.loops_title()}</h2></header>
            <div class="scroll">
                <table class="table">
                    <thead><tr>
                        <th scope="col">{words.loop_name()}</th>
                        <th scope="col">{words.last_round()}</th>
                        <th scope="col" class="number">{words.rounds()}</th>
                        <th scope="col">{words.trouble()}</th>
                    </tr></thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
        </section>
    }
}

#[component]
fn Loop(one: LoopReport) -> impl IntoView {
    let words = EngineWords::here();
    let beat = match one.beat_at {
        Some(at) => Either::Left(view! { <Relative at=at /> }),
        None => Either::Right(words.never()),
    };
    view! {
        <tr>
            <th scope="row">{one.name}</th>
            <td>{beat}</td>
            <td class="number">{one.rounds}</td>
            <td>{one.trouble.unwrap_or_else(|| words.none().to_owned())}</td>
        </tr>
    }
}

/// The database and the hints.
#[component]
pub fn Parts(
    /// What the engine says.
    report: Signal<EngineReport>,
) -> impl IntoView {
    let (words, language) = (EngineWords::here(), language());
    let parts = Memo::new(move |_| report.with(|report| (report.sql.clone(), report.hints.clone())));
    let about = move || {
        report.with(|report| {
            (report.version.clone(), report.started_at, time::measured(language, report.clock_offset_ms))
        })
    };
    view! {
        <section class="panel" aria-labelledby="parts">
            <header><h2 id="parts">{words.parts_title()}</h2></header>
            {move || {
                let (sql, hints) = parts.get();
                view! {
                    <Part icon="database" name=words.sql() part=sql />
                    <Part icon="hints" name=words.hints() part=hints />
                }
            }}
            {move || {
                let (version, started, offset) = about();
                view! {
                    <dl class="facts">
                        <dt>{words.offset()}</dt><dd>{offset}</dd>
                        <dt>{words.version()}</dt><dd>{version}</dd>
                        <dt>{words.started()}</dt><dd><Relative at=started /></dd>
                    </dl>
                }
            }}
        </section>
    }
}

#[component]
fn Part(icon: &'static str, name: &'static str, part: PartReport) -> impl IntoView {
    let words = EngineWords::here();
    let (class, mark, word) = match part.is_up {
        true => ("state-word good", "executed", words.up()),
        false => ("state-word bad", "failed", words.down()),
    };
    let ping = part.ping_us.map(|us| format!("{} {}.{:03} ms", words.ping(), us / 1_000, us % 1_000));
    view! {
        <div>
            <p class="row">
                <Icon name=icon />
                <span>{name}": "{part.name}</span>
                <span class=class><Icon name=mark />{word}</span>
                <span class="over">{ping}</span>
            </p>
            {part.trouble.map(|trouble| view! { <p class="alert">{trouble}</p> })}
        </div>
    }
}

/// How many hints are where, and what became of them.
#[component]
pub fn Counts(
    /// What the engine says.
    report: Signal<EngineReport>,
) -> impl IntoView {
    let words = EngineWords::here();
    let counts = Memo::new(move |_| report.with(|report| report.hint_counts));
    let rows = move || {
        let counts = counts.get();
        [
            (words.future(), counts.future),
            (words.publish(), counts.publish),
            (words.fed(), counts.fed),
            (words.moved(), counts.moved),
            (words.stale(), counts.stale),
            (words.rescued(), counts.rescued),
        ]
        .map(|(name, count)| view! { <dt>{name}</dt><dd>{count}</dd> })
        .collect_view()
    };
    view! {
        <section class="panel" aria-labelledby="counts">
            <header><h2 id="counts">{words.counts_title()}</h2></header>
            <dl class="facts">{rows}</dl>
        </section>
    }
}
