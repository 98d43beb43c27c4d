//! Previous and next page, a way to a date, and the number of rows.

use super::address::ListAddress;
use crate::ui::icon::Icon;
use leptos::prelude::*;
use leptos_router::components::Form;
use texts::lists::TableTexts;

/// The cursors of a page and the number of its rows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PageLinks {
    /// Cursor of the previous page.
    pub previous: Option<String>,
    /// Cursor of the next page.
    pub next: Option<String>,
    /// Number of rows on the page, and of all.
    pub shown: String,
}

/// The links below a list.
#[component]
pub fn Pager(
    /// The URL of the list.
    address: Memo<ListAddress>,
    /// The page.
    links: Memo<PageLinks>,
    /// Whether the list is ordered by time, so that it has a way to a date.
    has_days: Signal<bool>,
) -> impl IntoView {
    let texts = TableTexts::here();
    let to = move |cursor: Option<String>| {
        // The first day stays: the list is counted from there.
        let page = |address: &ListAddress, cursor: &str| {
            let day = address.get("day").unwrap_or_default();
            address.start().with("day", &day).with("cursor", cursor).to_string()
        };
        cursor.map(|cursor| address.with(|address| page(address, &cursor)))
    };
    let previous = move || to(links.with(|links| links.previous.clone()));
    let next = move || to(links.with(|links| links.next.clone()));
    view! {
        <nav class="pager" aria-label=texts.pages()>
            {move || previous().map(|href| view! {
                <a class="button small" href=href rel="prev"><Icon name="left" />{texts.previous()}</a>
            })}
            {move || has_days.get().then(|| view! { <DayForm address=address /> })}
            <p class="shown muted">{move || links.with(|links| links.shown.clone())}</p>
            {move || next().map(|href| view! {
                <a class="button small" href=href rel="next">{texts.next()}<Icon name="right" /></a>
            })}
        </nav>
    }
}

/// Links that export the list with its filters. `list`: its name in the URL.
#[component]
pub fn ExportLinks(
    /// The URL of the list.
    address: Memo<ListAddress>,
    /// Name of the list in the URL.
    list: &'static str,
) -> impl IntoView {
    let to = move |format: &str| {
        let query = address.with(|address| address.start().to_string());
        let query = query.split_once('?').map(|(_, query)| format!("?{query}")).unwrap_or_default();
        format!("/export/{list}.{format}{query}")
    };
    view! {
        <p class="export muted">
            {TableTexts::here().export()} " " <a href=move || to("csv") rel="external" download>"CSV"</a> " "
            <a href=move || to("json") rel="external" download>"JSON"</a>
        </p>
    }
}

/// A form that opens the page that starts on a day.
#[component]
fn DayForm(address: Memo<ListAddress>) -> impl IntoView {
    let texts = TableTexts::here();
    let day = move || address.with(|address| address.get("day"));
    view! {
        <Form method="GET" action=address.with_untracked(ListAddress::path) attr:class="inline day">
            <HiddenFields address=address without="day" />
            <label for="day">{texts.day()}</label>
            <input id="day" class="input" type="date" name="day" required value=day />
            <button class="button small" type="submit">{texts.go()}</button>
        </Form>
    }
}

/// The filters of the list, for a form that keeps them.
#[component]
pub fn HiddenFields(
    /// The URL of the list.
    address: Memo<ListAddress>,
    /// The parameter that the form has itself.
    without: &'static str,
) -> impl IntoView {
    move || {
        let fields = address.with(|address| address.fields_without(without));
        let field = |(name, value): (String, String)| view! { <input type="hidden" name=name value=value /> };
        fields.into_iter().map(field).collect_view()
    }
}
