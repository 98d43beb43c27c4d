//! Icons. Their lines are in `style/ui/icon.css`, so that each is one element of the page.

use leptos::prelude::*;

/// One icon. Decorative: the text beside it carries the meaning.
#[component]
pub fn Icon(
    /// Name in the style sheet.
    name: &'static str,
) -> impl IntoView {
    view! { <span class="icon" data-icon=name aria-hidden="true"></span> }
}

/// Names of all icons.
#[cfg(all(feature = "ssr", debug_assertions))]
pub fn names() -> impl Iterator<Item = &'static str> {
    const STYLE: &str = include_str!("../../../style/ui/icon.css");
    STYLE.lines().filter_map(|line| line.strip_prefix("[data-icon=\"")?.split_once('"')).map(|(name, _)| name)
}
