//! Check boxes for the articles of a release, with a search that keeps what is ticked.

use crate::{releases::server_fns::OfferedArticle, ui::form::result_of};
use leptos::{ev, prelude::*};
use leptos_router::params::ParamsMap;
use texts::articles::releases::ReleaseTexts;

/// Name of the boxes in a form.
const BOXES: &str = "ids[]";

/// Returns the articles that are ticked, separated by commas: those of the URL, where a search has added
/// `[]`, else those of the refused form of this function.
pub(super) fn ticked_ids(query: &ParamsMap, function: &'static str) -> String {
    let of_url = |name: &str| query.get_all(name).unwrap_or_default();
    let ids = [of_url("ids"), of_url(BOXES)].concat();
    match (ids.is_empty(), result_of(function, None)) {
        (true, Some(form)) => {
            let ids = form.fields.into_iter().filter(|(name, _)| name == BOXES).map(|(_, id)| id);
            ids.collect::<Vec<_>>().join(",")
        }
        _ => ids.join(","),
    }
}

/// The search, the number of ticked articles, and their boxes. Part of a form that it sends to its page by GET:
/// what is ticked and typed comes back. Its button must be the first one of the form, so that Enter searches.
#[component]
pub(super) fn ArticlePicker(
    /// Address of the page.
    page: String,
    /// Those that are ticked.
    ticked: Vec<OfferedArticle>,
    /// Number of ticked ones that no longer exist.
    gone: u32,
    /// Others.
    offered: Vec<OfferedArticle>,
    /// The words of the search.
    q: String,
) -> impl IntoView {
    let texts = ReleaseTexts::here();
    let count = follow_boxes(u32::try_from(ticked.len()).unwrap_or(u32::MAX));
    let is_empty = ticked.is_empty() && offered.is_empty();
    view! {
        <div class="row">
            <div class="field"><input type="search" name="q" value=q aria-label=texts.find() placeholder=texts.find() maxlength="200" /></div>
            <button class="button" type="submit" formmethod="get" formaction=page formnovalidate>{texts.find_button()}</button>
            <span class="muted" role="status">{move || texts.ticked(count.get())}</span>
        </div>
        {(gone > 0).then(|| view! { <p class="notice warn">{texts.gone(gone)}</p> })}
        <fieldset class="article-choices">
            <legend class="label">{texts.articles()}</legend>
            {is_empty.then(|| view! { <p class="muted">{texts.nothing_found()}</p> })}
            <Boxes articles=ticked are_ticked=true />
            <Boxes articles=offered are_ticked=false />
        </fieldset>
    }
}

/// A box for each article; a draft says so.
#[component]
fn Boxes(articles: Vec<OfferedArticle>, are_ticked: bool) -> impl IntoView {
    let texts = ReleaseTexts::here();
    let choice = move |one: OfferedArticle| {
        view! {
            <label class="choice">
                <input type="checkbox" name=BOXES value=one.id checked=are_ticked />
                <span dir="auto">{one.title}</span>
                {one.is_draft.then(|| view! { <span class="muted">{texts.draft()}</span> })}
            </label>
        }
    };
    articles.into_iter().map(choice).collect_view()
}

/// Returns the number of ticked boxes, which follows them. `first`: that of the page.
fn follow_boxes(first: u32) -> RwSignal<u32> {
    let count = RwSignal::new(first);
    let update = move || {
        if let Ok(boxes) = document().query_selector_all(".article-choices input:checked") {
            count.try_set(boxes.length());
        }
    };
    Effect::new(move |_| {
        // Boxes may have been ticked before the scripts of the page ran.
        update();
        let handle = window_event_listener(ev::change, move |_| update());
        on_cleanup(move || handle.remove());
    });
    count
}
