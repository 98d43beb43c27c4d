//! Claims due tasks by compare-and-set, so that each version of a task is executed at most once.

use super::{Claim, ClaimedTask};
use crate::{
    Conn, StoreError, Tx,
    json_rows::{decode, encode},
    prepared_call::PreparedCall,
};
use domain::{RevisionId, State, TaskId, Timestamp, Version};
use sqlx::{FromRow as _, SqliteConnection, postgres::PgRow};
use uuid::Uuid;

/// Delay from which a task counts as late, milliseconds. Of several late tasks of one target
/// readers see only the last state. Below it a user may have scheduled two tasks so close together
/// on purpose, and readers see both.
pub(super) const LATE_MS: i64 = 500;

/// Why a claim was not granted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stale {
    /// The task does not exist.
    Gone,
    /// The task has another version.
    Changed,
    /// The task is no longer scheduled: executed, cancelled, failed or missed.
    Ended,
    /// The task is not due yet, by the database's clock or this process's.
    Early {
        /// When to claim again, by this process's clock. The wait is measured by the clock that is
        /// behind.
        until: Timestamp,
    },
    /// The pinned text is not approved, and still may be.
    Unapproved,
    /// An earlier task of the same target is executed first.
    AfterEarlierTask,
    /// This release does not know the kind; a newer one may.
    UnknownKind,
    /// The maximum number of tasks of this kind is being executed.
    ConcurrencyLimit,
    /// The maximum number of executions of this kind have started.
    RateLimit {
        /// When it is its turn.
        until: Timestamp,
    },
}

/// Clocks and kinds to which a compare-and-set is bound.
#[derive(Clone, Copy)]
pub(super) struct TimeBounds {
    /// Clock of this process.
    pub now: Timestamp,
    /// See [`crate::Store::sql_now`].
    pub sql_now: i64,
    /// Tasks of other kinds are not claimed.
    pub kinds: &'static [&'static str],
}

/// Returns the claims in id order, without duplicates.
pub(super) fn sorted(claims: &[Claim]) -> Vec<Claim> {
    let mut sorted = claims.to_vec();
    sorted.sort_by_key(|claim| (claim.task, claim.version));
    sorted.dedup_by_key(|claim| (claim.task, claim.version));
    sorted
}

/// Locks the targets of the tasks in id order, so that decisions stay valid until the commit. On
/// SQLite the transaction already has the only writer.
pub(super) async fn lock_targets(tx: &mut Tx, claims: &[Claim]) -> Result<(), StoreError> {
    if let Conn::Postgres(c) = tx.conn() {
        sqlx::query(lock_targets_sql!()).bind(ids(claims)).execute(c).await?;
    }
    Ok(())
}

macro_rules! lock_targets_sql {
    () => {
        "select g.id
           from target g
          where g.id in (select t.target_id from task t where t.id = any($1::uuid[]))
          order by g.id
            for no key update"
    };
}
use lock_targets_sql;

/// Prepares `presstime_lock_targets(task ids)` on a connection to PostgreSQL: the same locks, or an
/// error at once if one is taken.
pub(super) const LOCK_STATEMENT: &str =
    concat!("prepare presstime_lock_targets (uuid[]) as ", lock_targets_sql!(), " nowait");

/// The call of [`LOCK_STATEMENT`].
pub(super) fn lock_call(claims: &[Claim]) -> String {
    PreparedCall::new("presstime_lock_targets").array(claims.iter().map(|claim| Some(claim.task.0))).sql()
}

/// A claimed task. The last number is 1 if the task was late and later tasks of its target are due
/// too.
type ClaimedRow = (Uuid, String, Uuid, Option<Uuid>, i64, i32, i32);

/// The tasks that a compare-and-set claimed.
pub(super) struct ClaimBatch {
    /// In due order.
    pub tasks: Vec<ClaimedTask>,
    /// Targets of late tasks for which later tasks are due too.
    pub blocked_targets: Vec<Uuid>,
}

// A subquery with `limit 1` stays one index lookup per task; `exists` may become a scan of all
// scheduled tasks. State and due time are hidden from the planner (`|| ''`, `+ 0`): otherwise it
// joins all due tasks with all claims instead of looking each claim up by its key (measured: 325 ms
// for 500 claims among 20,000 due tasks). In the lookups by target the state is hidden too: planned
// while the table is empty, or with statistics of a moment without scheduled tasks, the index by state
// would cost the same as the one by target, and all scheduled tasks would be read for each claim
// (measured: 4.4 s for 500 claims among 20,000).
macro_rules! compare_and_set {
    () => {
        "with clock as materialized (
             select floor(extract(epoch from clock_timestamp()) * 1000)::bigint + $3 as now)
         update task t
            set state = 'executed', executed_at = $4, attempts = attempts + 1, reason = null
           from unnest($1::uuid[], $2::integer[]) as claim (id, version), clock
          where t.id = claim.id
            and t.version = claim.version
            and t.state || '' = 'scheduled'
            and t.kind = any($5::text[])
            and t.due_at + 0 <= clock.now
            and t.due_at + 0 <= $4
            and (t.not_before is null or (t.not_before <= clock.now and t.not_before <= $4))
            and t.approved_version = t.version
            and t.grace_ms >= clock.now - t.due_at
            and (select earlier.id
                   from task earlier
                  where earlier.target_id = t.target_id
                    and earlier.state || '' = $7
                    and (earlier.due_at, earlier.id) < (t.due_at, t.id)
                  limit 1) is null
         returning t.id, t.kind, t.target_id, t.revision_id, t.due_at, t.version,
                   case when $4 - t.due_at > $6
                         and (select later.id
                                from task later
                               where later.target_id = t.target_id
                                 and later.state || '' = $7
                                 and (later.due_at, later.id) > (t.due_at, t.id)
                                 and later.due_at <= $4
                               limit 1) is not null then 1 else 0 end"
    };
}

const SCHEDULED: &str = State::Scheduled.as_str();

/// Maximum number of claims sent as text in one message with other statements. With more, parsing
/// costs more than a message.
const MAX_CLAIMS_AS_TEXT: usize = 64;

/// Whether the claims are few enough to be sent as text in one message instead of as bound
/// parameters.
pub(super) fn are_few(claims: &[Claim]) -> bool {
    claims.len() <= MAX_CLAIMS_AS_TEXT
}

/// Prepares `presstime_claim(…)` on a connection to PostgreSQL: the same compare-and-set.
pub(super) const CLAIM_STATEMENT: &str = concat!(
    "prepare presstime_claim (uuid[], integer[], bigint, bigint, text[], bigint, text) as ",
    compare_and_set!()
);

/// The call of [`CLAIM_STATEMENT`]; [`claimed`] reads its rows.
pub(super) fn claim_call(claims: &[Claim], bounds: TimeBounds) -> String {
    PreparedCall::new("presstime_claim")
        .array(claims.iter().map(|claim| Some(claim.task.0)))
        .array(claims.iter().map(|claim| Some(claim.version.0)))
        .number(bounds.sql_now)
        .number(bounds.now.millis())
        .text_array(bounds.kinds.iter().map(|kind| Some(*kind)))
        .number(LATE_MS)
        .text(SCHEDULED)
        .sql()
}

/// Reads the rows of [`CLAIM_STATEMENT`].
pub(super) fn claimed(rows: &[PgRow], bounds: TimeBounds) -> Result<ClaimBatch, StoreError> {
    let rows = rows.iter().map(ClaimedRow::from_row).collect::<Result<Vec<_>, _>>()?;
    claim_batch(rows, bounds)
}

fn claim_batch(rows: Vec<ClaimedRow>, bounds: TimeBounds) -> Result<ClaimBatch, StoreError> {
    let blocked_targets = rows.iter().filter(|row| row.6 == 1).map(|row| row.2).collect();
    let mut tasks =
        rows.into_iter().map(|row| claimed_task(row, bounds.kinds)).collect::<Result<Vec<_>, _>>()?;
    tasks.sort_by_key(|task| (task.due_at, task.id));
    Ok(ClaimBatch { tasks, blocked_targets })
}

/// Claims the tasks that may be executed: they are *executed* from here on, unless the transaction
/// rolls back.
pub(super) async fn claim_due(
    conn: Conn<'_>,
    claims: &[Claim],
    bounds: TimeBounds,
) -> Result<ClaimBatch, StoreError> {
    claim_batch(
        match conn {
            Conn::Sqlite(c) => claim_sqlite(c, claims, bounds).await?,
            Conn::Postgres(c) => claim_postgres(c, claims, bounds).await?,
        },
        bounds,
    )
}

// Selects first, then updates: this transaction is the only writer, and the result is one row. With
// `returning`, each row would be sent from SQLite's thread to the caller by itself. The select also
// returns the rowids, so that the update need not look the rows up again. `indexed by`: otherwise
// SQLite reads all due tasks for each task. `or fail`: an error ends the transaction, so no
// statement journal is needed.
async fn claim_sqlite(
    c: &mut SqliteConnection,
    claims: &[Claim],
    bounds: TimeBounds,
) -> Result<Vec<ClaimedRow>, StoreError> {
    let (packed, rowids): (String, String) = sqlx::query_as(
        "select json_group_array(json_array(
                    hex(task.id), task.kind, hex(task.target_id),
                    iif(task.revision_id is null, null, hex(task.revision_id)), task.due_at, task.version,
                    $3 - task.due_at > $5
                    and exists (select 1
                                  from task later indexed by task_target
                                 where later.target_id = task.target_id
                                   and later.state = 'scheduled'
                                   and (later.due_at, later.id) > (task.due_at, task.id)
                                   and later.due_at <= $3))),
                json_group_array(task.rowid)
           from (select unhex(value ->> 0) as id, value ->> 1 as version from jsonb_each($1)) as claim
          cross join task
          where task.id = claim.id
            and task.version = claim.version
            and +task.state = 'scheduled'
            and task.kind in (select value from jsonb_each($4))
            and task.due_at <= $2
            and task.due_at <= $3
            and (task.not_before is null or (task.not_before <= $2 and task.not_before <= $3))
            and task.approved_version = task.version
            and task.grace_ms >= $2 - task.due_at
            and not exists (select 1
                              from task earlier indexed by task_target
                             where earlier.target_id = task.target_id
                               and earlier.state = 'scheduled'
                               and (earlier.due_at, earlier.id) < (task.due_at, task.id))",
    )
    .bind(packed(claims)?)
    .bind(bounds.sql_now)
    .bind(bounds.now.millis())
    .bind(encode(bounds.kinds)?)
    .bind(LATE_MS)
    .fetch_one(&mut *c)
    .await?;
    let rows: Vec<ClaimedRow> = decode(&packed)?;
    if rows.is_empty() {
        return Ok(rows);
    }
    let updated = sqlx::query(
        "update or fail task
            set state = 'executed', executed_at = $2, attempts = attempts + 1, reason = null
          where rowid in (select value from jsonb_each($1))
            and +state = 'scheduled'",
    )
    .bind(rowids)
    .bind(bounds.now.millis())
    .execute(c)
    .await?;
    if updated.rows_affected() != rows.len() as u64 {
        return Err(StoreError::Corrupt("tasks changed under the only writer".to_owned()));
    }
    Ok(rows)
}

async fn claim_postgres(
    c: &mut crate::PgConn,
    claims: &[Claim],
    bounds: TimeBounds,
) -> Result<Vec<ClaimedRow>, StoreError> {
    let rows = sqlx::query_as(compare_and_set!())
        .bind(ids(claims))
        .bind(versions(claims))
        .bind(bounds.sql_now)
        .bind(bounds.now.millis())
        .bind(bounds.kinds)
        .bind(LATE_MS)
        .bind(SCHEDULED)
        .fetch_all(c)
        .await?;
    Ok(rows)
}

fn claimed_task(row: ClaimedRow, kinds: &'static [&'static str]) -> Result<ClaimedTask, StoreError> {
    let (id, kind, target_id, revision_id, due_at, version, _) = row;
    let known = kinds.iter().find(|known| **known == kind);
    Ok(ClaimedTask {
        id: TaskId(id),
        kind: known.ok_or_else(|| StoreError::Corrupt(format!("a task of the kind {kind:?}")))?,
        target_id,
        revision_id: revision_id.map(RevisionId),
        due_at: Timestamp::from_millis(due_at),
        version: Version(version),
    })
}

pub(super) fn ids(claims: &[Claim]) -> Vec<Uuid> {
    claims.iter().map(|claim| claim.task.0).collect()
}

pub(super) fn versions(claims: &[Claim]) -> Vec<i32> {
    claims.iter().map(|claim| claim.version.0).collect()
}

/// JSON rows `[id, version]`.
pub(super) fn packed<'a>(claims: impl IntoIterator<Item = &'a Claim>) -> Result<String, StoreError> {
    encode(claims.into_iter().map(|claim| (claim.task.0.simple(), claim.version.0)))
}
