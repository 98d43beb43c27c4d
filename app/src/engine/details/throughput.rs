//! Throughput, and the duration of each stage.

use super::{figures::figures, section::Section};
use crate::ui::chart::{Bar, Chart, Scale};
use domain::{
    State,
    engine::{EngineReport, StageReport, Totals},
};
use leptos::{either::Either, prelude::*};
use texts::{
    engine::EngineTexts,
    language,
    number::{counted, grouped},
    tasks::TaskTexts,
    time,
};

/// Executed tasks per minute, and the number of tasks by state.
#[component]
pub fn Throughput(
    /// The engine report.
    report: Signal<EngineReport>,
) -> impl IntoView {
    let texts = EngineTexts::here();
    let minutes = Memo::new(move |_| report.with(|report| report.throughput.clone()));
    let totals = Memo::new(move |_| report.with(|report| report.totals));
    let summary = Signal::derive(move || minutes.with(|minutes| summary_of(texts, minutes)));
    view! {
        <Section id="throughput" title=texts.throughput_title() summary=summary>
            {move || chart(texts, &minutes.get())}
            <h3>{texts.totals_title()}</h3>
            {move || total_figures(totals.get())}
        </Section>
    }
}

fn total_figures(totals: Totals) -> impl IntoView {
    let texts = TaskTexts::here();
    figures(vec![
        (texts.state_of(State::Scheduled), counted(totals.scheduled)),
        (texts.state_of(State::Executed), counted(totals.executed)),
        (texts.state_of(State::Failed), counted(totals.failed)),
        (texts.state_of(State::Missed), counted(totals.missed)),
        (texts.state_of(State::Cancelled), counted(totals.cancelled)),
    ])
}

fn summary_of(texts: EngineTexts, minutes: &[u32]) -> String {
    let total: u64 = minutes.iter().copied().map(u64::from).sum();
    texts.throughput_summary(grouped(total), grouped(minutes.iter().copied().max().unwrap_or(0).into()))
}

fn chart(texts: EngineTexts, minutes: &[u32]) -> impl IntoView + use<> {
    let last = minutes.len().saturating_sub(1);
    let label = |place: usize| match last - place {
        0 => texts.this_minute().to_owned(),
        ago => texts.minutes(ago),
    };
    let bar =
        |(place, count): (usize, &u32)| Bar { label: label(place), value: u64::from(*count), is_bad: false };
    let bars = minutes.iter().enumerate().map(bar).collect();
    let ago = |ago: usize| last.checked_sub(ago).map(|place| (place, label(place)));
    let scale =
        Scale { ticks: [ago(45), ago(30), ago(15), ago(0)].into_iter().flatten().collect(), line: None };
    view! {
        <Chart title=texts.throughput_title() summary=summary_of(texts, minutes) bars=bars scale=scale
            columns=(texts.minute(), texts.tasks()) />
    }
}

/// The duration of each stage.
#[component]
pub fn StageTimes(
    /// The engine report.
    report: Signal<EngineReport>,
) -> impl IntoView {
    let texts = EngineTexts::here();
    let stages = Memo::new(move |_| report.with(|report| report.stages.clone()));
    let body = move || match stages.get() {
        none if none.is_empty() => Either::Left(view! { <p class="muted">{texts.stages_none()}</p> }),
        stages => Either::Right(table(stages)),
    };
    view! {
        <h3 id="stages">{texts.stages_title()}</h3>
        <p class="hint">{texts.stages_hint()}</p>
        {body}
    }
}

fn table(stages: Vec<StageReport>) -> impl IntoView {
    let (texts, names, language) = (EngineTexts::here(), TaskTexts::here(), language());
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
                    <th scope="col" class="number">{texts.p50()}</th>
                    <th scope="col" class="number">{texts.stage_p99()}</th>
                    <td></td>
                    <th scope="col" class="number">{texts.tasks()}</th>
                </tr></thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
}
