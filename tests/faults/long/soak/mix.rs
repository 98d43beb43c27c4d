//! Simulated programs and people who send messages, notices and signals and book a room during
//! faults, and the record of their answers.

use super::load::{Load, Outcome, outcome};
use crate::faults::{
    cluster::{Cluster, now, text},
    rng::Rng,
};
use domain::Timestamp;
use reqwest::Method;
use serde_json::{Value, json};
use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use tokio::time::interval;
use tokio_util::sync::CancellationToken;

/// Time between two things that are sent or booked.
const INTERVAL: Duration = Duration::from_millis(200);
/// How long the rule waits for the closing signal.
const WAIT_MS: i64 = 2_000;
/// The room is booked at most this long ahead, so that most bookings collide.
const BOOKED_AHEAD_MS: i64 = 6_000;
/// Duration of a meeting.
const MEETING_MS: i64 = 1_000;

/// What must happen once, under a name of its own.
#[derive(Debug, Clone)]
pub struct Wanted {
    pub name: String,
    /// Earliest time at which it may happen, as far as the sender knows.
    pub earliest: Timestamp,
    /// Whether it must happen. `None`: unknown, because a response was lost.
    pub must: Option<bool>,
}

/// The targets of the mix.
struct Targets {
    channel: String,
    room: String,
}

/// All that was sent and booked.
pub struct Mix {
    load: Arc<Load>,
    rng: Rng,
    targets: Targets,
    sent: Mutex<Vec<Wanted>>,
    booked: Mutex<Vec<Wanted>>,
}

impl Mix {
    /// Creates a channel to the receiver with this URL, a rule that sends to it, and a room.
    pub async fn prepare(cluster: &Cluster, node: &str, load: Arc<Load>, url: &str, seed: u64) -> Self {
        let channel = json!({"name": "Direct", "url": url, "events": ["article.unpublished"], "on_unknown_outcome": "retry",
                             "retry_schedule": "1s, 1s, 2s, 2s, 5s, 5s, 5s"});
        let channel = text(&cluster.post(node, "/channels", &channel).await["id"]);
        let action = json!({"type": "message", "channel_id": channel, "body": "{{subject}}"});
        let rule = json!({"name": "Reminder", "after": "soak.opened", "unless": ["soak.closed"],
                          "wait": format!("PT{}S", WAIT_MS / 1_000), "action": action});
        cluster.post(node, "/rules", &rule).await;
        let room = cluster.post(node, "/rooms", &json!({"name": "Room", "zone": "UTC"})).await;
        let targets = Targets { channel, room: text(&room["id"]) };
        let rng = Rng::new(seed ^ 0xB00C);
        Self { load, rng, targets, sent: Mutex::default(), booked: Mutex::default() }
    }

    /// What the receiver of the channel must get.
    pub fn sent(&self) -> Vec<Wanted> {
        lock(&self.sent).clone()
    }

    /// The meetings that must start.
    pub fn booked(&self) -> Vec<Wanted> {
        lock(&self.booked).clone()
    }

    /// Sends and books in turn until `stop`.
    pub async fn run(self: Arc<Self>, cluster: Arc<Cluster>, stop: CancellationToken) {
        let (mut number, mut turns) = (0_u32, interval(INTERVAL));
        while !stop.is_cancelled() {
            turns.tick().await;
            number += 1;
            match number % 4 {
                0 => self.send_message(&cluster, format!("message-{number}")).await,
                1 => self.send_notice(&cluster, format!("notice-{number}")).await,
                2 => self.send_signals(&cluster, format!("subject-{number}")).await,
                _ => self.book(&cluster, format!("meeting-{number}")).await,
            }
        }
    }

    /// Sends a message for later, and moves or cancels some.
    async fn send_message(&self, cluster: &Cluster, key: String) {
        let due = now().plus(300 + self.rng.millis(3_000));
        let body =
            json!({"key": key, "channel_id": self.targets.channel, "due_at": due.to_string(), "body": key});
        let sent = outcome(self.load.post(cluster, "/messages", &body).await.as_ref());
        let index = self.record(&self.sent, &key, due, sent);
        if sent != Outcome::Done || !self.rng.chance(40) {
            return;
        }
        let path = format!("/messages/{key}");
        if self.rng.chance(50) {
            self.cancel_sent(index, None);
            let answer = self.load.request(cluster, Method::DELETE, &path, &Value::Null).await;
            self.cancel_sent(index, Some(outcome(answer.as_ref())));
        } else {
            let to = now().plus(200 + self.rng.millis(2_000));
            lock(&self.sent)[index].earliest = to.min(due);
            let body = json!({"due_at": to.to_string()});
            let answer = self.load.request(cluster, Method::PATCH, &path, &body).await;
            if outcome(answer.as_ref()) == Outcome::Done {
                lock(&self.sent)[index].earliest = to;
            }
        }
    }

    /// Records a cancellation, before its answer and after it.
    fn cancel_sent(&self, index: usize, answer: Option<Outcome>) {
        lock(&self.sent)[index].must = match answer {
            None | Some(Outcome::Unknown) => None,
            Some(Outcome::Done) => Some(false),
            Some(Outcome::Refused) => Some(true),
        };
    }

    /// Sends a notice; the receiver acknowledges each.
    async fn send_notice(&self, cluster: &Cluster, key: String) {
        let body = json!({"key": key, "channel_id": self.targets.channel, "body": key, "ack": {"status": "2xx"},
                          "retry_schedule": ["1s", "1s", "2s", "2s", "5s", "5s", "5s"]});
        let began = now();
        let sent = outcome(self.load.post(cluster, "/notices", &body).await.as_ref());
        self.record(&self.sent, &key, began, sent);
    }

    /// Sends a signal that opens a wait, and for some a closing one at about the same moment as the
    /// rule acts.
    async fn send_signals(self: &Arc<Self>, cluster: &Arc<Cluster>, subject: String) {
        let at = now();
        let body = json!({"name": "soak.opened", "subject": subject, "at": at.to_string()});
        let opened = outcome(self.load.post(cluster, "/signals", &body).await.as_ref());
        let index = self.record(&self.sent, &subject, at.plus(WAIT_MS), opened);
        if opened != Outcome::Done || !self.rng.chance(60) {
            return;
        }
        let wait = at.plus(WAIT_MS).since(now()) + self.rng.millis(400) - 300;
        let wait = Duration::from_millis(u64::try_from(wait).unwrap_or(0));
        let (mix, cluster) = (Arc::clone(self), Arc::clone(cluster));
        let later = async move {
            tokio::time::sleep(wait).await;
            lock(&mix.sent)[index].must = None;
            let body = json!({"name": "soak.closed", "subject": subject});
            if let Some((202, answer)) = mix.load.post(&cluster, "/signals", &body).await {
                lock(&mix.sent)[index].must = Some(answer["closed"] == 0);
            }
        };
        #[expect(clippy::disallowed_methods, reason = "the run waits longer than any of these")]
        tokio::spawn(later);
    }

    /// Books the room at a random moment, and cancels some meetings near their start.
    async fn book(self: &Arc<Self>, cluster: &Arc<Cluster>, title: String) {
        let start = now().plus(500 + self.rng.millis(BOOKED_AHEAD_MS));
        let body = json!({"title": title, "room_id": self.targets.room, "starts_at": start.to_string(),
                          "ends_at": start.plus(MEETING_MS).to_string()});
        let answer = self.load.post(cluster, "/meetings", &body).await;
        let index = self.record(&self.booked, &title, start, outcome(answer.as_ref()));
        let Some((201, meeting)) = answer.filter(|_| self.rng.chance(30)) else { return };
        let wait = start.since(now()) + self.rng.millis(200) - 150;
        let wait = Duration::from_millis(u64::try_from(wait).unwrap_or(0));
        let (mix, cluster) = (Arc::clone(self), Arc::clone(cluster));
        let later = async move {
            tokio::time::sleep(wait).await;
            lock(&mix.booked)[index].must = None;
            let path = format!("/meetings/{}/cancel", text(&meeting["id"]));
            let answer = mix.load.post(&cluster, &path, &json!({"seen_version": meeting["version"]})).await;
            lock(&mix.booked)[index].must = match outcome(answer.as_ref()) {
                Outcome::Done => Some(false),
                // It had started.
                Outcome::Refused => Some(true),
                Outcome::Unknown => None,
            };
        };
        #[expect(clippy::disallowed_methods, reason = "the run waits longer than any of these")]
        tokio::spawn(later);
    }

    /// Records what was requested, and returns its index.
    fn record(&self, all: &Mutex<Vec<Wanted>>, name: &str, earliest: Timestamp, outcome: Outcome) -> usize {
        let must = match outcome {
            Outcome::Done => Some(true),
            Outcome::Refused => Some(false),
            Outcome::Unknown => None,
        };
        let mut all = lock(all);
        all.push(Wanted { name: name.to_owned(), earliest, must });
        all.len() - 1
    }
}

fn lock(all: &Mutex<Vec<Wanted>>) -> MutexGuard<'_, Vec<Wanted>> {
    all.lock().unwrap_or_else(PoisonError::into_inner)
}
