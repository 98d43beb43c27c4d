//! Next steps of posts: the draft is made and checked before the publication, and the public page is asked for after it.
//! They follow from the schedule and the newest delivery, so a move or a cancellation needs no change of them.

use super::{NewPostDelivery, PostRevision, Step, delivery, event_of, insert};
use crate::{Conn, StoreError, Tx, db::with_conn, row::row};
use domain::{
    Timestamp, Version,
    post::{CHECKS_BEFORE_MS, LAST_PREPARE_MS, PostPurpose},
};
use std::collections::BTreeSet;
use uuid::Uuid;

/// Maximum number of steps that are begun together.
const MAX_STEPS: i64 = 200;

row! {
    /// A step of a post that is due.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct DueStep {
        id: Uuid,
        article_id: Uuid,
        /// Its channel.
        pub channel_id: Uuid,
        name: String,
        retry_schedule: String,
        title: String,
        revision_id: Uuid,
        purpose: String,
    }
}

/// Returns due steps of posts at active channels. A draft is made as soon as the article is scheduled and when its
/// pinned text changes, and is made again at each of [`CHECKS_BEFORE_MS`]. A published post is asked for once by a
/// delivery with a retry schedule of its own. `coalesce` of a state: SQLite must find the task by its target. Deliveries
/// are not read for articles without a new text that are due later than the first of these times.
pub async fn due_steps(conn: Conn<'_>, now: Timestamp) -> Result<Vec<DueStep>, StoreError> {
    let [day, hour, quarter, minute] = CHECKS_BEFORE_MS;
    Ok(with_conn!(conn, c => sqlx::query_as(
        "with open_post as materialized (select * from post where is_chosen = 1 and seen_at is null)
         select step.id, step.article_id, step.channel_id, c.name, c.retry_schedule, r.title, r.id as revision_id, step.purpose
           from (select p.id, p.article_id, p.channel_id, coalesce(t.revision_id, a.revision_id) as revision_id,
                        'prepare' as purpose
                   from open_post p
                   join article a on a.id = p.article_id
                   join task t on t.target_id = p.article_id and t.kind = 'article.publish'
                                  and coalesce(t.state, '') = 'scheduled'
                   left join delivery d on d.id = p.delivery_id
                  where p.published_at is null and a.published_revision_id is null and a.deleted_at is null and t.due_at - $1 > $2
                    and (p.revision_id is distinct from coalesce(t.revision_id, a.revision_id) or t.due_at - $1 <= $6)
                    and (d.id is null
                         or d.purpose = 'prepare' and d.state not in ('pending', 'sending', 'held')
                         or d.purpose <> 'prepare' and d.state in ('delivered', 'cancelled'))
                    and (p.revision_id is distinct from coalesce(t.revision_id, a.revision_id)
                         or coalesce(d.created_at, 0) < case when t.due_at - $1 <= $3 then t.due_at - $3
                                                             when t.due_at - $1 <= $4 then t.due_at - $4
                                                             when t.due_at - $1 <= $5 then t.due_at - $5
                                                             when t.due_at - $1 <= $6 then t.due_at - $6
                                                             else 0 end)
                 union all
                 select p.id, p.article_id, p.channel_id, p.revision_id, 'look' as purpose
                   from open_post p
                   join delivery d on d.id = p.delivery_id
                  where p.published_at is not null and p.remote_url is not null and p.changed_there is null
                    and d.purpose = 'publish' and d.state = 'delivered') as step
           join channel c on c.id = step.channel_id
           join revision r on r.id = step.revision_id
          where c.state = 'active' and c.unfinished is distinct from 'delete'
          order by step.id
          limit $7")
        .bind(now.millis()).bind(LAST_PREPARE_MS).bind(minute).bind(quarter).bind(hour).bind(day).bind(MAX_STEPS)
        .fetch_all(c).await)?)
}

/// Locks those of these posts that no other transaction is changing.
async fn lock(conn: Conn<'_>, posts: BTreeSet<Uuid>) -> Result<BTreeSet<Uuid>, StoreError> {
    Ok(match conn {
        // Its transaction is the only one that writes.
        Conn::Sqlite(_) => posts,
        Conn::Postgres(c) => {
            let locked: Vec<Uuid> = sqlx::query_scalar(
                "select id from post where id = any($1) order by id for update skip locked",
            )
            .bind(posts.into_iter().collect::<Vec<_>>())
            .fetch_all(c)
            .await?;
            locked.into_iter().collect()
        }
    })
}

/// Stores a delivery for each due step at these channels, which the node has locked. Returns how many. What is due is read
/// again once the posts are locked: a step must not replace a publication that was written meanwhile.
pub async fn enqueue_steps(
    tx: &mut Tx,
    channels: &BTreeSet<Uuid>,
    now: Timestamp,
) -> Result<u64, StoreError> {
    let due = due_steps(tx.conn(), now).await?;
    let due = due.into_iter().filter(|step| channels.contains(&step.channel_id)).map(|step| step.id);
    let locked = lock(tx.conn(), due.collect()).await?;
    let steps = due_steps(tx.conn(), now).await?;
    let steps = steps.into_iter().filter(|step| locked.contains(&step.id));
    let new: Vec<NewPostDelivery> = steps.map(|step| step.delivery(now)).collect::<Result<_, _>>()?;
    insert(tx.conn(), &new, now).await
}

impl DueStep {
    fn delivery(self, now: Timestamp) -> Result<NewPostDelivery, StoreError> {
        let Self { id, article_id, channel_id, name, retry_schedule, title, revision_id, purpose } = self;
        let purpose: PostPurpose =
            purpose.parse().map_err(|_| StoreError::Corrupt(format!("step {purpose} of a post")))?;
        let (is_chosen, is_public) = (1, i32::from(purpose == PostPurpose::Look));
        let post = PostRevision {
            id,
            article_id,
            channel_id,
            name,
            retry_schedule,
            title,
            revision_id,
            is_chosen,
            is_public,
        };
        let event = event_of(purpose);
        let step = Step { task: None, version: Version::FIRST, event, purpose, is_overwrite: false };
        Ok(delivery(&post, step, now))
    }
}
