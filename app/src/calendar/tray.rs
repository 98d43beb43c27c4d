//! Drafts that wait for a time.

use super::{server_fns::CalendarBoard, texts::CalendarTexts};
use leptos::prelude::*;

/// The drafts: each opens its schedule.
#[component]
pub fn Tray(
    /// The board.
    board: Signal<CalendarBoard>,
) -> impl IntoView {
    let texts = CalendarTexts::here();
    let drafts = Memo::new(move |_| board.with(|board| board.drafts.clone()));
    let has_more = Memo::new(move |_| board.with(|board| board.has_more_drafts));
    view! {
        <aside class="calendar-tray" aria-labelledby="drafts-heading">
            <h2 id="drafts-heading">{texts.drafts()}</h2>
            <ul>
                <For each=move || drafts.get() key=|draft| draft.clone() children=|(id, title)| view! {
                    <li><a href=format!("/articles/{id}?view=schedule") dir="auto">{title}</a></li>
                } />
            </ul>
            {move || drafts.with(Vec::is_empty).then(|| view! { <p class="muted">{texts.no_drafts()}</p> })}
            {move || has_more.get().then(|| view! { <p><a href="/articles?state=draft">{texts.all_drafts()}</a></p> })}
        </aside>
    }
}
