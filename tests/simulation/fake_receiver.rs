//! A fake receiver of messages with faulty transport, for the real dispatchers of all nodes.

use crate::simulation::{cluster::Shared, database::Database};
use async_trait::async_trait;
use domain::{ChannelId, DeliveryId, delivery::Outcome};
use presstime::senders::{OutboundMessage, SendResult, Sender};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use store::{PoolRole, Store};
use uuid::Uuid;

/// A delivery in SQL: id, task, state, attempts, maximum attempts, attempts recorded as delivered.
type Row = (Uuid, Option<Uuid>, String, i32, i32, i32);
/// A recorded attempt: delivery, number, outcome.
type Attempt = (Uuid, i32, String);

/// The receiver.
pub struct FakeReceiver {
    shared: Arc<Shared>,
    store: Store,
    records: Mutex<Records>,
}

#[derive(Default)]
struct Records {
    /// Outcome of each attempt by delivery and number, with the body of those that arrived.
    sent: BTreeMap<(Uuid, i32), (Outcome, Option<String>)>,
    /// Deliveries whose cancellation was acknowledged.
    cancelled: BTreeSet<Uuid>,
    /// Deliveries that are recorded as delivered.
    delivered: BTreeSet<Uuid>,
    wrong: Option<String>,
}

impl FakeReceiver {
    pub fn new(shared: &Arc<Shared>, store: &Store) -> Self {
        Self { shared: Arc::clone(shared), store: store.clone(), records: Mutex::default() }
    }

    /// Returns the first violation.
    pub fn verdict(&self) -> Result<(), String> {
        self.records().wrong.clone().map_or(Ok(()), Err)
    }

    fn records(&self) -> MutexGuard<'_, Records> {
        self.records.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Cancels a delivery as a user.
    pub async fn cancel(&self, id: Uuid) {
        let mut tx = self.store.begin(PoolRole::Web).await.expect("a transaction");
        let is_done = store::delivery::cancel(tx.conn(), DeliveryId(id), self.shared.now()).await;
        let is_done = is_done.expect("it answers");
        tx.commit().await.expect("it commits");
        self.shared.trace(i64::from(is_done));
        if is_done {
            self.records().cancelled.insert(id);
        }
    }

    /// Compares the recorded attempts with what happened, and remembers which deliveries are
    /// recorded as delivered.
    pub async fn observe(&self, database: &Database) {
        let attempts: Vec<Attempt> = database
            .rows(sqlx::query_as(
                "select delivery_id, epoch, outcome from delivery_attempt where outcome is not null",
            ))
            .await;
        let delivered: Vec<(Uuid,)> =
            database.rows(sqlx::query_as("select id from delivery where state = 'delivered'")).await;
        let records = &mut *self.records();
        records.delivered.extend(delivered.into_iter().map(|(id,)| id));
        for (id, number, outcome) in attempts {
            // Any outcome may be recorded as unknown.
            let actual = records.sent.get(&(id, number)).map_or(Outcome::NotSent, |(outcome, _)| *outcome);
            if outcome != Outcome::Unknown.as_str() && outcome != actual.as_str() {
                let wrong = format!("fence: attempt {number} is recorded as {outcome}, and was {actual:?}");
                records.wrong.get_or_insert(wrong);
            }
        }
    }

    /// Checks that each delivery ended as its attempts say, and that each executed task was
    /// notified once.
    pub async fn check_deliveries(&self, database: &Database) -> Result<(), String> {
        self.observe(database).await;
        self.verdict()?;
        let rows: Vec<Row> = database
            .rows(sqlx::query_as(
                "select d.id, d.task_id, d.state, d.attempts, d.max_attempts,
                        (select count(*) from delivery_attempt a where a.delivery_id = d.id and a.outcome = 'delivered')
                   from delivery d",
            ))
            .await;
        let executed: Vec<(Uuid,)> =
            database.rows(sqlx::query_as("select id from task where state = 'executed' order by id")).await;
        let mut notified: Vec<Uuid> = rows.iter().filter_map(|row| row.1).collect();
        notified.sort_unstable();
        let executed: Vec<Uuid> = executed.into_iter().map(|(id,)| id).collect();
        if notified != executed {
            return Err(format!("X5: executed {executed:?}, but notified {notified:?}"));
        }
        let records = self.records();
        for (id, _, state, attempts, max_attempts, arrived) in rows {
            let is_cancelled = records.cancelled.contains(&id);
            let is_right = match state.as_str() {
                "delivered" => arrived > 0 && !is_cancelled,
                "cancelled" => is_cancelled,
                "failed" | "unconfirmed" => attempts == max_attempts && !is_cancelled,
                _ => false,
            };
            if !is_right {
                return Err(format!(
                    "X6: {state} after {attempts} attempts of {max_attempts}, {arrived} of them delivered"
                ));
            }
        }
        Ok(())
    }

    /// Whether a delivery is pending or being sent.
    pub async fn has_work(&self, database: &Database) -> bool {
        let count = "select count(*) from delivery where state in ('pending', 'sending')";
        database.rows::<(i64,)>(sqlx::query_as(count)).await[0].0 > 0
    }
}

#[async_trait]
impl Sender for FakeReceiver {
    fn open_secret(&self, _channel: ChannelId, _sealed: &str) -> Option<Vec<u8>> {
        None
    }

    async fn send(&self, message: &OutboundMessage) -> SendResult {
        let (case, mut records) =
            (self.shared.rng.below(if self.shared.are_faults_over() { 1 } else { 5 }), self.records());
        self.shared.trace(i64::from(message.attempt) + 1_000);
        let (id, number) = (message.id.0, message.attempt);
        if records.cancelled.contains(&id) {
            records.wrong = Some(format!("X3: attempt {number} was made after an acknowledged cancellation"));
        }
        if records.delivered.contains(&id) {
            records.wrong =
                Some(format!("X2: attempt {number} was made after one that is known to have arrived"));
        }
        if records.sent.contains_key(&(id, number)) {
            records.wrong = Some(format!("X1: attempt {number} was made twice"));
        }
        let bodies = records.sent.range((id, 0)..=(id, i32::MAX)).filter_map(|(_, (_, text))| text.as_ref());
        if bodies.into_iter().any(|text| *text != message.body) {
            records.wrong = Some("X4: another body".to_owned());
        }
        let (outcome, why) = match case {
            0 | 1 => (Outcome::Delivered, ""),
            2 => (Outcome::Refused, "no"),
            3 => (Outcome::Unknown, "cut"),
            _ => (Outcome::Unreachable, "connection refused"),
        };
        let text = (outcome != Outcome::Unreachable).then(|| message.body.clone());
        records.sent.insert((id, number), (outcome, text));
        SendResult::without_response(outcome, why)
    }
}
