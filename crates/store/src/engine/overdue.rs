//! Overdue tasks: the source of the sweeper, and the counts of the health snapshot.

use crate::{
    Conn, StoreError,
    attention::{self, attention_total},
    canary,
    db::with_conn,
    delivery_hold::DELIVERY_HOLD,
    execute::Claim,
    failing::{failing_total, has_ended},
    json_rows::encode,
};
use domain::{AccountId, TaskId, Timestamp, engine::ActivePause};
use uuid::Uuid;

/// Where a page of [`page`] ended: due time and task.
pub type Cursor = (Timestamp, TaskId);

/// One page of overdue tasks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Overdue {
    /// Tasks to claim, oldest first. Tasks of unknown kinds are left out.
    pub claims: Vec<Claim>,
    /// Start of the next page; `None`: this is the last page.
    pub next: Option<Cursor>,
}

type Row = (Uuid, i32, String, String, i32, i64);

macro_rules! overdue_sql {
    ($kinds:literal) => {
        concat!(
            "select id, version, kind, priority, bucket, due_at
               from task
              where state = 'scheduled'
                and due_at < $1
                and (due_at, id) > ($3, $4)
                and (not_before is null or not_before <= $2)
                and kind ",
            $kinds,
            " order by due_at, id
              limit $5"
        )
    };
}

/// Returns scheduled tasks of these kinds that are due before `before` and may run at `now`, from
/// `after` on, at most `limit`.
pub async fn page(
    conn: Conn<'_>,
    kinds: &[&str],
    (after, before): (Option<Cursor>, Timestamp),
    now: Timestamp,
    limit: u32,
) -> Result<Overdue, StoreError> {
    let (after_due, after_id) = after.unwrap_or((Timestamp::from_millis(i64::MIN), TaskId(Uuid::nil())));
    macro_rules! rows {
        ($c:ident, $sql:expr, $kinds:expr) => {
            sqlx::query_as($sql)
                .bind(before.millis())
                .bind(now.millis())
                .bind(after_due.millis())
                .bind(after_id.0)
                .bind(i64::from(limit))
                .bind($kinds)
                .fetch_all($c)
                .await?
        };
    }
    let rows: Vec<Row> = match conn {
        Conn::Sqlite(c) => {
            rows!(c, overdue_sql!("in (select value from jsonb_each($6))"), encode(kinds)?)
        }
        Conn::Postgres(c) => rows!(c, overdue_sql!("= any($6)"), kinds),
    };
    let is_full = rows.len() >= usize::try_from(limit).unwrap_or(usize::MAX);
    let next = rows.last().filter(|_| is_full).map(|row| (Timestamp::from_millis(row.5), TaskId(row.0)));
    let claim = |(id, version, kind, priority, bucket, _): &Row| {
        Claim::found((*id, *version, kind, priority, *bucket))
    };
    Ok(Overdue { claims: rows.iter().map(claim).collect::<Result<_, _>>()?, next })
}

/// Returns the kinds of tasks that are due before `before` and may run at `now`.
pub async fn kinds(conn: Conn<'_>, before: Timestamp, now: Timestamp) -> Result<Vec<String>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_scalar(
        "select distinct kind
           from task
          where state = 'scheduled'
            and due_at < $1
            and (not_before is null or not_before <= $2)")
        .bind(before.millis())
        .bind(now.millis())
        .fetch_all(c)
        .await)?)
}

/// State that the engine reads from SQL each second.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct HealthSnapshot {
    /// The pause in effect at `now`; `None`: publishing runs.
    pub pause: Option<ActivePause>,
    /// Whether there is a pause whose end has come.
    pub has_expired_pause: bool,
    /// Whether messages are held until an admin confirms.
    pub is_held: bool,
    /// Number of overdue tasks that could have run.
    pub overdue: u64,
    /// Number of items that need a person, as shown on Attention.
    pub attention: u64,
    /// Number of channels that do not accept messages, or are switched off: those with a card on
    /// Attention.
    pub failing_channels: u64,
    /// Number of those that are switched off, or have messages that ended undelivered.
    pub stopped_channels: u64,
    /// Due time of the canary; `None`: it is not scheduled.
    pub canary: Option<Timestamp>,
}

/// Columns of the snapshot.
type SnapshotRow =
    (Option<i64>, Option<Uuid>, Option<i64>, i64, Option<String>, i64, i64, i64, i64, Option<i64>);

/// Returns the snapshot. A task is overdue if it is due before `before`. Attention shows the same
/// count.
pub async fn health_snapshot(
    conn: Conn<'_>,
    before: Timestamp,
    now: Timestamp,
) -> Result<HealthSnapshot, StoreError> {
    let (paused_at, paused_by, ends_at, expired, held, overdue, attention, failing, stopped, canary): SnapshotRow = with_conn!(conn, c => sqlx::query_as(concat!(
        "select (select paused_at from engine_pause where ends_at is null or ends_at > $3),
                (select paused_by from engine_pause where ends_at is null or ends_at > $3),
                (select ends_at from engine_pause where ends_at > $3),
                (select count(*) from engine_pause where ends_at <= $3),
                (select value from setting where name = $5),
                (select count(*)
                   from task
                  where state = 'scheduled'
                    and due_at < $1
                    and id <> $4
                    and (not_before is null or not_before <= $3)),
                ", attention_total!(), ",
                ", failing_total!("$2", "$3", ""), ",
                ", failing_total!("$2", "$3", concat!(" and (c.state = 'off' or ", has_ended!("$2"), ")")), ",
                (select due_at from task where id = $4 and state || '' = 'scheduled')"))
        .bind(before.millis())
        .bind(now.plus(-attention::ATTENTION_RETENTION_MS).millis())
        .bind(now.millis())
        .bind(canary::ID.0)
        .bind(DELIVERY_HOLD)
        .fetch_one(c)
        .await)?;
    let whole = |count: i64| u64::try_from(count).unwrap_or(0);
    Ok(HealthSnapshot {
        pause: paused_at.zip(paused_by).map(|(at, by)| ActivePause {
            since: at.into(),
            by: AccountId(by),
            until: ends_at.map(Timestamp::from_millis),
        }),
        has_expired_pause: expired > 0,
        is_held: held.is_some(),
        overdue: whole(overdue),
        attention: whole(attention),
        failing_channels: whole(failing),
        stopped_channels: whole(stopped),
        canary: canary.map(Timestamp::from_millis),
    })
}
