//! People who plan while the weather is bad, and the history of what they were told.

use crate::{
    all_weather::BEGINS,
    cluster::{Cluster, NODES},
    dice::Dice,
    drafts,
};
use domain::{Clock as _, Timestamp, clock::SystemClock};
use reqwest::{Client, Method};
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Connection as _, PgConnection};
use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use tokio::time::{Instant, interval, sleep_until};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

/// How a request ended, as far as its caller knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Told {
    /// It is done.
    Yes,
    /// It is not done.
    No,
    /// The answer was lost.
    Nothing,
}

/// What somebody did to a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deed {
    /// Moved it to that moment.
    Move(Timestamp),
    /// Called it off.
    Cancel,
    /// Wanted it at that moment, which was now.
    Now(Timestamp),
}

/// One article's story.
#[derive(Debug, Clone)]
pub struct Story {
    pub article: String,
    pub slug: String,
    pub due: Timestamp,
    pub scheduled: Told,
    pub change: Option<(Deed, Told)>,
    /// Moments at which the public saw it.
    pub seen: Vec<Timestamp>,
}

impl Story {
    /// The first moment at which it may have gone out, for all its people know.
    pub fn earliest(&self) -> Timestamp {
        match self.change {
            Some((Deed::Move(at) | Deed::Now(at), Told::Yes)) => at,
            Some((Deed::Move(at) | Deed::Now(at), Told::Nothing)) => at.min(self.due),
            _ => self.due,
        }
    }

    /// Whether it must have gone out; `None`: nobody can know.
    pub fn must_go_out(&self) -> Option<bool> {
        match (self.scheduled, self.change) {
            (Told::No, _) => Some(false),
            (Told::Nothing, _) | (Told::Yes, Some((Deed::Cancel, Told::Nothing))) => None,
            (Told::Yes, Some((Deed::Cancel, Told::Yes))) => Some(false),
            (Told::Yes, _) => Some(true),
        }
    }
}

/// From the beginning to the first moment of a stock, milliseconds: it is planned by then.
const AHEAD_MS: i64 = 10_000;
/// So much of a stock is planned in one request.
const PART: usize = 5_000;

/// A person plans no faster than this: the processors are for the weather.
const PACE: Duration = Duration::from_millis(200);
/// How long a person waits for an answer.
const PATIENCE: Duration = Duration::from_secs(4);

/// All stories, and who asks.
pub struct People {
    client: Client,
    dice: Dice,
    stories: Mutex<Vec<Story>>,
}

impl People {
    pub fn new(seed: u64) -> Self {
        // The second time it is there already.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder().no_proxy().build().expect("a client");
        Self { client, dice: Dice::new(seed ^ 0xFEED), stories: Mutex::default() }
    }

    pub fn stories(&self) -> MutexGuard<'_, Vec<Story>> {
        self.stories.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks some node, another one where nobody listens. The answer's status and JSON; `None`: it was lost.
    pub async fn ask(
        &self,
        cluster: &Cluster,
        method: Method,
        path: &str,
        body: &Value,
    ) -> Option<(u16, Value)> {
        self.ask_within(PATIENCE, cluster, method, path, body).await
    }

    /// The same with another patience.
    pub async fn ask_within(
        &self,
        patience: Duration,
        cluster: &Cluster,
        method: Method,
        path: &str,
        body: &Value,
    ) -> Option<(u16, Value)> {
        let first = self.dice.below(NODES);
        for turn in 0..NODES {
            let url = format!("{}/api/v1{path}", cluster.url((first + turn) % NODES));
            let request = self
                .client
                .request(method.clone(), url)
                .bearer_auth(&cluster.token)
                .timeout(patience)
                .json(body);
            match request.send().await {
                Err(error) if error.is_connect() => {}
                Err(_) => return None,
                Ok(answer) => {
                    let status = answer.status().as_u16();
                    return Some((status, answer.json().await.ok()?));
                }
            }
        }
        None
    }

    /// One person: writes, plans, and changes their mind near the moment, until told to stop.
    pub async fn plan(self: Arc<Self>, cluster: Arc<Cluster>, name: usize, stop: CancellationToken) {
        let (mut number, mut turns) = (0, interval(PACE));
        while !stop.is_cancelled() {
            turns.tick().await;
            number += 1;
            let title = format!("Item {name} {number}");
            let new = json!({"title": title, "body": "A text."});
            let Some((201, article)) = self.ask(&cluster, Method::POST, "/articles", &new).await else {
                continue;
            };
            self.schedule(&cluster, &article).await;
        }
    }

    /// Plans drafts that nobody changes, evenly over the next so many seconds.
    pub async fn stock(&self, cluster: &Cluster, count: usize, seconds: u64) {
        let ids: Vec<Uuid> = (0..count).map(|_| Uuid::now_v7()).collect();
        let mut past = PgConnection::connect(&cluster.database).await.expect("PostgreSQL answers");
        let begin = SystemClock.now().plus(AHEAD_MS);
        let span = i64::try_from(seconds * 1_000).unwrap_or(i64::MAX);
        let due = |place: usize| begin.plus(span * i64::try_from(place).unwrap_or(0) / count as i64);
        let all: Vec<(&Uuid, Timestamp)> =
            ids.iter().enumerate().map(|(place, id)| (id, due(place))).collect();
        for part in all.chunks(PART) {
            let ids: Vec<Uuid> = part.iter().map(|(id, _)| **id).collect();
            let statements = drafts::statements(&ids, |id| format!("'{id}'"));
            sqlx::raw_sql(AssertSqlSafe(statements)).execute(&mut past).await.expect("they are written");
            let task = |(id, due): &(&Uuid, Timestamp)| json!({"kind": "article.publish", "target_id": id, "due_at": due.to_string()});
            let items = json!({"items": part.iter().map(task).collect::<Vec<_>>()});
            let made = self.ask_within(BEGINS, cluster, Method::POST, "/tasks/bulk", &items).await;
            assert_eq!(made.map(|(status, _)| status), Some(201), "they are planned");
        }
        self.stories().extend(all.into_iter().map(|(id, due)| Story {
            article: id.to_string(),
            slug: drafts::slug(id),
            due,
            scheduled: Told::Yes,
            change: None,
            seen: Vec::new(),
        }));
    }

    async fn schedule(self: &Arc<Self>, cluster: &Arc<Cluster>, article: &Value) {
        let due = SystemClock.now().plus(300 + self.dice.millis(4_000));
        let new = json!({"kind": "article.publish", "target_id": article["id"], "due_at": due.to_string()});
        let answer = self.ask(cluster, Method::POST, "/tasks", &new).await;
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let place = {
            let mut stories = self.stories();
            stories.push(Story {
                article: text(&article["id"]),
                slug: text(&article["slug"]),
                due,
                scheduled: told(answer.as_ref()),
                change: None,
                seen: Vec::new(),
            });
            stories.len() - 1
        };
        if let Some((201, task)) = answer
            && self.dice.chance(35)
        {
            let wait = due.since(SystemClock.now()) + self.dice.millis(240) - 200;
            let moment = Instant::now() + Duration::from_millis(u64::try_from(wait).unwrap_or(0));
            let (people, cluster, id) = (Arc::clone(self), Arc::clone(cluster), text(&task["id"]));
            let later = async move {
                // Around the moment it is due: that is where the race is.
                sleep_until(moment).await;
                people.change(&cluster, place, &id).await;
            };
            #[expect(clippy::disallowed_methods, reason = "the run waits longer than any of these")]
            tokio::spawn(later);
        }
    }

    async fn change(&self, cluster: &Cluster, place: usize, id: &str) {
        let now = SystemClock.now();
        let at = now.plus(200 + self.dice.millis(2_000));
        let (deed, verb, body) = match self.dice.below(3) {
            0 => (Deed::Cancel, "cancel", json!({"seen_version": 1})),
            1 => (Deed::Move(at), "reschedule", json!({"seen_version": 1, "due_at": at.to_string()})),
            _ => (Deed::Now(now), "publish-now", json!({"seen_version": 1})),
        };
        // Until it is answered nobody knows.
        self.stories()[place].change = Some((deed, Told::Nothing));
        let answer = self.ask(cluster, Method::POST, &format!("/tasks/{id}/{verb}"), &body).await;
        self.stories()[place].change = Some((deed, told(answer.as_ref())));
    }

    /// The public: looks at pages that are not due yet, and notes when it saw one.
    pub async fn look(self: Arc<Self>, cluster: Arc<Cluster>, stop: CancellationToken) {
        let mut looks = interval(Duration::from_millis(50));
        while !stop.is_cancelled() {
            looks.tick().await;
            let now = SystemClock.now();
            let next: Vec<(usize, String)> = {
                let stories = self.stories();
                let ahead = stories.iter().enumerate().filter(|(_, story)| story.due > now);
                ahead.map(|(place, story)| (place, story.slug.clone())).collect()
            };
            let Some((place, slug)) = next.get(self.dice.below(next.len())) else { continue };
            let url = format!("{}/site/{slug}", cluster.url(self.dice.below(NODES)));
            if let Ok(page) = self.client.get(url).timeout(PATIENCE).send().await
                && page.status().is_success()
            {
                self.stories()[*place].seen.push(SystemClock.now());
            }
        }
    }
}

fn told(answer: Option<&(u16, Value)>) -> Told {
    match answer {
        Some((200..300, _)) => Told::Yes,
        Some((400..500, _)) => Told::No,
        _ => Told::Nothing,
    }
}
