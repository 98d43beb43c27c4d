//! Keys of a list: J and K or the arrows move between rows; E, M, X and P press the action of the
//! focused row that names the key in `aria-keyshortcuts`. After an action the result has the focus: J and
//! K then start at the changed row.

use crate::ui::{
    result::last_result,
    shortcut::{focused, has_single_keys, typed_letter},
};
use leptos::{ev, html, prelude::*, wasm_bindgen::JsCast};
use leptos_router::hooks::use_navigate;
use texts::lists::TableTexts;
use web_sys::{Element, HtmlElement, KeyboardEvent};

/// Rows of lists, and the link in each of them that gets the focus.
const ROW: &str = "tr.list-row, li.review-row";
const TITLE: &str = "a.title, .review-name a";

/// Handles the keys while the list is on the page.
pub fn use_list_keys<E>(list: NodeRef<E>)
where
    E: html::ElementType + 'static,
    E::Output: AsRef<Element> + Clone + JsCast + 'static,
{
    let (navigate, last) = (use_navigate(), last_result());
    Effect::new(move |_| {
        let navigate = navigate.clone();
        let handle = window_event_listener(ev::keydown, move |event| {
            let list = list.get_untracked();
            if let Some(to) = list.and_then(|list| handle_key(list.as_ref(), last.next(), &event)) {
                navigate(&to, leptos_router::NavigateOptions::default());
            }
        });
        on_cleanup(move || handle.remove());
    });
}

/// Handles a key; returns a URL to open. `next`: the row after the last one that was changed.
fn handle_key(list: &Element, next: Option<Element>, event: &KeyboardEvent) -> Option<String> {
    let has_modifier = event.ctrl_key() || event.meta_key() || event.alt_key();
    if has_modifier || event.is_composing() || event.default_prevented() {
        return None;
    }
    let active = focused();
    let tag = active.as_ref().map(Element::tag_name).unwrap_or_default();
    let is_on_result = active.as_ref().is_some_and(|active| matches!(active.closest(".result"), Ok(Some(_))));
    let is_free = is_on_result || matches!(tag.as_str(), "" | "BODY" | "MAIN");
    let is_inside = active.as_ref().is_some_and(|active| list.contains(Some(active)));
    if !(is_free || is_inside) || matches!(tag.as_str(), "INPUT" | "TEXTAREA" | "SELECT") {
        return None;
    }
    let key = typed_letter(event).map_or_else(|| event.key(), String::from);
    if key.chars().count() == 1 && !has_single_keys() {
        return None;
    }
    let row = active.filter(|_| is_inside).and_then(|active| active.closest(ROW).ok().flatten());
    let next = next.filter(|next| is_on_result && list.contains(Some(next)));
    let is_handled = match (key.as_str(), row.as_ref()) {
        ("j", _) => focus_next(list, row.as_ref(), next),
        ("k", _) => focus_previous(list, row.as_ref(), next),
        ("ArrowDown", _) if row.is_some() || next.is_some() => focus_next(list, row.as_ref(), next),
        ("ArrowUp", _) if row.is_some() || next.is_some() => focus_previous(list, row.as_ref(), next),
        ("/", _) => document().get_element_by_id("q").is_some_and(|field| focus(&field)),
        ("e", Some(row)) if row.has_attribute("data-edit") => {
            event.prevent_default();
            return row.get_attribute("data-edit");
        }
        (key @ ("m" | "x" | "p"), Some(row)) => press(row, key),
        _ => false,
    };
    if is_handled {
        event.prevent_default();
    }
    None
}

/// Focuses the title of the row after the focused or changed one; the first row if there is none.
fn focus_next(list: &Element, row: Option<&Element>, next: Option<Element>) -> bool {
    let first = || list.query_selector(ROW).ok().flatten();
    let start = row.map_or_else(|| next.or_else(first), Element::next_element_sibling);
    focus_row(start, Element::next_element_sibling)
}

/// Focuses the title of the row before the focused one, or of the changed one if it is still there.
fn focus_previous(list: &Element, row: Option<&Element>, next: Option<Element>) -> bool {
    let first = || list.query_selector(ROW).ok().flatten();
    let changed = next.map(|next| next.previous_element_sibling().unwrap_or(next));
    let start = row.map_or_else(|| changed.or_else(first), Element::previous_element_sibling);
    focus_row(start, Element::previous_element_sibling)
}

/// Focuses the title of the first row in a direction.
fn focus_row(start: Option<Element>, step: fn(&Element) -> Option<Element>) -> bool {
    let mut start = start;
    while let Some(row) = start {
        if row.matches(ROW).unwrap_or(false) {
            return row.query_selector(TITLE).ok().flatten().is_some_and(|title| focus(&title));
        }
        start = step(&row);
    }
    false
}

fn focus(element: &Element) -> bool {
    element.dyn_ref::<HtmlElement>().is_some_and(|element| element.focus().is_ok())
}

fn press(row: &Element, key: &str) -> bool {
    let button = row.query_selector(&format!("[aria-keyshortcuts='{key}']")).ok().flatten();
    let button = button.and_then(|button| button.dyn_into::<HtmlElement>().ok());
    button.map(|button| button.click()).is_some()
}

/// Says which keys there are.
#[component]
pub fn KeysHint(
    /// Whether the rows have no actions with a key, and the list has no search.
    #[prop(optional)]
    is_rows_only: bool,
) -> impl IntoView {
    let texts = TableTexts::here();
    let keys = [
        texts.key_rows(),
        texts.key_edit(),
        texts.key_move(),
        texts.key_cancel(),
        texts.key_now(),
        texts.key_search(),
    ];
    let keys = if is_rows_only { &keys[..1] } else { &keys[..] };
    has_single_keys()
        .then(|| view! { <p class="keys-hint js-only">{texts.keys()} " " {keys.join(" · ")}</p> })
}
