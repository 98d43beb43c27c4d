//! Who else has an article or a meeting open: one line on its page.

pub mod server_fns;

use crate::presence::server_fns::{see_item, who_is_here};
use crate::ui::async_view::AsyncView;
use leptos::{
    leptos_dom::helpers::{set_interval_with_handle, window_event_listener_untyped},
    prelude::*,
    task::spawn_local,
};
use std::time::Duration;
use texts::presence::PresenceTexts;

/// Interval at which a visible page reports. The server counts an account for 45 seconds.
const REPORT_INTERVAL: Duration = Duration::from_secs(20);

/// Says who else has the item open. Without JavaScript, who had it open when the page was rendered.
#[component]
pub fn Presence(
    /// Id of an article or a meeting.
    #[prop(into)]
    id: Signal<String>,
) -> impl IntoView {
    let rendered = Resource::new(move || id.get(), who_is_here);
    let latest = RwSignal::new(None::<Vec<String>>);
    report(id, latest);
    let sentence = move |rendered: Signal<Vec<String>>| {
        let names = move || latest.get().unwrap_or_else(|| rendered.get());
        move || PresenceTexts::here().sentence(&names())
    };
    view! {
        <div class="presence muted" dir="auto" role="status">
            <AsyncView from=rendered children=sentence />
        </div>
    }
}

/// Reports at once, at an interval, and when the page becomes visible. Runs in the browser only.
fn report(id: Signal<String>, latest: RwSignal<Option<Vec<String>>>) {
    Effect::new(move |_| {
        id.track();
        see(id, latest);
        let timer = set_interval_with_handle(move || see(id, latest), REPORT_INTERVAL);
        let listener = window_event_listener_untyped("visibilitychange", move |_| see(id, latest));
        on_cleanup(move || {
            if let Ok(timer) = timer {
                timer.clear();
            }
            listener.remove();
        });
    });
}

/// Reports that the page is open, unless it is hidden. After a failed report no name is shown, because none is known.
fn see(id: Signal<String>, latest: RwSignal<Option<Vec<String>>>) {
    let Some(item) = id.try_get_untracked().filter(|_| !document().hidden()) else { return };
    spawn_local(async move {
        let names = see_item(item.clone()).await.unwrap_or_default();
        // Another item may have been opened meanwhile.
        if id.try_get_untracked() == Some(item) {
            latest.try_set(Some(names));
        }
    });
}
