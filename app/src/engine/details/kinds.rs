//! How many task kinds have a limit, with a link to the page that sets them.

use super::section::Section;
use domain::{KindLimit, engine::EngineReport};
use leptos::prelude::*;
use texts::engine::EngineTexts;

/// The number of limits, and the link.
#[component]
pub fn Kinds(
    /// The engine report.
    report: Signal<EngineReport>,
) -> impl IntoView {
    let texts = EngineTexts::here();
    let set = Memo::new(move |_| {
        let is_limited =
            |limit: &&KindLimit| limit.values.max_concurrency.is_some() || limit.values.rate.is_some();
        report.with(|report| report.limits.iter().filter(is_limited).count())
    });
    let summary = Signal::derive(move || match set.get() {
        0 => texts.no_limits().to_owned(),
        count => texts.limits_set(count),
    });
    view! {
        <Section id="kinds" title=texts.concurrency_title() summary=summary>
            <p class="hint">{texts.concurrency_hint()}</p>
            <p><a href="/settings/queue">{texts.queue_settings()}</a></p>
        </Section>
    }
}
