//! The menu of a row, on touch.

use leptos::prelude::*;
use texts::lists::TableTexts;

/// The button that opens the menu of a row on touch. The stylesheet shows its siblings.
#[component]
pub fn RowMenu(
    /// Title of the row.
    title: String,
) -> impl IntoView {
    view! { <details class="row-menu"><summary aria-label=TableTexts::here().actions_of(&title)>"⋯"</summary></details> }
}
