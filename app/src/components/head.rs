//! The heading of a page, and the title of its tab.

use crate::visitor::visitor;
use leptos::prelude::*;

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
            <h1 dir="auto">{title}</h1>
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
    show_title(move |page| format!("{page} · {desk}"), title);
}

/// Puts the title into the head of the page. `leptos_meta` writes it as it is, so it is escaped here; and it asks for it after
/// the page, when a signal may be that of another request.
#[cfg(feature = "ssr")]
#[expect(clippy::disallowed_methods, reason = "the one title: its text is escaped here")]
fn show_title(text: impl Fn(String) -> String, page: Signal<String>) {
    let text = crate::html::escape(&text(page.get_untracked()));
    let _ = leptos_meta::Title(leptos_meta::TitleProps::builder().text(text).build());
}

/// Sets the title of the tab, and again whenever the page's changes.
#[cfg(not(feature = "ssr"))]
fn show_title(text: impl Fn(String) -> String + 'static, page: Signal<String>) {
    Effect::new(move |_| document().set_title(&text(page.get())));
}
