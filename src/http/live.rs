//! Live stream of changes over Server-Sent Events.
//!
//! Events: `hello` (engine status) first, `heartbeat` (engine status) every second, `signals` (a
//! list; its id is the position in the event log), `reload` if signals were missed and are no
//! longer available.

use super::{
    Web, auth,
    health::refused,
    limits::{
        ClientKind,
        streams::{StreamLimitReached, StreamPermit},
    },
};
use crate::zone::engine_times::localized;
use axum::{
    extract::{Query, Request, State},
    http::{HeaderName, StatusCode, header, request::Parts},
    response::{
        IntoResponse, Response,
        sse::{Event, Sse},
    },
};
use domain::{
    Actor, DomainError,
    account::{Scope, SessionSecret},
    attention::AttentionCount,
    event::Audience,
};
use engine::event_bus::{Backlog, Batch, Message};
use serde::Deserialize;
use std::{convert::Infallible, sync::Arc, time::Duration};
use tokio::{
    sync::{broadcast, mpsc},
    time::{MissedTickBehavior, interval, timeout},
};
use tokio_stream::{StreamExt, wrappers::ReceiverStream};

/// Interval of the heartbeats.
const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(1);
/// Number of events between two checks of the session or token.
const EVENTS_PER_CHECK: u32 = 60;
/// Timeout for sending an event to a client that does not read.
pub const SEND_TIMEOUT: Duration = Duration::from_secs(10);

/// Position after which the stream resumes.
#[derive(Debug, Default, Deserialize)]
pub struct ResumeQuery {
    after: Option<i64>,
}

/// Credential that opened the stream; checked again while it is open.
enum Credential {
    Session(SessionSecret),
    Token(String),
}

impl Credential {
    fn of(web: &Web, head: &Parts) -> Option<Self> {
        let token = auth::bearer(&head.headers).map(|token| Self::Token(token.to_owned()));
        token.or_else(|| auth::session_secret(web, &head.headers).map(Self::Session))
    }

    fn client_kind(&self) -> ClientKind {
        match self {
            Self::Session(_) => ClientKind::Browser,
            Self::Token(_) => ClientKind::Program,
        }
    }

    /// Returns its account; `SecondFactorRequired` if it must add a second factor first. This does not count as use
    /// of the session: an open page does not keep its session alive.
    async fn actor(&self, web: &Web) -> Result<Option<Actor>, DomainError> {
        match self {
            Self::Session(secret) => {
                let found = web.authenticator.peek_session(secret).await?;
                if let Some(actor) = &found {
                    auth::require_second_factor(actor)?;
                }
                Ok(found)
            }
            Self::Token(token) => match web.authenticator.token(token).await? {
                Some((_, Scope::Signal)) => Err(DomainError::SignalsOnly),
                found => Ok(found.map(|(actor, _)| actor)),
            },
        }
    }
}

/// Opens a stream for a session or a token. Resumes after `Last-Event-ID` or `after`.
pub async fn stream(State(web): State<Web>, Query(resume): Query<ResumeQuery>, request: Request) -> Response {
    let (head, _) = request.into_parts();
    let Some(credential) = Credential::of(&web, &head) else { return refused(&DomainError::LogIn) };
    let actor = match credential.actor(&web).await {
        Ok(Some(actor)) => actor,
        Ok(None) => return refused(&DomainError::LogIn),
        Err(refusal) => return refused(&refusal),
    };
    if let Err(refusal) = web.usage.request(actor.account, credential.client_kind()) {
        return refused(&refusal);
    }
    let permit = match web.usage.streams.open(actor.account) {
        Ok(permit) => permit,
        Err(full) => return too_many_streams(full),
    };
    let last = head.headers.get("last-event-id").and_then(|id| id.to_str().ok()?.trim().parse().ok());
    let (sender, receiver) = mpsc::channel(32);
    let last_seq = last.or(resume.after).unwrap_or(-1);
    let stream = Stream {
        web,
        credential,
        actor,
        must_check: true,
        sender,
        last_seq,
        attention: AttentionCount::default(),
        _permit: permit,
    };
    #[expect(clippy::disallowed_methods, reason = "it ends when its client disconnects or the server stops")]
    tokio::spawn(stream.run());
    let body = ReceiverStream::new(receiver).map(Ok::<_, Infallible>);
    ([(HeaderName::from_static("x-accel-buffering"), "no")], Sse::new(body)).into_response()
}

/// Returns the error for a stream above the limit.
pub fn too_many_streams(full: StreamLimitReached) -> Response {
    let (status, text) = match full {
        StreamLimitReached::Account(max) => (
            StatusCode::TOO_MANY_REQUESTS,
            format!("{max} live streams of this account are open; close some of them"),
        ),
        StreamLimitReached::Total => {
            (StatusCode::SERVICE_UNAVAILABLE, "too many live streams are open; try again later".to_owned())
        }
    };
    (status, [(header::RETRY_AFTER, "10")], text).into_response()
}

/// The live stream of one client.
struct Stream {
    web: Web,
    credential: Credential,
    /// Account of the client; decides which signals it receives.
    actor: Actor,
    /// Whether the credential must be checked before the next signal, because the account may have
    /// changed.
    must_check: bool,
    sender: mpsc::Sender<Event>,
    /// Last position in the event log that the client has received; -1: none, it has just
    /// connected.
    last_seq: i64,
    /// The client's number of Attention items at the last status.
    attention: AttentionCount,
    _permit: StreamPermit,
}

impl Stream {
    async fn run(mut self) {
        // Subscribes before it reads the backlog, so that no signal is missed. Without a database,
        // the client reconnects.
        let messages = tokio::select! {
            () = self.web.stop.cancelled() => return,
            messages = timeout(SEND_TIMEOUT, self.web.parts.events.bus.subscribe()) => messages,
        };
        let Ok(mut messages) = messages else { return };
        if self.start().await.is_none() {
            return;
        }
        let mut heartbeat = interval(HEARTBEAT_INTERVAL);
        heartbeat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut events = 0_u32;
        loop {
            let sent = tokio::select! {
                () = self.web.stop.cancelled() => None,
                () = self.sender.closed() => None,
                message = messages.recv() => self.forward(message).await,
                _ = heartbeat.tick() => self.send_status("heartbeat").await,
            };
            events += 1;
            self.must_check |= events.is_multiple_of(EVENTS_PER_CHECK);
            if sent.is_none() || (self.must_check && !self.is_still_valid().await) {
                return;
            }
        }
    }

    /// Whether the session or token is still valid, with the same role. True while the database is
    /// unavailable; the next event checks again.
    async fn is_still_valid(&mut self) -> bool {
        match self.credential.actor(&self.web).await {
            Ok(actor) => {
                self.must_check = false;
                actor.is_some_and(|actor| actor.role == self.actor.role)
            }
            Err(refusal) => refusal == DomainError::Unavailable,
        }
    }

    /// Sends the first status and the missed signals. `None`: the client has disconnected.
    async fn start(&mut self) -> Option<()> {
        let is_new = self.last_seq < 0;
        if is_new {
            self.last_seq = self.web.parts.events.bus.last_seq();
        }
        self.send_status("hello").await?;
        if is_new {
            return Some(());
        }
        self.send_backlog().await
    }

    /// Sends the signals after the last position of the client.
    async fn send_backlog(&mut self) -> Option<()> {
        match self.web.parts.events.bus.since(self.last_seq) {
            Backlog::Signals(missed) => self.send_signals(&missed).await,
            Backlog::Reload(id) => self.send_reload(id).await,
        }
    }

    async fn forward(&mut self, message: Result<Arc<Message>, broadcast::error::RecvError>) -> Option<()> {
        match message.as_deref() {
            Ok(Message::Batch(batch)) => self.send_signals(batch).await,
            Ok(Message::Reload(id)) => self.send_reload(*id).await,
            Err(broadcast::error::RecvError::Lagged(_)) => self.send_backlog().await,
            Err(broadcast::error::RecvError::Closed) => None,
        }
    }

    async fn send_signals(&mut self, batch: &Batch) -> Option<()> {
        self.last_seq = batch.id;
        // After a change of the own account (log-out, role, password, token), the credential is
        // checked before anything is sent.
        let own = Audience::Account(self.actor.account);
        self.must_check |= batch.signals.iter().any(|signal| signal.audience() == own);
        if self.must_check && !self.is_still_valid().await {
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

    async fn send_reload(&mut self, id: i64) -> Option<()> {
        self.last_seq = id;
        self.send(Event::default().event("reload").id(id.to_string()).data("{}")).await
    }

    async fn send_status(&mut self, name: &str) -> Option<()> {
        let mut status = localized(self.web.services.engine.status().await, &self.actor.zone);
        // While the database is unavailable, the last number is sent.
        let attention = self.web.services.attention.count(&self.actor, true).await;
        self.attention = attention.unwrap_or(self.attention);
        (status.attention, status.attention_watched) = (self.attention.all, self.attention.watched);
        let event = Event::default().event(name).json_data(status).ok()?;
        // `hello` carries the position, so that a stream that breaks before its first signal can
        // resume.
        let event = if name == "hello" { event.id(self.last_seq.to_string()) } else { event };
        self.send(event).await
    }

    async fn send(&self, event: Event) -> Option<()> {
        timeout(SEND_TIMEOUT, self.sender.send(event)).await.ok()?.ok()
    }
}
