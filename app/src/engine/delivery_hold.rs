//! The panel for held deliveries, after a restore or after a failover with lost writes.

use crate::{
    engine::server_fns::ReleaseDeliveryHold,
    ui::{
        form::Form,
        icon::Icon,
        result::{ActionResult, announce},
    },
};
use domain::engine::EngineReport;
use leptos::prelude::*;
use texts::{engine::EngineTexts, layout::ResultTexts};

/// Why deliveries are held, and the button that releases them. Hidden while they are not.
#[component]
pub fn HoldPanel(
    /// The engine report.
    report: Signal<EngineReport>,
) -> impl IntoView {
    let reason = Memo::new(move |_| report.with(|report| report.hold_reason.clone()));
    move || {
        let reason = Some(reason.get()).filter(|reason| !reason.is_empty())?;
        Some(
            view! { <section class="panel" aria-labelledby="delivery-hold">{panel_content(reason)}</section> },
        )
    }
}

fn panel_content(reason: String) -> impl IntoView {
    let texts = EngineTexts::here();
    let action = ServerAction::<ReleaseDeliveryHold>::new();
    announce(action, |_| ActionResult::new(ResultTexts::here().released()));
    view! {
        <header><h2 id="delivery-hold">{texts.held_title()}</h2></header>
        <p class="notice warn lines">{reason}</p>
        <Form action=action class="inline">
            <button class="button" type="submit"><Icon name="play" />{texts.held_release()}</button>
        </Form>
    }
}
