//! Lateness: figures, histogram, and the remaining error budget.

use super::{figures::figures, section::Section, throughput::StageTimes};
use crate::ui::chart::{Bar, Chart, Scale};
use domain::{
    engine::{EngineReport, Lateness},
    lateness::{HISTOGRAM_BOUNDS_MS, ON_TIME_MS},
};
use leptos::{either::Either, prelude::*};
use texts::{Language, engine::EngineTexts, language, number::grouped, time};

/// Lateness of the last hour, and the duration of each stage.
#[component]
pub fn LatenessSection(
    /// The engine report.
    report: Signal<EngineReport>,
) -> impl IntoView {
    let texts = EngineTexts::here();
    let lateness = Memo::new(move |_| report.with(|report| report.lateness));
    let summary = Signal::derive(move || lateness.with(|lateness| summary(texts, lateness)));
    let is_spent = Signal::derive(move || lateness.with(|lateness| lateness.late > lateness.late_budget()));
    view! {
        <Section id="lateness" title=texts.lateness() summary=summary has_problem=is_spent>
            <p class="hint">{texts.lateness_hint()}</p>
            {move || lateness_figures(lateness.get())}
            {move || histogram(lateness.get())}
            {move || budget(lateness.get())}
            <StageTimes report=report />
        </Section>
    }
}

/// p50 and p99 of the last hour.
fn summary(texts: EngineTexts, lateness: &Lateness) -> String {
    let ms = |value| time::measured(texts.0, value);
    match lateness.count {
        0 => texts.lateness_none().to_owned(),
        _ => format!("{} {} · {} {}", texts.p50(), ms(lateness.p50), texts.p99(), ms(lateness.p99)),
    }
}

fn lateness_figures(lateness: Lateness) -> impl IntoView {
    let (texts, language) = (EngineTexts::here(), language());
    let ms = |value| if lateness.count == 0 { "–".to_owned() } else { time::measured(language, value) };
    figures(vec![
        (texts.p50(), ms(lateness.p50)),
        (texts.p95(), ms(lateness.p95)),
        (texts.p99(), ms(lateness.p99)),
        (texts.max(), ms(lateness.max)),
        (texts.early(), lateness.early.to_string()),
        (texts.measured(), grouped(lateness.count)),
    ])
}

fn histogram(lateness: Lateness) -> impl IntoView {
    let (texts, language) = (EngineTexts::here(), language());
    let bars = lateness.histogram.iter().enumerate().map(|(place, count)| Bar {
        label: label(language, place),
        value: *count,
        is_bad: is_late(place),
    });
    let tick = |place: usize| (place, short(language, HISTOGRAM_BOUNDS_MS[place]));
    let line =
        (0..HISTOGRAM_BOUNDS_MS.len()).find(|place| is_late(*place)).unwrap_or(HISTOGRAM_BOUNDS_MS.len());
    let limit = texts.up_to(time::measured(language, ON_TIME_MS));
    let scale = Scale {
        ticks: vec![tick(0), tick(3), tick(6), tick(9), tick(12)],
        line: Some((line, format!("{} · {limit}", texts.in_time()), texts.late().to_owned())),
    };
    let summary = match lateness.count {
        0 => texts.lateness_none().to_owned(),
        count => texts.lateness_summary(grouped(count), grouped(lateness.late)),
    };
    view! {
        <Chart title=texts.lateness_title() summary=summary bars=bars.collect() scale=scale
            columns=(texts.lateness(), texts.tasks()) />
    }
}

/// Whether the bucket of the histogram is late.
fn is_late(place: usize) -> bool {
    HISTOGRAM_BOUNDS_MS.get(place).is_none_or(|bound| *bound > ON_TIME_MS)
}

fn label(language: Language, place: usize) -> String {
    let texts = EngineTexts(language);
    match HISTOGRAM_BOUNDS_MS.get(place) {
        Some(bound) => texts.up_to(short(language, *bound)),
        None => texts.more_than(short(language, HISTOGRAM_BOUNDS_MS[HISTOGRAM_BOUNDS_MS.len() - 1])),
    }
}

/// `200 ms`, `5 s`, `1 min`: bounds are round.
fn short(language: Language, ms: i64) -> String {
    if ms < 1_000 { time::measured(language, ms) } else { time::span(language, ms / 1_000) }
}

/// The remaining error budget, as text and as a bar.
fn budget(lateness: Lateness) -> impl IntoView {
    let texts = EngineTexts::here();
    let left = lateness.late_budget_left();
    let sentence = match lateness.count {
        0 => texts.budget_whole().to_owned(),
        count => texts.budget(grouped(count), grouped(lateness.late), grouped(lateness.late_budget()), left),
    };
    let is_spent = lateness.late > lateness.late_budget();
    let mark = if is_spent {
        Either::Left(view! { <span class="state-word bad">{texts.budget_spent()}</span> })
    } else {
        Either::Right(())
    };
    view! {
        <div class="budget" class:spent=is_spent>
            <h3 class="eyebrow">{texts.budget_title()}</h3>
            <svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                <rect x="0" y="0" width=left height="10" />
            </svg>
            <p>{sentence}" "{mark}</p>
        </div>
    }
}
