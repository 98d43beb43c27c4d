//! How late tasks were: figures, the histogram with its line, and what is left of the error budget.

use super::figures;
use crate::{
    components::chart::{Bar, Chart, Scale},
    words::{Language, engine::EngineWords, language, number::grouped, time},
};
use domain::{
    engine::{EngineReport, Lag},
    lag::{BOUNDS, ON_TIME_MS},
};
use leptos::{either::Either, prelude::*};

/// The panel.
#[component]
pub fn LagPanel(
    /// What the engine says.
    report: Signal<EngineReport>,
) -> impl IntoView {
    let words = EngineWords::here();
    let lag = Memo::new(move |_| report.with(|report| report.lag));
    view! {
        <section class="panel whole" aria-labelledby="lag">
            <header><h2 id="lag">{words.lag_title()}</h2><span class="over">{words.lag_hint()}</span></header>
            {move || lag_figures(lag.get())}
            {move || histogram(lag.get())}
            {move || budget(lag.get())}
        </section>
    }
}

fn lag_figures(lag: Lag) -> impl IntoView {
    let (words, language) = (EngineWords::here(), language());
    let ms = |value| if lag.count == 0 { "–".to_owned() } else { time::measured(language, value) };
    figures(vec![
        (words.half(), ms(lag.p50)),
        (words.most(), ms(lag.p95)),
        (words.nearly_all(), ms(lag.p99)),
        (words.worst(), ms(lag.max)),
        (words.early(), lag.early.to_string()),
        (words.measured(), grouped(lag.count)),
    ])
}

fn histogram(lag: Lag) -> impl IntoView {
    let (words, language) = (EngineWords::here(), language());
    let bars = lag.spread.iter().enumerate().map(|(place, count)| Bar {
        label: label(language, place),
        value: *count,
        is_bad: is_late(place),
    });
    let tick = |place: usize| (place, short(language, BOUNDS[place]));
    let line = (0..BOUNDS.len()).find(|place| is_late(*place)).unwrap_or(BOUNDS.len());
    let limit = words.up_to(time::measured(language, ON_TIME_MS));
    let scale = Scale {
        ticks: vec![tick(0), tick(3), tick(6), tick(9), tick(12)],
        line: Some((line, format!("{} · {limit}", words.in_time()), words.too_late().to_owned())),
    };
    let told = match lag.count {
        0 => words.lag_none().to_owned(),
        count => words.lag_told(grouped(count), grouped(lag.late)),
    };
    view! {
        <Chart title=words.lag_title() told=told bars=bars.collect() scale=scale
            columns=(words.later(), words.tasks()) />
    }
}

/// Whether what falls into the bar is late.
fn is_late(place: usize) -> bool {
    BOUNDS.get(place).is_none_or(|bound| *bound > ON_TIME_MS)
}

fn label(language: Language, place: usize) -> String {
    let words = EngineWords(language);
    match BOUNDS.get(place) {
        Some(bound) => words.up_to(short(language, *bound)),
        None => words.beyond(short(language, BOUNDS[BOUNDS.len() - 1])),
    }
}

/// `200 ms`, `5 s`, `1 min`: bounds are round.
fn short(language: Language, ms: i64) -> String {
    if ms < 1_000 { time::measured(language, ms) } else { time::span(language, ms / 1_000) }
}

/// What is left of what may be late, in words and as a bar.
fn budget(lag: Lag) -> impl IntoView {
    let words = EngineWords::here();
    let left = lag.budget_left();
    let sentence = match lag.count {
        0 => words.budget_whole().to_owned(),
        count => words.budget(grouped(count), grouped(lag.late), grouped(lag.allowed()), left),
    };
    let is_spent = lag.late > lag.allowed();
    let mark = if is_spent {
        Either::Left(view! { <span class="state-word bad">{words.budget_spent()}</span> })
    } else {
        Either::Right(())
    };
    view! {
        <div class="budget" class:spent=is_spent>
            <h3 class="over">{words.budget_title()}</h3>
            <svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                <rect x="0" y="0" width=left height="10" />
            </svg>
            <p>{sentence}" "{mark}</p>
        </div>
    }
}
