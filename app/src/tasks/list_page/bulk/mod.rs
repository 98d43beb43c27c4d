//! One change of many tasks: boxes in the list, a preview, the change, and one undo for all.

pub mod bulk_fns;
pub mod page;
pub mod result;
pub mod result_value;
pub mod slot_change;
#[cfg(feature = "ssr")]
mod slots;
pub mod texts;

use crate::{
    tasks::list_page::bulk::texts::BulkTexts,
    texts::number::grouped,
    ui::table::{address::ListAddress, pager::HiddenFields},
};
use domain::{articles::bulk::MAX_BULK_ARTICLES, input_limits::MAX_BULK_ITEMS};
use leptos::prelude::*;

/// Id of the form that the boxes of all rows belong to.
pub const BULK_FORM: &str = "bulk";
/// Path of the preview.
pub const BULK_PATH: &str = "/bulk";

/// Asks for a change of the selected tasks, or of all that match; leads to its preview.
#[component]
pub fn BulkForm(
    /// The URL of the list.
    address: Memo<ListAddress>,
    /// Number of tasks that match, in words; `None`: a search is not counted.
    #[prop(into)]
    matching: Signal<Option<String>>,
    /// The list to which the result leads, [`bulk_fns::ARTICLES`]; empty: the list of tasks.
    #[prop(optional)]
    list: &'static str,
) -> impl IntoView {
    let texts = BulkTexts::here();
    let is_tasks = list.is_empty();
    let (max, articles) = (grouped(MAX_BULK_ITEMS as u64), grouped(MAX_BULK_ARTICLES as u64));
    let hint = if is_tasks { texts.hint(max) } else { texts.of_articles(max, articles) };
    let all = move || match matching.get() {
        Some(count) => texts.all_of(count),
        None => texts.all_found().to_owned(),
    };
    let of_articles = texts.article_changes().into_iter().filter(|_| !is_tasks);
    let changes = texts.changes().into_iter().chain(of_articles);
    let changes = changes.map(|(value, label)| view! { <option value=value>{label}</option> });
    let units =
        texts.units().into_iter().map(|(value, label)| view! { <option value=value>{label}</option> });
    view! {
        <details class="bulk-panel">
            <summary>{texts.title()}</summary>
            <form id=BULK_FORM method="get" action=BULK_PATH class="fields bulk-form">
                <HiddenFields address=address without="order" />
                <label class="choice"><input type="checkbox" name="all" value="1" />{all}</label>
                {(!is_tasks).then(|| view! { <input type="hidden" name="list" value=list /> })}
                <div class="field">
                    <label for="bulk-change">{texts.change()}</label>
                    <select id="bulk-change" name="change">{changes.collect_view()}</select>
                </div>
                <div class="field">
                    <label for="bulk-amount">{texts.amount()}</label>
                    <input id="bulk-amount" name="amount" type="number" value="1" step="1" min="-527040" max="527040" />
                </div>
                <div class="field">
                    <label for="bulk-unit">{texts.unit()}</label>
                    <select id="bulk-unit" name="unit">{units.collect_view()}</select>
                </div>
                <div class="field">
                    <label for="bulk-day">{texts.day()}</label>
                    <input id="bulk-day" name="day" type="date" min="2000-01-01" max="2199-12-31" />
                </div>
                {(!is_tasks).then(|| view! {
                    <div class="field">
                        <label for="bulk-to">{texts.person_or_tag()}</label>
                        <input id="bulk-to" name="to" type="text" maxlength="100" autocomplete="off" />
                    </div>
                })}
                <button type="submit" class="button">{texts.preview()}</button>
                <p class="hint">{hint}</p>
            </form>
        </details>
    }
}

/// The box that selects a task.
#[component]
pub fn SelectBox(
    /// Id of the task or article.
    id: String,
    /// Its title.
    title: String,
) -> impl IntoView {
    let label = BulkTexts::here().select(&title);
    view! { <input type="checkbox" class="select" form=BULK_FORM name="ids" value=id aria-label=label /> }
}
