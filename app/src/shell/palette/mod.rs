//! The command palette and the list of shortcuts: two dialogs in a template after the app, which a
//! plain script opens. They are not hydrated and cost the browser no code.

pub mod server_fns;
pub mod texts;

use crate::{
    articles::list_page::plan::texts::PlanTexts,
    meetings::texts::import::ImportTexts,
    shell::{session::visitor, texts::LayoutTexts},
    texts::colon,
};
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
        // The router of the app knows no page of the public site.
        let rel = (path == "/site").then_some("external");
        let label = match path.starts_with("/settings/") {
            true => format!("{}{}{label}", LayoutTexts::here().settings(), colon()),
            false => label.to_owned(),
        };
        view! { <li id=id role="option"><a href=path rel=rel tabindex="-1">{label}</a></li> }
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
        ("/articles/import", PlanTexts::here().title()),
        ("/media", layout.media()),
        ("/calendar", layout.calendar()),
        ("/meetings", layout.meetings()),
        ("/meetings/import", ImportTexts::here().title()),
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
        ("/settings/feeds", layout.feeds()),
        ("/settings/outside-mail", layout.outside_mail()),
        ("/site", layout.site()),
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
            ("/settings/rooms", layout.rooms()),
            ("/settings/review", layout.review()),
            ("/settings/words", layout.words()),
            ("/settings/site", layout.site_settings()),
            ("/settings/tags", layout.tags()),
            ("/settings/import", layout.import()),
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
            <h2 id="shortcuts-title" tabindex="-1" autofocus>{texts.shortcuts()}</h2>
            <table><tbody>{rows.collect_view()}</tbody></table>
            <p class="hint">{texts.hint()} " " <a href="/settings/profile">{LayoutTexts::here().profile()}</a></p>
            <form method="dialog"><button type="submit" class="button">{LayoutTexts::here().close()}</button></form>
        </dialog>
    }
}
