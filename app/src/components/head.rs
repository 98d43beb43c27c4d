//! The heading of a page, and the title of its tab.

use crate::visitor::visitor;
use leptos::prelude::*;
use leptos_meta::Title;

/// The heading of a page: its one `h1`, a line that says what it is for, and what can be done beside it.
#[component]
pub fn Head(
    /// What the page is called.
    #[prop(into)]
    title: Signal<String>,
    /// What it is for.
    #[prop(optional, into)]
    lead: String,
    /// Buttons beside it.
    #[prop(optional)]
    children: Option<Children>,
) -> impl IntoView {
    view! {
        <TabTitle title=title />
        <header class="page-head">
            <h1>{title}</h1>
            {children.map(|children| view! { <div class="row">{children()}</div> })}
            {(!lead.is_empty()).then(|| view! { <p class="lead">{lead}</p> })}
        </header>
    }
}

/// The title of the tab: the page, then the desk.
#[component]
pub fn TabTitle(
    /// What the page is called.
    #[prop(into)]
    title: Signal<String>,
) -> impl IntoView {
    let desk = visitor().desk.title;
    // The server writes the head after the page: the signal may be gone by then.
    let first = title.get_untracked();
    let text = move || format!("{} · {desk}", title.try_get().as_ref().unwrap_or(&first));
    view! { <Title text=text /> }
}
