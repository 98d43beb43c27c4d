//! Attempts to publish or withdraw posts: which are made, what is known before them, and what they learned.

use crate::{Conn, StoreError, db::with_conn, failing, json_rows::encode, row::row};
use domain::{
    ChannelId, DeliveryId, PostId, Timestamp,
    articles::details::ArticleDetails,
    post::{KnownPost, LAST_PREPARE_MS, PostReport},
};
use serde_json::{Value, json};
use std::collections::HashMap;
use uuid::Uuid;

/// Cancels deliveries of a channel that wait although a newer one does something else with their post: posts change in
/// order. A post whose article was purged is withdrawn, and not published. So shortly before its moment that the
/// publication would wait for the end of a draft ([`LAST_PREPARE_MS`]), a draft that failed is not tried again, and one that
/// has waited since before is not begun; one that a user asks for then is tried once. Nor is a failed one tried again once
/// nothing is scheduled. Waits for no lock, as the turn at the channel holds others: what is locked is cancelled in a later
/// round, and is not claimed until then.
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
                                  and case when p.id is null then d.purpose <> 'withdraw'
                                           when d.purpose = 'prepare' and d.attempts > 0
                                                and not exists (select 1 from task t
                                                                 where t.target_id = p.article_id and t.kind = 'article.publish'
                                                                   and coalesce(t.state, '') = 'scheduled'
                                                                   and t.due_at - $2 > $3) then true
                                           when d.purpose = 'prepare' and d.epoch = 0 and d.body not like '%\"is_overwrite\":true%'
                                                and exists (select 1 from task t
                                                             where t.target_id = p.article_id and t.kind = 'article.publish'
                                                               and coalesce(t.state, '') = 'scheduled'
                                                               and t.due_at - $2 <= $3 and d.created_at <= t.due_at - $3) then true
                                           else p.delivery_id is distinct from d.id end ",
                $lock,
                ") and state = 'pending' returning id"
            )
        };
    }
    let ids: Vec<Uuid> = match conn.reborrow() {
        Conn::Sqlite(c) => {
            let query = sqlx::query_scalar(cancel!("")).bind(channel.0).bind(at.millis());
            query.bind(LAST_PREPARE_MS).fetch_all(c).await?
        }
        Conn::Postgres(c) => {
            let query = sqlx::query_scalar(cancel!("order by d.id for update of d skip locked"));
            query.bind(channel.0).bind(at.millis()).bind(LAST_PREPARE_MS).fetch_all(c).await?
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
        url: Option<String>,
        slug: String,
        title: Option<String>,
        body: Option<String>,
        details: Option<String>,
    }
}

/// What is known of a post before an attempt, and the text that it sends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PostSource {
    /// What is known of the post.
    pub known: KnownPost,
    /// The text of its revision as fields of the message; `None`: it sends none.
    text: Option<Value>,
}

impl PostSource {
    /// Returns the message of a delivery with the text, which the outbox does not hold: revisions do not change.
    #[must_use]
    pub fn fill(&self, body: String) -> String {
        let Some(Value::Object(text)) = &self.text else { return body };
        let Ok(mut message) = serde_json::from_str::<Value>(&body) else { return body };
        let Some(post) = message.get_mut("post").and_then(Value::as_object_mut) else { return body };
        for (name, value) in text {
            post.entry(name.clone()).or_insert_with(|| value.clone());
        }
        message.to_string()
    }
}

/// Returns what is known of the posts of these deliveries and their texts, by delivery.
pub async fn known(conn: Conn<'_>, deliveries: &[Uuid]) -> Result<HashMap<Uuid, PostSource>, StoreError> {
    macro_rules! known_sql {
        ($which:literal) => {
            concat!(
                "select d.id as delivery_id, p.id, p.remote_id, p.content_hash, p.remote_url as url, a.slug, r.title, r.body,
                        r.details
                   from delivery d
                   join post p on p.id = d.post_id
                   join article a on a.id = p.article_id
                   left join revision r on r.id = p.revision_id and d.purpose <> 'withdraw'
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
    Ok(rows.into_iter().map(source).collect())
}

fn source(row: KnownRow) -> (Uuid, PostSource) {
    let KnownRow { delivery_id, id, remote_id, content_hash, url, slug, title, body, details } = row;
    let details = details.and_then(|json| serde_json::from_str::<ArticleDetails>(&json).ok());
    let ArticleDetails { summary, tags, canonical, .. } = details.unwrap_or_default();
    let text = title.map(|title| {
        json!({"slug": slug, "title": title, "text": body, "summary": summary, "tags": tags, "canonical": canonical})
    });
    (delivery_id, PostSource { known: KnownPost { id: PostId(id), remote_id, content_hash, url }, text })
}

/// Records what an attempt learned about a post. One that was fenced off counts only until the newest delivery of the
/// post has ended: what that one found on the site is newer.
pub(crate) async fn record(
    conn: Conn<'_>,
    (report, is_current): (&PostReport, bool),
    at: Timestamp,
) -> Result<(), StoreError> {
    let removed = Some(report.removed.join(" ")).filter(|names| !names.is_empty());
    with_conn!(conn, c => sqlx::query(
        "update post
            set remote_id = $2, remote_url = coalesce($3, remote_url), content_hash = $4,
                published_at = case when $5 = 1 then coalesce(published_at, $6) end,
                checked_at = $6,
                seen_at = case when $8 = 1 then $6 when $8 = 0 then seen_at end,
                removed = case when $5 = 1 then removed else $9 end,
                changed_there = $10, version = version + 1
          where id = $1
            and ($7 = 1 or exists (select 1 from delivery d
                                    where d.id = post.delivery_id and d.state in ('pending', 'sending', 'held')))")
        .bind(report.post.0).bind(report.remote_id.as_deref()).bind(report.url.as_deref())
        .bind(report.content_hash.as_deref())
        .bind(i32::from(report.is_public)).bind(at.millis()).bind(i32::from(is_current))
        .bind(report.live.map(i32::from)).bind(removed).bind(report.changed_there.as_deref())
        .execute(c).await.map(drop))?;
    Ok(())
}
