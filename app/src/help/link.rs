//! Links to help: about the page that is open, and about a word beside it.

use super::paths::topic_of;
use crate::ui::{icon::Icon, shortcut::single_key};
use leptos::prelude::*;
use leptos_router::hooks::use_location;
use texts::colon;
use texts::help::HelpTexts;

/// Opens help about this page. A script shows it in a panel (`shell/palette/help.js`); without the script
/// it is a page.
#[component]
pub fn HelpLink() -> impl IntoView {
    let path = use_location().pathname;
    let href = move || format!("/help/{}", path.with(|path| topic_of(path)));
    view! { <a class="item help" data-icon="help" data-help="" href=href title=HelpTexts::here().title() aria-keyshortcuts=single_key("?")><span class="visually-hidden">{HelpTexts::here().title()}</span></a> }
}

/// Explains a word where it stands: opens help at this word.
#[component]
pub fn WordLink(
    /// Topic of the page.
    topic: &'static str,
    /// The word: its slug in `help/words`.
    word: &'static str,
    /// The word as the page shows it.
    name: &'static str,
) -> impl IntoView {
    let label = format!("{}{}{name}", HelpTexts::here().title(), colon());
    view! {
        <a class="word-help" data-help="" href=format!("/help/{topic}#word-{word}") aria-label=label.clone() title=label>
            <Icon name="info" />
        </a>
    }
}
