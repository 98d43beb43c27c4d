//! One change of many tasks: boxes in the list, a preview, the change, and one undo for all.

pub mod bulk_fns;
pub mod bulk_texts;
pub mod list;
pub mod page;
pub mod result;
pub mod result_value;
pub mod slot_change;
#[cfg(feature = "ssr")]
mod slots;
#[cfg(feature = "ssr")]
mod wanted;

pub use list::BulkList;

use crate::{
    tasks::list_page::bulk::bulk_texts::BulkTexts,
    ui::table::{address::ListAddress, pager::HiddenFields},
};
use domain::{
    articles::bulk::MAX_BULK_ARTICLES,
    input_limits::MAX_BULK_ITEMS,
    meetings::{MAX_BULK_MEETINGS, MAX_REASON_CHARS},
    reminders::MAX_BULK_REMINDERS,
};
use leptos::{ev, html, prelude::*};
use texts::{articles::releases::ReleaseTexts, number::grouped};

/// Id of the form that the boxes of all rows belong to.
pub const BULK_FORM: &str = "bulk";
/// Path of the preview.
pub const BULK_PATH: &str = "/bulk";

/// Asks for a change of the selected rows, or of all that match; leads to its preview.
#[component]
pub fn BulkForm(
    /// The URL of the list.
    address: Memo<ListAddress>,
    /// Number of rows that match, in words; `None`: a search is not counted.
    #[prop(into)]
    matching: Signal<Option<String>>,
    /// The list, to which the result leads.
    #[prop(optional)]
    list: BulkList,
) -> impl IntoView {
    let texts = BulkTexts::here();
    let all = move || match matching.get() {
        Some(count) => texts.all_of(count),
        None => texts.all_found().to_owned(),
    };
    let changes = list.changes_of(texts).into_iter();
    let changes = changes.map(|(value, label)| view! { <option value=value>{label}</option> });
    let has_days = matches!(list, BulkList::Tasks | BulkList::Articles);
    let (panel, count) = follow_boxes();
    let title = move || match count.get() {
        0 => texts.title().to_owned(),
        count => texts.selected(count),
    };
    view! {
        <div class="bulk-place">
        <details class="bulk-panel" class:is-raised=move || count.get() != 0 node_ref=panel>
            <summary>{title}</summary>
            <form id=BULK_FORM method="get" action=BULK_PATH class="fields bulk-form">
                <HiddenFields address=address without="order" />
                <label class="choice"><input type="checkbox" name="all" value="1" />{all}</label>
                {(list != BulkList::Tasks).then(|| view! { <input type="hidden" name="list" value=list.word() /> })}
                <div class="field">
                    <label for="bulk-change">{texts.change()}</label>
                    <select id="bulk-change" name="change">{changes.collect_view()}</select>
                </div>
                <ShiftFields />
                {has_days.then(|| view! {
                    <div class="field of-day">
                        <label for="bulk-day">{texts.day()}</label>
                        <input id="bulk-day" name="day" type="date" min="2000-01-01" max="2199-12-31" />
                    </div>
                })}
                {to_field(list)}
                <button type="submit" class="button">{texts.preview()}</button>
                {(list == BulkList::Articles).then(|| view! {
                    <button type="submit" class="button" formaction="/releases/new">{ReleaseTexts::here().add_to_release()}</button>
                })}
                <p class="hint">{hint(list)}</p>
            </form>
        </details>
        </div>
    }
}

/// By how much times are changed.
#[component]
fn ShiftFields() -> impl IntoView {
    let texts = BulkTexts::here();
    let units =
        texts.units().into_iter().map(|(value, label)| view! { <option value=value>{label}</option> });
    view! {
        <div class="field of-shift">
            <label for="bulk-amount">{texts.amount()}</label>
            <input id="bulk-amount" name="amount" type="number" value="1" step="1" min="-527040" max="527040" />
        </div>
        <div class="field of-shift">
            <label for="bulk-unit">{texts.unit()}</label>
            <select id="bulk-unit" name="unit">{units.collect_view()}</select>
        </div>
    }
}

/// Opens the panel when a row is ticked. Returns its element and the number of ticked rows.
fn follow_boxes() -> (NodeRef<html::Details>, RwSignal<u32>) {
    let (panel, count) = (NodeRef::<html::Details>::new(), RwSignal::new(0));
    let update = move || {
        let Some(panel) = panel.get_untracked() else { return };
        let boxes = document().query_selector_all("input.select:checked");
        let (was, now) = (count.get_untracked(), boxes.map_or(0, |boxes| boxes.length()));
        if (was == 0) != (now == 0) {
            panel.set_open(now > 0);
        }
        count.set(now);
    };
    Effect::new(move |_| {
        // Boxes may have been ticked before the scripts of the page ran.
        if panel.get().is_some() {
            update();
        }
        let handle = window_event_listener(ev::change, move |_| update());
        on_cleanup(move || handle.remove());
    });
    (panel, count)
}

/// The person or the tag of articles, or the reason of meetings. The stylesheet shows only the fields of the chosen change.
fn to_field(list: BulkList) -> Option<impl IntoView> {
    let texts = BulkTexts::here();
    let (class, label, max) = match list {
        BulkList::Tasks | BulkList::Reminders => return None,
        BulkList::Articles => {
            let label = view! { <span class="of-person">{texts.person()}</span><span class="of-tag">{texts.tag()}</span> };
            ("field of-to", label.into_any(), 100)
        }
        BulkList::Meetings => ("field of-reason", texts.reason().into_any(), MAX_REASON_CHARS),
    };
    Some(view! {
        <div class=class>
            <label for="bulk-to">{label}</label>
            <input id="bulk-to" name="to" type="text" maxlength=max autocomplete="off" />
        </div>
    })
}

/// How many may be changed at once.
fn hint(list: BulkList) -> String {
    let texts = BulkTexts::here();
    let number = |max: usize| grouped(max as u64);
    match list {
        BulkList::Tasks => texts.hint(number(MAX_BULK_ITEMS)),
        BulkList::Articles => texts.of_articles(number(MAX_BULK_ITEMS), number(MAX_BULK_ARTICLES)),
        BulkList::Meetings => texts.hint_meetings(number(MAX_BULK_MEETINGS)),
        BulkList::Reminders => texts.hint(number(MAX_BULK_REMINDERS)),
    }
}

/// The box that selects a row.
#[component]
pub fn SelectBox(
    /// Id of the row.
    id: String,
    /// Its title.
    title: String,
) -> impl IntoView {
    let label = BulkTexts::here().select(&title);
    view! { <input type="checkbox" class="select" form=BULK_FORM name="ids" value=id aria-label=label /> }
}
