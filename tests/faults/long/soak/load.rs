//! Simulated users who schedule and change tasks during faults, and the record of their answers.

use super::servers::NODES;
use crate::faults::{
    cluster::{Cluster, now, publish_task, text},
    drafts,
    rng::Rng,
};
use domain::Timestamp;
use reqwest::Method;
use serde_json::{Value, json};
use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use tokio::time::{Instant, interval, sleep_until};
use tokio_util::sync::CancellationToken;

/// Outcome of a request as its client knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The request was executed.
    Done,
    /// The request was refused.
    Refused,
    /// The response was lost.
    Unknown,
}

/// A user's change of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// Rescheduled to this due time.
    Move(Timestamp),
    /// Cancelled.
    Cancel,
    /// Published now; the current time.
    PublishNow(Timestamp),
}

/// One article, its task and the answers to its user.
#[derive(Debug, Clone)]
pub struct Item {
    pub article: String,
    pub slug: String,
    pub due: Timestamp,
    pub scheduled: Outcome,
    pub change: Option<(Operation, Outcome)>,
    /// Times at which a reader saw the page.
    pub seen: Vec<Timestamp>,
}

impl Item {
    /// Returns the earliest time at which it may have been published, as far as its user knows.
    pub fn earliest(&self) -> Timestamp {
        match self.change {
            Some((Operation::Move(at) | Operation::PublishNow(at), Outcome::Done)) => at,
            Some((Operation::Move(at) | Operation::PublishNow(at), Outcome::Unknown)) => at.min(self.due),
            _ => self.due,
        }
    }

    /// Whether it must have been published. `None`: unknown, because a response was lost.
    pub fn must_be_published(&self) -> Option<bool> {
        match (self.scheduled, self.change) {
            (Outcome::Refused, _) => Some(false),
            (Outcome::Unknown, _) | (Outcome::Done, Some((Operation::Cancel, Outcome::Unknown))) => None,
            (Outcome::Done, Some((Operation::Cancel, Outcome::Done))) => Some(false),
            (Outcome::Done, _) => Some(true),
        }
    }
}

/// Time from the start to the first due time of a batch, in milliseconds: time for scheduling its
/// first part.
const BATCH_LEAD_MS: i64 = 10_000;
/// Number of tasks of a batch that are scheduled together: those of more than half a minute.
const BATCH_PART: usize = 2_000;
/// Minimum time between two articles of one user, to leave processor time for the nodes.
const USER_INTERVAL: Duration = Duration::from_millis(200);
/// Timeout of a user's request.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(4);

/// All simulated users and their items.
pub struct Load {
    rng: Rng,
    items: Mutex<Vec<Item>>,
}

impl Load {
    pub fn new(seed: u64) -> Self {
        Self { rng: Rng::new(seed ^ 0xFEED), items: Mutex::default() }
    }

    pub fn items(&self) -> MutexGuard<'_, Vec<Item>> {
        self.items.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends a POST request: see [`Self::request`].
    pub async fn post(&self, cluster: &Cluster, path: &str, body: &Value) -> Option<(u16, Value)> {
        self.request(cluster, Method::POST, path, body).await
    }

    /// Sends a request to a random node, or to the next one if that does not listen. Returns
    /// status and JSON; `None`: the response was lost.
    pub async fn request(
        &self,
        cluster: &Cluster,
        method: Method,
        path: &str,
        body: &Value,
    ) -> Option<(u16, Value)> {
        let first = self.rng.below(NODES.len());
        for turn in 0..NODES.len() {
            let node = NODES[(first + turn) % NODES.len()];
            let request = cluster.api(node, method.clone(), path).timeout(REQUEST_TIMEOUT);
            let request = if body.is_null() { request } else { request.json(body) };
            match request.send().await {
                Err(error) if error.is_connect() => {}
                Err(_) => return None,
                Ok(answer) => {
                    let status = answer.status().as_u16();
                    let text = answer.text().await.ok()?;
                    return Some((status, serde_json::from_str(&text).unwrap_or_default()));
                }
            }
        }
        None
    }

    /// Runs one user until `stop`: creates articles, schedules them, and changes some near the due
    /// time.
    pub async fn run_user(self: Arc<Self>, cluster: Arc<Cluster>, user: usize, stop: CancellationToken) {
        let (mut number, mut turns) = (0, interval(USER_INTERVAL));
        while !stop.is_cancelled() {
            turns.tick().await;
            number += 1;
            let title = format!("Item {user} {number}");
            let new = json!({"title": title, "body": "A text."});
            let Some((201, article)) = self.post(&cluster, "/articles", &new).await else {
                continue;
            };
            self.schedule(&cluster, &article).await;
        }
    }

    /// Schedules drafts that no user changes, evenly over the next `seconds`.
    pub async fn schedule_batch(&self, cluster: &Cluster, count: usize, seconds: u64) {
        let drafts = drafts::create(cluster, count).await;
        let begin = now().plus(BATCH_LEAD_MS);
        let span = i64::try_from(seconds * 1_000).unwrap_or(i64::MAX);
        let due = |index: usize| begin.plus(span * i64::try_from(index).unwrap_or(0) / count as i64);
        let all: Vec<_> = drafts.into_iter().enumerate().map(|(index, id)| (id, due(index))).collect();
        // Each part only has to be scheduled before its own first task is due.
        for part in all.chunks(BATCH_PART) {
            cluster.schedule_all(NODES[0], part).await;
        }
        self.items().extend(all.into_iter().map(|(id, due)| Item {
            article: id.to_string(),
            slug: drafts::slug(&id),
            due,
            scheduled: Outcome::Done,
            change: None,
            seen: Vec::new(),
        }));
    }

    async fn schedule(self: &Arc<Self>, cluster: &Arc<Cluster>, article: &Value) {
        let due = now().plus(300 + self.rng.millis(4_000));
        let new = publish_task(&text(&article["id"]), due);
        let answer = self.post(cluster, "/tasks", &new).await;
        let index = {
            let mut items = self.items();
            items.push(Item {
                article: text(&article["id"]),
                slug: text(&article["slug"]),
                due,
                scheduled: outcome(answer.as_ref()),
                change: None,
                seen: Vec::new(),
            });
            items.len() - 1
        };
        if let Some((201, task)) = answer
            && self.rng.chance(35)
        {
            let wait = due.since(now()) + self.rng.millis(240) - 200;
            let change_at = Instant::now() + Duration::from_millis(u64::try_from(wait).unwrap_or(0));
            let (load, cluster, id) = (Arc::clone(self), Arc::clone(cluster), text(&task["id"]));
            let later = async move {
                // Around the due time, where change and execution race.
                sleep_until(change_at).await;
                load.change(&cluster, index, &id).await;
            };
            #[expect(clippy::disallowed_methods, reason = "the run waits longer than any of these")]
            tokio::spawn(later);
        }
    }

    async fn change(&self, cluster: &Cluster, index: usize, id: &str) {
        let began = now();
        let at = began.plus(200 + self.rng.millis(2_000));
        let (operation, verb, body) = match self.rng.below(3) {
            0 => (Operation::Cancel, "cancel", json!({"seen_version": 1})),
            1 => (Operation::Move(at), "reschedule", json!({"seen_version": 1, "due_at": at.to_string()})),
            _ => (Operation::PublishNow(began), "publish-now", json!({"seen_version": 1})),
        };
        // Unknown until the response arrives.
        self.items()[index].change = Some((operation, Outcome::Unknown));
        let answer = self.post(cluster, &format!("/tasks/{id}/{verb}"), &body).await;
        self.items()[index].change = Some((operation, outcome(answer.as_ref())));
    }

    /// Reads public pages of articles that are not due yet until `stop`, and records each one it
    /// sees.
    pub async fn read_pages(self: Arc<Self>, cluster: Arc<Cluster>, stop: CancellationToken) {
        let mut polls = interval(Duration::from_millis(50));
        while !stop.is_cancelled() {
            polls.tick().await;
            let time = now();
            let next: Vec<(usize, String)> = {
                let items = self.items();
                let ahead = items.iter().enumerate().filter(|(_, item)| item.due > time);
                ahead.map(|(index, item)| (index, item.slug.clone())).collect()
            };
            let Some((index, slug)) = next.get(self.rng.below(next.len())) else { continue };
            let port = cluster.port(NODES[self.rng.below(NODES.len())]);
            let url = format!("http://127.0.0.1:{port}/site/{slug}");
            if let Ok(page) = cluster.client.get(url).timeout(REQUEST_TIMEOUT).send().await
                && page.status().is_success()
            {
                self.items()[*index].seen.push(now());
            }
        }
    }
}

/// Returns the outcome that an answer says.
pub fn outcome(answer: Option<&(u16, Value)>) -> Outcome {
    match answer {
        Some((200..300, _)) => Outcome::Done,
        Some((400..500, _)) => Outcome::Refused,
        _ => Outcome::Unknown,
    }
}
