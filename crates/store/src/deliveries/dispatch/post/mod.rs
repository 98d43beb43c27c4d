//! Posts: articles that channels publish on other sites. What is to be done there is written to the outbox, in the
//! transaction of the change.

mod attempt;

pub(crate) use attempt::record;
pub use attempt::{cancel_superseded, known};

use crate::{
    Conn, StoreError, Tx,
    db::with_conn,
    json_rows::{column, encode},
    outbox::{self, Message, NewDelivery, max_attempts},
    row::row,
};
use domain::{
    ArticleId, ChannelId, DeliveryId, PostId, TaskId, Timestamp, Version,
    articles::details::ArticleDetails,
    channel::ChannelEvent,
    post::{Post, PostPurpose, PostState},
};
use serde_json::json;
use uuid::Uuid;

row! {
    /// An article at a channel that publishes posts, chosen or not.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct PostRecord {
        /// Id of the post; `None`: the article was never chosen for the channel.
        pub id: Option<Uuid>,
        channel_id: Uuid,
        name: String,
        is_chosen: i32,
        url: Option<String>,
        published_at: Option<i64>,
        delivery_id: Option<Uuid>,
        purpose: Option<String>,
        delivery_state: Option<String>,
        problem: Option<String>,
    }
}

impl PostRecord {
    /// Returns the post of an article.
    #[must_use]
    pub fn into_post(self, article: ArticleId) -> Post {
        let state = self.state();
        let has_problem = matches!(
            state,
            PostState::Publishing | PostState::Withdrawing | PostState::Failed | PostState::Unconfirmed
        );
        Post {
            article,
            channel: ChannelId(self.channel_id),
            name: self.name,
            is_chosen: self.is_chosen == 1,
            state,
            url: self.url,
            published_at: self.published_at.map(Timestamp::from_millis),
            delivery: self.delivery_id.map(DeliveryId),
            problem: self.problem.filter(|_| has_problem),
        }
    }

    fn state(&self) -> PostState {
        let is_withdrawal = self.purpose.as_deref() == Some(PostPurpose::Withdraw.as_str());
        match self.delivery_state.as_deref() {
            Some("pending" | "sending" | "held") if is_withdrawal => PostState::Withdrawing,
            Some("pending" | "sending" | "held") => PostState::Publishing,
            Some("failed") => PostState::Failed,
            Some("unconfirmed") => PostState::Unconfirmed,
            Some("delivered") if is_withdrawal => PostState::Withdrawn,
            Some("delivered") => PostState::Published,
            // Cancelled, or deleted with the old log.
            _ if self.published_at.is_some() => PostState::Published,
            _ if self.is_chosen == 1 => PostState::Planned,
            _ => PostState::Off,
        }
    }
}

/// Returns the article at each channel that publishes posts, by name. `channel`: only at this one.
pub async fn of_article(
    conn: Conn<'_>,
    article: ArticleId,
    channel: Option<ChannelId>,
) -> Result<Vec<PostRecord>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select p.id, c.id as channel_id, c.name, coalesce(p.is_chosen, 0) as is_chosen, p.remote_url as url, p.published_at,
                p.delivery_id, d.purpose, d.state as delivery_state,
                (select case when a.outcome <> 'delivered' then substr(a.response_body, 1, 300) end
                   from delivery_attempt a
                  where a.delivery_id = p.delivery_id and a.ended_at is not null
                  order by a.epoch desc
                  limit 1) as problem
           from channel c
           left join post p on p.channel_id = c.id and p.article_id = $1
           left join delivery d on d.id = p.delivery_id
          where c.transport in ('wordpress', 'ghost') and c.unfinished is distinct from 'delete' and ($2 is null or c.id = $2)
          order by lower(c.name), c.id")
        .bind(article.0).bind(channel.map(|channel| channel.0)).fetch_all(c).await)?)
}

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
        "update post set is_chosen = $3 where article_id = $1 and channel_id = $2 returning id")
        .bind(article.0).bind(channel.0).bind(i32::from(is_chosen)).fetch_optional(c).await)?;
    Ok(id.map(PostId))
}

row! {
    /// A post with the text of its article: the public one, else the current one.
    struct PostText {
        id: Uuid,
        article_id: Uuid,
        channel_id: Uuid,
        name: String,
        retry_schedule: String,
        slug: String,
        title: String,
        body: String,
        details: Option<String>,
        is_chosen: i32,
        is_public: i32,
    }
}

async fn texts(conn: Conn<'_>, messages: &[Message]) -> Result<Vec<PostText>, StoreError> {
    macro_rules! texts_sql {
        ($which:literal) => {
            concat!(
                "select p.id, p.article_id, p.channel_id, c.name, c.retry_schedule, a.slug, r.title, r.body, r.details, p.is_chosen,
                        case when a.published_revision_id is null then 0 else 1 end as is_public
                   from post p
                   join channel c on c.id = p.channel_id
                   join article a on a.id = p.article_id
                   join revision r on r.id = coalesce(a.published_revision_id, a.revision_id)
                  where c.state <> 'off' and c.unfinished is distinct from 'delete'
                    and (p.is_chosen = 1 or p.delivery_id is not null) and p.article_id ",
                $which
            )
        };
    }
    let ids = messages.iter().map(|message| message.article);
    Ok(match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(texts_sql!("in (select unhex(value) from jsonb_each($1))"))
                .bind(encode(ids.map(|id| id.simple()))?)
                .fetch_all(c)
                .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(texts_sql!("= any($1::uuid[])")).bind(ids.collect::<Vec<_>>()).fetch_all(c).await?
        }
    })
}

/// What is to be done with a post.
#[derive(Debug, Clone, Copy)]
struct Step {
    task: Option<TaskId>,
    version: Version,
    event: ChannelEvent,
    purpose: PostPurpose,
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
    let texts = texts(tx.conn(), messages).await?;
    let mut new = Vec::new();
    for text in texts.iter().filter(|text| text.is_chosen == 1 || text.is_public == 0) {
        // What the article is now, not each step of a transaction that publishes and unpublishes it.
        let purpose = if text.is_public == 1 { PostPurpose::Publish } else { PostPurpose::Withdraw };
        let is_cause =
            |one: &&Message| one.article == text.article_id && purpose_of(one.event) == Some(purpose);
        let Some(&Message { task, version, event, .. }) = messages.iter().rev().find(is_cause) else {
            continue;
        };
        let step = Step { task: Some(task), version, event, purpose };
        new.push((text.id, purpose, delivery(text, step, at)));
    }
    insert(tx.conn(), &new, at).await
}

/// Publishes or withdraws one post now, without a task. `false`: its channel is off or being deleted.
pub async fn enqueue_now(
    tx: &mut Tx,
    (article, post): (ArticleId, PostId),
    purpose: PostPurpose,
    at: Timestamp,
) -> Result<bool, StoreError> {
    let event = match purpose {
        PostPurpose::Publish => ChannelEvent::ArticlePublished,
        PostPurpose::Withdraw => ChannelEvent::ArticleUnpublished,
    };
    let about = Message {
        task: TaskId(Uuid::nil()),
        version: Version::FIRST,
        event,
        article: article.0,
        revision: 1,
    };
    let texts = texts(tx.conn(), &[about]).await?;
    let Some(text) = texts.iter().find(|text| text.id == post.0) else { return Ok(false) };
    let step = Step { task: None, version: Version::FIRST, event, purpose };
    let new = [(text.id, purpose, delivery(text, step, at))];
    Ok(insert(tx.conn(), &new, at).await? > 0)
}

fn delivery(text: &PostText, step: Step, at: Timestamp) -> NewDelivery {
    let purpose = step.purpose;
    let post = match purpose {
        PostPurpose::Publish => {
            let details: ArticleDetails =
                text.details.as_deref().and_then(|json| serde_json::from_str(json).ok()).unwrap_or_default();
            json!({"id": text.id, "purpose": purpose, "slug": text.slug, "title": text.title,
                   "text": text.body, "summary": details.summary, "tags": details.tags, "canonical": details.canonical})
        }
        PostPurpose::Withdraw => json!({"id": text.id, "purpose": purpose}),
    };
    NewDelivery {
        id: DeliveryId::generate(),
        task: step.task,
        version: step.version,
        channel_id: text.channel_id,
        channel: text.name.clone(),
        event: step.event,
        title: text.title.clone(),
        body: json!({"type": step.event, "timestamp": at, "data": {"article_id": text.article_id}, "post": post})
            .to_string(),
        message: None,
        is_held: false,
        max_attempts: max_attempts(&text.retry_schedule),
    }
}

/// Stores deliveries of posts, each as the newest of its post.
async fn insert(
    mut conn: Conn<'_>,
    new: &[(Uuid, PostPurpose, NewDelivery)],
    at: Timestamp,
) -> Result<u64, StoreError> {
    if new.is_empty() {
        return Ok(0);
    }
    let deliveries: Vec<NewDelivery> = new.iter().map(|(_, _, delivery)| delivery.clone()).collect();
    outbox::insert(conn.reborrow(), &deliveries, at).await?;
    match conn {
        Conn::Sqlite(c) => {
            let packed = encode(
                new.iter().map(|(post, purpose, one)| (post.simple(), one.id.0.simple(), purpose.as_str())),
            )?;
            sqlx::query(
                "update delivery set post_id = unhex(e.value ->> 0), purpose = e.value ->> 2
                   from jsonb_each($1) as e
                  where delivery.id = unhex(e.value ->> 1)",
            )
            .bind(&packed)
            .execute(&mut *c)
            .await?;
            sqlx::query(
                "update post set delivery_id = unhex(e.value ->> 1)
                   from jsonb_each($1) as e
                  where post.id = unhex(e.value ->> 0)",
            )
            .bind(&packed)
            .execute(&mut *c)
            .await?;
        }
        Conn::Postgres(c) => {
            let (posts, ids) = (column(new, |one| one.0), column(new, |one| one.2.id.0));
            sqlx::query(
                "update delivery set post_id = new.post_id, purpose = new.purpose
                   from unnest($1::uuid[], $2::uuid[], $3::text[]) as new (post_id, delivery_id, purpose)
                  where delivery.id = new.delivery_id",
            )
            .bind(posts.as_slice())
            .bind(ids.as_slice())
            .bind(column(new, |one| one.1.as_str()))
            .execute(&mut *c)
            .await?;
            // Posts are locked in the order of their ids.
            sqlx::query(
                "with locked as materialized (select id from post where id = any($1) order by id for update)
                 update post set delivery_id = new.delivery_id
                   from unnest($1::uuid[], $2::uuid[]) as new (post_id, delivery_id), locked
                  where post.id = new.post_id and post.id = locked.id",
            )
            .bind(posts.as_slice())
            .bind(ids.as_slice())
            .execute(&mut *c)
            .await?;
        }
    }
    Ok(new.len() as u64)
}

/// Deletes the posts of a channel. What it has published stays where it is.
pub(crate) async fn delete_of_channel(conn: Conn<'_>, channel: Uuid) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query("delete from post where channel_id = $1")
        .bind(channel).execute(c).await.map(drop))?;
    Ok(())
}
