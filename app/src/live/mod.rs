//! Live updates: the event stream, the server's clock, the engine's heartbeat, and resources that
//! are fetched again.
//!
//! On the server, `now` and the heartbeat keep the values of the rendering time.

pub mod desk_status;
pub mod server_fns;
mod stream;

use crate::{server_fns::codec::Refused, session::visitor};
use desk_status::{DeskStatus, Facts};
use domain::{Timestamp, engine::EngineStatus, event::Signal as Change};
use leptos::{
    html,
    leptos_dom::helpers::{request_animation_frame, set_timeout},
    prelude::*,
    task::spawn_local,
};
use std::{sync::Arc, time::Duration};
use web_sys::FocusOptions;

/// Silence after which the page shows that it is offline, in milliseconds. The server sends a
/// heartbeat once a second.
const STALE_AFTER_MS: f64 = 2_200.0;

/// A resource that is fetched again after some changes.
#[derive(Clone)]
struct Subscriber {
    wants: Arc<dyn Fn(&Change) -> bool + Send + Sync>,
    refetch: Refetch,
}

/// The live state of the page. Cheap to copy.
#[derive(Clone, Copy)]
pub struct Live {
    now: RwSignal<Timestamp>,
    heartbeat: RwSignal<EngineStatus>,
    is_offline: RwSignal<bool>,
    is_logged_out: RwSignal<bool>,
    must_check_session: StoredValue<bool>,
    subscribers: StoredValue<Vec<(u32, Subscriber)>>,
    last_subscriber: StoredValue<u32>,
    main: NodeRef<html::Main>,
}

impl Live {
    /// The server's clock, updated every second.
    #[must_use]
    pub fn now(self) -> Signal<Timestamp> {
        self.now.into()
    }

    /// The engine's last heartbeat.
    #[must_use]
    pub fn heartbeat(self) -> Signal<EngineStatus> {
        self.heartbeat.into()
    }

    /// Whether all messages to channels are held until an admin confirms.
    #[must_use]
    pub fn are_deliveries_held(self) -> Memo<bool> {
        Memo::new(move |_| self.heartbeat.with(|heartbeat| heartbeat.are_deliveries_held))
    }

    /// What every page says about the desk.
    #[must_use]
    pub fn status(self) -> Memo<DeskStatus> {
        let visitor = visitor();
        let (is_admin, user) = (visitor.is_admin(), visitor.account.map(|account| account.id));
        Memo::new(move |_| {
            self.heartbeat.with(|heartbeat| {
                DeskStatus::of(Facts {
                    is_logged_out: self.is_logged_out.get(),
                    is_offline: self.is_offline.get(),
                    heartbeat,
                    user,
                    is_admin,
                })
            })
        })
    }

    /// Asks the server soon whether the session is still valid, after a request was refused because
    /// of it, or after a login.
    pub fn check_session(self) {
        self.must_check_session.try_set_value(true);
    }

    /// The `main` element of the page.
    #[must_use]
    pub fn main(self) -> NodeRef<html::Main> {
        self.main
    }

    /// Fetches the resources again that depend on these changes.
    fn notify(self, changes: &[Change]) {
        let refetches: Vec<Refetch> = self.subscribers.with_value(|all| {
            let hit = |f: &Subscriber| changes.iter().any(|change| (f.wants)(change));
            all.iter().filter(|(_, f)| hit(f)).map(|(_, f)| f.refetch).collect()
        });
        refetches.into_iter().for_each(Refetch::request);
    }

    /// Fetches all resources again.
    fn refetch_all(self) {
        let refetches: Vec<Refetch> =
            self.subscribers.with_value(|all| all.iter().map(|(_, f)| f.refetch).collect());
        refetches.into_iter().for_each(Refetch::request);
    }
}

/// Fetches again on request, at most one at a time. A request during a fetch causes one more fetch
/// after it.
#[derive(Clone, Copy)]
struct Refetch {
    version: RwSignal<u32>,
    is_busy: StoredValue<bool>,
    is_requested: StoredValue<bool>,
}

impl Refetch {
    fn new() -> Self {
        Self {
            version: RwSignal::new(0),
            is_busy: StoredValue::new(false),
            is_requested: StoredValue::new(false),
        }
    }

    fn request(self) {
        if self.is_busy.try_get_value().unwrap_or(false) {
            self.is_requested.try_set_value(true);
        } else {
            self.is_busy.try_set_value(true);
            self.version.try_update(|version| *version += 1);
        }
    }

    /// Called when the response is there. The next fetch waits until this one is painted, because a
    /// response fetched during rendering would be outdated when shown.
    fn complete(self) {
        if cfg!(not(feature = "ssr")) {
            request_animation_frame(move || set_timeout(move || self.finish(), Duration::ZERO));
        }
    }

    fn finish(self) {
        self.is_busy.try_set_value(false);
        if self.is_requested.try_get_value().unwrap_or(false) {
            self.is_requested.try_set_value(false);
            self.request();
        }
    }
}

/// Starts the clock and the event stream. Called once, by the app.
pub fn provide() {
    let visitor = visitor();
    let live = Live {
        now: RwSignal::new(visitor.heartbeat.now),
        heartbeat: RwSignal::new(visitor.heartbeat),
        is_offline: RwSignal::new(false),
        is_logged_out: RwSignal::new(false),
        must_check_session: StoredValue::new(false),
        subscribers: StoredValue::new(Vec::new()),
        last_subscriber: StoredValue::new(0),
        main: NodeRef::new(),
    };
    provide_context(live);
    let is_logged_in = visitor.account.is_some();
    // Effects run in the browser only.
    Effect::new(move |_| stream::start(live, is_logged_in));
}

/// Returns the live state of this page.
#[must_use]
pub fn live() -> Live {
    use_context::<Live>().unwrap_or_else(|| {
        provide();
        expect_context::<Live>()
    })
}

/// Whether the view is rendered on the server, or hydrated.
#[must_use]
pub fn is_server_rendered() -> bool {
    cfg!(feature = "ssr") || Owner::current_shared_context().is_some_and(|shared| shared.during_hydration())
}

/// Creates a resource that is fetched again after each change it `wants`, or when `key` changes.
pub fn live_resource<K, T, Fut>(
    wants: impl Fn(&Change) -> bool + Send + Sync + 'static,
    key: impl Fn() -> K + Send + Sync + 'static,
    read: impl Fn(K) -> Fut + Send + Sync + 'static,
) -> Resource<T>
where
    K: PartialEq + Clone + Send + Sync + 'static,
    T: serde::Serialize + serde::de::DeserializeOwned + Send + Sync + 'static,
    Fut: Future<Output = T> + Send + 'static,
{
    let refetch = subscribe(wants);
    Resource::new(
        move || (key(), refetch.version.get()),
        move |(key, _)| {
            let reading = read(key);
            async move {
                let value = reading.await;
                refetch.complete();
                value
            }
        },
    )
}

/// Creates a value that is fetched again after each change it `wants`, and once at the beginning unless
/// `first` is current. A failed fetch keeps the value. It is not a resource, so it can be used inside of a
/// loaded view.
pub fn live_value<T, Fut>(
    first: T,
    is_current: bool,
    wants: impl Fn(&Change) -> bool + Send + Sync + 'static,
    read: impl Fn() -> Fut + 'static,
) -> Signal<T>
where
    T: Clone + Send + Sync + 'static,
    Fut: Future<Output = Result<T, Refused>> + 'static,
{
    let refetch = subscribe(wants);
    let value = RwSignal::new(first);
    Effect::new(move |was: Option<()>| {
        refetch.version.track();
        if was.is_some() || !is_current {
            let reading = read();
            spawn_local(async move {
                if let Ok(latest) = reading.await {
                    value.try_set(latest);
                }
                refetch.complete();
            });
        }
    });
    value.into()
}

/// Requests a fetch after each change it `wants`, until its owner is disposed.
fn subscribe(wants: impl Fn(&Change) -> bool + Send + Sync + 'static) -> Refetch {
    let (live, refetch) = (live(), Refetch::new());
    let id = live.last_subscriber.with_value(|last| last + 1);
    live.last_subscriber.set_value(id);
    let subscriber = Subscriber { wants: Arc::new(wants), refetch };
    live.subscribers.update_value(|all| all.push((id, subscriber)));
    on_cleanup(move || {
        live.subscribers.try_update_value(|all| all.retain(|(other, _)| *other != id));
    });
    refetch
}

/// Fetches all resources again each time `is_done` becomes true, e.g. after a form succeeded, with
/// or without the event stream.
pub fn refetch_all_when(is_done: impl Fn() -> bool + 'static) {
    let live = live();
    // Runs at each new value, so that a second success of one form counts too.
    Effect::new(move |was: Option<()>| {
        if is_done() && was.is_some() {
            live.refetch_all();
            keep_focus(live);
        }
    });
}

/// Moves the focus to the page, which stays where it is: the browser would show its end.
pub fn focus_page(main: NodeRef<html::Main>) {
    if let Some(main) = main.get_untracked() {
        let options = FocusOptions::new();
        options.set_prevent_scroll(true);
        _ = main.focus_with_options(&options);
    }
}

/// A button often disappears with its row. Then the focus moves to the page instead of getting
/// lost.
pub fn keep_focus(live: Live) {
    let look = move || {
        let is_lost = document().active_element().is_none_or(|element| element.tag_name() == "BODY");
        if is_lost {
            focus_page(live.main);
        }
    };
    set_timeout(look, Duration::from_millis(400));
}
