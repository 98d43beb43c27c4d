//! The event stream, shared by the visible tabs of a browser (`source.js`), and the clock.

use super::{Live, STALE_AFTER_MS, server_fns::check_session};
use crate::server_fns::codec::Refused;
use domain::{DomainError, Timestamp, engine::EngineStatus, event::Signal as Change};
use leptos::{leptos_dom::helpers::set_timeout, prelude::*, task::spawn_local};
use std::{cell::RefCell, rc::Rc, time::Duration};
use wasm_bindgen::{JsCast, closure::Closure, prelude::wasm_bindgen};
use web_sys::{EventTarget, MessageEvent};

#[wasm_bindgen]
extern "C" {
    /// Defined by `source.js` before this program starts.
    #[wasm_bindgen(extends = EventTarget)]
    type LiveSource;
    #[wasm_bindgen(constructor)]
    fn new(after: Option<f64>) -> LiveSource;
    #[wasm_bindgen(method)]
    fn close(this: &LiveSource);
}

/// Maximum interval of the clock, in milliseconds: it checks for a new second and for a silent
/// stream.
const TICK_MS: f64 = 250.0;
/// Delay before a broken stream is opened again, in milliseconds.
const RETRY_MS: u64 = 1_000;
/// Interval at which a page that is silent or logged out asks whether its session is valid, in milliseconds.
const CHECK_MS: f64 = 2_000.0;

/// State of the stream.
struct Stream {
    live: Live,
    source: Option<LiveSource>,
    /// Number of the last change; the stream resumes after it.
    seq: Option<i64>,
    /// Milliseconds by which the server's clock is ahead of this tab's monotonic clock.
    server_offset: f64,
    /// Time of the last message, on this tab's clock.
    last_message_at: f64,
    /// Time of the last question whether the session is valid, on this tab's clock.
    checked_at: f64,
    /// Whether the answer to it is outstanding.
    is_checking: bool,
    /// The event handlers, kept alive with the stream.
    handlers: Vec<Closure<dyn FnMut(MessageEvent)>>,
}

type Shared = Rc<RefCell<Stream>>;

/// Starts the clock, and with a session the stream.
pub fn start(live: Live, is_logged_in: bool) {
    let here = elapsed();
    #[expect(clippy::cast_precision_loss, reason = "milliseconds since 1970 fit into 53 bits")]
    let server_offset = live.now.get_untracked().millis() as f64 - here;
    let stream = Rc::new(RefCell::new(Stream {
        live,
        source: None,
        seq: None,
        server_offset,
        last_message_at: here,
        checked_at: here,
        is_checking: false,
        handlers: Vec::new(),
    }));
    tick(stream.clone(), is_logged_in);
    if is_logged_in {
        open(&stream);
        watch_visibility(stream);
    }
}

/// Milliseconds since the tab opened, on a monotonic clock.
fn elapsed() -> f64 {
    window().performance().map_or(0.0, |performance| performance.now())
}

/// Updates the clock at each full second of the server, and detects a silent stream.
fn tick(stream: Shared, is_logged_in: bool) {
    let (live, now, silence) = {
        let stream = stream.borrow();
        let is_listening = is_logged_in && !document().hidden();
        let silence = if is_listening { elapsed() - stream.last_message_at } else { 0.0 };
        (stream.live, elapsed() + stream.server_offset, silence)
    };
    check_when_due(&stream, silence > STALE_AFTER_MS);
    // A tick later, so that the server can say that only the session is over.
    let is_silent = silence > STALE_AFTER_MS + TICK_MS;
    #[expect(clippy::cast_possible_truncation, reason = "milliseconds since 1970")]
    let at = Timestamp::from_millis(now as i64);
    if live.now.try_get_untracked().is_none_or(|shown| shown.millis() / 1_000 != at.millis() / 1_000) {
        live.now.try_set(at);
    }
    if live.is_offline.try_get_untracked() != Some(is_silent) {
        live.is_offline.try_set(is_silent);
    }
    let until_second = 1_000.0 - now.rem_euclid(1_000.0) + 2.0;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and 250")]
    let pause = until_second.min(TICK_MS) as u64;
    set_timeout(move || tick(stream, is_logged_in), Duration::from_millis(pause));
}

/// Asks the server whether the session is valid: while the stream is silent or the page is logged
/// out, and at the page's request. A refused stream has no reason.
fn check_when_due(stream: &Shared, is_silent: bool) {
    let mut own = stream.borrow_mut();
    let live = own.live;
    let is_suspect = is_silent || live.is_logged_out.try_get_untracked() == Some(true);
    let is_due = is_suspect && elapsed() - own.checked_at > CHECK_MS;
    if own.is_checking || !(is_due || live.must_check_session.try_get_value() == Some(true)) {
        return;
    }
    live.must_check_session.try_set_value(false);
    own.is_checking = true;
    own.checked_at = elapsed();
    let shared = stream.clone();
    spawn_local(async move {
        let answer = check_session().await;
        let mut own = shared.borrow_mut();
        own.is_checking = false;
        let is_over = matches!(answer, Err(Refused(DomainError::LogIn)));
        if live.is_logged_out.try_get_untracked() == Some(!is_over) {
            // After a login the stream is opened again within a second.
            if answer.is_ok() {
                own.last_message_at = elapsed();
            }
            drop(own);
            live.is_logged_out.try_set(is_over);
        }
    });
}

/// Opens the stream after the last change.
fn open(stream: &Shared) {
    close(stream);
    #[expect(clippy::cast_precision_loss, reason = "a number of the log, far below 53 bits")]
    let source = LiveSource::new(stream.borrow().seq.map(|seq| seq as f64));
    listen(stream, &source, "hello", |stream, text| {
        on_heartbeat(stream, text);
        stream.live.refetch_all();
    });
    listen(stream, &source, "heartbeat", on_heartbeat);
    listen(stream, &source, "signals", on_changes);
    listen(stream, &source, "reload", |stream, _| stream.live.refetch_all());
    on_break(stream, &source);
    stream.borrow_mut().source = Some(source);
}

fn close(stream: &Shared) {
    let mut stream = stream.borrow_mut();
    if let Some(source) = stream.source.take() {
        source.close();
    }
    stream.handlers.clear();
}

/// Calls `take` with the data of each message of this name.
fn listen(stream: &Shared, source: &LiveSource, name: &str, take: impl Fn(&mut Stream, &str) + 'static) {
    let shared = stream.clone();
    let handler = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        let Ok(mut stream) = shared.try_borrow_mut() else { return };
        stream.last_message_at = elapsed();
        if let Ok(seq) = event.last_event_id().parse() {
            stream.seq = Some(seq);
        }
        if let Some(text) = event.data().as_string() {
            take(&mut stream, &text);
        }
    });
    let _ = source.add_event_listener_with_callback(name, handler.as_ref().unchecked_ref());
    stream.borrow_mut().handlers.push(handler);
}

/// Opens the stream again after the browser has given up, because the server responded with an
/// error.
fn on_break(stream: &Shared, source: &LiveSource) {
    let shared = stream.clone();
    let live = stream.borrow().live;
    let handler = Closure::<dyn FnMut(MessageEvent)>::new(move |_: MessageEvent| {
        live.check_session();
        let shared = shared.clone();
        let again = move || {
            if !document().hidden() {
                open(&shared);
            }
        };
        set_timeout(again, Duration::from_millis(RETRY_MS));
    });
    let _ = source.add_event_listener_with_callback("broken", handler.as_ref().unchecked_ref());
    stream.borrow_mut().handlers.push(handler);
}

/// Stores the engine's heartbeat and adjusts the clock.
fn on_heartbeat(stream: &mut Stream, text: &str) {
    let Ok(beat) = serde_json::from_str::<EngineStatus>(text) else { return };
    #[expect(clippy::cast_precision_loss, reason = "milliseconds since 1970 fit into 53 bits")]
    let server_offset = beat.now.millis() as f64 - elapsed();
    // A delayed message shows an older time, so the largest difference is the most exact one,
    // unless a clock was set.
    if server_offset > stream.server_offset || stream.server_offset - server_offset > 500.0 {
        stream.server_offset = server_offset;
    }
    if stream.live.heartbeat.try_with_untracked(|shown| *shown != beat) == Some(true) {
        stream.live.heartbeat.try_set(beat);
    }
}

fn on_changes(stream: &mut Stream, text: &str) {
    let Ok(changes) = serde_json::from_str::<Vec<Change>>(text) else { return };
    if let Some(last) = changes.iter().map(|change| change.seq).max() {
        stream.seq = stream.seq.max(Some(last));
    }
    stream.live.notify(&changes);
}

/// A hidden tab closes its stream, because a browser permits six connections to a host. It resumes
/// when visible.
fn watch_visibility(stream: Shared) {
    let on_change = Closure::<dyn FnMut()>::new(move || {
        if document().hidden() {
            close(&stream);
        } else {
            stream.borrow_mut().last_message_at = elapsed();
            open(&stream);
        }
    });
    let _ =
        document().add_event_listener_with_callback("visibilitychange", on_change.as_ref().unchecked_ref());
    on_change.forget();
}
