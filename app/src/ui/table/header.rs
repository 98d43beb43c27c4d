//! Tabs with counts, and column headings that sort.

use super::address::ListAddress;
use leptos::prelude::*;
use texts::lists::TableTexts;

/// One tab: a value of the parameter `state`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tab {
    /// Value in the URL; empty: the default.
    pub value: &'static str,
    /// Name.
    pub label: &'static str,
}

/// Links to the states of the list, each with its count.
#[component]
pub fn Tabs(
    /// The URL of the list.
    address: Memo<ListAddress>,
    /// The tabs.
    tabs: Vec<Tab>,
    /// The value of the current tab.
    current: Signal<&'static str>,
    /// Number of rows of each tab; `None`: it is not counted.
    counts: Signal<Vec<Option<String>>>,
) -> impl IntoView {
    let links: Vec<_> = tabs
        .into_iter()
        .enumerate()
        .map(|(place, tab)| {
            let href = move || address.with(|address| address.start().with("order", "").with("state", tab.value).to_string());
            let count = move || counts.with(|counts| counts.get(place).cloned().flatten());
            view! {
                <a href=href data-noscroll="" aria-current=move || (current.get() == tab.value).then_some("page")>
                    {tab.label}
                    {move || count().map(|count| view! { <span class="count">{count}</span> })}
                </a>
            }
        })
        .collect();
    view! { <nav class="list-tabs" aria-label=TableTexts::here().tabs()>{links}</nav> }
}

/// Heading of a column that sorts the list by time, in both directions.
#[component]
pub fn TimeHeader(
    /// The URL of the list.
    address: Memo<ListAddress>,
    /// Name of the column.
    label: &'static str,
    /// Whether the latest time comes first now.
    is_latest_first: Signal<bool>,
    /// Whether the list can be sorted.
    can_sort: Signal<bool>,
    /// Whether it is sorted by another column now.
    #[prop(optional, into)]
    is_other: Signal<bool>,
) -> impl IntoView {
    let texts = TableTexts::here();
    let order = move || is_latest_first.get() && !is_other.get();
    let href = move || {
        let other = if order() { EARLIEST } else { LATEST };
        address.with(|address| address.start().with(ORDER, other).to_string())
    };
    let is_sorted = move || can_sort.get() && !is_other.get();
    let sort = move || is_sorted().then(|| if order() { "descending" } else { "ascending" });
    let arrow = move || match (is_sorted(), order()) {
        (false, _) => "",
        (true, true) => " ↓",
        (true, false) => " ↑",
    };
    let heading = move || {
        match can_sort.get() {
        true => view! {
            <a href=href data-noscroll="" title=move || if order() { texts.earliest_first() } else { texts.latest_first() }>
                {label}<span aria-hidden="true">{arrow}</span>
            </a>
        }
        .into_any(),
        false => label.into_any(),
    }
    };
    view! { <th scope="col" class="when" aria-sort=sort>{heading}</th> }
}

/// Heading of a column by which the list can be sorted: `order=COLUMN`, or `order=-COLUMN` for the
/// descending order.
#[component]
pub fn SortHeader(
    /// The URL of the list.
    address: Memo<ListAddress>,
    /// Name of the column.
    label: &'static str,
    /// Its value in the URL.
    column: &'static str,
    /// Whether the list is sorted by it in descending order; `None`: it is sorted by another one.
    #[prop(into)]
    sorted: Signal<Option<bool>>,
    /// Whether the first click sorts in descending order.
    #[prop(optional)]
    is_descending_first: bool,
    /// Its CSS class.
    #[prop(optional)]
    class: &'static str,
) -> impl IntoView {
    let href = move || {
        let is_descending = sorted.get().map_or(is_descending_first, |is_descending| !is_descending);
        let order = if is_descending { format!("-{column}") } else { column.to_owned() };
        address.with(|address| address.start().with(ORDER, &order).to_string())
    };
    let sort =
        move || sorted.get().map(|is_descending| if is_descending { "descending" } else { "ascending" });
    let arrow = move || match sorted.get() {
        Some(true) => " ↓",
        Some(false) => " ↑",
        None => "",
    };
    let title = TableTexts::here().sort_by(label);
    view! {
        <th scope="col" class=class aria-sort=sort>
            <a href=href data-noscroll="" title=title>{label}<span aria-hidden="true">{arrow}</span></a>
        </th>
    }
}

/// Parameter: the order of the list.
pub const ORDER: &str = "order";
/// Value of the order: latest first.
pub const LATEST: &str = "latest";
/// Value of the order: earliest first.
pub const EARLIEST: &str = "earliest";
