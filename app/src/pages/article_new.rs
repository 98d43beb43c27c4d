//! The page `article_new`.

use leptos::prelude::*;

/// The page.
#[component]
pub fn ArticleNew() -> impl IntoView {
    view! { <h1>"ArticleNew"</h1> }
}
