//! Outcomes per recipient, for messages with several recipients.

use super::attempt_result::{AttemptResult, ChangedRow};
use crate::{Conn, StoreError, db::with_conn, json_rows::encode};
use domain::{DeliveryId, Timestamp, delivery::Recipient};
use std::collections::{HashMap, HashSet};
use uuid::Uuid;

type Row = (Uuid, String, String, Option<i32>, Option<String>);

fn read(row: Row) -> Option<(Uuid, Recipient)> {
    let (id, recipient, outcome, status, response_body) = row;
    let status = status.and_then(|status| u16::try_from(status).ok());
    Some((id, Recipient { recipient, outcome: outcome.parse().ok()?, status, response_body }))
}

/// Returns the known outcomes per delivery. A delivery is missing if no attempt has reported single
/// recipients.
pub async fn known(conn: Conn<'_>, ids: &[Uuid]) -> Result<HashMap<Uuid, Vec<Recipient>>, StoreError> {
    let mut all: HashMap<Uuid, Vec<Recipient>> = HashMap::new();
    if ids.is_empty() {
        return Ok(all);
    }
    let rows: Vec<Row> = match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(
                "select delivery_id, recipient, outcome, status, response_body
                   from delivery_recipient
                  where delivery_id in (select unhex(value) from jsonb_each($1))",
            )
            .bind(encode(ids.iter().map(Uuid::as_simple))?)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(
                "select delivery_id, recipient, outcome, status, response_body
                   from delivery_recipient
                  where delivery_id = any($1)",
            )
            .bind(ids)
            .fetch_all(c)
            .await?
        }
    };
    for (id, recipient) in rows.into_iter().filter_map(read) {
        all.entry(id).or_default().push(recipient);
    }
    Ok(all)
}

/// Returns the known outcomes of one delivery, ordered by recipient.
pub async fn of(conn: Conn<'_>, id: DeliveryId) -> Result<Vec<Recipient>, StoreError> {
    let mut known = known(conn, &[id.0]).await?.remove(&id.0).unwrap_or_default();
    known.sort_by(|one, other| one.recipient.cmp(&other.recipient));
    Ok(known)
}

/// Records the outcomes per recipient of those attempts that were not fenced off.
pub(super) async fn record(
    mut conn: Conn<'_>,
    changed: &[ChangedRow],
    ended: &[AttemptResult],
    now: Timestamp,
) -> Result<(), StoreError> {
    let current: HashSet<(Uuid, i32)> = changed.iter().map(|row| (row.0, row.5)).collect();
    for one in ended.iter().filter(|one| current.contains(&(one.id.0, one.epoch))) {
        for recipient in &one.recipients {
            with_conn!(conn.reborrow(), c => sqlx::query(
                "insert into delivery_recipient (delivery_id, recipient, outcome, status, response_body, at)
                 values ($1, $2, $3, $4, $5, $6)
                     on conflict (delivery_id, recipient) do update
                    set outcome = excluded.outcome, status = excluded.status,
                        response_body = excluded.response_body, at = excluded.at
                  where delivery_recipient.outcome <> 'delivered'")
                .bind(one.id.0).bind(&recipient.recipient).bind(recipient.outcome.as_str())
                .bind(recipient.status.map(i32::from)).bind(&recipient.response_body).bind(now.millis())
                .execute(c).await.map(drop))?;
        }
    }
    Ok(())
}
