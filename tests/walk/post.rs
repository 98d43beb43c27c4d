//! Senders of deliveries: the real claims, fences and judgements, with a receiver that can be believed and a way that cannot.

use crate::{base::CHANNEL, world::Shared};
use domain::{ChannelId, DeliveryId, Timestamp, delivery::Outcome};
use presstime::{
    channels::Answer,
    worker::dispatcher::policy::{Manner, judge},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use store::{
    Conn, Store, StoreError, Tx, Who,
    dispatch::{self, Claimed, Ended, Terms},
    mutant::gap,
};
use uuid::Uuid;

const GUARD_MS: i64 = 20_000;
const LEASE_MS: i64 = 60_000;

/// The way out of all nodes.
pub struct Post {
    shared: Arc<Shared>,
    store: Store,
    book: Mutex<Book>,
}

#[derive(Default)]
struct Book {
    /// Attempts that reached the receiver, by delivery; and what they said.
    arrived: BTreeMap<Uuid, Vec<(i32, String)>>,
    /// Deliveries of which a person was told that they are cancelled.
    cancelled: BTreeSet<Uuid>,
    /// Deliveries that are recorded as delivered.
    delivered: BTreeSet<Uuid>,
    wrong: Option<String>,
}

impl Post {
    pub fn new(shared: &Arc<Shared>, store: &Store) -> Self {
        Self { shared: Arc::clone(shared), store: store.clone(), book: Mutex::default() }
    }

    /// What has been found wrong.
    pub fn verdict(&self) -> Result<(), String> {
        self.book().wrong.clone().map_or(Ok(()), Err)
    }

    fn book(&self) -> MutexGuard<'_, Book> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wrong(&self, words: String) {
        self.book().wrong.get_or_insert(words);
    }

    /// A person cancels a delivery.
    pub async fn cancel(&self, id: Uuid) {
        let mut tx = self.store.begin(Who::People).await.expect("a transaction");
        let is_done = store::delivery::cancel(tx.conn(), DeliveryId(id), self.shared.now()).await;
        let is_done = is_done.expect("it answers");
        tx.commit().await.expect("it commits");
        self.shared.trace(i64::from(is_done));
        if is_done {
            self.book().cancelled.insert(id);
        }
    }

    /// One round of a node: what was lost is given up, what is due is claimed, sent and recorded.
    pub async fn round(self: Arc<Self>, node: usize) {
        if let Err(error) = self.try_round(node).await {
            self.wrong(format!("a sender broke off: {error:?}"));
        }
    }

    async fn try_round(&self, node: usize) -> Result<(), StoreError> {
        let now = self.shared.now();
        let mut tx = self.store.begin(Who::Dispatch).await?;
        let lost: Vec<Ended> = dispatch::lost(tx.conn(), now)
            .await?
            .into_iter()
            .map(|one| {
                let manner = Manner::stored(one.ladder.as_deref(), one.on_ambiguous.as_deref());
                judge(&one.claimed, &manner, Answer::none(Outcome::Unknown, "lost"), now, 0.5)
            })
            .collect();
        if !lost.is_empty() {
            dispatch::record(tx.conn(), &lost, now).await?;
        }
        let name = format!("n{node}");
        let terms = Terms { node: &name, now, lease_until: now.plus(LEASE_MS) };
        let jobs = dispatch::claim(tx.conn(), ChannelId(CHANNEL), 1, terms).await?;
        tx.commit().await?;
        for job in jobs {
            gap().await;
            let answer = self.send(&job, now);
            gap().await;
            let manner = Manner::stored(Some("1s, 1s, 1s"), Some("retry"));
            let ended = judge(&job, &manner, answer, self.shared.now(), 0.5);
            self.record(&ended).await?;
        }
        Ok(())
    }

    fn send(&self, job: &Claimed, claimed_at: Timestamp) -> Answer {
        if self.shared.now().since(claimed_at) > GUARD_MS {
            return Answer::none(Outcome::NotSent, "held up");
        }
        let (fate, mut book) =
            (self.shared.dice.below(if self.shared.is_calm() { 1 } else { 5 }), self.book());
        if fate == 4 {
            return Answer::none(Outcome::Unreachable, "nobody there");
        }
        self.shared.trace(i64::from(job.epoch) + 1_000);
        if book.cancelled.contains(&job.id) {
            book.wrong =
                Some(format!("X3: attempt {} was made after a cancel that was acknowledged", job.epoch));
        }
        if book.delivered.contains(&job.id) {
            book.wrong =
                Some(format!("X2: attempt {} was made after one that is known to have arrived", job.epoch));
        }
        let copies = book.arrived.entry(job.id).or_default();
        if copies.iter().any(|(epoch, _)| *epoch == job.epoch) {
            book.wrong = Some(format!("X1: attempt {} was made twice", job.epoch));
        } else {
            if copies.iter().any(|(_, body)| *body != job.body) {
                book.wrong = Some("X4: another body".to_owned());
            }
            book.arrived.entry(job.id).or_default().push((job.epoch, job.body.clone()));
        }
        match fate {
            0 | 1 => Answer::none(Outcome::Delivered, ""),
            2 => Answer::none(Outcome::Refused, "no"),
            _ => Answer::none(Outcome::Unknown, "cut"),
        }
    }

    async fn record(&self, ended: &Ended) -> Result<(), StoreError> {
        let mut tx = self.store.begin(Who::Dispatch).await?;
        let current = epoch(&mut tx, ended.id.0).await?;
        let changed = dispatch::record(tx.conn(), std::slice::from_ref(ended), self.shared.now()).await?;
        tx.commit().await?;
        if changed > 0 && ended.outcome == Outcome::Delivered {
            self.book().delivered.insert(ended.id.0);
        }
        if changed > 0 && current != ended.epoch {
            self.wrong(format!("fence: attempt {} was recorded as if it were {current}", ended.epoch));
        }
        Ok(())
    }
}

async fn epoch(tx: &mut Tx, id: Uuid) -> Result<i32, StoreError> {
    let Conn::Sqlite(c) = tx.conn() else { unreachable!("the worlds stand on SQLite") };
    Ok(sqlx::query_scalar("select epoch from delivery where id = $1").bind(id).fetch_one(c).await?)
}
