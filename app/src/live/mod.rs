//! The page follows what happens: one stream a tab, the server's clock, the engine's heartbeat, and what to read again.
//!
//! On the server nothing here moves: `now` and the heartbeat are those of the moment the page was rendered.

mod stream;

use crate::{calls::Refused, visitor::visitor};
use domain::{Timestamp, engine::Heartbeat, event::Signal as Change};
use leptos::{
    html,
    leptos_dom::helpers::{request_animation_frame, set_timeout},
    prelude::*,
    task::spawn_local,
};
use std::{sync::Arc, time::Duration};

/// Silence after which the page calls itself out of date, in milliseconds. The server beats once a second.
const STALE_AFTER_MS: f64 = 2_200.0;
/// Age of the engine's last round at which it counts as dead, in milliseconds: it makes one a second at least, and the page
/// looks once a second.
const SILENT_AFTER_MS: i64 = 3_500;

/// Somebody who wants to know of some changes.
#[derive(Clone)]
struct Follower {
    wants: Arc<dyn Fn(&Change) -> bool + Send + Sync>,
    pull: Pull,
}

/// The live state of the page. A handle, cheap to copy.
#[derive(Clone, Copy)]
pub struct Live {
    now: RwSignal<Timestamp>,
    heartbeat: RwSignal<Heartbeat>,
    lost_since: RwSignal<Option<(u32, u32)>>,
    followers: StoredValue<Vec<(u32, Follower)>>,
    last_follower: StoredValue<u32>,
    main: NodeRef<html::Main>,
}

/// How the engine does, as every page shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pulse {
    /// It publishes.
    Alive,
    /// An admin has paused it.
    Paused,
    /// The server says that its last round is too long ago.
    Silent,
    /// The server is not heard: whether the engine runs is not known here.
    Unknown,
    /// It runs, but something is overdue.
    Behind,
}

impl Live {
    /// The server's clock; moves every second.
    #[must_use]
    pub fn now(self) -> Signal<Timestamp> {
        self.now.into()
    }

    /// The engine's last heartbeat.
    #[must_use]
    pub fn heartbeat(self) -> Signal<Heartbeat> {
        self.heartbeat.into()
    }

    /// Hour and minute since which this page hears nothing, on this device's clock: it may be out of date, and of the engine
    /// nothing is known. `None` while it hears.
    #[must_use]
    pub fn lost_since(self) -> Signal<Option<(u32, u32)>> {
        self.lost_since.into()
    }

    /// The main part of the page.
    #[must_use]
    pub fn main(self) -> NodeRef<html::Main> {
        self.main
    }

    /// How the engine does, as the server said last.
    #[must_use]
    pub fn pulse(self) -> Memo<Pulse> {
        Memo::new(move |_| {
            let is_lost = self.lost_since.with(Option::is_some);
            self.heartbeat.with(|beat| match beat {
                _ if is_lost => Pulse::Unknown,
                beat if beat.now.since(beat.beat_at) > SILENT_AFTER_MS => Pulse::Silent,
                beat if beat.is_paused => Pulse::Paused,
                beat if beat.is_healthy => Pulse::Alive,
                _ => Pulse::Behind,
            })
        })
    }

    /// Tells the followers of these changes.
    fn tell(self, changes: &[Change]) {
        let pulls: Vec<Pull> = self.followers.with_value(|all| {
            let hit = |f: &Follower| changes.iter().any(|change| (f.wants)(change));
            all.iter().filter(|(_, f)| hit(f)).map(|(_, f)| f.pull).collect()
        });
        pulls.into_iter().for_each(Pull::ask);
    }

    /// Tells all followers to read again.
    fn tell_all(self) {
        let pulls: Vec<Pull> = self.followers.with_value(|all| all.iter().map(|(_, f)| f.pull).collect());
        pulls.into_iter().for_each(Pull::ask);
    }
}

/// Reads again when asked, never twice at once: what is asked meanwhile is answered by one more reading after it.
#[derive(Clone, Copy)]
struct Pull {
    turn: RwSignal<u32>,
    is_busy: StoredValue<bool>,
    is_wanted: StoredValue<bool>,
}

impl Pull {
    fn new() -> Self {
        Self { turn: RwSignal::new(0), is_busy: StoredValue::new(false), is_wanted: StoredValue::new(false) }
    }

    fn ask(self) {
        if self.is_busy.try_get_value().unwrap_or(false) {
            self.is_wanted.try_set_value(true);
        } else {
            self.is_busy.try_set_value(true);
            self.turn.try_update(|turn| *turn += 1);
        }
    }

    /// Call it when the answer is there. The next reading waits until this one is painted: one that is asked for while the page
    /// is made is old when its turn comes.
    fn answered(self) {
        if cfg!(not(feature = "ssr")) {
            request_animation_frame(move || set_timeout(move || self.rest(), Duration::ZERO));
        }
    }

    fn rest(self) {
        self.is_busy.try_set_value(false);
        if self.is_wanted.try_get_value().unwrap_or(false) {
            self.is_wanted.try_set_value(false);
            self.ask();
        }
    }
}

/// Starts the clock and the stream. Called once, by the app.
pub fn provide() {
    let visitor = visitor();
    let live = Live {
        now: RwSignal::new(visitor.heartbeat.now),
        heartbeat: RwSignal::new(visitor.heartbeat),
        lost_since: RwSignal::new(None),
        followers: StoredValue::new(Vec::new()),
        last_follower: StoredValue::new(0),
        main: NodeRef::new(),
    };
    provide_context(live);
    let is_known = visitor.person.is_some();
    // Effects run in the browser only.
    Effect::new(move |_| stream::start(live, is_known));
}

/// The live state of this page.
#[must_use]
pub fn live() -> Live {
    use_context::<Live>().unwrap_or_else(|| {
        provide();
        expect_context::<Live>()
    })
}

/// Whether what is being made is made on the server, or taken over from it as the page opens.
#[must_use]
pub fn comes_from_server() -> bool {
    cfg!(feature = "ssr") || Owner::current_shared_context().is_some_and(|shared| shared.during_hydration())
}

/// Something read from the server that is read again whenever one of the changes it `wants` happens, or `key` changes.
pub fn follow<K, T, Fut>(
    wants: impl Fn(&Change) -> bool + Send + Sync + 'static,
    key: impl Fn() -> K + Send + Sync + 'static,
    read: impl Fn(K) -> Fut + Send + Sync + 'static,
) -> Resource<T>
where
    K: PartialEq + Clone + Send + Sync + 'static,
    T: serde::Serialize + serde::de::DeserializeOwned + Send + Sync + 'static,
    Fut: Future<Output = T> + Send + 'static,
{
    let pull = pull_at(wants);
    Resource::new(
        move || (key(), pull.turn.get()),
        move |(key, _)| {
            let reading = read(key);
            async move {
                let value = reading.await;
                pull.answered();
                value
            }
        },
    )
}

/// Something the page was opened with, read again whenever one of the changes it `wants` happens. A reading that is refused
/// leaves what stands there. No resource: it may stand inside of something loaded.
pub fn follow_from<T, Fut>(
    first: T,
    wants: impl Fn(&Change) -> bool + Send + Sync + 'static,
    read: impl Fn() -> Fut + 'static,
) -> Signal<T>
where
    T: Clone + Send + Sync + 'static,
    Fut: Future<Output = Result<T, Refused>> + 'static,
{
    let pull = pull_at(wants);
    let value = RwSignal::new(first);
    Effect::new(move |was: Option<()>| {
        pull.turn.track();
        if was.is_some() {
            let reading = read();
            spawn_local(async move {
                if let Ok(latest) = reading.await {
                    value.try_set(latest);
                }
                pull.answered();
            });
        }
    });
    value.into()
}

/// Asks for a reading at each change it `wants`, until its owner is gone.
fn pull_at(wants: impl Fn(&Change) -> bool + Send + Sync + 'static) -> Pull {
    let (live, pull) = (live(), Pull::new());
    let id = live.last_follower.with_value(|last| last + 1);
    live.last_follower.set_value(id);
    let follower = Follower { wants: Arc::new(wants), pull };
    live.followers.update_value(|all| all.push((id, follower)));
    on_cleanup(move || {
        live.followers.try_update_value(|all| all.retain(|(other, _)| *other != id));
    });
    pull
}

/// Has everything on the page read again each time `is_done` is found true anew: after a form went well, stream or no stream.
pub fn touch_when(is_done: impl Fn() -> bool + 'static) {
    let live = live();
    // Runs at each new value, so that a second success of one form counts too.
    Effect::new(move |was: Option<()>| {
        if is_done() && was.is_some() {
            live.tell_all();
            keep_focus(live);
        }
    });
}

/// A button that did its work often goes with its row: the focus then goes to the page, not to nowhere.
fn keep_focus(live: Live) {
    let look = move || {
        let is_lost = document().active_element().is_none_or(|element| element.tag_name() == "BODY");
        if let (true, Some(main)) = (is_lost, live.main.get_untracked()) {
            let _ = main.focus();
        }
    };
    set_timeout(look, Duration::from_millis(400));
}
