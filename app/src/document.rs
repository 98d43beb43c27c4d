//! The document around the app, as the server writes it: head, stylesheet, and the script that brings the page to life.

#![expect(
    clippy::disallowed_methods,
    reason = "the one script: it holds constants and addresses of built files only"
)]

use crate::{App, form::Answer, visitor};
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
        <html lang=visitor.language().as_str() data-theme=visitor.theme().as_str() data-page=page_of_answer()>
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

/// The address of the page, where it stands at that of a form's function because it answers the form; see
/// [`crate::shell::own_address`].
fn page_of_answer() -> Option<String> {
    use_context::<Answer>()?;
    let head = use_context::<http::request::Parts>()?;
    head.uri.path_and_query().map(ToString::to_string)
}

/// Until the page is alive, another form that is sent while a text is not saved sends the text instead: nothing typed is lost.
/// The editor is looked for inside of the frame that the sent form stands in, never by the first id or class of the page.
const GUARD: &str = "addEventListener('submit',e=>{\
    let f=e.target.closest('.frame')?.querySelector('form.editor'),d=document.documentElement;\
    if(f&&e.target!=f&&!d.hasAttribute('data-live')&&\
    [f.title,f.body].some(x=>x.value!=x.defaultValue)){e.preventDefault();f.submit()}},true)";

/// A key that ends a composition (of Chinese, Japanese, Korean) sends no form.
const KEYS: &str = "addEventListener('keydown',e=>{\
    if(e.key=='Enter'&&(e.isComposing||e.keyCode==229))e.preventDefault()},true)";

/// The stream that the tabs of a browser share.
const SOURCE: &str = include_str!("live/source.js");

/// Fetches script and wasm early and starts the app in the browser. The page works without it.
#[component]
fn Hydration(manifest: Manifest) -> impl IntoView {
    let nonce = use_nonce();
    let start = format!(
        "import({js}).then(m=>m.default({{module_or_path:{wasm}}}).then(()=>m.hydrate()));{GUARD};{KEYS}\n{SOURCE}",
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
