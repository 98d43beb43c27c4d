//! Placeholder of an empty list.

use leptos::prelude::*;

/// Says that the list is empty, and what to do.
#[component]
pub fn Empty(
    /// Says that the list is empty.
    title: &'static str,
    /// Explains what appears here.
    hint: &'static str,
    /// A link or a button.
    #[prop(optional)]
    children: Option<Children>,
) -> impl IntoView {
    view! {
        <div class="empty">
            <strong>{title}</strong>
            <p>{hint}</p>
            {children.map(|children| children())}
        </div>
    }
}
