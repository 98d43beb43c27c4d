//! The compare-and-set.

use super::{Taken, companions};
use crate::{
    Conn, StoreError, Tx,
    batch::{pack, unpack},
    literal::Call,
};
use domain::{DueHint, Hint, Lane, RevisionId, State, TaskId, Timestamp, Version};
use sqlx::{FromRow as _, SqliteConnection, postgres::PgRow};
use uuid::Uuid;

/// A wish to execute one version of a task: from a hint, or found by the sweeper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Claim {
    /// The task.
    pub task: TaskId,
    /// The version the wish is for; another one loses.
    pub version: Version,
    /// Lane, for giving it back.
    pub lane: Lane,
    /// Bucket, for giving it back.
    pub bucket: u16,
    /// When its hint entered the future set.
    pub hinted_at: Option<Timestamp>,
    /// When its hint was moved to the publish list; `None`: found by the sweeper.
    pub moved_at: Option<Timestamp>,
    /// When a consumer took it.
    pub popped_at: Option<Timestamp>,
}

impl Claim {
    /// For what was found in SQL; no hint brought it.
    pub(crate) fn found((task, version, lane, bucket): (Uuid, i32, &str, i32)) -> Result<Self, StoreError> {
        Ok(Self {
            task: TaskId(task),
            version: Version(version),
            lane: lane.parse().map_err(|_| StoreError::Corrupt(format!("a task in the lane {lane:?}")))?,
            bucket: u16::try_from(bucket).unwrap_or(0),
            hinted_at: None,
            moved_at: None,
            popped_at: None,
        })
    }

    /// The hint that brings it again at `due_at`.
    #[must_use]
    pub fn hint(&self, due_at: Timestamp) -> Hint {
        Hint { task: self.task, version: self.version, due_at, lane: self.lane, bucket: self.bucket }
    }
}

impl From<DueHint> for Claim {
    fn from(hint: DueHint) -> Self {
        Self {
            task: hint.task,
            version: hint.version,
            lane: hint.lane,
            bucket: hint.bucket,
            hinted_at: hint.hinted_at,
            moved_at: Some(hint.moved_at),
            popped_at: Some(hint.popped_at),
        }
    }
}

/// Why a claim was not granted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stale {
    /// There is no such task.
    Gone,
    /// It has another version.
    Changed,
    /// It is not waiting any more: executed, cancelled, failed or missed.
    Ended,
    /// Its moment has not come, by the database's clock or this process's.
    Early {
        /// How long to wait from now, by the clock that is behind: ask again at that moment of this process's clock.
        until: Timestamp,
    },
    /// What it would publish is not approved, and still may be.
    Unapproved,
    /// An earlier task of the same target goes first.
    Waits,
    /// A newer release knows what to do with it.
    Foreign,
    /// As many of its kind as may be are being executed.
    Full,
}

/// What a compare-and-set is bound to.
#[derive(Clone, Copy)]
pub(super) struct Bounds {
    /// This process's clock.
    pub now: Timestamp,
    /// See [`crate::Store::sql_now`].
    pub sql_now: i64,
    /// Tasks of other kinds are left alone.
    pub kinds: &'static [&'static str],
}

/// The claims in id order, each once.
pub(super) fn sorted(claims: &[Claim]) -> Vec<Claim> {
    let mut sorted = claims.to_vec();
    sorted.sort_by_key(|claim| (claim.task, claim.version));
    sorted.dedup_by_key(|claim| (claim.task, claim.version));
    sorted
}

/// Locks what the tasks are about, in id order, so that whatever is decided afterwards stays true until the commit.
/// SQLite's transaction has the only writer already.
pub(super) async fn lock_targets(tx: &mut Tx, claims: &[Claim]) -> Result<(), StoreError> {
    if let Conn::Postgres(c) = tx.conn() {
        sqlx::query(lock!()).bind(ids(claims)).execute(c).await?;
    }
    Ok(())
}

macro_rules! lock {
    () => {
        "select a.id
           from article a
          where a.id in (select t.target_id from task t where t.id = any($1::uuid[]))
          order by a.id
            for no key update"
    };
}
use lock;

/// Makes `presstime_lock(ids of tasks)` known to a connection to PostgreSQL: the same locks, or an error at once if they are not free.
pub(super) const LOCK_STATEMENT: &str = concat!("prepare presstime_lock (uuid[]) as ", lock!(), " nowait");

/// The call of [`LOCK_STATEMENT`].
pub(super) fn lock_call(claims: &[Claim]) -> String {
    Call::of("presstime_lock").plain(claims.iter().map(|claim| Some(claim.task.0))).sql()
}

/// A task as it was taken; the last number is 1 where more is due of what it is about and it was held up itself.
type TakenRow = (Uuid, String, Uuid, Option<Uuid>, i64, i32, i32);

/// What a compare-and-set took.
pub(super) struct Catch {
    /// The tasks, in due order.
    pub tasks: Vec<Taken>,
    /// What those that were held up are about, where more of it is due.
    pub crowded: Vec<Uuid>,
}

// A subquery with a limit stays one look into an index for each task; `exists` may become a scan of all that waits.
// State and moment are hidden from the planner: it would rather compare all that is due with all claims than look each
// claim up by its key. Measured for 500 claims among 20,000 due tasks: 325 ms that way. For the same reason the state that
// is looked for beside a target is bound ($7): where the statistics are of a moment at which nothing waited, all that waits
// seemed the shorter way to what waits for a target. Measured: 3.4 s for 500 among 20,000.
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
            and t.late_grace >= clock.now - t.due_at
            and (select earlier.id
                   from task earlier
                  where earlier.target_id = t.target_id
                    and earlier.state = $7
                    and (earlier.due_at, earlier.id) < (t.due_at, t.id)
                  limit 1) is null
         returning t.id, t.kind, t.target_id, t.revision_id, t.due_at, t.version,
                   case when $4 - t.due_at > $6
                         and (select later.id
                                from task later
                               where later.target_id = t.target_id
                                 and later.state = $7
                                 and (later.due_at, later.id) > (t.due_at, t.id)
                                 and later.due_at <= $4
                               limit 1) is not null then 1 else 0 end"
    };
}

const SCHEDULED: &str = State::Scheduled.as_str();

/// Most claims that are sent as text, with others in one message: for more, the server would read longer than the message takes.
const FEW: usize = 64;

/// Whether the claims are so few that a message less is worth more than their being bound.
pub(super) fn are_few(claims: &[Claim]) -> bool {
    claims.len() <= FEW
}

/// Makes `presstime_take(…)` known to a connection to PostgreSQL: the same compare-and-set.
pub(super) const TAKE_STATEMENT: &str = concat!(
    "prepare presstime_take (uuid[], integer[], bigint, bigint, text[], bigint, text) as ",
    compare_and_set!()
);

/// The call of [`TAKE_STATEMENT`]; its rows are for [`caught`].
pub(super) fn take_call(claims: &[Claim], bounds: Bounds) -> String {
    Call::of("presstime_take")
        .plain(claims.iter().map(|claim| Some(claim.task.0)))
        .plain(claims.iter().map(|claim| Some(claim.version.0)))
        .number(bounds.sql_now)
        .number(bounds.now.millis())
        .texts(bounds.kinds.iter().map(|kind| Some(*kind)))
        .number(companions::LATE_MS)
        .text(SCHEDULED)
        .sql()
}

/// What a call of [`TAKE_STATEMENT`] took.
pub(super) fn caught(rows: &[PgRow], bounds: Bounds) -> Result<Catch, StoreError> {
    let rows = rows.iter().map(TakenRow::from_row).collect::<Result<Vec<_>, _>>()?;
    catch(rows, bounds)
}

fn catch(rows: Vec<TakenRow>, bounds: Bounds) -> Result<Catch, StoreError> {
    let crowded = rows.iter().filter(|row| row.6 == 1).map(|row| row.2).collect();
    let mut tasks = rows.into_iter().map(|row| taken(row, bounds.kinds)).collect::<Result<Vec<_>, _>>()?;
    tasks.sort_by_key(|task| (task.due_at, task.id));
    Ok(Catch { tasks, crowded })
}

/// Takes what SQL allows: these are *executed* from here on, unless the transaction ends otherwise.
pub(super) async fn take(conn: Conn<'_>, claims: &[Claim], bounds: Bounds) -> Result<Catch, StoreError> {
    catch(
        match conn {
            Conn::Sqlite(c) => take_sqlite(c, claims, bounds).await?,
            Conn::Postgres(c) => take_postgres(c, claims, bounds).await?,
        },
        bounds,
    )
}

// Asked first and taken then: this transaction is the only writer, and the answer is one row. Each row of `returning` would
// go from SQLite's thread to ours by itself. Beside it stands where the rows are, so that they need not be found once more. The index
// is named: SQLite would rather look through everything that is due, for each task. `or fail`: an error ends the transaction, and
// nothing need be kept to undo the statement alone.
async fn take_sqlite(
    c: &mut SqliteConnection,
    claims: &[Claim],
    bounds: Bounds,
) -> Result<Vec<TakenRow>, StoreError> {
    let (packed, rowids): (String, String) = sqlx::query_as(
        "select json_group_array(json_array(
                    hex(task.id), task.kind, hex(task.target_id),
                    iif(task.revision_id is null, null, hex(task.revision_id)), task.due_at, task.version,
                    $3 - task.due_at > $5
                    and exists (select 1
                                  from task later indexed by task_of_target
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
            and task.late_grace >= $2 - task.due_at
            and not exists (select 1
                              from task earlier indexed by task_of_target
                             where earlier.target_id = task.target_id
                               and earlier.state = 'scheduled'
                               and (earlier.due_at, earlier.id) < (task.due_at, task.id))",
    )
    .bind(packed(claims)?)
    .bind(bounds.sql_now)
    .bind(bounds.now.millis())
    .bind(pack(bounds.kinds)?)
    .bind(companions::LATE_MS)
    .fetch_one(&mut *c)
    .await?;
    let rows: Vec<TakenRow> = unpack(&packed)?;
    if rows.is_empty() {
        return Ok(rows);
    }
    let took = sqlx::query(
        "update or fail task
            set state = 'executed', executed_at = $2, attempts = attempts + 1, reason = null
          where rowid in (select value from jsonb_each($1))
            and +state = 'scheduled'",
    )
    .bind(rowids)
    .bind(bounds.now.millis())
    .execute(c)
    .await?;
    if took.rows_affected() != rows.len() as u64 {
        return Err(StoreError::Corrupt("tasks changed under the only writer".to_owned()));
    }
    Ok(rows)
}

async fn take_postgres(
    c: &mut crate::Line,
    claims: &[Claim],
    bounds: Bounds,
) -> Result<Vec<TakenRow>, StoreError> {
    let rows = sqlx::query_as(compare_and_set!())
        .bind(ids(claims))
        .bind(versions(claims))
        .bind(bounds.sql_now)
        .bind(bounds.now.millis())
        .bind(bounds.kinds)
        .bind(companions::LATE_MS)
        .bind(SCHEDULED)
        .fetch_all(c)
        .await?;
    Ok(rows)
}

fn taken(row: TakenRow, kinds: &'static [&'static str]) -> Result<Taken, StoreError> {
    let (id, kind, target_id, revision_id, due_at, version, _) = row;
    let known = kinds.iter().find(|known| **known == kind);
    Ok(Taken {
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

/// `[id, version]` for each.
pub(super) fn packed<'a>(claims: impl IntoIterator<Item = &'a Claim>) -> Result<String, StoreError> {
    pack(claims.into_iter().map(|claim| (claim.task.0.simple(), claim.version.0)))
}
