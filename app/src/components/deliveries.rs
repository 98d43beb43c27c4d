//! The deliveries of a task, as far as there are any.

use super::{
    delivery_row::{DeliveryRow, key},
    loaded::Loaded,
};
use crate::{calls::channels::deliveries_of, live::follow, words::channel::ChannelWords};
use leptos::prelude::*;

/// What was told to the outside because of a task; nothing where nothing was.
#[component]
pub fn Deliveries(
    /// The task.
    #[prop(into)]
    task: Signal<String>,
) -> impl IntoView {
    let words = ChannelWords::here();
    let read = follow(
        move |change| {
            change.entity == "delivery"
                || change.entity == "task"
                    && task.try_with_untracked(|id| *id == change.entity_id.to_string()) == Some(true)
        },
        move || task.get(),
        deliveries_of,
    );
    view! {
        <Loaded from=read let:rows>
            <section class="panel deliveries" aria-labelledby="deliveries" hidden=move || rows.with(Vec::is_empty)>
                <header><h2 id="deliveries">{words.deliveries()}</h2></header>
                <ul class="delivery-list">
                    <For each=move || rows.get() key=key children=|row| view! { <DeliveryRow row=row /> } />
                </ul>
            </section>
        </Loaded>
    }
}
