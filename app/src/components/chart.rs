//! A chart: bars for the eye, a sentence for the ear, and the numbers as a table folded away below.

use crate::words::engine::EngineWords;
use leptos::prelude::*;

/// One bar.
pub struct Bar {
    /// What it stands for.
    pub label: String,
    /// How many.
    pub value: u64,
    /// Whether it shows what should not be.
    pub is_bad: bool,
}

/// What stands above and below the bars, and between two of them.
#[derive(Default)]
pub struct Scale {
    /// Words below the bars, each with the place of its bar.
    pub ticks: Vec<(usize, String)>,
    /// A line before the bar of this place, and the words on both sides of it.
    pub line: Option<(usize, String, String)>,
}

/// Bars of one width.
#[component]
pub fn Chart(
    /// What it shows.
    title: &'static str,
    /// The same in numbers, in a sentence.
    told: String,
    /// The bars, from left to right.
    bars: Vec<Bar>,
    /// What stands around them.
    scale: Scale,
    /// Headings of the table: what a bar stands for, and what is counted.
    columns: (&'static str, &'static str),
) -> impl IntoView {
    let top = bars.iter().map(|bar| bar.value).max().unwrap_or(0).max(1);
    let width = bars.len() * 10;
    let label = format!("{title}. {told}");
    let count = bars.len();
    let rects: Vec<_> = bars.iter().enumerate().map(|(place, bar)| rect(place, bar, top)).collect();
    let line = scale.line.as_ref().map(|(place, ..)| {
        view! { <line class="limit" x1=place * 10 y1="0" x2=place * 10 y2="100" /> }
    });
    view! {
        <div class="chart" data-bars=count>
            {scale.line.map(|(_, before, after)| view! {
                <p class="chart-sides" aria-hidden="true"><span>{before}</span><span>{after}</span></p>
            })}
            <svg viewBox=format!("0 0 {width} 101") preserveAspectRatio="none" role="img" aria-label=label>
                {rects}
                {line}
                <line x1="0" y1="100.5" x2=width y2="100.5" />
            </svg>
            <p class="chart-ticks" aria-hidden="true">{ticks(scale.ticks, count)}</p>
            <Numbers bars=bars columns=columns />
        </div>
    }
}

fn rect(place: usize, bar: &Bar, top: u64) -> impl IntoView + use<> {
    let height = if bar.value == 0 { 1 } else { (bar.value * 96).div_ceil(top).max(3) };
    let (is_none, is_bad) = (bar.value == 0, bar.is_bad);
    view! {
        <rect class:none=is_none class:bad=is_bad x=place * 10 + 1 y=100 - height width="8" height=height>
            <title>{format!("{}: {}", bar.label, bar.value)}</title>
        </rect>
    }
}

/// One place a bar; most are empty.
fn ticks(ticks: Vec<(usize, String)>, count: usize) -> Vec<impl IntoView> {
    let mut places = vec![String::new(); count];
    for (place, word) in ticks {
        if let Some(slot) = places.get_mut(place) {
            *slot = word;
        }
    }
    places.into_iter().map(|word| view! { <span>{word}</span> }).collect()
}

/// The numbers, of which there are any.
#[component]
fn Numbers(bars: Vec<Bar>, columns: (&'static str, &'static str)) -> impl IntoView {
    let rows: Vec<_> = bars
        .into_iter()
        .filter(|bar| bar.value > 0)
        .map(|bar| view! { <tr><th scope="row">{bar.label}</th><td class="number">{bar.value}</td></tr> })
        .collect();
    view! {
        <details class="open-in-place">
            <summary class="button bare small">{EngineWords::here().as_table()}</summary>
            <table class="table">
                <thead><tr><th scope="col">{columns.0}</th><th scope="col" class="number">{columns.1}</th></tr></thead>
                <tbody>{rows}</tbody>
            </table>
        </details>
    }
}
