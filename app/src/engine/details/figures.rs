//! Labelled figures.

use leptos::prelude::*;

/// A list of labelled figures.
pub fn figures(all: Vec<(&'static str, String)>) -> impl IntoView {
    let all: Vec<_> =
        all.into_iter().map(|(name, value)| view! { <div><dt>{name}</dt><dd>{value}</dd></div> }).collect();
    view! { <dl class="figures">{all}</dl> }
}
