//! The document around the app, in the browser.

#[cfg(feature = "ssr")]
pub mod document;
pub mod frame;
pub mod not_found;
#[cfg(feature = "ssr")]
pub mod palette;
pub mod result_bar;
mod result_of_words;
pub mod server_fns;
pub mod status;
#[cfg(all(feature = "ssr", debug_assertions))]
pub mod styleguide;
pub mod wasm_parts;

use leptos::prelude::*;

/// Restores the page's URL in the address bar. A page with a refused form was the response to the
/// form's server function, and no route has that path. Called before the app starts.
pub fn restore_page_url() {
    let page = document().document_element().and_then(|root| root.get_attribute("data-page"));
    if let (Some(page), Ok(history)) = (page, window().history()) {
        let _ = history.replace_state_with_url(&wasm_bindgen::JsValue::NULL, "", Some(&page));
    }
}

/// Marks the page as hydrated for scripts and tests: `<html data-live>`.
pub fn mark_hydrated() {
    if let Some(root) = document().document_element() {
        let _ = root.set_attribute("data-live", "");
    }
}

/// Reloads the page, after a change of language or theme, which the document itself carries.
pub fn reload() {
    let _ = window().location().reload();
}
