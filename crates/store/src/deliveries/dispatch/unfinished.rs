//! Changes of all waiting deliveries of a channel, in batches: they are cancelled when it is deleted,
//! held when its receiver switched it off, and made pending when it is resumed.
//!
//! The channel says what is still to be done, so a batch that was interrupted is made again by any
//! node. A batch changes only deliveries that are still in the state from which it leads. A deletion or a
//! release ends when no delivery was left from the first one on: what came to wait behind the last batch is
//! changed too.

use super::{lock_channels, post};
use crate::{Conn, StoreError, db::with_conn, failing, json_rows::encode};
use domain::{ChannelId, DeliveryId, Timestamp};
use std::collections::BTreeSet;
use uuid::Uuid;

/// Maximum number of deliveries that one transaction changes.
pub const BATCH_SIZE: u16 = 1_000;

/// What is still to be done to the waiting deliveries of a channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unfinished {
    /// They are cancelled, then the channel is deleted.
    Delete,
    /// They are held: the receiver switched the channel off.
    Hold,
    /// They are made pending: the channel was resumed.
    Release,
}

impl Unfinished {
    fn parse(word: &str) -> Option<Self> {
        match word {
            "delete" => Some(Self::Delete),
            "hold" => Some(Self::Hold),
            "release" => Some(Self::Release),
            // Of a newer release.
            _ => None,
        }
    }

    const fn as_str(self) -> &'static str {
        match self {
            Self::Delete => "delete",
            Self::Hold => "hold",
            Self::Release => "release",
        }
    }
}

/// Deliveries that are changed next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveryBatch {
    channel: ChannelId,
    change: Unfinished,
    /// Last delivery of the batch before; `None`: there was none.
    after: Option<Uuid>,
    /// In the order of their ids. Empty: only the channel itself is left.
    ids: Vec<Uuid>,
}

/// Returns the channels with an unfinished change.
pub async fn channels(conn: Conn<'_>) -> Result<Vec<ChannelId>, StoreError> {
    let ids: Vec<Uuid> = with_conn!(conn, c => sqlx::query_scalar(
        "select id from channel where unfinished is not null order by id")
        .fetch_all(c).await)?;
    Ok(ids.into_iter().map(ChannelId).collect())
}

/// Returns the next batch of a channel. `None`: nothing is to be done, or its deletion waits for
/// attempts in flight, whose results may leave further deliveries waiting.
///
/// Reads without a lock: it may have to skip a long log of deliveries that have ended.
pub async fn next(mut conn: Conn<'_>, channel: ChannelId) -> Result<Option<DeliveryBatch>, StoreError> {
    let found: Option<(Option<String>, Option<Uuid>)> = with_conn!(conn.reborrow(), c => sqlx::query_as(
        "select unfinished, unfinished_after from channel where id = $1")
        .bind(channel.0).fetch_optional(c).await)?;
    let Some((Some(word), after)) = found else { return Ok(None) };
    let Some(change) = Unfinished::parse(&word) else { return Ok(None) };
    if change == Unfinished::Delete && is_sending(conn.reborrow(), channel).await? {
        return Ok(None);
    }
    let query = match change {
        Unfinished::Delete => {
            "select id from delivery
              where channel_id = $1 and id > $2 and state in ('pending', 'held')
              order by id limit $3"
        }
        // Without a limit by id: their index is ordered by time.
        Unfinished::Hold => {
            "select id from delivery
              where channel_id = $1 and state = 'pending' and id <> $2
              limit $3"
        }
        Unfinished::Release => {
            "select id from delivery
              where channel_id = $1 and id > $2 and state = 'held'
              order by id limit $3"
        }
    };
    let mut ids: Vec<Uuid> = with_conn!(conn, c => sqlx::query_scalar(query)
        .bind(channel.0).bind(after.unwrap_or_default()).bind(i64::from(BATCH_SIZE)).fetch_all(c).await)?;
    ids.sort_unstable();
    Ok(Some(DeliveryBatch { channel, change, after, ids }))
}

async fn is_sending(conn: Conn<'_>, channel: ChannelId) -> Result<bool, StoreError> {
    let count: i64 = with_conn!(conn, c => sqlx::query_scalar(
        "select count(*) from delivery where state = 'sending' and channel_id = $1")
        .bind(channel.0).fetch_one(c).await)?;
    Ok(count > 0)
}

/// Applies a batch. Whether another one may follow; `false` also if another node has the channel.
pub async fn apply(mut conn: Conn<'_>, batch: &DeliveryBatch, at: Timestamp) -> Result<bool, StoreError> {
    let turn = lock_channels(conn.reborrow(), &BTreeSet::from([batch.channel.0])).await?;
    if turn.is_empty() {
        return Ok(false);
    }
    let Some(last) = batch.ids.last() else {
        return finish(conn, batch).await;
    };
    // Another node may have made this batch since it was read, or the change may have begun again.
    let is_next = with_conn!(conn.reborrow(), c => sqlx::query(
        "update channel
            set unfinished_after = case when unfinished = 'hold' then unfinished_after else $3 end,
                deleting_remaining = case when deleting_remaining > $4 then deleting_remaining - $4
                                          when deleting_remaining is not null then 0 end
          where id = $1 and unfinished = $2
            and (unfinished = 'hold' or unfinished_after is not distinct from $5)")
        .bind(batch.channel.0).bind(batch.change.as_str()).bind(*last)
        .bind(i64::try_from(batch.ids.len()).unwrap_or(i64::MAX)).bind(batch.after)
        .execute(c).await?.rows_affected())
        == 1;
    if is_next {
        change_all(conn.reborrow(), batch, at).await?;
    }
    if is_next && batch.change == Unfinished::Delete {
        let ended: Vec<DeliveryId> = batch.ids.iter().copied().map(DeliveryId).collect();
        failing::delete(conn, &ended).await?;
    }
    Ok(is_next)
}

/// Selects a change of the deliveries `$ids`; `$2` is the current time.
macro_rules! change {
    ($change:expr, $ids:literal) => {
        match $change {
            Unfinished::Delete => concat!(
                "update delivery set state = 'cancelled', ended_at = $2
                  where state in ('pending', 'held') and id ",
                $ids
            ),
            Unfinished::Hold => {
                concat!(
                    "update delivery set state = 'held', not_before = $2 where state = 'pending' and id ",
                    $ids
                )
            }
            Unfinished::Release => {
                concat!(
                    "update delivery set state = 'pending', not_before = $2 where state = 'held' and id ",
                    $ids
                )
            }
        }
    };
}

async fn change_all(conn: Conn<'_>, batch: &DeliveryBatch, at: Timestamp) -> Result<(), StoreError> {
    match conn {
        Conn::Sqlite(c) => {
            sqlx::query(change!(batch.change, "in (select unhex(value) from jsonb_each($1))"))
                .bind(encode(batch.ids.iter().map(Uuid::as_simple))?)
                .bind(at.millis())
                .execute(c)
                .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query(change!(batch.change, "= any($1)"))
                .bind(batch.ids.as_slice())
                .bind(at.millis())
                .execute(c)
                .await?;
        }
    }
    Ok(())
}

/// Ends the change after its last batch. A channel that is being deleted is deleted. Whether another batch may
/// follow: all batches but those of a hold are looked for once more from the first delivery on.
async fn finish(mut conn: Conn<'_>, batch: &DeliveryBatch) -> Result<bool, StoreError> {
    if batch.change != Unfinished::Hold && batch.after != Some(Uuid::nil()) {
        return Ok(with_conn!(conn, c => sqlx::query(
            "update channel set unfinished_after = $4
              where id = $1 and unfinished = $2 and unfinished_after is not distinct from $3")
            .bind(batch.channel.0).bind(batch.change.as_str()).bind(batch.after).bind(Uuid::nil())
            .execute(c).await?.rows_affected())
            == 1);
    }
    if batch.change != Unfinished::Delete {
        with_conn!(conn, c => sqlx::query(
            "update channel set unfinished = null, unfinished_after = null
              where id = $1 and unfinished = $2 and unfinished_after is not distinct from $3")
            .bind(batch.channel.0).bind(batch.change.as_str()).bind(batch.after).execute(c).await.map(drop))?;
        return Ok(false);
    }
    with_conn!(conn.reborrow(), c => sqlx::query("delete from failing_delivery where channel_id = $1")
        .bind(batch.channel.0).execute(c).await.map(drop))?;
    post::delete_of_channel(conn.reborrow(), batch.channel.0).await?;
    with_conn!(conn, c => sqlx::query("delete from channel where id = $1 and unfinished = 'delete'")
        .bind(batch.channel.0).execute(c).await.map(drop))?;
    Ok(false)
}

/// Marks a channel as being deleted: it takes no messages, and its `waiting` deliveries are cancelled in
/// batches. `false`: there is no such channel, or it is being deleted.
pub async fn begin_deletion(conn: Conn<'_>, id: ChannelId, waiting: u64) -> Result<bool, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query(
        "update channel
            set state = 'off', unfinished = 'delete', unfinished_after = null, deleting_total = $2,
                deleting_remaining = $2
          where id = $1 and unfinished is distinct from 'delete'")
        .bind(id.0).bind(i64::try_from(waiting).unwrap_or(i64::MAX)).execute(c).await?.rows_affected())
        == 1)
}

/// Returns the number of deliveries of a channel that a deletion cancels. Held ones are counted only of a
/// channel that can have them.
pub async fn count_waiting(conn: Conn<'_>, id: ChannelId) -> Result<u64, StoreError> {
    let count: i64 = with_conn!(conn, c => sqlx::query_scalar(
        "select (select count(*) from delivery d where d.channel_id = $1 and d.state = 'pending')
              + coalesce((select (select count(*) from delivery d where d.channel_id = c.id and d.state = 'held')
                            from channel c
                           where c.id = $1 and (c.state = 'off' or c.unfinished is not null)), 0)")
        .bind(id.0).fetch_one(c).await)?;
    Ok(count.unsigned_abs())
}

/// Holds the first pending deliveries of a channel that was switched off; the others are held in
/// batches. Ends a release.
pub(super) async fn hold(mut conn: Conn<'_>, id: Uuid) -> Result<(), StoreError> {
    let held = with_conn!(conn.reborrow(), c => sqlx::query(
        "update delivery set state = 'held'
          where state = 'pending'
            and id in (select d.id from delivery d where d.channel_id = $1 and d.state = 'pending' limit $2)")
        .bind(id).bind(i64::from(BATCH_SIZE)).execute(c).await?.rows_affected());
    set_rest(conn, id, Unfinished::Hold, held).await
}

/// Makes the first held deliveries of a channel that is being resumed pending, and returns their number; the
/// others follow in batches, after [`end_release`].
pub(crate) async fn release(conn: Conn<'_>, id: Uuid, at: Timestamp) -> Result<u64, StoreError> {
    let released = with_conn!(conn, c => sqlx::query(
        "update delivery set state = 'pending', not_before = $2
          where state = 'held'
            and id in (select d.id from delivery d where d.channel_id = $1 and d.state = 'held'
                        order by d.id limit $3)")
        .bind(id).bind(at.millis()).bind(i64::from(BATCH_SIZE)).execute(c).await?.rows_affected());
    Ok(released)
}

/// Stores whether more deliveries than the first ones, `released`, are to be made pending.
pub(crate) async fn end_release(conn: Conn<'_>, id: Uuid, released: u64) -> Result<(), StoreError> {
    set_rest(conn, id, Unfinished::Release, released).await
}

/// Stores whether more deliveries may be left after a first batch.
async fn set_rest(conn: Conn<'_>, id: Uuid, change: Unfinished, changed: u64) -> Result<(), StoreError> {
    let rest = (changed >= u64::from(BATCH_SIZE)).then_some(change.as_str());
    with_conn!(conn, c => sqlx::query(
        "update channel set unfinished = $2, unfinished_after = null
          where id = $1 and unfinished is distinct from 'delete'")
        .bind(id).bind(rest).execute(c).await.map(drop))?;
    Ok(())
}
