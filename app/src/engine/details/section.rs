//! A folded section.

use leptos::prelude::*;

/// A section with its status beside the heading. It is open while it shows a problem.
#[component]
pub fn Section(
    /// Id of the heading.
    id: &'static str,
    /// Heading.
    title: &'static str,
    /// Status in a few words.
    #[prop(into)]
    summary: Signal<String>,
    /// Whether it shows a problem.
    #[prop(optional, into)]
    has_problem: Signal<bool>,
    /// Content.
    children: Children,
) -> impl IntoView {
    // A memo: a person can open and close the section while the problem stays as it is.
    let is_open = Memo::new(move |_| has_problem.get());
    view! {
        <details class="fold" open=move || is_open.get()>
            <summary>
                <h2 id=id>{title}</h2>
                <span class="fold-summary" class:bad=move || is_open.get()>{summary}</span>
            </summary>
            <div class="fold-content">{children()}</div>
        </details>
    }
}
