//! What became of messages at their recipients, where a message goes to several.

use super::record::{Ended, Told};
use crate::{Conn, StoreError, batch::pack, db::on};
use domain::{DeliveryId, Timestamp, delivery::Recipient};
use std::collections::{HashMap, HashSet};
use uuid::Uuid;

type Row = (Uuid, String, String, Option<i32>, Option<String>);

fn read(row: Row) -> Option<(Uuid, Recipient)> {
    let (id, recipient, outcome, status, answer) = row;
    let status = status.and_then(|status| u16::try_from(status).ok());
    Some((id, Recipient { recipient, outcome: outcome.parse().ok()?, status, answer }))
}

/// What is known of the recipients of these deliveries. None of it: no attempt so far has told them apart.
pub async fn known(conn: Conn<'_>, ids: &[Uuid]) -> Result<HashMap<Uuid, Vec<Recipient>>, StoreError> {
    let mut all: HashMap<Uuid, Vec<Recipient>> = HashMap::new();
    if ids.is_empty() {
        return Ok(all);
    }
    let rows: Vec<Row> = match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(
                "select delivery_id, recipient, outcome, status, answer
                   from delivery_recipient
                  where delivery_id in (select unhex(value) from jsonb_each($1))",
            )
            .bind(pack(ids.iter().map(Uuid::as_simple))?)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(
                "select delivery_id, recipient, outcome, status, answer
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

/// What is known of the recipients of one delivery, by address.
pub async fn of(conn: Conn<'_>, id: DeliveryId) -> Result<Vec<Recipient>, StoreError> {
    let mut known = known(conn, &[id.0]).await?.remove(&id.0).unwrap_or_default();
    known.sort_by(|one, other| one.recipient.cmp(&other.recipient));
    Ok(known)
}

/// Keeps what attempts say of recipients, of those attempts that count.
pub(super) async fn note(
    mut conn: Conn<'_>,
    told: &[Told],
    ended: &[Ended],
    now: Timestamp,
) -> Result<(), StoreError> {
    let counted: HashSet<(Uuid, i32)> = told.iter().map(|told| (told.0, told.5)).collect();
    for one in ended.iter().filter(|one| counted.contains(&(one.id.0, one.epoch))) {
        for recipient in &one.recipients {
            on!(conn.again(), c => sqlx::query(
                "insert into delivery_recipient (delivery_id, recipient, outcome, status, answer, at)
                 values ($1, $2, $3, $4, $5, $6)
                     on conflict (delivery_id, recipient) do update
                    set outcome = excluded.outcome, status = excluded.status, answer = excluded.answer, at = excluded.at
                  where delivery_recipient.outcome <> 'delivered'")
                .bind(one.id.0).bind(&recipient.recipient).bind(recipient.outcome.as_str())
                .bind(recipient.status.map(i32::from)).bind(&recipient.answer).bind(now.millis())
                .execute(c).await.map(drop))?;
        }
    }
    Ok(())
}
