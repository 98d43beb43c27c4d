//! Tasks as people read them: one shape for every list, with title, owner and the last thing a person did.

use crate::{
    Conn, StoreError,
    batch::pack,
    db::on,
    like::anywhere,
    row::row,
    search::{self, Query},
};
use domain::{Kind, PersonId, State, TaskId, Timestamp};
use uuid::Uuid;

row! {
    /// A task with all that a list shows of it. Words and JSON as they stand in SQL.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Line {
        /// Identity.
        pub id: Uuid,
        /// What happens.
        pub kind: String,
        /// To what.
        pub target_id: Uuid,
        /// The pinned revision.
        pub revision_id: Option<Uuid>,
        /// Where it stands.
        pub state: String,
        /// Grows with every change.
        pub version: i32,
        /// When, milliseconds.
        pub due_at: i64,
        /// What the person typed.
        pub local: Option<String>,
        /// The zone they typed it in.
        pub zone: Option<String>,
        /// Priority.
        pub lane: String,
        /// Shard of its hints.
        pub bucket: i32,
        /// Title of the pinned revision, else of the article.
        pub title: String,
        /// Slug of the article.
        pub slug: String,
        /// Whose it is.
        pub owner_id: Uuid,
        /// What they are called.
        pub owner: String,
        /// When it happened, milliseconds.
        pub executed_at: Option<i64>,
        /// Why it failed, was missed or cancelled.
        pub reason: Option<String>,
        /// The revision of the article that is public now.
        pub public_revision_id: Option<Uuid>,
        /// The last thing a person did to it.
        pub last_verb: Option<String>,
        /// When they did.
        pub last_at: Option<i64>,
        /// What it needs to be taken back: a JSON object.
        pub last_detail: Option<String>,
    }
}

/// The shape of a [`Line`] around a choice of rows of `task`, and their order.
macro_rules! lines {
    ($chosen:expr, $order:expr) => {
        concat!(
            "select t.id, t.kind, t.target_id, t.revision_id, t.state, t.version, t.due_at, t.local, t.zone, t.lane,
                    t.bucket, coalesce(r.title, a.title, '') as title, coalesce(a.slug, '') as slug, t.owner_id,
                    coalesce(p.name, '') as owner, t.executed_at, t.reason,
                    a.published_revision_id as public_revision_id,
                    u.verb as last_verb, u.at as last_at, u.detail as last_detail
               from (",
            $chosen,
            ") as t
               left join article a on a.id = t.target_id
               left join revision r on r.id = t.revision_id
               left join person p on p.id = t.owner_id
               left join event u
                 on u.seq = (select max(e.seq) from event e where e.entity_id = t.id and e.actor_id is not null)
              order by ",
            $order
        )
    };
}
pub(crate) use lines;

/// One task; `None`: there is no such task.
pub async fn find(conn: Conn<'_>, id: TaskId) -> Result<Option<Line>, StoreError> {
    Ok(on!(conn, c => sqlx::query_as(lines!("select * from task where id = $1", "t.id"))
        .bind(id.0).fetch_optional(c).await)?)
}

/// The tasks that one request made together, in the order they were made.
pub async fn of_request(
    conn: Conn<'_>,
    first: TaskId,
    mark: &str,
    count: usize,
) -> Result<Vec<Line>, StoreError> {
    let count = i64::try_from(count).unwrap_or(i64::MAX);
    Ok(on!(conn, c => sqlx::query_as(lines!(
        "select * from task where id >= $1 and payload = $2 order by id limit $3", "t.id"))
        .bind(first.0).bind(mark).bind(count).fetch_all(c).await)?)
}

/// The waiting tasks with these keys, see [`crate::task::unique_key`].
pub async fn waiting_with(conn: Conn<'_>, keys: &[String]) -> Result<Vec<Line>, StoreError> {
    Ok(match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(lines!(
                "select * from task
                  where state = 'scheduled' and unique_key in (select value from jsonb_each($1))",
                "t.due_at, t.id"
            ))
            .bind(pack(keys)?)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(lines!(
                "select * from task where state = 'scheduled' and unique_key = any($1)",
                "t.due_at, t.id"
            ))
            .bind(keys)
            .fetch_all(c)
            .await?
        }
    })
}

/// All that waits for these articles, next first.
pub async fn waiting_of_targets(conn: Conn<'_>, targets: &[Uuid]) -> Result<Vec<Line>, StoreError> {
    Ok(match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(lines!(
                "select * from task
                  where +state = 'scheduled' and target_id in (select unhex(value) from jsonb_each($1))",
                "t.due_at, t.id"
            ))
            .bind(pack(targets.iter().map(Uuid::as_simple))?)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(lines!(
                "select * from task where state || '' = 'scheduled' and target_id = any($1)",
                "t.due_at, t.id"
            ))
            .bind(targets)
            .fetch_all(c)
            .await?
        }
    })
}

/// The task of an article that was executed last; `None`: none was.
pub async fn last_executed(conn: Conn<'_>, target: Uuid) -> Result<Option<Line>, StoreError> {
    Ok(on!(conn, c => sqlx::query_as(lines!(
        "select * from task where target_id = $1 and state || '' = 'executed' order by executed_at desc, id desc limit 1", "t.id"))
        .bind(target).fetch_optional(c).await)?)
}

/// All that waits for an article, failed or was missed, next first.
pub async fn open_of_target(conn: Conn<'_>, target: Uuid) -> Result<Vec<Line>, StoreError> {
    Ok(on!(conn, c => sqlx::query_as(lines!(
        "select * from task where target_id = $1 and state || '' in ('scheduled', 'failed', 'missed')",
        "t.due_at, t.id"))
        .bind(target).fetch_all(c).await)?)
}

/// All that waits of a person, next first.
pub async fn waiting_of_owner(conn: Conn<'_>, owner: PersonId) -> Result<Vec<Line>, StoreError> {
    Ok(on!(conn, c => sqlx::query_as(lines!(
        "select * from task where state = 'scheduled' and owner_id = $1", "t.due_at, t.id"))
        .bind(owner.0).fetch_all(c).await)?)
}

/// Which tasks, ordered by moment, then id.
#[derive(Debug, Clone, Copy)]
pub struct Choice<'a> {
    /// Only in this state.
    pub state: Option<State>,
    /// Only of this kind.
    pub kind: Option<Kind>,
    /// Only due at or after.
    pub from: i64,
    /// Only due before.
    pub to: i64,
    /// Only of articles whose title or slug, present or former, holds these words.
    pub q: Option<&'a str>,
    /// Only after this place.
    pub after: Option<(i64, Uuid)>,
    /// At most so many.
    pub limit: i64,
}

/// Whether a title holds the words: looked for in each, while the index of the search is not filled yet.
macro_rules! by_looking {
    () => {
        "($6 is null
                         or lower(coalesce(r.title, a.title)) like $6 escape '!'
                         or coalesce(r.title, a.title) like $7 escape '!'
                         or a.slug like $6 escape '!')"
    };
}

/// The same by the index.
macro_rules! by_index {
    () => {
        "k.target_id in (select id from hit) and $7 is null"
    };
}

/// A page of the tasks in this state, as the index (state, due_at, id) has them.
macro_rules! in_state {
    ($state:literal, $found:expr) => {
        concat!(
            "select * from (
                 select k.* from task k
                   left join article a on a.id = k.target_id
                   left join revision r on r.id = k.revision_id
                  where k.state = ",
            $state,
            "       and k.kind <> 'engine.canary'
                    and (k.due_at, k.id) > ($2, $3) and k.due_at < $4
                    and ($5 is null or k.kind = $5)
                    and ",
            $found,
            "     order by k.due_at, k.id
                  limit $8) as part"
        )
    };
}

/// The tasks in one state, or in all: then the first of the pages of each.
macro_rules! in_all {
    ($found:expr) => {
        concat!(
            "select * from (",
            in_state!("'scheduled'", $found),
            " union all ",
            in_state!("'executed'", $found),
            " union all ",
            in_state!("'failed'", $found),
            " union all ",
            in_state!("'cancelled'", $found),
            " union all ",
            in_state!("'missed'", $found),
            ") as merged where $1 is null order by due_at, id limit $8"
        )
    };
}

const OF_ONE: &str = lines!(in_state!("$1", by_looking!()), "t.due_at, t.id");
const OF_ALL: &str = lines!(in_all!(by_looking!()), "t.due_at, t.id");

/// What the words find, as each engine asks its index.
macro_rules! sqlite_hits {
    () => {
        "with hit (id) as materialized (select e.article_id from search_index f cross join search_entry e on e.seq = f.rowid
                                         where f.search_index match $6) "
    };
}
macro_rules! postgres_hits {
    () => {
        "with hit (id) as materialized (select article_id from search_entry where tokens @@ $6::text::tsquery) "
    };
}

/// See above: for SQLite of one state and of all, then for PostgreSQL.
const FOUND: [[&str; 2]; 2] = [
    [
        concat!(sqlite_hits!(), lines!(in_state!("$1", by_index!()), "t.due_at, t.id")),
        concat!(sqlite_hits!(), lines!(in_all!(by_index!()), "t.due_at, t.id")),
    ],
    [
        concat!(postgres_hits!(), lines!(in_state!("$1", by_index!()), "t.due_at, t.id")),
        concat!(postgres_hits!(), lines!(in_all!(by_index!()), "t.due_at, t.id")),
    ],
];

/// One page of the list.
pub async fn list(mut conn: Conn<'_>, choice: Choice<'_>) -> Result<Vec<Line>, StoreError> {
    // One place to begin at: of two, PostgreSQL may choose the one from which it has to read past millions.
    let begin = (choice.from, Uuid::nil());
    let (after_due, after_id) = choice.after.map_or(begin, |after| after.max(begin));
    let is_indexed = choice.q.is_some() && search::is_filled(conn.again()).await?;
    let Words { statement, found, typed } = words(&conn, choice, is_indexed);
    if is_indexed && found.is_none() {
        return Ok(Vec::new());
    }
    Ok(on!(conn, c => sqlx::query_as(statement)
        .bind(choice.state.map(State::as_str))
        .bind(after_due).bind(after_id)
        .bind(choice.to)
        .bind(choice.kind.map(Kind::as_str))
        .bind(found).bind(typed)
        .bind(choice.limit)
        .fetch_all(c).await)?)
}

/// A statement with what to look for.
struct Words {
    statement: &'static str,
    found: Option<String>,
    typed: Option<String>,
}

fn words(conn: &Conn<'_>, choice: Choice<'_>, is_indexed: bool) -> Words {
    let is_of_all = choice.state.is_none();
    if !is_indexed {
        // In both spellings: SQLite lowers only ASCII.
        let found = choice.q.map(|q| anywhere(&q.to_lowercase()));
        let statement = if is_of_all { OF_ALL } else { OF_ONE };
        return Words { statement, found, typed: choice.q.map(anywhere) };
    }
    let query = Query::parse(choice.q.unwrap_or_default());
    let names = (!query.is_empty()).then(|| query.name());
    let (engine, found) = match conn {
        Conn::Sqlite(_) => (0, names.map(|names| names.fts())),
        Conn::Postgres(_) => (1, names.map(|names| names.tsquery())),
    };
    Words { statement: FOUND[engine][usize::from(is_of_all)], found, typed: None }
}

row! {
    /// What the page of one task shows beside its line. Milliseconds.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Rest {
        /// The pinned revision's number.
        pub revision: Option<i32>,
        /// When it was made.
        pub created_at: i64,
        /// How often it was tried.
        pub attempts: i32,
        /// Grace of its late rule.
        pub late_grace: i64,
        /// Whether its article is public now.
        pub is_public: bool,
        /// When its hint entered the future set.
        pub hinted_at: Option<i64>,
        /// When its hint was moved to the publish list.
        pub moved_at: Option<i64>,
        /// When a consumer took it.
        pub popped_at: Option<i64>,
        /// When its transaction began; `None`: it was not executed.
        pub started_at: Option<i64>,
        /// When its transaction executed it.
        pub ended_at: Option<i64>,
    }
}

/// What the page of one task shows beside its line.
pub async fn rest(conn: Conn<'_>, id: TaskId) -> Result<Option<Rest>, StoreError> {
    Ok(on!(conn, c => sqlx::query_as(
        "select r.number as revision, t.created_at, t.attempts, t.late_grace,
                a.published_revision_id is not null as is_public,
                x.hinted_at, x.moved_at, x.popped_at, x.started_at, x.executed_at as ended_at
           from task t
           left join article a on a.id = t.target_id
           left join revision r on r.id = t.revision_id
           left join execution x on x.task_id = t.id
          where t.id = $1")
        .bind(id.0).fetch_optional(c).await)?)
}

/// Whether something waits to publish the article at `before` or earlier.
pub async fn is_published_before(
    conn: Conn<'_>,
    article: Uuid,
    before: Timestamp,
) -> Result<bool, StoreError> {
    let found: Option<i32> = on!(conn, c => sqlx::query_scalar(
        "select 1 from task
          where target_id = $1 and state || '' = 'scheduled' and kind = 'article.publish' and due_at <= $2
          limit 1")
        .bind(article).bind(before.millis()).fetch_optional(c).await)?;
    Ok(found.is_some())
}

/// Name of the desk's zone; `None`: nobody has set it.
pub async fn desk_zone(conn: Conn<'_>) -> Result<Option<String>, StoreError> {
    Ok(on!(conn, c => sqlx::query_scalar("select value from setting where name = 'zone'")
        .fetch_optional(c).await)?)
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_list_of_all_states_forgets_none() {
        for state in domain::State::WORDS {
            assert!(super::OF_ALL.contains(&format!("k.state = '{state}'")), "{state}");
        }
    }
}
