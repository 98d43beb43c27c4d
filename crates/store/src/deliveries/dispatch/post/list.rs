//! Reads posts with their state, which follows from the newest delivery and what is known of the site.

use crate::{Conn, StoreError, db::with_conn, json_rows::encode, row::row};
use domain::{
    ArticleId, ChannelId, DeliveryId, PostId, Timestamp, Version,
    post::{Post, PostState},
};
use std::collections::HashMap;
use uuid::Uuid;

row! {
    /// An article at a channel that publishes posts, chosen or not.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct PostRecord {
        /// Id of the post; `None`: the article was never chosen for the channel.
        pub id: Option<Uuid>,
        version: i32,
        article_id: Uuid,
        channel_id: Uuid,
        name: String,
        is_chosen: i32,
        url: Option<String>,
        published_at: Option<i64>,
        delivery_id: Option<Uuid>,
        checked_at: Option<i64>,
        seen_at: Option<i64>,
        removed: Option<String>,
        changed_there: Option<String>,
        state: String,
        problem: Option<String>,
    }
}

impl PostRecord {
    /// Returns the post.
    ///
    /// # Errors
    /// If its state cannot be read.
    pub fn into_post(self) -> Result<Post, StoreError> {
        let state: PostState =
            self.state.parse().map_err(|_| StoreError::Corrupt(format!("post state {}", self.state)))?;
        let names = self.removed.unwrap_or_default();
        Ok(Post {
            id: self.id.map(PostId),
            version: Version(self.version),
            article: ArticleId(self.article_id),
            channel: ChannelId(self.channel_id),
            name: self.name,
            is_chosen: self.is_chosen == 1,
            state,
            url: self.url,
            published_at: self.published_at.map(Timestamp::from_millis),
            delivery: self.delivery_id.map(DeliveryId),
            problem: self.problem.filter(|_| state != PostState::Off),
            checked_at: self.checked_at.map(Timestamp::from_millis),
            seen_at: self.seen_at.map(Timestamp::from_millis),
            removed: names.split_whitespace().map(str::to_owned).collect(),
            changed_there: self.changed_there,
        })
    }
}

/// State of the post `p` with its newest delivery `d`, a word of [`PostState`].
macro_rules! post_state {
    () => {
        "case when d.state in ('pending', 'sending', 'held')
              then case d.purpose when 'withdraw' then 'withdrawing' when 'prepare' then 'preparing'
                                  when 'look' then 'published' else 'publishing' end
              when d.purpose = 'withdraw' and d.state = 'delivered' then 'withdrawn'
              when p.changed_there is not null then 'changed_there'
              when d.purpose = 'look' and p.seen_at is null then 'published'
              when d.purpose <> 'look' and d.state = 'failed' then 'failed'
              when d.purpose = 'prepare' and d.state = 'unconfirmed' then 'failed'
              when d.purpose <> 'look' and d.state = 'unconfirmed' then 'unconfirmed'
              when p.seen_at is not null then 'live'
              when p.published_at is not null or d.purpose = 'publish' and d.state = 'delivered' then 'published'
              when p.is_chosen is distinct from 1 then 'off'
              when d.purpose = 'prepare' and d.state = 'delivered' then 'ready'
              when d.purpose = 'publish' and d.state = 'cancelled' then 'cancelled'
              else 'planned' end"
    };
}

/// Selects [`PostRecord`]s; `$article` is the id of the article, and `$from` the join of `c`, `p` and `d` and a
/// condition.
macro_rules! posts {
    ($article:literal, $from:literal) => {
        concat!(
            "select p.id, coalesce(p.version, 0) as version, ",
            $article,
            " as article_id, c.id as channel_id, c.name,
                    coalesce(p.is_chosen, 0) as is_chosen, p.remote_url as url, p.published_at, p.delivery_id, p.checked_at,
                    p.seen_at, p.removed, p.changed_there, ",
            post_state!(),
            " as state,
                    (select case when a.outcome <> 'delivered' and (d.state <> 'cancelled' or d.purpose = 'prepare')
                                 then substr(a.response_body, 1, 300) end
                       from delivery_attempt a
                      where a.delivery_id = p.delivery_id and a.ended_at is not null
                      order by a.epoch desc
                      limit 1) as problem ",
            $from
        )
    };
}

/// Returns the article at each channel that publishes posts, by name. `channel`: only at this one.
pub async fn of_article(
    conn: Conn<'_>,
    article: ArticleId,
    channel: Option<ChannelId>,
) -> Result<Vec<PostRecord>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(posts!(
        "coalesce(p.article_id, $1)",
        "from channel c
         left join post p on p.channel_id = c.id and p.article_id = $1
         left join delivery d on d.id = p.delivery_id
        where c.transport in ('wordpress', 'ghost') and c.unfinished is distinct from 'delete' and ($2 is null or c.id = $2)
        order by lower(c.name), c.id"))
        .bind(article.0).bind(channel.map(|channel| channel.0)).fetch_all(c).await)?)
}

/// Returns a post; `None`: there is none, or its channel is being deleted.
pub async fn find(conn: Conn<'_>, post: PostId) -> Result<Option<PostRecord>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(posts!(
        "p.article_id",
        "from post p
         join channel c on c.id = p.channel_id
         left join delivery d on d.id = p.delivery_id
        where p.id = $1 and c.unfinished is distinct from 'delete'"))
        .bind(post.0).fetch_optional(c).await)?)
}

/// Returns the worst state of the posts of each of these articles; those that were chosen for no channel are left out.
pub async fn worst(conn: Conn<'_>, articles: &[Uuid]) -> Result<HashMap<Uuid, PostState>, StoreError> {
    macro_rules! states_sql {
        ($which:literal) => {
            concat!(
                "select p.article_id, ",
                post_state!(),
                " as state
                   from post p
                   left join delivery d on d.id = p.delivery_id
                  where p.is_chosen = 1 and p.article_id ",
                $which
            )
        };
    }
    let rows: Vec<(Uuid, String)> = match conn {
        _ if articles.is_empty() => Vec::new(),
        Conn::Sqlite(c) => {
            let query = sqlx::query_as(states_sql!("in (select unhex(value) from jsonb_each($1))"));
            query.bind(encode(articles.iter().map(Uuid::as_simple))?).fetch_all(c).await?
        }
        Conn::Postgres(c) => sqlx::query_as(states_sql!("= any($1)")).bind(articles).fetch_all(c).await?,
    };
    let mut worst: HashMap<Uuid, PostState> = HashMap::new();
    for (article, state) in rows {
        let known = worst.remove(&article);
        let state = PostState::worst(state.parse::<PostState>().ok().into_iter().chain(known));
        worst.extend(state.map(|state| (article, state)));
    }
    Ok(worst)
}

/// Locks a post that has the version that a user has seen, and counts the change. `false`: it was changed since.
pub async fn change_seen(conn: Conn<'_>, post: PostId, seen: Version) -> Result<bool, StoreError> {
    Ok(
        with_conn!(conn, c => sqlx::query("update post set version = version + 1 where id = $1 and version = $2")
        .bind(post.0).bind(seen.0).execute(c).await?.rows_affected())
            == 1,
    )
}

/// Filter of the list of posts, newest first.
#[derive(Debug, Clone, Copy)]
pub struct PostFilter {
    /// Only at this channel.
    pub channel: Option<ChannelId>,
    /// Only in this state.
    pub state: Option<PostState>,
    /// Whether the oldest comes first.
    pub is_ascending: bool,
    /// Only beyond this post, in the order of the list.
    pub start: Option<Uuid>,
    /// Maximum number of rows.
    pub limit: i64,
}

macro_rules! page {
    ($beyond:literal) => {
        concat!(
            "select listed.* from (",
            posts!(
                "p.article_id",
                "from post p
                 join channel c on c.id = p.channel_id
                 left join delivery d on d.id = p.delivery_id
                where c.unfinished is distinct from 'delete' and ($1 is null or p.channel_id = $1)"
            ),
            ") as listed where ($2 is null or listed.state = $2) and ",
            $beyond,
            " limit $4"
        )
    };
}

/// Returns one page of posts.
pub async fn list(conn: Conn<'_>, filter: PostFilter) -> Result<Vec<PostRecord>, StoreError> {
    let sql = match filter.is_ascending {
        false => page!("($3 is null or listed.id < $3) order by listed.id desc"),
        true => page!("($3 is null or listed.id > $3) order by listed.id"),
    };
    Ok(with_conn!(conn, c => sqlx::query_as(sql)
        .bind(filter.channel.map(|channel| channel.0)).bind(filter.state.map(PostState::as_str))
        .bind(filter.start).bind(filter.limit).fetch_all(c).await)?)
}
