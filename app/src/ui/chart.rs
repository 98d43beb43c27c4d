//! A bar chart with an accessible name and a collapsed table of its numbers.

use leptos::prelude::*;
use texts::engine::EngineTexts;

/// One bar.
pub struct Bar {
    /// Label of the bar.
    pub label: String,
    /// Count.
    pub value: u64,
    /// Whether the bar is shown as bad.
    pub is_bad: bool,
}

/// Labels around the bars.
#[derive(Default)]
pub struct Scale {
    /// Labels below the bars, each with the index of its bar.
    pub ticks: Vec<(usize, String)>,
    /// Index of the bar after a vertical line, and the labels on its left and right.
    pub line: Option<(usize, String, String)>,
}

/// Bars of equal width.
#[component]
pub fn Chart(
    /// Title of the chart.
    title: &'static str,
    /// Summary of the numbers as a sentence.
    summary: String,
    /// The bars, from left to right.
    bars: Vec<Bar>,
    /// Labels.
    scale: Scale,
    /// Column headings of the table: label and count.
    columns: (&'static str, &'static str),
) -> impl IntoView {
    let top = bars.iter().map(|bar| bar.value).max().unwrap_or(0).max(1);
    let width = bars.len() * 10;
    let label = format!("{title}. {summary}");
    let count = bars.len();
    let rects: Vec<_> = bars
        .iter()
        .enumerate()
        .filter(|(_, bar)| bar.value > 0)
        .map(|(index, bar)| rect(index, bar, top))
        .collect();
    let none = none(&bars);
    let line = scale.line.as_ref().map(|(index, ..)| {
        view! { <line class="limit" x1=index * 10 y1="0" x2=index * 10 y2="100" /> }
    });
    view! {
        <div class="chart" data-bars=count>
            {scale.line.map(|(_, before, after)| view! {
                <p class="chart-sides" aria-hidden="true"><span>{before}</span><span>{after}</span></p>
            })}
            <svg viewBox=format!("0 0 {width} 101") preserveAspectRatio="none" role="img" aria-label=label>
                <path class="none" d=none />
                {rects}
                {line}
                <line x1="0" y1="100.5" x2=width y2="100.5" />
            </svg>
            <svg class="chart-ticks" aria-hidden="true">{ticks(scale.ticks, count)}</svg>
            <Numbers bars=bars columns=columns />
        </div>
    }
}

/// A flat mark in the place of every bar without a count.
fn none(bars: &[Bar]) -> String {
    let empty = bars.iter().enumerate().filter(|(_, bar)| bar.value == 0);
    empty.map(|(index, _)| format!("M{} 99h8v1h-8z", index * 10 + 1)).collect()
}

fn rect(index: usize, bar: &Bar, top: u64) -> impl IntoView + use<> {
    let (height, is_bad) = ((bar.value * 96).div_ceil(top).max(3), bar.is_bad);
    view! {
        <rect class:bad=is_bad x=index * 10 + 1 y=100 - height width="8" height=height>
            <title>{format!("{}: {}", bar.label, bar.value)}</title>
        </rect>
    }
}

/// The labels, each below the middle of its bar; those at the ends stay within the chart.
fn ticks(ticks: Vec<(usize, String)>, count: usize) -> Vec<impl IntoView> {
    let label = |(index, word): (usize, String)| {
        let (x, anchor) = match index {
            0 => (0, "start"),
            last if last + 1 == count => (100, "end"),
            _ => ((index * 200 + 100) / (count * 2), "middle"),
        };
        view! { <text x=format!("{x}%") y="1.2em" text-anchor=anchor>{word}</text> }
    };
    ticks.into_iter().filter(|(index, _)| *index < count).map(label).collect()
}

/// Table of the bars with a count above 0.
#[component]
fn Numbers(bars: Vec<Bar>, columns: (&'static str, &'static str)) -> impl IntoView {
    let rows: Vec<_> = bars
        .into_iter()
        .filter(|bar| bar.value > 0)
        .map(|bar| view! { <tr><th scope="row">{bar.label}</th><td class="number">{bar.value}</td></tr> })
        .collect();
    view! {
        <details class="open-in-place">
            <summary class="button bare small">{EngineTexts::here().as_table()}</summary>
            <table class="table">
                <thead><tr><th scope="col">{columns.0}</th><th scope="col" class="number">{columns.1}</th></tr></thead>
                <tbody>{rows}</tbody>
            </table>
        </details>
    }
}
