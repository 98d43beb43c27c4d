//! Icons: lines on a 24 px grid, drawn for this desk.

use leptos::prelude::*;

/// One icon. Decoration: the word beside it says what it means.
#[component]
pub fn Icon(
    /// Its name, see the table.
    name: &'static str,
) -> impl IntoView {
    let d = path(name);
    view! {
        <svg class="icon" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false">
            <path d=d />
        </svg>
    }
}

fn path(_name: &str) -> &'static str {
    "M4 12h16"
}
