//! Bars: a small picture of numbers, with the numbers as a table behind it.

use crate::words::engine::EngineWords;
use leptos::prelude::*;

/// Numbers by minute, oldest first, as bars; folded away below it the same as a table.
#[component]
pub fn Bars(
    /// The numbers.
    values: Vec<u32>,
) -> impl IntoView {
    let words = EngineWords::here();
    let top = values.iter().copied().max().unwrap_or(0);
    let count = values.len();
    let width = count * 10;
    let bars: Vec<_> = values
        .iter()
        .enumerate()
        .map(|(place, value)| {
            let height = if *value == 0 { 1 } else { (value * 96).div_ceil(top.max(1)).max(2) };
            view! { <rect class:none=*value == 0 x=place * 10 + 1 y=100 - height width="8" height=height /> }
        })
        .collect();
    let rows: Vec<_> = values
        .iter()
        .enumerate()
        .filter(|(_, value)| **value > 0)
        .map(|(place, value)| {
            view! { <tr><td>{count - place}</td><td class="number">{*value}</td></tr> }
        })
        .collect();
    view! {
        <svg class="bars" viewBox=format!("0 0 {width} 101") preserveAspectRatio="none" height="110" role="img"
            aria-label=words.throughput_alt(top)>
            {bars}
            <line x1="0" y1="100" x2=width y2="100" />
        </svg>
        <details class="open-in-place">
            <summary class="button bare small">{words.as_table()}</summary>
            <table class="table">
                <thead><tr><th scope="col">{words.minutes_ago()}</th><th scope="col" class="number">{words.tasks()}</th></tr></thead>
                <tbody>{rows}</tbody>
            </table>
        </details>
    }
}
