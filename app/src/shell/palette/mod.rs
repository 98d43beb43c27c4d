//! The command palette and the panels of help and notifications: dialogs in templates after the app, which
//! plain scripts open. They are not hydrated and cost the browser no wasm.

mod bell_panel;
mod entries;
mod help_panel;
pub mod server_fns;

use crate::shell::server_fns::LogOut;
use bell_panel::BellPanel;
use entries::{Act, entries, is_of_site, is_setting};
use help_panel::HelpPanel;
use leptos::prelude::*;
use server_fn::ServerFn;
use texts::layout::palette::PaletteTexts;
use texts::{colon, layout::LayoutTexts};

/// The script of the palette and of the shortcuts of all pages.
pub const SCRIPT: &str = include_str!("palette.js");
/// The script of the help panel, and what panels share.
pub const HELP_SCRIPT: &str = include_str!("help.js");
/// The script of the panel of notifications.
pub const BELL_SCRIPT: &str = include_str!("bell.js");

/// The dialogs. Nothing of them is seen without the script.
#[component]
pub fn Palette() -> impl IntoView {
    let texts = PaletteTexts::here();
    let rows = entries().into_iter().enumerate().map(|(number, entry)| {
        // The router of the app knows no page of the public site.
        let rel = is_of_site(entry.act).then_some("external");
        let label = match is_setting(entry.act) {
            true => format!("{}{}{}", LayoutTexts::here().settings(), colon(), entry.label),
            false => entry.label.to_owned(),
        };
        let act = match entry.act {
            Act::Open(path) => view! { <a href=path rel=rel tabindex="-1">{label}</a> }.into_any(),
            Act::Undo => view! { <button type="button" data-palette-undo="" tabindex="-1">{label}</button> }.into_any(),
            Act::LogOut => view! {
                <form method="post" action=LogOut::PATH><button type="submit" tabindex="-1">{label}</button></form>
            }
            .into_any(),
        };
        view! { <li id=format!("go-{number}") role="option" data-words=entry.words>{act}</li> }
    });
    view! {
        <template id="palette-template">
        <dialog id="palette" class="palette" aria-label=texts.title()>
            <input
                class="input"
                id="palette-q"
                type="search"
                autofocus
                autocomplete="off"
                spellcheck="false"
                role="combobox"
                aria-expanded="true"
                aria-controls="palette-list"
                aria-label=texts.title()
                placeholder=texts.placeholder()
                maxlength="200"
            />
            <ul id="palette-list" role="listbox" aria-label=texts.results()>{rows.collect_view()}</ul>
            <p id="palette-state" role="status" data-none=texts.none()></p>
        </dialog>
        </template>
        <HelpPanel />
        <BellPanel />
    }
}
