//! A form below a row. It is in the page only while the URL names it.

use super::address::ListAddress;
use crate::live::{keep_focus, live};
use leptos::{ev, html, prelude::*, wasm_bindgen::JsCast as _};
use leptos_router::{NavigateOptions, hooks::use_navigate};
use texts::lists::TableTexts;

/// Whether the URL names the form of this row.
#[must_use]
pub fn is_open(address: Memo<ListAddress>, name: &'static str, id: String) -> Memo<bool> {
    Memo::new(move |_| address.with(|address| address.is(name, &id)))
}

/// Returns a function that closes the form: it removes the parameter from the URL.
pub fn close(address: Memo<ListAddress>, name: &'static str) -> impl Fn() + Clone + Send + Sync + 'static {
    let navigate = use_navigate();
    move || {
        let to = address.with_untracked(|address| address.with(name, "").to_string());
        navigate(&to, NavigateOptions { replace: true, scroll: false, ..NavigateOptions::default() });
    }
}

/// An open form with a link that closes it; so does Escape. Its first field takes the focus.
#[component]
pub fn OpenForm(
    /// The URL of the list.
    address: Memo<ListAddress>,
    /// The parameter that opens it.
    name: &'static str,
    /// The form.
    children: Children,
) -> impl IntoView {
    let place = NodeRef::<html::Div>::new();
    place.on_load(|place: web_sys::HtmlDivElement| {
        focus(&place, "input:not([type=hidden]), button:not([tabindex='-1'])")
    });
    let close = close(address, name);
    let on_key = move |event: ev::KeyboardEvent| {
        if event.key() == "Escape" {
            let row = place
                .get_untracked()
                .and_then(|place| place.closest(".list-row, .form-row, .task-row").ok().flatten());
            let row = row.and_then(|row| {
                if row.class_name().contains("form-row") { row.previous_element_sibling() } else { Some(row) }
            });
            if let Some(row) = row {
                focus(&row, "a.title");
            }
            close();
            // The row may leave the list with its form.
            keep_focus(live());
        }
    };
    let href = move || address.with(|address| address.with(name, "").to_string());
    view! {
        <div class="open-form" node_ref=place on:keydown=on_key>
            {children()}
            <a class="button small bare" href=href data-noscroll="">{TableTexts::here().close()}</a>
        </div>
    }
}

/// Moves the focus to the first such element.
fn focus(inside: &web_sys::Element, selector: &str) {
    let element = inside.query_selector(selector).ok().flatten();
    if let Some(element) = element.and_then(|element| element.dyn_into::<web_sys::HtmlElement>().ok()) {
        _ = element.focus();
    }
}
