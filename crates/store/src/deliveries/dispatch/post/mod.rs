//! Posts: articles that channels publish on other sites. What is to be done there is written to the outbox, in the
//! transaction of the change.

mod attempt;
mod list;
mod plan;
mod theirs;

pub(crate) use attempt::record;
pub use attempt::{PostSource, cancel_superseded, known};
pub use list::{PostFilter, PostRecord, change_seen, find, list, of_article, worst};
pub use plan::{DueStep, due_steps, enqueue_steps};
pub use theirs::{SentText, sent_text, take_theirs};

use crate::{
    Conn, StoreError, Tx,
    db::with_conn,
    json_rows::{column, encode},
    outbox::{self, Message, NewDelivery, max_attempts},
    row::row,
};
use domain::{
    ArticleId, ChannelId, DeliveryId, PostId, TaskId, Timestamp, Version,
    channel::ChannelEvent,
    post::{LOOK_SCHEDULE, PostPurpose},
};
use serde_json::json;
use uuid::Uuid;

/// Chooses an article for a channel, or not. Returns the id of the post; `None`: it is not chosen and never was.
pub async fn choose(
    mut conn: Conn<'_>,
    (article, channel): (ArticleId, ChannelId),
    is_chosen: bool,
    at: Timestamp,
) -> Result<Option<PostId>, StoreError> {
    if is_chosen {
        with_conn!(conn.reborrow(), c => sqlx::query(
            "insert into post (id, article_id, channel_id, created_at) values ($1, $2, $3, $4) on conflict do nothing")
            .bind(PostId::generate().0).bind(article.0).bind(channel.0).bind(at.millis())
            .execute(c).await.map(drop))?;
    }
    let id: Option<Uuid> = with_conn!(conn, c => sqlx::query_scalar(
        "update post set is_chosen = $3, version = version + 1 where article_id = $1 and channel_id = $2 returning id")
        .bind(article.0).bind(channel.0).bind(i32::from(is_chosen)).fetch_optional(c).await)?;
    Ok(id.map(PostId))
}

row! {
    /// A post with the revision of its article: the public one, else the one that is published next, else the
    /// current one. The text itself is read when it is sent.
    struct PostRevision {
        id: Uuid,
        article_id: Uuid,
        channel_id: Uuid,
        name: String,
        retry_schedule: String,
        title: String,
        revision_id: Uuid,
        is_chosen: i32,
        is_public: i32,
    }
}

/// `coalesce` of a state: SQLite must find the task by its target, and not begin with all scheduled tasks.
async fn revisions(conn: Conn<'_>, messages: &[Message]) -> Result<Vec<PostRevision>, StoreError> {
    macro_rules! revisions_sql {
        ($which:literal) => {
            concat!(
                "select p.id, p.article_id, p.channel_id, c.name, c.retry_schedule, r.title, r.id as revision_id, p.is_chosen,
                        case when a.published_revision_id is null then 0 else 1 end as is_public
                   from post p
                   join channel c on c.id = p.channel_id
                   join article a on a.id = p.article_id
                   join revision r
                     on r.id = coalesce(a.published_revision_id,
                                        (select t.revision_id from task t
                                          where t.target_id = a.id and t.kind = 'article.publish'
                                            and coalesce(t.state, '') = 'scheduled'
                                          limit 1),
                                        a.revision_id)
                  where c.state <> 'off' and c.unfinished is distinct from 'delete'
                    and (p.is_chosen = 1 or p.delivery_id is not null) and p.article_id ",
                $which
            )
        };
    }
    let ids = messages.iter().map(|message| message.article);
    Ok(match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(revisions_sql!("in (select unhex(value) from jsonb_each($1))"))
                .bind(encode(ids.map(|id| id.simple()))?)
                .fetch_all(c)
                .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(revisions_sql!("= any($1::uuid[])"))
                .bind(ids.collect::<Vec<_>>())
                .fetch_all(c)
                .await?
        }
    })
}

/// Chooses a post no longer, and leaves it on the other site as it is.
pub async fn leave(conn: Conn<'_>, post: PostId) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query(
        "update post
            set is_chosen = 0, delivery_id = null, revision_id = null, changed_there = null, version = version + 1
          where id = $1")
        .bind(post.0).execute(c).await.map(drop))?;
    Ok(())
}

/// What is to be done with a post.
#[derive(Debug, Clone, Copy)]
struct Step {
    task: Option<TaskId>,
    version: Version,
    event: ChannelEvent,
    purpose: PostPurpose,
    /// Whether what was changed on the other site is replaced.
    is_overwrite: bool,
}

/// What an event asks for; `None`: nothing.
fn purpose_of(event: ChannelEvent) -> Option<PostPurpose> {
    match event {
        ChannelEvent::ArticlePublished | ChannelEvent::ArticleUpdated => Some(PostPurpose::Publish),
        ChannelEvent::ArticleUnpublished => Some(PostPurpose::Withdraw),
        _ => None,
    }
}

/// Stores the deliveries of messages: to the subscribed channels, and what becomes of the posts of their articles.
/// Returns how many. Without channels this is one query, and the posts cost none without a channel for them.
pub async fn enqueue(tx: &mut Tx, messages: &[Message], at: Timestamp) -> Result<u64, StoreError> {
    let sent = outbox::enqueue(tx, messages, at).await?;
    let posts = if sent.publishes_posts { enqueue_posts(tx, messages, at).await? } else { 0 };
    Ok(sent.deliveries + posts)
}

async fn enqueue_posts(tx: &mut Tx, messages: &[Message], at: Timestamp) -> Result<u64, StoreError> {
    let posts = revisions(tx.conn(), messages).await?;
    let mut new = Vec::new();
    for post in posts.iter().filter(|post| post.is_chosen == 1 || post.is_public == 0) {
        // What the article is now, not each step of a transaction that publishes and unpublishes it.
        let purpose = if post.is_public == 1 { PostPurpose::Publish } else { PostPurpose::Withdraw };
        let is_cause =
            |one: &&Message| one.article == post.article_id && purpose_of(one.event) == Some(purpose);
        let Some(&Message { task, version, event, .. }) = messages.iter().rev().find(is_cause) else {
            continue;
        };
        let step = Step { task: Some(task), version, event, purpose, is_overwrite: false };
        new.push(delivery(post, step, at));
    }
    insert(tx.conn(), &new, at).await
}

/// Does something with one post now, without a task. `is_overwrite`: what was changed on the other site is replaced.
/// `false`: its channel is off or being deleted.
pub async fn enqueue_now(
    tx: &mut Tx,
    (article, post): (ArticleId, PostId),
    (purpose, is_overwrite): (PostPurpose, bool),
    at: Timestamp,
) -> Result<bool, StoreError> {
    let event = event_of(purpose);
    let about = Message {
        task: TaskId(Uuid::nil()),
        version: Version::FIRST,
        event,
        article: article.0,
        revision: 1,
    };
    let posts = revisions(tx.conn(), &[about]).await?;
    let Some(post) = posts.iter().find(|one| one.id == post.0) else { return Ok(false) };
    let step = Step { task: None, version: Version::FIRST, event, purpose, is_overwrite };
    let new = [delivery(post, step, at)];
    Ok(insert(tx.conn(), &new, at).await? > 0)
}

/// The event of a delivery that no task causes.
const fn event_of(purpose: PostPurpose) -> ChannelEvent {
    match purpose {
        PostPurpose::Publish => ChannelEvent::ArticlePublished,
        PostPurpose::Withdraw => ChannelEvent::ArticleUnpublished,
        PostPurpose::Prepare => ChannelEvent::PostPrepared,
        PostPurpose::Look => ChannelEvent::PostSeen,
    }
}

/// A delivery of a post before it is stored.
struct NewPostDelivery {
    post: Uuid,
    purpose: PostPurpose,
    /// The revision whose text it sends; `None`: it withdraws.
    revision: Option<Uuid>,
    delivery: NewDelivery,
}

fn delivery(post: &PostRevision, step: Step, at: Timestamp) -> NewPostDelivery {
    let purpose = step.purpose;
    let what = match step.is_overwrite {
        true => json!({"id": post.id, "purpose": purpose, "is_overwrite": true}),
        false => json!({"id": post.id, "purpose": purpose}),
    };
    let body =
        json!({"type": step.event, "timestamp": at, "data": {"article_id": post.article_id}, "post": what});
    let schedule = match purpose {
        PostPurpose::Look => LOOK_SCHEDULE,
        _ => post.retry_schedule.as_str(),
    };
    let delivery = NewDelivery {
        id: DeliveryId::generate(),
        task: step.task,
        version: step.version,
        channel_id: post.channel_id,
        channel: post.name.clone(),
        event: step.event,
        title: post.title.clone(),
        body: body.to_string(),
        message: None,
        is_held: false,
        max_attempts: max_attempts(schedule),
    };
    let revision = (purpose != PostPurpose::Withdraw).then_some(post.revision_id);
    NewPostDelivery { post: post.id, purpose, revision, delivery }
}

/// Stores deliveries of posts, each as the newest of its post. A check before it that failed needs no user any more.
async fn insert(mut conn: Conn<'_>, new: &[NewPostDelivery], at: Timestamp) -> Result<u64, StoreError> {
    if new.is_empty() {
        return Ok(0);
    }
    let deliveries: Vec<NewDelivery> = new.iter().map(|one| one.delivery.clone()).collect();
    outbox::insert(conn.reborrow(), &deliveries, at).await?;
    match conn {
        Conn::Sqlite(c) => insert_sqlite(c, new, at).await?,
        Conn::Postgres(c) => insert_postgres(c, new, at).await?,
    }
    Ok(new.len() as u64)
}

async fn insert_sqlite(
    c: &mut sqlx::SqliteConnection,
    new: &[NewPostDelivery],
    at: Timestamp,
) -> Result<(), StoreError> {
    let packed = encode(new.iter().map(|one| {
        let revision = one.revision.map(Uuid::simple);
        (one.post.simple(), one.delivery.id.0.simple(), one.purpose.as_str(), revision)
    }))?;
    sqlx::query(
        "update delivery set post_id = unhex(e.value ->> 0), purpose = e.value ->> 2
           from jsonb_each($1) as e
          where delivery.id = unhex(e.value ->> 1)",
    )
    .bind(&packed)
    .execute(&mut *c)
    .await?;
    sqlx::query(
        "update delivery set state = 'cancelled', ended_at = $2
          where state in ('failed', 'unconfirmed') and purpose in ('prepare', 'look')
            and id in (select p.delivery_id
                         from post p
                        where p.id in (select unhex(e.value ->> 0) from jsonb_each($1) as e))",
    )
    .bind(&packed)
    .bind(at.millis())
    .execute(&mut *c)
    .await?;
    sqlx::query(
        "update post
            set delivery_id = unhex(e.value ->> 1), revision_id = unhex(e.value ->> 3), version = version + 1
           from jsonb_each($1) as e
          where post.id = unhex(e.value ->> 0)",
    )
    .bind(&packed)
    .execute(&mut *c)
    .await?;
    Ok(())
}

async fn insert_postgres(
    c: &mut crate::PgConn,
    new: &[NewPostDelivery],
    at: Timestamp,
) -> Result<(), StoreError> {
    let (posts, ids) = (column(new, |one| one.post), column(new, |one| one.delivery.id.0));
    sqlx::query(
        "update delivery set post_id = new.post_id, purpose = new.purpose
           from unnest($1::uuid[], $2::uuid[], $3::text[]) as new (post_id, delivery_id, purpose)
          where delivery.id = new.delivery_id",
    )
    .bind(posts.as_slice())
    .bind(ids.as_slice())
    .bind(column(new, |one| one.purpose.as_str()))
    .execute(&mut *c)
    .await?;
    sqlx::query(
        "update delivery set state = 'cancelled', ended_at = $2
          where id in (select d.id
                         from post p
                         join delivery d on d.id = p.delivery_id
                        where p.id = any($1) and d.state in ('failed', 'unconfirmed') and d.purpose in ('prepare', 'look')
                          for update of d skip locked)",
    )
    .bind(posts.as_slice())
    .bind(at.millis())
    .execute(&mut *c)
    .await?;
    // Posts are locked in the order of their ids.
    sqlx::query(
        "with locked as materialized (select id from post where id = any($1) order by id for update)
         update post
            set delivery_id = new.delivery_id, revision_id = new.revision_id, version = version + 1
           from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as new (post_id, delivery_id, revision_id), locked
          where post.id = new.post_id and post.id = locked.id",
    )
    .bind(posts.as_slice())
    .bind(ids.as_slice())
    .bind(column(new, |one| one.revision))
    .execute(&mut *c)
    .await?;
    Ok(())
}

/// Deletes the posts of a channel. What it has published stays where it is.
pub(crate) async fn delete_of_channel(conn: Conn<'_>, channel: Uuid) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query("delete from post where channel_id = $1")
        .bind(channel).execute(c).await.map(drop))?;
    Ok(())
}
