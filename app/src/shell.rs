//! The document around the app, as the browser sees it.

use leptos::prelude::*;

/// Puts the page's own address where a form's stands: a page that answers a refused form came from the form's function, and
/// no route leads there. Called before the app starts in the browser.
pub fn own_address() {
    let page = document().document_element().and_then(|root| root.get_attribute("data-page"));
    if let (Some(page), Ok(history)) = (page, window().history()) {
        let _ = history.replace_state_with_url(&wasm_bindgen::JsValue::NULL, "", Some(&page));
    }
}

/// Tells scripts and tests that the page is alive: `<html data-live>`.
pub fn mark_hydrated() {
    if let Some(root) = document().document_element() {
        let _ = root.set_attribute("data-live", "");
    }
}

/// Loads the whole page anew: after a change of language or theme, which the document itself carries.
pub fn reload() {
    let _ = window().location().reload();
}
