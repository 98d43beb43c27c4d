//! The deliveries of a task.

use crate::{
    deliveries::{server_fns::deliveries_of, table::DeliveryTable},
    live::live_resource,
    ui::async_view::AsyncView,
};
use domain::delivery::{DeliveryRow as Row, DeliveryState};
use leptos::prelude::*;
use texts::{deliveries::ChannelTexts, tasks::sentence::SentenceTexts};

/// Deliveries caused by a task, folded while none failed. Hidden if there are none.
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
            <details
                class="fold deliveries" hidden=move || rows.with(Vec::is_empty)
                open=move || rows.with(|rows| rows.iter().any(needs_attention))
            >
                <summary>
                    <h2 id="deliveries">{texts.deliveries()}</h2>
                    <span class="fold-summary">{move || rows.with(|rows| summary(rows))}</span>
                </summary>
                <DeliveryTable rows=rows when=Box::new(move || view! { <th scope="col" class="when">{texts.when()}</th> }.into_any()) />
            </details>
        </AsyncView>
    }
}

fn needs_attention(row: &Row) -> bool {
    matches!(row.state, DeliveryState::Failed | DeliveryState::Unconfirmed)
}

/// Number of deliveries that arrived, of all.
fn summary(rows: &[Row]) -> String {
    let done = rows.iter().filter(|row| row.state == DeliveryState::Delivered).count();
    SentenceTexts::here().delivered(done, rows.len())
}
