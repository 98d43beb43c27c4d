//! Push messages: passes due ones to the push services of the browsers.
//!
//! A round claims messages with a lease, sends them, and records the results. No transaction is open while
//! they are sent. A message whose lease ended without a result is sent again: a browser replaces a
//! notification by one with the same tag, so the user sees it once.

use crate::{
    Context, Loop, LoopName,
    sender::{OutboundPush, SendResult},
};
use async_trait::async_trait;
use domain::{
    Timestamp,
    channel::Endpoint,
    delivery::Outcome,
    push::{MAX_PAYLOAD_BYTES, TTL_SECONDS},
};
use futures::future::join_all;
use serde_json::json;
use std::time::Duration;
use store::{
    PoolRole, StoreError,
    event::{self, NewEvent},
    push_message::{self, ClaimedPush, PushResult, PushVerdict},
};
use tokio_util::sync::CancellationToken;

/// Maximum number of messages in one round, which are sent at the same time.
const MAX_BATCH: i64 = 20;
/// Maximum number of rounds in a row.
const MAX_ROUNDS: usize = 50;
/// Duration of a claim's lease, milliseconds: the guard, one attempt, and time to record it.
const CLAIM_LEASE_MS: i64 = 60_000;
/// Maximum time between a claim and the start of its attempt, milliseconds.
const MAX_START_DELAY_MS: i64 = 20_000;
/// Polling interval.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// Delays before the next attempt, milliseconds. The last one repeats until the message is too old.
const RETRY_DELAYS_MS: [i64; 6] = [5_000, 60_000, 300_000, 1_800_000, 7_200_000, 14_400_000];
/// Title of a notification if the desk has none.
const TITLE: &str = "Presstime";
/// Characters that are cut from a text at once until it fits.
const CUT_CHARS: usize = 50;

/// The loop that sends push messages.
pub struct PushLoop {
    context: Context,
}

/// What all messages of a round have in common.
struct Desk {
    title: String,
    contact: Option<String>,
}

impl PushLoop {
    /// Creates the loop. It does nothing until it runs.
    #[must_use]
    pub fn new(context: Context) -> Self {
        Self { context }
    }

    /// Sends due messages, at most [`MAX_BATCH`]. Returns whether there may be more.
    async fn round(&self) -> Result<bool, StoreError> {
        let now = self.context.clock.now();
        let (claimed, desk) = self.claim(now).await?;
        if claimed.is_empty() {
            return Ok(false);
        }
        let is_full = i64::try_from(claimed.len()).is_ok_and(|count| count == MAX_BATCH);
        let ended = join_all(claimed.iter().map(|one| self.send(one, &desk, now))).await;
        self.record(&ended).await?;
        Ok(is_full)
    }

    async fn claim(&self, now: Timestamp) -> Result<(Vec<ClaimedPush>, Desk), StoreError> {
        let mut lease = self.context.store.read(PoolRole::Dispatcher).await?;
        if !push_message::has_due(lease.conn(), now).await? {
            return Ok((Vec::new(), Desk { title: String::new(), contact: None }));
        }
        let (title, mail_server) = push_message::sender(lease.conn()).await?;
        drop(lease);
        let mut tx = self.context.store.begin(PoolRole::Dispatcher).await?;
        let claimed = push_message::claim(tx.conn(), MAX_BATCH, now, now.plus(CLAIM_LEASE_MS)).await?;
        tx.commit().await?;
        let contact = match mail_server.and_then(|endpoint| serde_json::from_str(&endpoint).ok()) {
            Some(Endpoint::Mail(mail)) => Some(mail.from),
            _ => None,
        };
        Ok((claimed, Desk { title: title.unwrap_or_else(|| TITLE.to_owned()), contact }))
    }

    async fn send(&self, claimed: &ClaimedPush, desk: &Desk, claimed_at: Timestamp) -> PushResult {
        let at = self.context.clock.now();
        let answer = if is_too_old(claimed, at) {
            SendResult::without_response(Outcome::Blocked, "it is too old")
        } else if at.since(claimed_at) > MAX_START_DELAY_MS {
            SendResult::without_response(Outcome::NotSent, "it was delayed for too long before it was sent")
        } else {
            let push = OutboundPush {
                endpoint: claimed.endpoint.clone(),
                p256dh: claimed.p256dh.clone(),
                auth: claimed.auth.clone(),
                payload: payload(&desk.title, claimed),
                contact: desk.contact.clone(),
                at,
            };
            self.context.sender.push(&push).await
        };
        let verdict = decide(claimed, &answer, self.context.clock.now());
        if verdict == PushVerdict::Failed {
            tracing::warn!(
                message = %claimed.id, status = answer.status, text = answer.text,
                "a push message was given up; its notification stays in the desk"
            );
        }
        PushResult {
            id: claimed.id,
            attempts: claimed.attempts,
            subscription: claimed.subscription_id,
            account: claimed.account_id,
            verdict,
        }
    }

    async fn record(&self, ended: &[PushResult]) -> Result<(), StoreError> {
        let now = self.context.clock.now();
        let mut tx = self.context.store.begin(PoolRole::Dispatcher).await?;
        push_message::record(tx.conn(), ended, now).await?;
        let gone = ended.iter().filter(|one| one.verdict == PushVerdict::Gone);
        let events: Vec<_> =
            gone.map(|one| NewEvent::simple(now, None, "account", one.account, "unsubscribe")).collect();
        event::append(tx.conn(), &events).await?;
        tx.commit().await?;
        if !events.is_empty() {
            self.context.committed.notify_waiters();
        }
        Ok(())
    }
}

#[async_trait]
impl Loop for PushLoop {
    /// It is a part of dispatching, and has no status of its own.
    fn name(&self) -> LoopName {
        LoopName::Dispatcher
    }

    async fn tick(&self, _now: Timestamp) {
        for _ in 0..MAX_ROUNDS {
            if self.context.engine.is_paused() || self.context.engine.are_clocks_apart() {
                return;
            }
            match self.round().await {
                Ok(true) => {}
                Ok(false) => return,
                Err(error) => {
                    tracing::warn!("push messages were not sent and will be retried: {error:?}");
                    return;
                }
            }
        }
    }

    async fn run(&self, stop: CancellationToken) {
        while !stop.is_cancelled() {
            self.tick(self.context.clock.now()).await;
            tokio::select! {
                () = stop.cancelled() => {}
                () = tokio::time::sleep(POLL_INTERVAL) => {}
            }
        }
    }
}

/// Whether its push service would no longer show it.
fn is_too_old(claimed: &ClaimedPush, at: Timestamp) -> bool {
    at.millis() - claimed.created_at >= i64::from(TTL_SECONDS) * 1_000
}

/// Decides what follows from an attempt that ended at `at`.
fn decide(claimed: &ClaimedPush, answer: &SendResult, at: Timestamp) -> PushVerdict {
    match (answer.outcome, answer.status) {
        (Outcome::Delivered, _) => return PushVerdict::Delivered,
        (_, Some(404 | 410)) => return PushVerdict::Gone,
        (Outcome::Blocked, _) => return PushVerdict::Failed,
        // Too many requests, and a timeout: everything else below 500 would be refused again.
        (_, Some(status)) if status < 500 && !matches!(status, 408 | 429) => return PushVerdict::Failed,
        _ => {}
    }
    let step = usize::try_from(claimed.attempts.saturating_sub(1)).unwrap_or_default();
    let delay = RETRY_DELAYS_MS[step.min(RETRY_DELAYS_MS.len() - 1)];
    let next = at.plus(delay.max(answer.retry_after_ms.unwrap_or_default()));
    if is_too_old(claimed, next) { PushVerdict::Failed } else { PushVerdict::Retry(next) }
}

/// Returns what the browser gets. A long text is cut so that the payload is not too long.
fn payload(title: &str, claimed: &ClaimedPush) -> String {
    let mut kept = claimed.text.chars().count();
    loop {
        let is_whole = kept == claimed.text.chars().count();
        let mut body: String = claimed.text.chars().take(kept).collect();
        if !is_whole {
            body.push('…');
        }
        let tag = claimed.notification_id.to_string();
        let text = json!({"title": title, "body": body, "url": claimed.link, "tag": tag}).to_string();
        if text.len() <= MAX_PAYLOAD_BYTES || kept == 0 {
            return text;
        }
        kept = kept.saturating_sub(CUT_CHARS);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    fn claimed(attempts: i32, text: &str) -> ClaimedPush {
        ClaimedPush {
            id: Uuid::nil(),
            attempts,
            created_at: 0,
            subscription_id: Uuid::nil(),
            account_id: Uuid::nil(),
            notification_id: Uuid::nil(),
            text: text.to_owned(),
            link: "/reminders".to_owned(),
            endpoint: String::new(),
            p256dh: String::new(),
            auth: String::new(),
        }
    }

    fn answer(status: u16, retry_after_ms: Option<i64>) -> SendResult {
        let outcome = if status < 300 { Outcome::Delivered } else { Outcome::Refused };
        SendResult { status: Some(status), retry_after_ms, ..SendResult::without_response(outcome, "") }
    }

    #[test]
    fn a_status_decides_what_follows() {
        let at = Timestamp::from_millis(1_000);
        let decided = |attempts, status, after| decide(&claimed(attempts, ""), &answer(status, after), at);
        assert_eq!(decided(1, 201, None), PushVerdict::Delivered);
        assert_eq!((decided(1, 404, None), decided(1, 410, None)), (PushVerdict::Gone, PushVerdict::Gone));
        for refused in [400, 401, 403, 413] {
            assert_eq!(decided(1, refused, None), PushVerdict::Failed, "{refused}");
        }
        assert_eq!(decided(1, 503, None), PushVerdict::Retry(at.plus(5_000)));
        assert_eq!(decided(2, 500, None), PushVerdict::Retry(at.plus(60_000)));
        assert_eq!(decided(1, 429, Some(90_000)), PushVerdict::Retry(at.plus(90_000)));
        assert_eq!(decided(99, 500, None), PushVerdict::Retry(at.plus(14_400_000)));
        let unknown = SendResult::without_response(Outcome::Unknown, "");
        assert_eq!(decide(&claimed(1, ""), &unknown, at), PushVerdict::Retry(at.plus(5_000)));
        let late = Timestamp::from_millis(86_399_000);
        assert_eq!(decide(&claimed(1, ""), &unknown, late), PushVerdict::Failed);
    }

    #[test]
    fn a_long_text_is_cut_so_that_the_payload_fits() {
        let text = payload("Desk", &claimed(1, "Read the draft"));
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(&text).unwrap(),
            json!({"title": "Desk", "body": "Read the draft", "url": "/reminders",
                   "tag": "00000000-0000-0000-0000-000000000000"})
        );
        let text = payload("Desk", &claimed(1, &"\"🗞".repeat(1_000)));
        assert!((3_000..=MAX_PAYLOAD_BYTES).contains(&text.len()), "{}", text.len());
    }
}
