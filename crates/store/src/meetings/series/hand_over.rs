//! Another account becomes the organizer of meetings and series.

use crate::{Conn, StoreError, json_rows::encode};
use domain::AccountId;
use uuid::Uuid;

/// What has another owner now, each with its version, which does not change.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HandedOver {
    /// The meetings.
    pub meetings: Vec<(Uuid, i32)>,
    /// The series.
    pub series: Vec<(Uuid, i32)>,
}

macro_rules! reassign {
    ($conn:expr, $ids:expr, ($from:expr, $to:expr), $update:literal, $returning:literal) => {
        match $conn {
            Conn::Sqlite(c) => {
                sqlx::query_as(concat!($update, " in (select unhex(value) from jsonb_each($1))", $returning))
                    .bind(encode($ids.iter().map(Uuid::as_simple))?)
                    .bind($to.0)
                    .bind($from.0)
                    .fetch_all(c)
                    .await?
            }
            Conn::Postgres(c) => {
                sqlx::query_as(concat!($update, " = any($1)", $returning))
                    .bind($ids)
                    .bind($to.0)
                    .bind($from.0)
                    .fetch_all(c)
                    .await?
            }
        }
    };
}

/// Makes `to` the organizer of those of the meetings that have not ended, and of the series, with their
/// scheduled tasks and their reminders to attendees. `from`: the organizer before; what belongs to another
/// account stays. Their targets must be locked, those of the reminders included.
pub async fn reassign(
    mut conn: Conn<'_>,
    (meetings, series): (&[Uuid], &[Uuid]),
    (from, to): (AccountId, AccountId),
) -> Result<HandedOver, StoreError> {
    let meetings: Vec<(Uuid, i32)> = reassign!(
        conn.reborrow(),
        meetings,
        (from, to),
        "update meeting set organizer_id = $2
          where organizer_id = $3 and state in ('requested', 'confirmed', 'in_progress') and id",
        " returning id, version"
    );
    let series: Vec<(Uuid, i32)> = reassign!(
        conn.reborrow(),
        series,
        (from, to),
        "update series set owner_id = $2 where owner_id = $3 and id",
        " returning id, version"
    );
    let handed: Vec<Uuid> = meetings.iter().map(|(id, _)| *id).collect();
    // One that was sent, skipped or cancelled comes back when its meeting is moved.
    let reminders: Vec<(Uuid,)> = reassign!(
        conn.reborrow(),
        handed.as_slice(),
        (from, to),
        "update reminder set owner_id = $2
          where owner_id = $3 and recipient_kind in ('attendees', 'sms')
            and state <> 'done' and about_id",
        " returning id"
    );
    let of_series = series.iter().map(|(id, _)| *id);
    let targets: Vec<Uuid> =
        handed.iter().copied().chain(of_series).chain(reminders.into_iter().map(|(id,)| id)).collect();
    let _: Vec<(Uuid,)> = reassign!(
        conn.reborrow(),
        targets.as_slice(),
        (from, to),
        "update target set owner_id = $2 where owner_id = $3 and id",
        " returning id"
    );
    let _: Vec<(Uuid,)> = reassign!(
        conn,
        targets.as_slice(),
        (from, to),
        "update task set owner_id = $2 where owner_id = $3 and state = 'scheduled' and target_id",
        " returning id"
    );
    Ok(HandedOver { meetings, series })
}
