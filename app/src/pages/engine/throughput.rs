//! How much went out, and how long each stage of the way took.

use crate::{
    components::chart::{Bar, Chart, Scale},
    words::{engine::EngineWords, language, number::grouped, task::TaskWords, time},
};
use domain::engine::{EngineReport, StageReport};
use leptos::{either::Either, prelude::*};

/// Executed tasks a minute.
#[component]
pub fn Throughput(
    /// What the engine says.
    report: Signal<EngineReport>,
) -> impl IntoView {
    let words = EngineWords::here();
    let minutes = Memo::new(move |_| report.with(|report| report.throughput.clone()));
    let told = move || minutes.with(|minutes| sum(words, minutes));
    view! {
        <section class="panel whole" aria-labelledby="throughput">
            <header><h2 id="throughput">{words.throughput_title()}</h2><span class="over">{told}</span></header>
            {move || chart(words, &minutes.get())}
        </section>
    }
}

fn sum(words: EngineWords, minutes: &[u32]) -> String {
    let total: u64 = minutes.iter().copied().map(u64::from).sum();
    words.throughput_told(grouped(total), grouped(minutes.iter().copied().max().unwrap_or(0).into()))
}

fn chart(words: EngineWords, minutes: &[u32]) -> impl IntoView + use<> {
    let last = minutes.len().saturating_sub(1);
    let label = |place: usize| match last - place {
        0 => words.this_minute().to_owned(),
        ago => words.minutes(ago),
    };
    let bar =
        |(place, count): (usize, &u32)| Bar { label: label(place), value: u64::from(*count), is_bad: false };
    let bars = minutes.iter().enumerate().map(bar).collect();
    let ago = |ago: usize| last.checked_sub(ago).map(|place| (place, label(place)));
    let scale =
        Scale { ticks: [ago(45), ago(30), ago(15), ago(0)].into_iter().flatten().collect(), line: None };
    view! {
        <Chart title=words.throughput_title() told=sum(words, minutes) bars=bars scale=scale
            columns=(words.minute(), words.tasks()) />
    }
}

/// The time at each stage.
#[component]
pub fn Stages(
    /// What the engine says.
    report: Signal<EngineReport>,
) -> impl IntoView {
    let words = EngineWords::here();
    let stages = Memo::new(move |_| report.with(|report| report.stages.clone()));
    let body = move || match stages.get() {
        none if none.is_empty() => Either::Left(view! { <p class="quiet">{words.stages_none()}</p> }),
        stages => Either::Right(table(stages)),
    };
    view! {
        <section class="panel whole" aria-labelledby="stages">
            <header><h2 id="stages">{words.stages_title()}</h2><span class="over">{words.stages_hint()}</span></header>
            {body}
        </section>
    }
}

fn table(stages: Vec<StageReport>) -> impl IntoView {
    let (words, names, language) = (EngineWords::here(), TaskWords::here(), language());
    let top = stages.iter().map(|stage| stage.p99).max().unwrap_or(0).max(1);
    let rows: Vec<_> = stages
        .into_iter()
        .map(|stage| {
            let width = stage.p99 * 1_000 / top;
            view! {
                <tr>
                    <th scope="row">{names.stage_of(stage.stage)}</th>
                    <td class="number">{time::measured(language, stage.p50)}</td>
                    <td class="number">{time::measured(language, stage.p99)}</td>
                    <td>
                        <svg class="bar" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
                            <rect x="0" y="0" width=width height="10" />
                        </svg>
                    </td>
                    <td class="number">{grouped(stage.count)}</td>
                </tr>
            }
        })
        .collect();
    view! {
        <div class="scroll" tabindex="0" role="group" aria-labelledby="stages">
            <table class="table stage-times">
                <thead><tr>
                    <th scope="col">{names.stage()}</th>
                    <th scope="col" class="number">{words.half()}</th>
                    <th scope="col" class="number">{words.tail()}</th>
                    <td></td>
                    <th scope="col" class="number">{words.tasks()}</th>
                </tr></thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
}
