//! What the checklist and the word lists find in an article, beside its editor.

use crate::{review::state::action_word, ui::icon::Icon};
use domain::{
    ArticleId,
    article::Article,
    review::{
        Field, FoundTerm,
        workflow::checklist::{CheckItem, CheckMode, CheckedItem, Finding},
    },
};
use leptos::prelude::*;
use texts::review::CheckTexts;

/// Maximum number of hits that are listed.
const MAX_LISTED: usize = 30;

/// The checklist and the hits. Nothing without both.
#[component]
pub fn CheckPanel(
    /// The article.
    #[prop(into)]
    article: Signal<Article>,
) -> impl IntoView {
    let texts = CheckTexts::here();
    let check = Memo::new(move |_| article.with(|article| (article.row.id, article.check.clone())));
    move || {
        let (id, check) = check.get();
        if check.items.is_empty() && check.hits.is_empty() && !check.has_links {
            return ().into_any();
        }
        let items = check.items.into_iter().map(|item| view! { <Item id=id checked=item /> }).collect_view();
        let hits = check.hits.into_iter().take(MAX_LISTED).map(|hit| view! { <Hit id=id hit=hit /> });
        view! {
            <section class="schedule check-panel" aria-labelledby="check-heading">
                <h2 id="check-heading">{texts.title()}</h2>
                <ul class="check-list">{items}{hits.collect_view()}</ul>
                {check.has_links.then(|| view! { <p><a href=format!("/articles/{id}/links")>{texts.check_links()}</a></p> })}
            </section>
        }
        .into_any()
    }
}

#[component]
fn Item(id: ArticleId, checked: CheckedItem) -> impl IntoView {
    let texts = CheckTexts::here();
    let label = item_name(checked.item);
    let is_done = checked.findings.is_empty();
    let (icon, word) = match (is_done, checked.mode) {
        (true, _) => ("executed", texts.done()),
        (false, CheckMode::Require) => ("failed", texts.required()),
        (false, _) => ("due", texts.missing()),
    };
    let places = checked.findings.into_iter().filter(|finding| finding.line > 0);
    let places: Vec<_> = places.map(|finding| view! { <li><Place id=id finding=finding /></li> }).collect();
    view! {
        <li class="check-item" data-done=is_done.to_string() data-mode=checked.mode.as_str()>
            <Icon name=icon /> <span>{label}</span> " " <span class="muted">{word}</span>
            {(!places.is_empty()).then(|| view! { <ul>{places}</ul> })}
        </li>
    }
}

/// A link that selects the place in the text.
#[component]
fn Place(id: ArticleId, finding: Finding) -> impl IntoView {
    let texts = CheckTexts::here();
    let select = format!("{}-{}", finding.start, finding.end);
    view! {
        <a href=format!("/articles/{id}#body") data-select=select>
            {texts.place(finding.line)}<bdi>{finding.quote}</bdi>
        </a>
    }
}

#[component]
fn Hit(id: ArticleId, hit: FoundTerm) -> impl IntoView {
    let texts = CheckTexts::here();
    let is_in_text = hit.field == Field::Text;
    let place = match hit.field {
        Field::Title => texts.in_title(),
        Field::Text => texts.in_text(),
        Field::Summary => texts.in_summary(),
    };
    let term = if is_in_text {
        let select = format!("{}-{}", hit.start, hit.end);
        view! { <a href=format!("/articles/{id}#body") data-select=select dir="auto">{hit.term}</a> }
            .into_any()
    } else {
        view! { <strong dir="auto">{hit.term}</strong> }.into_any()
    };
    view! {
        <li class="check-item">
            <span class="mark" data-action=hit.action.as_str()>{action_word(hit.action)}</span> " " {term} " "
            <span class="muted">{place}</span>
        </li>
    }
}

/// Name of an item of the checklist.
#[must_use]
pub fn item_name(item: CheckItem) -> &'static str {
    let texts = CheckTexts::here();
    match item {
        CheckItem::Title => texts.item_title(),
        CheckItem::Summary => texts.item_summary(),
        CheckItem::AltTexts => texts.item_alt_texts(),
        CheckItem::Marks => texts.item_marks(),
        CheckItem::Headings => texts.item_headings(),
        CheckItem::Links => texts.item_links(),
    }
}
