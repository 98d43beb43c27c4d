//! The stream itself: one a browser, which the visible tabs share (`source.js`), and the ticking of the clock.

use super::{Live, STALE_AFTER_MS};
use domain::{Timestamp, engine::Heartbeat, event::Signal as Change};
use leptos::{leptos_dom::helpers::set_timeout, prelude::*};
use std::{cell::RefCell, rc::Rc, time::Duration};
use wasm_bindgen::{JsCast, closure::Closure, prelude::wasm_bindgen};
use web_sys::{EventTarget, MessageEvent};

#[wasm_bindgen]
extern "C" {
    /// What `source.js` defines before this program starts.
    #[wasm_bindgen(extends = EventTarget)]
    type LiveSource;
    #[wasm_bindgen(constructor)]
    fn new(after: Option<f64>) -> LiveSource;
    #[wasm_bindgen(method)]
    fn close(this: &LiveSource);
}

/// How often the clock looks whether a second is over or the stream silent, at most.
const TICK_MS: f64 = 250.0;
/// How long after a broken stream a new one is tried.
const RETRY_MS: u64 = 1_000;

/// What the stream knows between two messages.
struct Stream {
    live: Live,
    source: Option<LiveSource>,
    /// Number of the last change seen; the stream resumes after it.
    seq: Option<i64>,
    /// Milliseconds the server's clock is ahead of this tab's monotonic one.
    ahead: f64,
    /// When something last came, on this tab's clock.
    heard_at: f64,
    /// The handlers, kept alive with the stream.
    hears: Vec<Closure<dyn FnMut(MessageEvent)>>,
}

type Shared = Rc<RefCell<Stream>>;

/// Starts clock and stream. A stranger gets the clock only.
pub fn start(live: Live, is_known: bool) {
    let here = elapsed();
    #[expect(clippy::cast_precision_loss, reason = "milliseconds since 1970 fit into 53 bits")]
    let ahead = live.now.get_untracked().millis() as f64 - here;
    let stream = Rc::new(RefCell::new(Stream {
        live,
        source: None,
        seq: None,
        ahead,
        heard_at: here,
        hears: Vec::new(),
    }));
    tick(stream.clone(), is_known);
    if is_known {
        open(&stream);
        watch_visibility(stream);
    }
}

/// Milliseconds since the tab opened, on a clock nobody sets.
fn elapsed() -> f64 {
    window().performance().map_or(0.0, |performance| performance.now())
}

/// Moves the clock at each full second of the server's and notices silence.
fn tick(stream: Shared, is_known: bool) {
    let (live, now, is_silent) = {
        let stream = stream.borrow();
        let is_silent = is_known && !document().hidden() && elapsed() - stream.heard_at > STALE_AFTER_MS;
        (stream.live, elapsed() + stream.ahead, is_silent)
    };
    #[expect(clippy::cast_possible_truncation, reason = "milliseconds since 1970")]
    let at = Timestamp::from_millis(now as i64);
    if live.now.try_get_untracked().is_none_or(|shown| shown.millis() / 1_000 != at.millis() / 1_000) {
        live.now.try_set(at);
    }
    if live.lost_since.try_with_untracked(Option::is_some) != Some(is_silent) {
        let clock = js_sys::Date::new_0();
        live.lost_since.try_set(is_silent.then(|| (clock.get_hours(), clock.get_minutes())));
    }
    let until_second = 1_000.0 - now.rem_euclid(1_000.0) + 2.0;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and 250")]
    let pause = until_second.min(TICK_MS) as u64;
    set_timeout(move || tick(stream, is_known), Duration::from_millis(pause));
}

/// Opens the stream where it was left.
fn open(stream: &Shared) {
    close(stream);
    #[expect(clippy::cast_precision_loss, reason = "a number of the log, far below 53 bits")]
    let source = LiveSource::new(stream.borrow().seq.map(|seq| seq as f64));
    hear(stream, &source, "hello", |stream, text| {
        take_beat(stream, text);
        stream.live.tell_all();
    });
    hear(stream, &source, "beat", take_beat);
    hear(stream, &source, "signals", take_changes);
    hear(stream, &source, "reload", |stream, _| stream.live.tell_all());
    hear_break(stream, &source);
    stream.borrow_mut().source = Some(source);
}

fn close(stream: &Shared) {
    let mut stream = stream.borrow_mut();
    if let Some(source) = stream.source.take() {
        source.close();
    }
    stream.hears.clear();
}

/// Calls `take` with the text of each message of this name.
fn hear(stream: &Shared, source: &LiveSource, name: &str, take: impl Fn(&mut Stream, &str) + 'static) {
    let shared = stream.clone();
    let heard = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        let Ok(mut stream) = shared.try_borrow_mut() else { return };
        stream.heard_at = elapsed();
        if let Ok(seq) = event.last_event_id().parse() {
            stream.seq = Some(seq);
        }
        if let Some(text) = event.data().as_string() {
            take(&mut stream, &text);
        }
    });
    let _ = source.add_event_listener_with_callback(name, heard.as_ref().unchecked_ref());
    stream.borrow_mut().hears.push(heard);
}

/// A stream the browser has given up on (the server answered with an error) is opened again.
fn hear_break(stream: &Shared, source: &LiveSource) {
    let shared = stream.clone();
    let heard = Closure::<dyn FnMut(MessageEvent)>::new(move |_: MessageEvent| {
        let shared = shared.clone();
        let again = move || {
            if !document().hidden() {
                open(&shared);
            }
        };
        set_timeout(again, Duration::from_millis(RETRY_MS));
    });
    let _ = source.add_event_listener_with_callback("broken", heard.as_ref().unchecked_ref());
    stream.borrow_mut().hears.push(heard);
}

/// Takes the engine's heartbeat and sets the clock by it.
fn take_beat(stream: &mut Stream, text: &str) {
    let Ok(beat) = serde_json::from_str::<Heartbeat>(text) else { return };
    #[expect(clippy::cast_precision_loss, reason = "milliseconds since 1970 fit into 53 bits")]
    let ahead = beat.now.millis() as f64 - elapsed();
    // A message that travelled longer shows an older time: the largest difference is the truest, unless a clock was set.
    if ahead > stream.ahead || stream.ahead - ahead > 500.0 {
        stream.ahead = ahead;
    }
    if stream.live.heartbeat.try_with_untracked(|shown| *shown != beat) == Some(true) {
        stream.live.heartbeat.try_set(beat);
    }
}

fn take_changes(stream: &mut Stream, text: &str) {
    let Ok(changes) = serde_json::from_str::<Vec<Change>>(text) else { return };
    if let Some(last) = changes.iter().map(|change| change.seq).max() {
        stream.seq = stream.seq.max(Some(last));
    }
    stream.live.tell(&changes);
}

/// A hidden tab closes its stream (a browser allows six); it resumes when it is seen again.
fn watch_visibility(stream: Shared) {
    let turned = Closure::<dyn FnMut()>::new(move || {
        if document().hidden() {
            close(&stream);
        } else {
            stream.borrow_mut().heard_at = elapsed();
            open(&stream);
        }
    });
    let _ = document().add_event_listener_with_callback("visibilitychange", turned.as_ref().unchecked_ref());
    turned.forget();
}
