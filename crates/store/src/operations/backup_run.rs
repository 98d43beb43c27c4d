//! Runs of the backups that the server writes by itself, their verification, and what is wrong.

use crate::{Conn, StoreError, db::with_conn, row::row, setting};
use domain::{NodeId, Timestamp};

/// Name of the setting with the number of the run that a node without backups asks for.
const REQUEST: &str = "backup.request";
/// Number of written runs that are listed.
const MAX_WRITTEN: i64 = 100;
/// Number of runs after which one that wrote nothing is deleted.
const FAILURES_KEPT: i64 = 20;

row! {
    /// A run. Times are milliseconds.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct RunRow {
        /// Number, from 1.
        pub number: i64,
        /// `running`, `written`, `skipped`, `failed`, `interrupted`.
        pub state: String,
        /// When it began.
        pub started_at: i64,
        /// When it ended; `None`: it is running.
        pub ended_at: Option<i64>,
        /// Name of the node that writes it.
        pub node: String,
        /// Name of the file; `None`: none was written.
        pub file: Option<String>,
        /// Size of the file; of a skipped run the free space that it needs.
        pub bytes: Option<i64>,
        /// When the file was deleted, because newer ones are kept.
        pub removed_at: Option<i64>,
        /// Why it failed, as the system says it.
        pub detail: Option<String>,
        /// `running`, `restored`, `failed`; `None`: it was not verified.
        pub verification: Option<String>,
        /// When it was verified.
        pub verified_at: Option<i64>,
        /// How long the restore took.
        pub restore_ms: Option<i64>,
        /// Why it cannot be restored.
        pub verify_detail: Option<String>,
    }
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunEnd {
    /// `written`, `skipped` or `failed`.
    pub state: &'static str,
    /// Name of the file; `None`: none was written.
    pub file: Option<String>,
    /// Size of the file; of a skipped run the free space that it needs.
    pub bytes: Option<i64>,
    /// Why it failed, as the system says it.
    pub detail: Option<String>,
}

/// Result of a verification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerificationEnd {
    /// When it ended.
    pub at: Timestamp,
    /// How long the restore took, milliseconds.
    pub restore_ms: i64,
    /// Why the backup cannot be restored; `None`: it can.
    pub problem: Option<String>,
}

macro_rules! runs {
    ($where:literal) => {
        concat!(
            "select number, state, started_at, ended_at, node, file, bytes, removed_at, detail, verification,
                    verified_at, restore_ms, verify_detail
               from backup_run ",
            $where
        )
    };
}

/// Returns the newest runs, newest first.
pub async fn newest(conn: Conn<'_>, limit: u16) -> Result<Vec<RunRow>, StoreError> {
    Ok(
        with_conn!(conn, c => sqlx::query_as(runs!("order by number desc limit $1")).bind(i64::from(limit)).fetch_all(c).await)?,
    )
}

/// Returns the newest run that wrote a file; `None`: there is none.
pub async fn last_written(conn: Conn<'_>) -> Result<Option<RunRow>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(runs!("where state = 'written' order by number desc limit 1"))
        .fetch_optional(c).await)?)
}

/// Returns the run that was verified last; `None`: none was. By number, because only the newest run is
/// verified, and a clock that was wrong once must not decide.
pub async fn last_verified(conn: Conn<'_>) -> Result<Option<RunRow>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(runs!(
        "where verification in ('restored', 'failed') order by number desc limit 1"))
        .fetch_optional(c).await)?)
}

/// Returns the newest run whose file could be restored; `None`: there is none.
pub async fn last_restored(conn: Conn<'_>) -> Result<Option<RunRow>, StoreError> {
    Ok(
        with_conn!(conn, c => sqlx::query_as(runs!("where verification = 'restored' order by number desc limit 1"))
        .fetch_optional(c).await)?,
    )
}

/// Returns one run; `None`: it does not exist.
pub async fn find(conn: Conn<'_>, number: i64) -> Result<Option<RunRow>, StoreError> {
    Ok(
        with_conn!(conn, c => sqlx::query_as(runs!("where number = $1")).bind(number).fetch_optional(c).await)?,
    )
}

/// Begins the run with this number. False: another node has begun it, or another run is not over.
pub async fn begin(
    conn: Conn<'_>,
    number: i64,
    node: NodeId,
    name: &str,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let changed = with_conn!(conn, c => sqlx::query(
        "insert into backup_run (number, state, started_at, node_id, node)
         select $1, 'running', $2, $3, $4
          where not exists (select 1 from backup_run where state = 'running')
         on conflict (number) do nothing")
        .bind(number).bind(now.millis()).bind(node.0).bind(name).execute(c).await?.rows_affected());
    Ok(changed > 0)
}

/// Asks the nodes that write backups for the run with this number.
pub async fn request(conn: Conn<'_>, number: i64) -> Result<(), StoreError> {
    setting::put(conn, REQUEST, &number.to_string()).await
}

/// Whether a run was asked for that no node has begun.
pub async fn is_requested(mut conn: Conn<'_>) -> Result<bool, StoreError> {
    let Some(number) = setting::find(conn.reborrow(), REQUEST).await? else { return Ok(false) };
    let newest = newest(conn, 1).await?.first().map_or(0, |run| run.number);
    Ok(number.parse::<i64>().is_ok_and(|number| number > newest))
}

/// Takes the request back. Of one that was fulfilled nothing is left either.
pub async fn delete_request(conn: Conn<'_>) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query("delete from setting where name = $1")
        .bind(REQUEST).execute(c).await?.rows_affected());
    Ok(())
}

/// Whether a node that runs the engine is alive: it writes backups.
pub async fn has_writer(conn: Conn<'_>) -> Result<bool, StoreError> {
    let found: Option<i32> = with_conn!(conn, c => sqlx::query_scalar(
        "select 1 from node where state = 'alive' and role <> 'web' limit 1").fetch_optional(c).await)?;
    Ok(found.is_some())
}

/// Records how a run ended. False: it was ended by another node, which took this one for dead.
pub async fn finish(conn: Conn<'_>, number: i64, end: &RunEnd, now: Timestamp) -> Result<bool, StoreError> {
    let changed = with_conn!(conn, c => sqlx::query(
        "update backup_run
            set state = $2, ended_at = $3, file = $4, bytes = $5, detail = $6
          where number = $1
            and state = 'running'")
        .bind(number).bind(end.state).bind(now.millis()).bind(end.file.as_deref()).bind(end.bytes)
        .bind(end.detail.as_deref()).execute(c).await?.rows_affected());
    Ok(changed > 0)
}

/// Ends the runs and the verifications of nodes that are not alive, and those of `own`: its process
/// calls this while it has none in flight.
pub async fn end_interrupted(mut conn: Conn<'_>, own: NodeId, now: Timestamp) -> Result<(), StoreError> {
    with_conn!(conn.reborrow(), c => sqlx::query(
        "update backup_run
            set state = 'interrupted', ended_at = $2
          where state = 'running'
            and (node_id = $1
                 or not exists (select 1 from node where node.id = backup_run.node_id and node.state = 'alive'))")
        .bind(own.0).bind(now.millis()).execute(c).await?.rows_affected());
    with_conn!(conn, c => sqlx::query(
        "update backup_run
            set verification = null, verifier_id = null
          where verification = 'running'
            and (verifier_id = $1
                 or not exists (select 1 from node where node.id = backup_run.verifier_id and node.state = 'alive'))")
        .bind(own.0).execute(c).await?.rows_affected());
    Ok(())
}

/// Begins the verification of a run. False: another node has begun it, or verifies another one.
pub async fn begin_verification(conn: Conn<'_>, number: i64, node: NodeId) -> Result<bool, StoreError> {
    let changed = with_conn!(conn, c => sqlx::query(
        "update backup_run
            set verification = 'running', verifier_id = $2
          where number = $1
            and state = 'written'
            and verification is null
            and not exists (select 1 from backup_run as other where other.verification = 'running')")
        .bind(number).bind(node.0).execute(c).await?.rows_affected());
    Ok(changed > 0)
}

/// Records the result of a verification. False: it was ended by another node.
pub async fn finish_verification(
    conn: Conn<'_>,
    number: i64,
    node: NodeId,
    end: &VerificationEnd,
) -> Result<bool, StoreError> {
    let state = if end.problem.is_none() { "restored" } else { "failed" };
    let changed = with_conn!(conn, c => sqlx::query(
        "update backup_run
            set verification = $3, verified_at = $4, restore_ms = $5, verify_detail = $6
          where number = $1
            and verifier_id = $2
            and verification = 'running'")
        .bind(number).bind(node.0).bind(state).bind(end.at.millis()).bind(end.restore_ms)
        .bind(end.problem.as_deref()).execute(c).await?.rows_affected());
    Ok(changed > 0)
}

/// Records that the file was deleted, because newer ones are kept.
pub async fn mark_removed(conn: Conn<'_>, file: &str, now: Timestamp) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query("update backup_run set removed_at = $2 where file = $1 and removed_at is null")
        .bind(file).bind(now.millis()).execute(c).await?.rows_affected());
    Ok(())
}

/// Deletes runs that wrote nothing and are not among the last ones, and the oldest of the others. The last
/// verification of each result stays: it says when the next one is due, and whether backups can be restored.
/// `number`: of the newest run.
pub async fn delete_old(mut conn: Conn<'_>, number: i64) -> Result<(), StoreError> {
    with_conn!(conn.reborrow(), c => sqlx::query(
        "delete from backup_run where state not in ('running', 'written') and number <= $1")
        .bind(number - FAILURES_KEPT).execute(c).await?.rows_affected());
    with_conn!(conn, c => sqlx::query(
        "delete from backup_run
          where state = 'written'
            and number not in (select number from backup_run where state = 'written' order by number desc limit $1)
            and number not in (select max(number) from backup_run
                                where verification in ('restored', 'failed') group by verification)")
        .bind(MAX_WRITTEN).execute(c).await?.rows_affected());
    Ok(())
}

/// Records what is wrong and since when; `None`: nothing is.
pub async fn set_problem(conn: Conn<'_>, problem: Option<(&str, Timestamp)>) -> Result<(), StoreError> {
    let Some((cause, since)) = problem else {
        with_conn!(conn, c => sqlx::query("delete from backup_problem").execute(c).await?.rows_affected());
        return Ok(());
    };
    with_conn!(conn, c => sqlx::query(
        "insert into backup_problem (id, cause, since) values (1, $1, $2)
         on conflict (id) do update
            set cause = excluded.cause, since = excluded.since")
        .bind(cause).bind(since.millis()).execute(c).await?.rows_affected());
    Ok(())
}

/// Returns what is wrong and since when; `None`: nothing is.
pub async fn find_problem(conn: Conn<'_>) -> Result<Option<(String, i64)>, StoreError> {
    Ok(
        with_conn!(conn, c => sqlx::query_as("select cause, since from backup_problem").fetch_optional(c).await)?,
    )
}

/// Returns when the first account was created; `None`: there is none, so there is nothing to save.
pub async fn first_account_at(conn: Conn<'_>) -> Result<Option<Timestamp>, StoreError> {
    let at: Option<i64> =
        with_conn!(conn, c => sqlx::query_scalar("select min(created_at) from account").fetch_one(c).await)?;
    Ok(at.map(Timestamp::from_millis))
}

/// Returns the size of the database, bytes.
pub async fn database_bytes(conn: Conn<'_>) -> Result<i64, StoreError> {
    Ok(match conn {
        Conn::Sqlite(c) => {
            sqlx::query_scalar(
                "select p.page_count * s.page_size from pragma_page_count() p, pragma_page_size() s",
            )
            .fetch_one(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_scalar("select pg_database_size(current_database())").fetch_one(c).await?
        }
    })
}
