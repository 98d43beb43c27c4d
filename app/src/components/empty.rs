//! What stands where nothing is: says so, and where to go.

use leptos::prelude::*;

/// Says that nothing is here, why, and what to do.
#[component]
pub fn Empty(
    /// That nothing is here.
    title: &'static str,
    /// What would be, and how it comes.
    hint: &'static str,
    /// A link or a button that leads on.
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
