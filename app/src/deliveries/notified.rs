//! How many channels have the newest publication of an article.

use domain::delivery::Notified as Count;
use leptos::prelude::*;
use texts::deliveries::ChannelTexts;

/// `1 of 2 channels notified`; nothing if it was sent to no channel.
#[component]
pub fn Notified(
    /// The numbers.
    count: Option<Count>,
) -> impl IntoView {
    count.map(|Count { delivered, total }| {
        let is_missing = delivered < total;
        let text = ChannelTexts::here().notified(delivered, total);
        view! { <span class="notified" class:missing=is_missing>{text}</span> }
    })
}
