//! Drafts that wait for a time: beside the days, or on narrow screens in one line above them.

use super::{moving::mover::Mover, server_fns::CalendarBoard};
use crate::calendar::moving::dragged::key_of_draft;
use crate::ui::{icon::Icon, shortcut::single_key};
use leptos::prelude::*;
use texts::calendar::{CalendarTexts, moving::MovingTexts};

/// The drafts: each opens its schedule, or is dragged to a day or an hour.
#[component]
pub fn Tray(
    /// The board.
    board: Signal<CalendarBoard>,
    /// The moves in flight.
    mover: Mover,
) -> impl IntoView {
    let texts = CalendarTexts::here();
    let drafts = Memo::new(move |_| board.with(|board| board.drafts.clone()));
    let has_more = Memo::new(move |_| board.with(|board| board.has_more_drafts));
    view! {
        <aside class="calendar-tray" aria-labelledby="drafts-heading">
            <h2 id="drafts-heading">{texts.drafts()}</h2>
            <ul>
                <For each=move || drafts.get() key=|draft| draft.clone() children=move |(id, title)| {
                    let key = key_of_draft(&id);
                    let label = MovingTexts::here().schedule_of(title.clone());
                    let own_key = key.clone();
                    view! {
                        <li class="may-move" data-item=own_key>
                            <a href=format!("/articles/{id}?view=schedule") dir="auto" aria-keyshortcuts=single_key("m")>{title}</a>
                            <button class="button bare small needs-js" type="button" aria-label=label.clone() title=label on:click=move |_| mover.pick_up(&key)>
                                <Icon name="calendar" />
                            </button>
                        </li>
                    }
                } />
            </ul>
            {move || drafts.with(|drafts| !drafts.is_empty()).then(|| view! { <p class="hint needs-js">{texts.drafts_hint()}</p> })}
            {move || drafts.with(Vec::is_empty).then(|| view! { <p class="muted">{texts.no_drafts()}</p> })}
            {move || has_more.get().then(|| view! { <p><a href="/articles?state=draft">{texts.all_drafts()}</a></p> })}
        </aside>
    }
}
