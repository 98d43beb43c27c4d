//! The document around the app: head, stylesheet, and the script that brings the page to life.

use crate::{App, visitor};
use leptos::{nonce::use_nonce, prelude::*};
use leptos_meta::MetaTags;

/// Addresses of the built files, with their content hash. The server knows them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Manifest {
    /// The script wasm-bindgen made, e.g. `/pkg/app.3f2a.js`.
    pub js: String,
    /// The wasm module.
    pub wasm: String,
    /// The stylesheet of the desk.
    pub css: String,
}

/// The whole document of a page of the desk.
pub fn shell(manifest: Manifest) -> impl IntoView {
    let visitor = visitor::visitor();
    view! {
        <!DOCTYPE html>
        <html lang=visitor.language().as_str() data-theme=visitor.theme().as_str()>
            <head>
                <meta charset="utf-8" />
                <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
                <meta name="color-scheme" content="light dark" />
                <meta name="robots" content="noindex" />
                <link rel="stylesheet" href=manifest.css.clone() />
                <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
                <Hydration manifest=manifest />
                <MetaTags />
            </head>
            <body>
                <App />
            </body>
        </html>
    }
}

/// Until the page is alive, another form that is sent while a text is not saved sends the text instead: nothing typed is lost.
const GUARD: &str = "addEventListener('submit',e=>{\
    let f=document.getElementById('editor-form'),d=document.documentElement;\
    if(f&&e.target!=f&&!d.hasAttribute('data-live')&&\
    [f.title,f.body].some(x=>x.value!=x.defaultValue)){e.preventDefault();f.submit()}},true)";

/// Fetches script and wasm early and starts the app in the browser. The page works without it.
#[component]
fn Hydration(manifest: Manifest) -> impl IntoView {
    let nonce = use_nonce();
    let start = format!(
        "import({js}).then(m=>m.default({{module_or_path:{wasm}}}).then(()=>m.hydrate()));{GUARD}",
        js = quoted(&manifest.js),
        wasm = quoted(&manifest.wasm),
    );
    view! {
        <link rel="modulepreload" href=manifest.js nonce=nonce.clone() />
        <link rel="preload" href=manifest.wasm r#as="fetch" r#type="application/wasm" crossorigin="anonymous" />
        <script type="module" nonce=nonce inner_html=start></script>
    }
}

/// An address as a script's string. Addresses of built files hold nothing that would need escaping; what else comes is dropped.
fn quoted(address: &str) -> String {
    let is_plain = |letter: &char| letter.is_ascii_alphanumeric() || "/._-".contains(*letter);
    format!("\"{}\"", address.chars().filter(is_plain).collect::<String>())
}

/// Puts the page's own address where a form's stands: a page that answers a refused form came from the form's function, and
/// no route leads there. Called before the app starts in the browser.
pub fn own_address() {
    let is_function = window().location().pathname().is_ok_and(|path| path.starts_with("/fn/"));
    let field = || document().query_selector("form input[name=from]").ok().flatten();
    if let Some(page) = is_function.then(field).flatten().and_then(|field| field.get_attribute("value"))
        && let Ok(history) = window().history()
    {
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
