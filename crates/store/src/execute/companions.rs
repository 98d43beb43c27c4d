//! What is overdue together with something that has just been executed: it goes with it, so that readers see only the last state,
//! whichever hints this batch happened to hold.

use super::{Claim, Limit, claim::Bounds};
use crate::{Conn, StoreError, batch::pack};
use domain::State;
use uuid::Uuid;

/// Somebody may have planned two things for one article so close together that both are seen. What is later than this has been
/// held up: only the last of it is to be seen, milliseconds.
pub(super) const LATE_MS: i64 = 500;
/// Most of them in one look.
const MOST: i64 = 500;

/// All that waits for these targets and is due, in due order; without kinds of which only so many may happen at once, and
/// without what nodes have died with.
pub(super) async fn of(
    conn: Conn<'_>,
    targets: &[Uuid],
    bounds: Bounds,
    limits: &[Limit],
) -> Result<Vec<Claim>, StoreError> {
    if targets.is_empty() {
        return Ok(Vec::new());
    }
    let is_free = |kind: &&&str| !limits.iter().any(|(limited, _)| limited == *kind);
    let kinds: Vec<&str> = bounds.kinds.iter().filter(is_free).copied().collect();
    let rows: Vec<(Uuid, i32, String, i32)> = match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(
                "select id, version, lane, bucket
                   from task indexed by task_of_target
                  where target_id in (select unhex(value) from jsonb_each($1))
                    and state = 'scheduled'
                    and due_at <= $2
                    and strikes = 0
                    and kind in (select value from jsonb_each($3))
                  order by due_at, id
                  limit $4",
            )
            .bind(pack(targets.iter().map(Uuid::as_simple))?)
            .bind(bounds.now.millis())
            .bind(pack(kinds)?)
            .bind(MOST)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(
                "select id, version, lane, bucket
                   from task
                  where target_id = any($1::uuid[])
                    and state = $5
                    and due_at <= $2
                    and strikes = 0
                    and kind = any($3::text[])
                  order by due_at, id
                  limit $4",
            )
            .bind(targets)
            .bind(bounds.now.millis())
            .bind(kinds)
            .bind(MOST)
            .bind(State::Scheduled.as_str())
            .fetch_all(c)
            .await?
        }
    };
    rows.iter().map(|(id, version, lane, bucket)| Claim::found((*id, *version, lane, *bucket))).collect()
}
