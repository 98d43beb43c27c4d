//! What the checklist and the word lists find in an article, beside its editor.

use super::replace::{ReplaceForm, is_offered};
use crate::{
    review::{server_fns::ReplaceTerm, state::action_word},
    ui::{
        form::{Alert, refusal_of},
        icon::Icon,
    },
};
use domain::{
    ArticleId,
    article::Article,
    review::{
        Field, FoundTerm,
        workflow::checklist::{CheckItem, CheckMode, CheckedItem, Finding, TextCheck},
    },
};
use leptos::prelude::*;
use server_fn::ServerFn;
use texts::review::CheckTexts;

/// Maximum number of hits that are listed.
const MAX_LISTED: usize = 30;

/// What the panel shows of an article.
#[derive(Clone, PartialEq)]
struct Shown {
    id: ArticleId,
    revision: i32,
    may_change: bool,
    summary: String,
    check: TextCheck,
}

impl Shown {
    fn of(article: &Article) -> Self {
        Self {
            id: article.row.id,
            revision: article.row.revision,
            may_change: article.may_change,
            summary: article.details.summary.clone(),
            check: article.check.clone(),
        }
    }
}

/// The checklist and the hits. Nothing without both.
#[component]
pub fn CheckPanel(
    /// The article.
    #[prop(into)]
    article: Signal<Article>,
) -> impl IntoView {
    let texts = CheckTexts::here();
    let shown = Memo::new(move |_| article.with(Shown::of));
    move || {
        let Shown { id, revision, may_change, summary, check } = shown.get();
        if check.items.is_empty() && check.hits.is_empty() && !check.has_links {
            return ().into_any();
        }
        let items = check.items.into_iter().map(|item| view! { <Item id=id checked=item /> }).collect_view();
        let can_replace = may_change && check.hits.iter().any(|hit| hit.replacement.is_some());
        let hits = check.hits.into_iter().take(MAX_LISTED).map(|hit| {
            let form = (may_change && is_offered(&hit, &summary))
                .then(|| view! { <ReplaceForm id=id seen=revision hit=hit.clone() /> });
            view! { <Hit id=id hit=hit>{form}</Hit> }
        });
        view! {
            <section class="schedule check-panel" aria-labelledby="check-heading">
                <h2 id="check-heading">{texts.title()}</h2>
                <ul class="check-list">{items}{hits.collect_view()}</ul>
                {can_replace.then(|| view! {
                    <p class="notice warn replace-gone" role="status" data-text=texts.replace_gone()></p>
                    <Alert refusal=Signal::stored(refusal_of(ReplaceTerm::PATH)) />
                })}
                {check.has_links.then(|| view! { <p><a href=format!("/articles/{id}/links")>{texts.check_links()}</a></p> })}
            </section>
        }
        .into_any()
    }
}

/// The checklist of a text under review.
#[component]
pub fn CheckedItems(
    /// The article.
    id: ArticleId,
    /// The items that are switched on.
    items: Vec<CheckedItem>,
) -> impl IntoView {
    let items = items.into_iter().map(|item| view! { <Item id=id checked=item /> });
    view! { <ul class="check-list">{items.collect_view()}</ul> }
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
fn Hit(id: ArticleId, hit: FoundTerm, children: Children) -> impl IntoView {
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
            {children()}
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
        CheckItem::OwnLinks => texts.item_own_links(),
    }
}
