//! The deliveries of a task.

use crate::{
    deliveries::{
        row::{DeliveryRow, key},
        server_fns::deliveries_of,
        texts::ChannelTexts,
    },
    live::live_resource,
    ui::async_view::AsyncView,
};
use leptos::prelude::*;

/// Deliveries caused by a task. Hidden if there are none.
#[component]
pub fn Deliveries(
    /// The task.
    #[prop(into)]
    task: Signal<String>,
) -> impl IntoView {
    let texts = ChannelTexts::here();
    let read = live_resource(
        move |change| {
            change.entity == "delivery"
                || change.entity == "task"
                    && task.try_with_untracked(|id| *id == change.entity_id.to_string()) == Some(true)
        },
        move || task.get(),
        deliveries_of,
    );
    view! {
        <AsyncView from=read let:rows>
            <section class="panel deliveries" aria-labelledby="deliveries" hidden=move || rows.with(Vec::is_empty)>
                <header><h2 id="deliveries">{texts.deliveries()}</h2></header>
                <ul class="delivery-list">
                    <For each=move || rows.get() key=key children=|row| view! { <DeliveryRow row=row /> } />
                </ul>
            </section>
        </AsyncView>
    }
}
