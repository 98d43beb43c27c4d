//! The live stream: what happens, as it happens, over Server-Sent Events.
//!
//! `hello` (heartbeat) first, `signals` (a list, with the place in the log as id) as they come, `beat` (heartbeat) every
//! second, `reload` where something was missed for good.

use super::{
    Web, auth,
    health::refused,
    limits::{
        By,
        streams::{Full, Place},
    },
};
use crate::worker::live::{Batch, News, Since};
use axum::{
    extract::{Query, Request, State},
    http::{HeaderName, StatusCode, header, request::Parts},
    response::{
        IntoResponse, Response,
        sse::{Event, Sse},
    },
};
use domain::{Actor, Refusal, event::Audience, person::SessionSecret};
use serde::Deserialize;
use std::{convert::Infallible, sync::Arc, time::Duration};
use tokio::{
    sync::{broadcast, mpsc},
    time::{MissedTickBehavior, interval, timeout},
};
use tokio_stream::{StreamExt, wrappers::ReceiverStream};

/// Time between two heartbeats.
const BEAT: Duration = Duration::from_secs(1);
/// Heartbeats between two looks whether the session still holds.
const BEATS_PER_CHECK: u32 = 60;
/// How long a client may leave a full pipe unread.
const PATIENCE: Duration = Duration::from_secs(10);

/// Where to go on.
#[derive(Debug, Default, Deserialize)]
pub struct From {
    after: Option<i64>,
}

/// What opened the stream, to be looked at again while it runs.
enum Key {
    Session(SessionSecret),
    Token(String),
}

impl Key {
    fn of(web: &Web, head: &Parts) -> Option<Self> {
        let token = auth::bearer(&head.headers).map(|token| Self::Token(token.to_owned()));
        token.or_else(|| auth::session_secret(web, &head.headers).map(Self::Session))
    }

    fn by(&self) -> By {
        match self {
            Self::Session(_) => By::Browser,
            Self::Token(_) => By::Program,
        }
    }

    /// Who is behind it. To listen is not to use: an open page does not keep its session alive.
    async fn actor(&self, web: &Web) -> Result<Option<Actor>, Refusal> {
        match self {
            Self::Session(secret) => web.door.look(secret).await,
            Self::Token(token) => Ok(web.door.token(token).await?.map(|(actor, _)| actor)),
        }
    }
}

/// Opens a stream for whoever is logged in or has a token; goes on after `Last-Event-ID` or `after`.
pub async fn stream(State(web): State<Web>, Query(from): Query<From>, request: Request) -> Response {
    let (head, _) = request.into_parts();
    let Some(key) = Key::of(&web, &head) else { return refused(&Refusal::LogIn) };
    let actor = match key.actor(&web).await {
        Ok(Some(actor)) => actor,
        Ok(None) => return refused(&Refusal::LogIn),
        Err(refusal) => return refused(&refusal),
    };
    if let Err(refusal) = web.usage.request(actor.person, key.by()) {
        return refused(&refusal);
    }
    let place = match web.usage.streams.open(actor.person) {
        Ok(place) => place,
        Err(full) => return no_place(full),
    };
    let last = head.headers.get("last-event-id").and_then(|id| id.to_str().ok()?.trim().parse().ok());
    let (sender, receiver) = mpsc::channel(32);
    let told = last.or(from.after).unwrap_or(-1);
    let teller = Teller { web, key, actor, is_in_doubt: true, sender, told, _place: place };
    #[expect(clippy::disallowed_methods, reason = "ends with its client or the server: it watches both")]
    tokio::spawn(teller.run());
    let body = ReceiverStream::new(receiver).map(Ok::<_, Infallible>);
    ([(HeaderName::from_static("x-accel-buffering"), "no")], Sse::new(body)).into_response()
}

/// There is no place for another stream.
fn no_place(full: Full) -> Response {
    let (status, text) = match full {
        Full::Person(most) => {
            (StatusCode::TOO_MANY_REQUESTS, format!("you have {most} live streams open; close some of them"))
        }
        Full::All => (StatusCode::SERVICE_UNAVAILABLE, "too many live streams; try again later".to_owned()),
    };
    (status, [(header::RETRY_AFTER, "10")], text).into_response()
}

/// Tells one client.
struct Teller {
    web: Web,
    key: Key,
    /// Who listens; decides what they are told.
    actor: Actor,
    /// Whether something may have happened to their account since the key was looked at: before the first signal it may.
    is_in_doubt: bool,
    sender: mpsc::Sender<Event>,
    /// Place in the log the client knows everything up to; -1: it has only just come.
    told: i64,
    _place: Place,
}

impl Teller {
    async fn run(mut self) {
        // Subscribed before looking back: nothing falls between the two. While the database is away the client asks again.
        let news = tokio::select! {
            () = self.web.stop.cancelled() => return,
            news = timeout(PATIENCE, self.web.parts.live.subscribe()) => news,
        };
        let Ok(mut news) = news else { return };
        if self.begin().await.is_none() {
            return;
        }
        let mut beat = interval(BEAT);
        beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut beats = 0_u32;
        loop {
            let told = tokio::select! {
                () = self.web.stop.cancelled() => None,
                () = self.sender.closed() => None,
                told = news.recv() => self.pass_on(told).await,
                _ = beat.tick() => self.beat("beat").await,
            };
            beats += 1;
            self.is_in_doubt |= beats.is_multiple_of(BEATS_PER_CHECK);
            if told.is_none() || (self.is_in_doubt && !self.still_holds().await) {
                return;
            }
        }
    }

    /// Whether the session or token still opens the stream, for the same role. While the database is away that is not known: the
    /// next beat asks again.
    async fn still_holds(&mut self) -> bool {
        match self.key.actor(&self.web).await {
            Ok(actor) => {
                self.is_in_doubt = false;
                actor.is_some_and(|actor| actor.role == self.actor.role)
            }
            Err(refusal) => refusal == Refusal::Unavailable,
        }
    }

    /// Greets and tells what was missed. `None`: the client is gone.
    async fn begin(&mut self) -> Option<()> {
        let is_new = self.told < 0;
        if is_new {
            self.told = self.web.parts.live.last_seq();
        }
        self.beat("hello").await?;
        if is_new {
            return Some(());
        }
        self.look_back().await
    }

    /// Tells what came after the place the client knows.
    async fn look_back(&mut self) -> Option<()> {
        match self.web.parts.live.since(self.told) {
            Since::Signals(missed) => self.signals(&missed).await,
            Since::Reload(id) => self.reload(id).await,
        }
    }

    async fn pass_on(&mut self, news: Result<Arc<News>, broadcast::error::RecvError>) -> Option<()> {
        match news.as_deref() {
            Ok(News::Batch(batch)) => self.signals(batch).await,
            Ok(News::Reload(id)) => self.reload(*id).await,
            Err(broadcast::error::RecvError::Lagged(_)) => self.look_back().await,
            Err(broadcast::error::RecvError::Closed) => None,
        }
    }

    async fn signals(&mut self, batch: &Batch) -> Option<()> {
        self.told = batch.id;
        // A log-out, another role or password, a token that ended: the key is looked at before anything more is told.
        let own = Audience::Person(self.actor.person);
        self.is_in_doubt |= batch.signals.iter().any(|signal| signal.audience() == own);
        if self.is_in_doubt && !self.still_holds().await {
            return None;
        }
        let signals: Vec<_> =
            batch.signals.iter().filter(|signal| signal.audience().includes(&self.actor)).collect();
        if signals.is_empty() {
            return Some(());
        }
        let event = Event::default().event("signals").id(batch.id.to_string()).json_data(&signals).ok()?;
        self.send(event).await
    }

    async fn reload(&mut self, id: i64) -> Option<()> {
        self.told = id;
        self.send(Event::default().event("reload").id(id.to_string()).data("{}")).await
    }

    async fn beat(&mut self, name: &str) -> Option<()> {
        let beat = self.web.desk.engine.heartbeat().await;
        let event = Event::default().event(name).json_data(beat).ok()?;
        // The greeting carries the place, so that a stream that breaks before the first signal resumes as well.
        let event = if name == "hello" { event.id(self.told.to_string()) } else { event };
        self.send(event).await
    }

    async fn send(&self, event: Event) -> Option<()> {
        timeout(PATIENCE, self.sender.send(event)).await.ok()?.ok()
    }
}
