//! The late rule: a task that is later than its grace becomes *missed*, with the reason.

use super::{
    Claim,
    claim::{ids, packed, versions},
    explain::APPROVAL_GRACE_MS,
};
use crate::{Conn, StoreError, event::NewEvent};
use domain::{TaskId, Timestamp};
use serde_json::json;
use uuid::Uuid;

/// A task that has just become missed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ExpiredTask {
    pub id: TaskId,
    pub target_id: Uuid,
    pub kind: String,
    pub due_at: Timestamp,
    pub version: i32,
    pub reason: String,
}

impl ExpiredTask {
    /// The event of the task.
    pub fn event(&self, at: Timestamp) -> NewEvent {
        NewEvent {
            from_state: Some("scheduled"),
            to_state: Some("missed"),
            version: Some(self.version),
            detail: json!({
                "kind": self.kind,
                "target_id": self.target_id,
                "due_at": self.due_at,
                "reason": self.reason,
            })
            .to_string(),
            ..NewEvent::simple(at, None, "task", self.id.0, "miss")
        }
    }
}

type ExpiredRow = (Uuid, Uuid, String, i64, i32, String);

/// Marks as missed those of the claims that are later than their grace, or due for 5 s and not
/// approved. The reason of one whose review has found words that block it is `words_block`.
pub(super) async fn expire(
    conn: Conn<'_>,
    claims: &[Claim],
    sql_now: i64,
) -> Result<Vec<ExpiredTask>, StoreError> {
    let rows: Vec<ExpiredRow> = match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(
                "update task
                    set state = 'missed',
                        reason = case when approved_version = task.version then 'late'
                                      when exists (select 1 from review v
                                                    where v.revision_id = task.revision_id and v.verdict = 'block')
                                      then 'words_block'
                                      else 'not_approved' end
                   from (select unhex(value ->> 0) as id, value ->> 1 as version from jsonb_each($1)) as claim
                  where task.id = claim.id
                    and task.version = claim.version
                    and +task.state = 'scheduled'
                    and (task.grace_ms < $2 - task.due_at
                         or (task.approved_version is not task.version and $2 - task.due_at >= $3))
                 returning id, target_id, kind, due_at, version, reason",
            )
            .bind(packed(claims)?)
            .bind(sql_now)
            .bind(APPROVAL_GRACE_MS)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(
                "with clock as materialized (
                     select floor(extract(epoch from clock_timestamp()) * 1000)::bigint + $3 as now)
                 update task t
                    set state = 'missed',
                        reason = case when t.approved_version = t.version then 'late'
                                      when exists (select 1 from review v
                                                    where v.revision_id = t.revision_id and v.verdict = 'block')
                                      then 'words_block'
                                      else 'not_approved' end
                   from unnest($1::uuid[], $2::integer[]) as claim (id, version), clock
                  where t.id = claim.id
                    and t.version = claim.version
                    and t.state || '' = 'scheduled'
                    and (t.grace_ms < clock.now - t.due_at
                         or (t.approved_version is distinct from t.version and clock.now - t.due_at >= $4))
                 returning t.id, t.target_id, t.kind, t.due_at, t.version, t.reason",
            )
            .bind(ids(claims))
            .bind(versions(claims))
            .bind(sql_now)
            .bind(APPROVAL_GRACE_MS)
            .fetch_all(c)
            .await?
        }
    };
    Ok(rows.into_iter().map(expired).collect())
}

fn expired((id, target_id, kind, due_at, version, reason): ExpiredRow) -> ExpiredTask {
    ExpiredTask { id: TaskId(id), target_id, kind, due_at: Timestamp::from_millis(due_at), version, reason }
}
