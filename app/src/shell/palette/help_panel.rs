//! The help panel: a dialog at the end of the line, which `help.js` fills with a topic of help.

use leptos::prelude::*;
use texts::help::HelpTexts;

/// The dialog, in a template. Without the script, links to help lead to its pages.
#[component]
pub(super) fn HelpPanel() -> impl IntoView {
    let texts = HelpTexts::here();
    view! {
        <template id="help-template">
        <dialog id="help-panel" class="help-panel" aria-labelledby="help-panel-title">
            <div class="help-box">
                <header>
                    <h2 id="help-panel-title" tabindex="-1" autofocus data-title=texts.title()>{texts.title()}</h2>
                    <form method="dialog"><button type="submit" class="button small">{texts.close()}</button></form>
                </header>
                <form method="get" action="/help" class="help-search">
                    <input class="input" type="search" name="q" maxlength="200" aria-label=texts.search() placeholder=texts.search() />
                    <button type="submit" class="button">{texts.find()}</button>
                </form>
                <div class="help-content"></div>
                <p class="help-failed" role="status" data-failed=texts.offline()></p>
                <p><a class="help-link" href="/help">{texts.all()}</a></p>
            </div>
        </dialog>
        </template>
    }
}
