//! The outside of a world: a receiver that can be believed and a way to it that cannot, for the real dispatchers of all nodes.

use crate::{base::Base, world::Shared};
use async_trait::async_trait;
use domain::{DeliveryId, delivery::Outcome};
use presstime::channels::{Answer, Letter, Outlet};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use store::{Store, Who};
use uuid::Uuid;

/// A delivery as SQL has it: which, of what task, its state, its attempts, how many there may be, how many are recorded as delivered.
type Row = (Uuid, Option<Uuid>, String, i32, i32, i32);
/// An attempt that is recorded.
type Attempt = (Uuid, i32, String);

/// The outside.
pub struct Post {
    shared: Arc<Shared>,
    store: Store,
    book: Mutex<Book>,
}

#[derive(Default)]
struct Book {
    /// What came of each attempt that left, by delivery and number, and the text of those that arrived.
    left: BTreeMap<(Uuid, i32), (Outcome, Option<String>)>,
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

    /// Holds what is recorded against what happened, and remembers what is known to have arrived.
    pub async fn look(&self, base: &Base) {
        let attempts: Vec<Attempt> = base
            .rows(sqlx::query_as(
                "select delivery_id, epoch, outcome from delivery_attempt where outcome is not null",
            ))
            .await;
        let delivered: Vec<(Uuid,)> =
            base.rows(sqlx::query_as("select id from delivery where state = 'delivered'")).await;
        let book = &mut *self.book();
        book.delivered.extend(delivered.into_iter().map(|(id,)| id));
        for (id, number, outcome) in attempts {
            // Of a lost answer nobody knows more.
            let told = book.left.get(&(id, number)).map_or(Outcome::NotSent, |(outcome, _)| *outcome);
            if outcome != Outcome::Unknown.as_str() && outcome != told.as_str() {
                let wrong = format!("fence: attempt {number} is recorded as {outcome}, and was {told:?}");
                book.wrong.get_or_insert(wrong);
            }
        }
    }

    /// At the end each delivery has ended as its attempts say, and each task that was executed has been told of once.
    pub async fn books(&self, base: &Base) -> Result<(), String> {
        self.look(base).await;
        self.verdict()?;
        let rows: Vec<Row> = base
            .rows(sqlx::query_as(
                "select d.id, d.task_id, d.state, d.attempts, d.max_attempts,
                        (select count(*) from delivery_attempt a where a.delivery_id = d.id and a.outcome = 'delivered')
                   from delivery d",
            ))
            .await;
        let executed: Vec<(Uuid,)> =
            base.rows(sqlx::query_as("select id from task where state = 'executed' order by id")).await;
        let mut told: Vec<Uuid> = rows.iter().filter_map(|row| row.1).collect();
        told.sort_unstable();
        let executed: Vec<Uuid> = executed.into_iter().map(|(id,)| id).collect();
        if told != executed {
            return Err(format!("X5: executed {executed:?}, but told of {told:?}"));
        }
        let book = self.book();
        for (id, _, state, attempts, most, arrived) in rows {
            let is_cancelled = book.cancelled.contains(&id);
            let is_right = match state.as_str() {
                "delivered" => arrived > 0 && !is_cancelled,
                "cancelled" => is_cancelled,
                "failed" | "unconfirmed" => attempts == most && !is_cancelled,
                _ => false,
            };
            if !is_right {
                return Err(format!(
                    "X6: {state} after {attempts} attempts of {most}, {arrived} of them delivered"
                ));
            }
        }
        Ok(())
    }

    /// Whether something waits or is on its way.
    pub async fn has_work(&self, base: &Base) -> bool {
        let count = "select count(*) from delivery where state in ('pending', 'sending')";
        base.rows::<(i64,)>(sqlx::query_as(count)).await[0].0 > 0
    }
}

#[async_trait]
impl Outlet for Post {
    async fn send(&self, letter: &Letter) -> Answer {
        let (fate, mut book) =
            (self.shared.dice.below(if self.shared.is_calm() { 1 } else { 5 }), self.book());
        self.shared.trace(i64::from(letter.attempt) + 1_000);
        let (id, number) = (letter.id.0, letter.attempt);
        if book.cancelled.contains(&id) {
            book.wrong = Some(format!("X3: attempt {number} was made after a cancel that was acknowledged"));
        }
        if book.delivered.contains(&id) {
            book.wrong =
                Some(format!("X2: attempt {number} was made after one that is known to have arrived"));
        }
        if book.left.contains_key(&(id, number)) {
            book.wrong = Some(format!("X1: attempt {number} was made twice"));
        }
        let others = book.left.range((id, 0)..=(id, i32::MAX)).filter_map(|(_, (_, text))| text.as_ref());
        if others.into_iter().any(|text| *text != letter.body) {
            book.wrong = Some("X4: another body".to_owned());
        }
        let (outcome, why) = match fate {
            0 | 1 => (Outcome::Delivered, ""),
            2 => (Outcome::Refused, "no"),
            3 => (Outcome::Unknown, "cut"),
            _ => (Outcome::Unreachable, "nobody there"),
        };
        let text = (outcome != Outcome::Unreachable).then(|| letter.body.clone());
        book.left.insert((id, number), (outcome, text));
        Answer::none(outcome, why)
    }
}
