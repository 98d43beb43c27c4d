//! Attempts to publish or withdraw posts: which are made, what is known before them, and what they learned.

use crate::{Conn, StoreError, db::with_conn, failing, json_rows::encode, row::row};
use domain::{
    ChannelId, DeliveryId, PostId, Timestamp,
    post::{KnownPost, PostReport},
};
use std::collections::HashMap;
use uuid::Uuid;

/// Cancels deliveries of a channel that wait although a newer one does something else with their post: posts change in
/// order. A post whose article was purged is withdrawn, and not published. Waits for no lock, as the turn at the channel
/// holds others: what is locked is cancelled in a later round, and is not claimed until then.
pub async fn cancel_superseded(
    mut conn: Conn<'_>,
    channel: ChannelId,
    at: Timestamp,
) -> Result<(), StoreError> {
    macro_rules! cancel {
        ($lock:literal) => {
            concat!(
                "update delivery set state = 'cancelled', ended_at = $2
                  where id in (select d.id from delivery d left join post p on p.id = d.post_id
                                where d.channel_id = $1 and d.state = 'pending' and d.post_id is not null
                                  and case when p.id is null then d.purpose = 'publish'
                                           else p.delivery_id is distinct from d.id end
                                order by d.id ",
                $lock,
                ") and state = 'pending' returning id"
            )
        };
    }
    let ids: Vec<Uuid> = match conn.reborrow() {
        Conn::Sqlite(c) => {
            sqlx::query_scalar(cancel!("")).bind(channel.0).bind(at.millis()).fetch_all(c).await?
        }
        Conn::Postgres(c) => {
            let query = sqlx::query_scalar(cancel!("for update of d skip locked"));
            query.bind(channel.0).bind(at.millis()).fetch_all(c).await?
        }
    };
    let ids: Vec<DeliveryId> = ids.into_iter().map(DeliveryId).collect();
    failing::delete(conn, &ids).await
}

row! {
    struct KnownRow {
        delivery_id: Uuid,
        id: Uuid,
        remote_id: Option<String>,
        content_hash: Option<String>,
    }
}

/// Returns what is known of the posts of these deliveries, by delivery.
pub async fn known(conn: Conn<'_>, deliveries: &[Uuid]) -> Result<HashMap<Uuid, KnownPost>, StoreError> {
    macro_rules! known_sql {
        ($which:literal) => {
            concat!(
                "select d.id as delivery_id, p.id, p.remote_id, p.content_hash
                   from delivery d join post p on p.id = d.post_id
                  where d.id ",
                $which
            )
        };
    }
    let rows: Vec<KnownRow> = match conn {
        _ if deliveries.is_empty() => Vec::new(),
        Conn::Sqlite(c) => {
            let query = sqlx::query_as(known_sql!("in (select unhex(value) from jsonb_each($1))"));
            query.bind(encode(deliveries.iter().map(Uuid::as_simple))?).fetch_all(c).await?
        }
        Conn::Postgres(c) => sqlx::query_as(known_sql!("= any($1)")).bind(deliveries).fetch_all(c).await?,
    };
    let known = |row: KnownRow| {
        let KnownRow { delivery_id, id, remote_id, content_hash } = row;
        (delivery_id, KnownPost { id: PostId(id), remote_id, content_hash })
    };
    Ok(rows.into_iter().map(known).collect())
}

/// Records what an attempt learned about a post. One that was fenced off counts only until the newest delivery of the
/// post has ended: what that one found on the site is newer.
pub(crate) async fn record(
    conn: Conn<'_>,
    (report, is_current): (&PostReport, bool),
    at: Timestamp,
) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query(
        "update post
            set remote_id = $2, remote_url = coalesce($3, remote_url), content_hash = $4,
                published_at = case when $5 = 1 then coalesce(published_at, $6) end
          where id = $1
            and ($7 = 1 or exists (select 1 from delivery d
                                    where d.id = post.delivery_id and d.state in ('pending', 'sending', 'held')))")
        .bind(report.post.0).bind(report.remote_id.as_deref()).bind(report.url.as_deref())
        .bind(report.content_hash.as_deref())
        .bind(i32::from(report.is_public)).bind(at.millis()).bind(i32::from(is_current)).execute(c).await.map(drop))?;
    Ok(())
}
