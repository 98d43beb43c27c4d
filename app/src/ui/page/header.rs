//! Heading of a page and title of its tab.

use crate::{live::live, session::visitor};
use leptos::prelude::*;

/// The heading: `h1`, lead, and buttons.
#[component]
pub fn PageHeader(
    /// Title.
    #[prop(into)]
    title: Signal<String>,
    /// One sentence below the title.
    #[prop(optional, into)]
    lead: String,
    /// Buttons.
    #[prop(optional)]
    children: Option<Children>,
) -> impl IntoView {
    view! {
        <TabTitle title=title />
        <header class="page-header">
            <h1 dir="auto">{title}</h1>
            {children.map(|children| view! { <div class="row">{children()}</div> })}
            {(!lead.is_empty()).then(|| view! { <p class="lead">{lead}</p> })}
        </header>
    }
}

/// Title of the tab: number of entries on Attention on which the user can act, page and site title.
#[component]
pub fn TabTitle(
    /// Title of the page.
    #[prop(into)]
    title: Signal<String>,
) -> impl IntoView {
    let desk = visitor().desk.title;
    let beat = live().heartbeat();
    let count = Memo::new(move |_| beat.with(|beat| beat.attention.saturating_sub(beat.attention_watched)));
    show_title(Signal::derive(move || match count.get() {
        0 => format!("{} · {desk}", title.get()),
        count => format!("({count}) {} · {desk}", title.get()),
    }));
}

/// Sets the document title on the server. `leptos_meta` does not escape it, so it is escaped here.
/// The text is computed now, because `leptos_meta` reads it after the page is rendered, when
/// signals may belong to another request.
#[cfg(feature = "ssr")]
#[expect(clippy::disallowed_methods, reason = "the one title: its text is escaped here")]
fn show_title(title: Signal<String>) {
    let text = crate::ui::html::escape(&title.get_untracked());
    let _ = leptos_meta::Title(leptos_meta::TitleProps::builder().text(text).build());
}

/// Sets the document title, and updates it.
#[cfg(not(feature = "ssr"))]
fn show_title(title: Signal<String>) {
    Effect::new(move |_| document().set_title(&title.get()));
}
