//! The panel of notifications: a dialog at the end of the line, which `bell.js` fills with the latest ones.

use leptos::prelude::*;
use texts::{layout::LayoutTexts, reminders::ReminderTexts};

/// The dialog, in a template. Without the script, the bell leads to the page of notifications.
#[component]
pub(super) fn BellPanel() -> impl IntoView {
    let (texts, layout) = (ReminderTexts::here(), LayoutTexts::here());
    view! {
        <template id="bell-template">
        <dialog id="bell-panel" class="help-panel" aria-labelledby="bell-panel-title">
            <div class="help-box">
                <header>
                    <h2 id="bell-panel-title" tabindex="-1" autofocus>{texts.notifications()}</h2>
                    <span class="bell-mark"></span>
                    <form method="dialog"><button type="submit" class="button small">{layout.close()}</button></form>
                </header>
                <div class="bell-content"></div>
                <p class="help-failed" role="status" data-failed=texts.not_loaded()></p>
                <p><a class="help-link" href="/notifications">{texts.all_notifications()}</a></p>
            </div>
        </dialog>
        </template>
    }
}
