//! The command palette and the list of shortcuts: two dialogs in a template after the app, which a
//! plain script opens. They are not hydrated and cost the browser no code.

pub mod server_fns;
pub mod texts;

use crate::shell::{session::visitor, texts::LayoutTexts};
use leptos::prelude::*;
use texts::PaletteTexts;

/// The script of the dialogs and of the shortcuts of all pages.
pub const SCRIPT: &str = include_str!("palette.js");

/// Both dialogs. Nothing of them is seen without the script.
#[component]
pub fn Palette() -> impl IntoView {
    let texts = PaletteTexts::here();
    let rows = entries().into_iter().map(|(path, label)| {
        let id = format!("go-{}", path.trim_matches('/').replace('/', "-"));
        view! { <li id=id role="option"><a href=path tabindex="-1">{label}</a></li> }
    });
    view! {
        <template id="palette-template">
        <dialog id="palette" class="palette" aria-label=texts.title()>
            <input
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
        </dialog>
        <Shortcuts />
        </template>
    }
}

/// What the palette always offers: paths and labels.
fn entries() -> Vec<(&'static str, &'static str)> {
    let (texts, layout) = (PaletteTexts::here(), LayoutTexts::here());
    let mut entries = vec![
        ("/quick", layout.quick_add()),
        ("/articles/new", texts.new_article()),
        ("/meetings/new", texts.new_meeting()),
        ("/", layout.dashboard()),
        ("/articles", layout.articles()),
        ("/calendar", layout.calendar()),
        ("/meetings", layout.meetings()),
        ("/rooms", layout.rooms()),
        ("/reminders", layout.reminders()),
        ("/tasks", layout.tasks()),
        ("/releases", layout.releases()),
        ("/attention", layout.attention()),
        ("/notifications", layout.notifications()),
        ("/activity", layout.activity()),
        ("/settings/profile", layout.profile()),
        ("/settings/notifications", layout.notification_choices()),
        ("/settings/tokens", layout.tokens()),
    ];
    if visitor().reviews.is_some() {
        entries.push(("/review", layout.review()));
    }
    if visitor().is_admin() {
        entries.extend([
            ("/messages", layout.messages()),
            ("/rules", layout.rules()),
            ("/engine", layout.engine()),
            ("/settings/desk", layout.desk_settings()),
            ("/settings/people", layout.people()),
            ("/settings/channels", layout.channels()),
            ("/settings/slots", layout.slots()),
            ("/settings/mail", layout.mail_server()),
            ("/settings/words", layout.words()),
        ]);
    }
    entries
}

/// The list of shortcuts.
#[component]
fn Shortcuts() -> impl IntoView {
    let texts = PaletteTexts::here();
    let rows = texts
        .keys()
        .into_iter()
        .map(|(keys, what)| view! { <tr><td><kbd>{keys}</kbd></td><td>{what}</td></tr> });
    view! {
        <dialog id="shortcuts" class="palette" aria-labelledby="shortcuts-title">
            <h2 id="shortcuts-title">{texts.shortcuts()}</h2>
            <table><tbody>{rows.collect_view()}</tbody></table>
            <p class="hint">{texts.hint()} " " <a href="/settings/profile">{LayoutTexts::here().profile()}</a></p>
            <form method="dialog"><button type="submit" class="button">{LayoutTexts::here().close()}</button></form>
        </dialog>
    }
}
