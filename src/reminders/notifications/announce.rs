//! Notifies owners of what has happened to their tasks and meetings, and those who decide of requests: reads the event
//! log, and writes the notifications together with the position up to which it was read. A change of the position names
//! the values that were read, so that of several nodes one writes, and nothing is announced twice or left out.

use super::{
    MAX_APPROVERS,
    compose::{Read, compose},
    events, mail, owned,
};
use crate::{
    app_state::AppState,
    kinds::article_words::{PUBLISH, UNPUBLISH},
};
use domain::{Timestamp, releases::PUBLISH_KIND as RELEASE};
use std::time::Duration;
use store::{
    Conn, PoolRole, StoreError,
    announcement::{self, Position},
    approver, event, failpoint,
    notification::{self, NewNotification},
    owned_change::{self, OwnedChange},
    session, token,
};
use tokio_util::sync::{CancellationToken, DropGuard};
use uuid::Uuid;

/// Minimum pause between two rounds.
const INTERVAL: Duration = Duration::from_secs(1);
/// A round is followed by a pause of this many times its duration, so that it delays nothing.
const PAUSE_FACTOR: u32 = 20;
/// Maximum number of events read in one round.
const MAX_EVENTS: i64 = 5_000;
/// How long a missing number of the log may still appear, milliseconds: longer than any transaction.
const SETTLED_MS: i64 = 35_000;
/// Number of events without a notification after which the position is stored.
const STORE_EVERY: i64 = 10_000;
/// How long before an article is unpublished its owner is notified, milliseconds.
const EXPIRES_SOON_MS: i64 = 24 * 3_600_000;
/// How long before a token expires its owner is notified, milliseconds.
const TOKEN_EXPIRES_SOON_MS: i64 = 7 * 24 * 3_600_000;
/// Interval between two looks at the schedule, milliseconds.
const SCHEDULE_INTERVAL_MS: i64 = 60_000;
/// Time without a notification after which the position in the schedule is stored, milliseconds.
const STORE_EVERY_MS: i64 = 3_600_000;
/// Maximum number of tasks found in the schedule in one round.
const MAX_EXPIRING: i64 = 5_000;
/// How long an unread notification of a text that is edited again and again stands for the next ones, milliseconds.
const REPEAT_AFTER_MS: i64 = 3_600_000;
/// Kinds of tasks after which something is public or not public any more.
const PUBLIC_KINDS: [&str; 3] = [PUBLISH, UNPUBLISH, RELEASE];

/// Notifies until `stop` is cancelled or the guard is dropped. `public_url`: base of the links in mails.
#[must_use]
pub fn start(parts: &AppState, public_url: String, stop: CancellationToken) -> DropGuard {
    let announcer = Announcer::new(parts.clone(), public_url);
    #[expect(clippy::disallowed_methods, reason = "a background task: it ends between two rounds")]
    tokio::spawn(announcer.run(stop.clone()));
    stop.drop_guard()
}

/// Reads the log and notifies.
pub struct Announcer {
    parts: AppState,
    public_url: String,
    /// The stored position when it was last read, and up to where the log was read since.
    seen: Option<(Position, Position)>,
}

impl Announcer {
    /// Creates it. `public_url`: base of the links in mails, without a trailing slash.
    #[must_use]
    pub fn new(parts: AppState, public_url: String) -> Self {
        Self { parts, public_url, seen: None }
    }

    async fn run(mut self, stop: CancellationToken) {
        while !stop.is_cancelled() {
            let begun = tokio::time::Instant::now();
            if let Err(error) = self.round().await {
                tracing::debug!("writing notifications failed and will be retried: {error:?}");
            }
            let pause = INTERVAL.max(begun.elapsed() * PAUSE_FACTOR);
            tokio::select! {
                () = stop.cancelled() => {}
                () = tokio::time::sleep(pause) => {}
            }
        }
    }

    /// Writes the notifications of new events, notifies of held mails, and sends the mails that are due.
    pub async fn round(&mut self) -> Result<(), StoreError> {
        let now = self.parts.clock.now();
        self.announce(now).await?;
        crate::deliveries::outside::notify::notify(&self.parts, now).await?;
        mail::send_due(&self.parts, &self.public_url, now).await
    }

    async fn announce(&mut self, now: Timestamp) -> Result<(), StoreError> {
        let mut lease = self.parts.store.read(PoolRole::Engine).await?;
        let Some(stored) = announcement::position(lease.conn()).await? else {
            let seq = event::last_seq(lease.conn()).await?;
            drop(lease);
            return self.begin(Position { seq, expires_until: now.plus(EXPIRES_SOON_MS).millis() }).await;
        };
        let from = self.seen.filter(|(known, _)| *known == stored).map_or(stored, |(_, read)| read);
        let settled = now.plus(-SETTLED_MS);
        let seq = announcement::complete_until(lease.conn(), from.seq, MAX_EVENTS, settled).await?;
        let (mut read, changes) = read_log(lease.conn(), (from.seq, seq)).await?;
        let mut expires_until = from.expires_until;
        let horizon = now.plus(EXPIRES_SOON_MS).millis();
        if horizon - expires_until >= SCHEDULE_INTERVAL_MS {
            let range = (expires_until.max(now.millis()), horizon);
            read.expiring = announcement::due_between(lease.conn(), UNPUBLISH, range, MAX_EXPIRING).await?;
            // Up to the same moment of the schedule, but of another part of it.
            let ahead = |at: i64| at + TOKEN_EXPIRES_SOON_MS - EXPIRES_SOON_MS;
            let range = (ahead(expires_until), ahead(horizon));
            read.access.extend(token::expiring(lease.conn(), range, now, MAX_EXPIRING).await?);
            expires_until = horizon;
        }
        let new = notifications(lease.conn(), (&read, &changes), now).await?;
        drop(lease);
        let position = Position { seq, expires_until };
        let is_far =
            seq - stored.seq >= STORE_EVERY || expires_until - stored.expires_until >= STORE_EVERY_MS;
        self.seen = match new.is_empty() && !is_far {
            true => Some((stored, position)),
            false => self.store((stored, position), &new, now).await?.then_some((position, position)),
        };
        Ok(())
    }

    /// Stores the first position: nothing that happened before it is announced.
    async fn begin(&self, first: Position) -> Result<(), StoreError> {
        let mut tx = self.parts.store.begin(PoolRole::Engine).await?;
        announcement::begin(tx.conn(), first).await?;
        tx.commit().await
    }

    /// Stores notifications and the position. False: another node has stored another one.
    async fn store(
        &self,
        (stored, read): (Position, Position),
        new: &[NewNotification],
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let mut tx = self.parts.store.begin(PoolRole::Engine).await?;
        if !announcement::advance(tx.conn(), stored, read).await? {
            return Ok(false);
        }
        notification::insert(tx.conn(), new, now).await?;
        event::append(tx.conn(), &events(new, now)).await?;
        failpoint::hit("notifications.written").await?;
        tx.commit().await?;
        self.parts.committed.notify_waiters();
        Ok(true)
    }
}

/// Reads what has happened by the events after `seq` up to `until`, and what accounts have changed.
async fn read_log(
    mut conn: Conn<'_>,
    (seq, until): (i64, i64),
) -> Result<(Read, Vec<OwnedChange>), StoreError> {
    if until <= seq {
        return Ok(Default::default());
    }
    let mut changes = owned_change::between(conn.reborrow(), (seq, until)).await?;
    changes.extend(owned_change::in_releases(conn.reborrow(), (seq, until)).await?);
    changes.sort_by_key(|change| change.event.seq);
    let mut read = Read {
        outcomes: announcement::outcomes(conn.reborrow(), (seq, until), &PUBLIC_KINDS).await?,
        meetings: announcement::changed_meetings(conn.reborrow(), (seq, until)).await?,
        access: session::access_events(conn.reborrow(), (seq, until)).await?,
        series: owned::changed_series(&changes),
        ..Read::default()
    };
    if read.has_requests() {
        read.approvers = approver::approvers(conn, MAX_APPROVERS).await?;
    }
    Ok((read, changes))
}

/// Returns the notifications of what was read.
async fn notifications(
    mut conn: Conn<'_>,
    (read, changes): (&Read, &[OwnedChange]),
    now: Timestamp,
) -> Result<Vec<NewNotification>, StoreError> {
    let (found, notified) = (read.found(), owned::notified(changes));
    let mut people: Vec<Uuid> = found.iter().map(|one| one.account).collect();
    people.extend(notified.iter().map(|one| one.to).chain(owned::named(&notified)));
    if people.is_empty() {
        return Ok(Vec::new());
    }
    people.sort_unstable();
    people.dedup();
    let people = announcement::recipients(conn.reborrow(), &people).await?;
    let mut new = compose(&found, &people, now);
    if !notified.is_empty() {
        let rooms = owned_change::room_names(conn.reborrow()).await?;
        let unread = owned_change::unread_topics(conn, now.plus(-REPEAT_AFTER_MS)).await?;
        new.extend(owned::compose(&notified, &owned::Names { people: &people, rooms: &rooms }, &unread, now));
    }
    Ok(new)
}
