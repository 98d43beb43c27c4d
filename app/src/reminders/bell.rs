//! The number of unread notifications, beside the bell in the head.

use crate::{
    live::{live_value, refetch_all_when},
    reminders::notification_fns::unread_notifications,
    session::visitor,
};
use leptos::prelude::*;
use texts::{number::counted, reminders::ReminderTexts};

/// Number of unread notifications, in the context of the layout.
#[derive(Clone, Copy)]
struct Unread(Signal<u64>);

/// Provides the number, which follows the notifications of the user. Called once, by the layout.
pub fn provide() {
    let visitor = visitor();
    let own = visitor.account.map(|account| account.id.0);
    let unread = live_value(
        visitor.unread,
        true,
        move |change| change.entity == "account" && change.verb == "notify" && Some(change.entity_id) == own,
        unread_notifications,
    );
    provide_context(Unread(unread));
    // The panel is a script (`shell/palette/bell.js`): it says when it has marked them as read.
    let marked = RwSignal::new(0_u32);
    Effect::new(move |_| {
        let handle =
            window_event_listener_untyped("presstime-read", move |_| marked.update(|count| *count += 1));
        on_cleanup(move || handle.remove());
    });
    refetch_all_when(move || marked.get() > 0);
}

/// The number of unread notifications.
#[must_use]
pub fn unread() -> Signal<u64> {
    use_context::<Unread>().map_or_else(|| Signal::stored(0), |unread| unread.0)
}

/// The number; hidden if there is none.
#[component]
pub fn UnreadCount() -> impl IntoView {
    let texts = ReminderTexts::here();
    let count = unread();
    move || {
        (count.get() > 0).then(|| {
            view! {
                <span class="counts" aria-hidden="true"><span class="count">{counted(count.get())}</span></span>
                <span class="visually-hidden">{texts.unread_of(count.get())}</span>
            }
        })
    }
}
