//! Check boxes for the articles of a release.

use crate::releases::server_fns::OfferedArticle;
use leptos::prelude::*;
use texts::articles::releases::ReleaseTexts;

/// A box for each article; a draft says so.
#[component]
pub(super) fn ArticleChoices(
    /// The articles.
    articles: Vec<OfferedArticle>,
    /// Whether they are ticked.
    #[prop(optional)]
    are_chosen: bool,
) -> impl IntoView {
    let texts = ReleaseTexts::here();
    let choice = move |one: OfferedArticle| {
        view! {
            <label class="choice">
                <input type="checkbox" name="ids[]" value=one.id checked=are_chosen />
                <span dir="auto">{one.title}</span>
                {one.is_draft.then(|| view! { <span class="muted">{texts.draft()}</span> })}
            </label>
        }
    };
    articles.into_iter().map(choice).collect_view()
}
