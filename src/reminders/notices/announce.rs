//! Notifies owners of what has happened to their tasks and meetings, and those who decide of requests: reads the event log, and writes the notifications together with
//! the position up to which it was read. A change of the position names the values that were read, so that of several
//! nodes one writes, and nothing is announced twice or left out.

use super::{MAX_APPROVERS, events, mail, moment, new};
use crate::{
    articles::kinds::{PUBLISH, UNPUBLISH},
    server::app_state::AppState,
    zone::Zone,
};
use app::texts::{Language, mail::announcement::AnnouncementWords};
use domain::{
    Timestamp,
    meetings::MeetingState,
    releases::PUBLISH_KIND as RELEASE,
    reminders::{NotificationChoices, NotificationEvent},
};
use std::{collections::HashMap, time::Duration};
use store::{
    PoolRole, StoreError,
    announcement::{self, Announced, ChangedMeeting, Position, Recipient},
    approver::{self, ApproverRow},
    event, failpoint,
    notification::{self, NewNotification},
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
/// Interval between two looks at the schedule, milliseconds.
const SCHEDULE_INTERVAL_MS: i64 = 60_000;
/// Time without a notification after which the position in the schedule is stored, milliseconds.
const STORE_EVERY_MS: i64 = 3_600_000;
/// Maximum number of tasks found in the schedule in one round.
const MAX_EXPIRING: i64 = 5_000;
/// Up to this many tasks of one account and event in one round have a notification each.
const MAX_SINGLE: usize = 3;
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

    /// Writes the notifications of new events, and sends the mails that are due.
    pub async fn round(&mut self) -> Result<(), StoreError> {
        let now = self.parts.clock.now();
        self.announce(now).await?;
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
        let (mut outcomes, mut meetings, mut approvers) = (Vec::new(), Vec::new(), Vec::new());
        if seq > from.seq {
            outcomes = announcement::outcomes(lease.conn(), (from.seq, seq), &PUBLIC_KINDS).await?;
            meetings = announcement::changed_meetings(lease.conn(), (from.seq, seq)).await?;
        }
        if meetings.iter().any(is_request) {
            approvers = approver::approvers(lease.conn(), MAX_APPROVERS).await?;
        }
        let mut expires_until = from.expires_until;
        let horizon = now.plus(EXPIRES_SOON_MS).millis();
        let mut expiring = Vec::new();
        if horizon - expires_until >= SCHEDULE_INTERVAL_MS {
            let range = (expires_until.max(now.millis()), horizon);
            expiring = announcement::due_between(lease.conn(), UNPUBLISH, range, MAX_EXPIRING).await?;
            expires_until = horizon;
        }
        let found = found(&outcomes, &expiring, (&meetings, &approvers));
        let mut owners: Vec<Uuid> = found.iter().map(|one| one.account).collect();
        owners.sort_unstable();
        owners.dedup();
        let recipients = if owners.is_empty() {
            Vec::new()
        } else {
            announcement::recipients(lease.conn(), &owners).await?
        };
        drop(lease);
        let new = compose(&found, &recipients, now);
        let read = Position { seq, expires_until };
        let is_far =
            seq - stored.seq >= STORE_EVERY || expires_until - stored.expires_until >= STORE_EVERY_MS;
        self.seen = match new.is_empty() && !is_far {
            true => Some((stored, read)),
            false => self.store((stored, read), &new, now).await?.then_some((read, read)),
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

/// What an account is notified of.
struct Found<'a> {
    event: NotificationEvent,
    account: Uuid,
    what: What<'a>,
}

enum What<'a> {
    Task(&'a Announced),
    Meeting(&'a ChangedMeeting),
}

impl What<'_> {
    fn title(&self) -> &str {
        match self {
            Self::Task(task) => &task.title,
            Self::Meeting(meeting) => &meeting.title,
        }
    }
}

/// Whether the meeting waits for an approval.
fn is_request(meeting: &ChangedMeeting) -> bool {
    meeting.state == MeetingState::Requested.as_str() && meeting.is_current == 1
}

/// Who is notified of what: owners of their tasks, those who decide of requests, and organizers of decisions.
fn found<'a>(
    outcomes: &'a [Announced],
    expiring: &'a [Announced],
    (meetings, approvers): (&'a [ChangedMeeting], &[ApproverRow]),
) -> Vec<Found<'a>> {
    let of_task =
        |event, task: &'a Announced| Found { event, account: task.owner_id, what: What::Task(task) };
    let mut found: Vec<Found<'a>> =
        outcomes.iter().filter_map(|task| Some(of_task(event_of(task)?, task))).collect();
    found.extend(expiring.iter().map(|task| of_task(NotificationEvent::ExpiresSoon, task)));
    for meeting in meetings {
        let of_meeting = |event, account| Found { event, account, what: What::Meeting(meeting) };
        if is_request(meeting) {
            let knows =
                |one: &&ApproverRow| one.id == meeting.organizer_id || Some(one.id) == meeting.actor_id;
            let deciding = approvers.iter().filter(|one| !knows(one));
            found.extend(deciding.map(|one| of_meeting(NotificationEvent::Approval, one.id)));
        } else if meeting.state != MeetingState::Requested.as_str() {
            found.push(of_meeting(NotificationEvent::Decided, meeting.organizer_id));
        }
    }
    found
}

/// What the owner of a task is notified of; `None`: nothing, because the owner has just done it.
fn event_of(task: &Announced) -> Option<NotificationEvent> {
    match task.state.as_str() {
        "failed" => Some(NotificationEvent::Failed),
        "missed" => Some(NotificationEvent::Missed),
        _ if task.is_own == 1 => None,
        _ => Some(NotificationEvent::WentOut),
    }
}

/// The notifications of what was found, in its order: up to three of an account and event one each, more in one.
fn compose(found: &[Found<'_>], recipients: &[Recipient], now: Timestamp) -> Vec<NewNotification> {
    let mut by_account: HashMap<Uuid, Vec<&Found<'_>>> = HashMap::new();
    for one in found {
        by_account.entry(one.account).or_default().push(one);
    }
    let mut all = Vec::new();
    for recipient in recipients {
        let choices = NotificationChoices::stored(recipient.notification_choices.as_deref());
        let zone = Zone::stored(&recipient.time_zone);
        let words = Words(recipient.language.parse().unwrap_or(Language::En), zone);
        let mut by_event: HashMap<NotificationEvent, Vec<&What<'_>>> = HashMap::new();
        for one in by_account.get(&recipient.id).into_iter().flatten() {
            by_event.entry(one.event).or_default().push(&one.what);
        }
        for event in NotificationEvent::ALL {
            let Some(things) = by_event.get(event) else { continue };
            let texts = match things.as_slice() {
                [.., last] if things.len() > MAX_SINGLE => {
                    vec![words.many(*event, things.len(), last.title())]
                }
                all => all.iter().map(|what| words.one(*event, what)).collect(),
            };
            let one = |text| new(*event, recipient.id, (&choices, zone), text, now);
            all.extend(texts.into_iter().filter_map(one));
        }
    }
    all
}

/// Text and link of a notification.
struct Words(Language, Zone);

impl Words {
    fn one(&self, event: NotificationEvent, what: &What<'_>) -> (String, String) {
        match what {
            What::Task(task) => self.of_task(event, task),
            What::Meeting(meeting) => (self.of_meeting(meeting), format!("/meetings/{}", meeting.id)),
        }
    }

    fn of_meeting(&self, meeting: &ChangedMeeting) -> String {
        let (words, title) = (AnnouncementWords(self.0), meeting.title.as_str());
        let starts = &moment(self.0, Timestamp::from_millis(meeting.starts_at), self.1.name());
        let text = match meeting.state.parse() {
            Ok(MeetingState::Requested) => words.requested(title, starts),
            Ok(MeetingState::Rejected) => words.rejected(title, starts),
            Ok(MeetingState::Expired) => words.expired(title, starts),
            Ok(MeetingState::Released) => words.released(title, starts),
            Ok(MeetingState::Cancelled) => words.cancelled(title, starts),
            _ => words.approved(title, starts),
        };
        let has_reason =
            ["rejected", "cancelled"].contains(&meeting.state.as_str()) && !meeting.reason.is_empty();
        if has_reason { format!("{text}\n{}", words.reason(&meeting.reason)) } else { text }
    }

    fn of_task(&self, event: NotificationEvent, task: &Announced) -> (String, String) {
        let (words, title) = (AnnouncementWords(self.0), task.title.as_str());
        let page = || match task.kind.as_str() {
            RELEASE => format!("/releases/{}", task.target_id),
            _ => format!("/articles/{}", task.target_id),
        };
        let of_task = || format!("/tasks/{}", task.task_id);
        let at = || moment(self.0, Timestamp::from_millis(task.at), self.1.name());
        match (event, task.kind.as_str()) {
            (NotificationEvent::Failed, _) => (words.failed(title), of_task()),
            (NotificationEvent::Missed, _) => (words.missed(title), of_task()),
            (NotificationEvent::ExpiresSoon, _) => (words.expires(title, &at()), page()),
            (_, UNPUBLISH) => (words.unpublished(title), page()),
            _ => (words.published(title), page()),
        }
    }

    fn many(&self, event: NotificationEvent, count: usize, title: &str) -> (String, String) {
        let words = AnnouncementWords(self.0);
        let attention = || "/attention".to_owned();
        match event {
            NotificationEvent::Failed => (words.many_failed(count, title), attention()),
            NotificationEvent::Missed => (words.many_missed(count, title), attention()),
            NotificationEvent::ExpiresSoon => (words.many_expire(count, title), "/tasks".to_owned()),
            NotificationEvent::Approval => {
                (words.many_requested(count, title), "/meetings?state=to_approve".to_owned())
            }
            NotificationEvent::Decided => {
                (words.many_decided(count, title), "/meetings?state=all".to_owned())
            }
            NotificationEvent::WentOut => (words.many_out(count, title), "/tasks?state=executed".to_owned()),
        }
    }
}
