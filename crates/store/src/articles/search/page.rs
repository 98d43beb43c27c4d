//! One page of search results: best rank first, newest change first within a rank.

use super::{Query, query::RANKS};
use crate::{
    Conn, StoreError,
    article_list::{ArticleListQuery, ListedArticle, columns, filter_condition},
    db::with_conn,
    json_rows::encode,
    row::row,
};
use domain::article::ArticleFilter;
use std::collections::HashMap;
use uuid::Uuid;

/// PostgreSQL: number of hits from which a search is common. For a common search the newest
/// articles are scanned; otherwise all hits of the index are sorted.
const COMMON_MIN_HITS: i64 = 2_000;
/// Up to this number of articles in the filter, each of them is looked up in the index; otherwise the
/// hits of the index are filtered.
const MAX_FEW: i64 = 500;
/// Maximum number of articles whose text is checked for phrases per page, or the page size if that
/// is larger. Each takes up to a millisecond.
const MAX_CHECKED: usize = 100;
/// Number of texts read in one statement.
const BODY_BATCH_SIZE: usize = 10;

/// Where a page ended. On SQLite `at` is the position in the index, on PostgreSQL the time of the
/// last change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SearchCursor {
    /// Rank, from 1.
    pub rank: u8,
    /// Position in the rank.
    pub at: i64,
    /// Id of the article.
    pub id: Uuid,
}

impl SearchCursor {
    fn start_of(rank: u8) -> Self {
        Self { rank, at: i64::MAX, id: Uuid::max() }
    }
}

row! {
    /// A search hit.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Hit {
        /// Its row in the list.
        flat pub listed: ListedArticle,
        /// See [`SearchCursor::at`].
        pub at: i64,
    }
}

/// One page of hits.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SearchPage {
    /// Hits, best first.
    pub hits: Vec<Hit>,
    /// Start of the next page; `None`: this is the last page.
    pub next: Option<SearchCursor>,
}

/// Filter and page of a search.
#[derive(Debug, Clone, Copy)]
pub struct Scope<'w> {
    /// Filter and page size; its own cursor and search text are ignored.
    pub wanted: &'w ArticleListQuery,
    /// Cursor; `None`: the first page.
    pub after: Option<SearchCursor>,
}

/// PostgreSQL underestimates the cost of matching a text and would scan the table instead of using
/// the index.
const BEGIN_INDEX_ONLY: &str = "begin read only; set local enable_seqscan = off; set local enable_hashjoin = off; set local enable_mergejoin = off";

/// Returns one page. If phrases must be checked in the texts, a page may have fewer hits than
/// requested without being the last. Must not be called within a transaction.
pub async fn page(mut conn: Conn<'_>, query: &Query, scope: Scope<'_>) -> Result<SearchPage, StoreError> {
    if query.is_empty() {
        return Ok(SearchPage::default());
    }
    if let Conn::Postgres(c) = conn.reborrow() {
        c.begin(BEGIN_INDEX_ONLY).await?;
    }
    let found = ranked(conn.reborrow(), query, scope).await?;
    if let Conn::Postgres(c) = conn {
        c.end_read().await?;
    }
    Ok(found)
}

async fn ranked(mut conn: Conn<'_>, query: &Query, scope: Scope<'_>) -> Result<SearchPage, StoreError> {
    let mut found = SearchPage::default();
    let most = usize::try_from(scope.wanted.limit).unwrap_or(1);
    let is_few = has_few(conn.reborrow(), scope.wanted.filter).await?;
    let (mut place, mut checked) = (scope.after.unwrap_or(SearchCursor::start_of(1)), 0);
    for rank in place.rank..=RANKS {
        place = if place.rank == rank { place } else { SearchCursor::start_of(rank) };
        loop {
            let asked = scope.wanted.limit + 1 - u32::try_from(found.hits.len()).unwrap_or(0);
            let part = part(conn.reborrow(), query, place, (scope.wanted, asked, is_few)).await?;
            let is_end = part.len() < asked as usize;
            let holds = phrases(conn.reborrow(), query, &part).await?;
            for (hit, holds) in part.into_iter().zip(holds) {
                if holds && found.hits.len() == most {
                    found.next = Some(place);
                    return Ok(found);
                }
                place = SearchCursor { rank, at: hit.at, id: hit.listed.article.id };
                found.hits.extend(holds.then_some(hit));
                checked += 1;
            }
            if is_end {
                break;
            }
            if checked >= MAX_CHECKED.max(most) {
                found.next = Some(place);
                return Ok(found);
            }
        }
    }
    Ok(found)
}

/// Returns the texts of these revisions.
pub async fn bodies(conn: Conn<'_>, revisions: &[Uuid]) -> Result<HashMap<Uuid, String>, StoreError> {
    let rows: Vec<(Uuid, String)> = match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(
                "select id, body from revision where id in (select unhex(value) from jsonb_each($1))",
            )
            .bind(encode(revisions.iter().map(Uuid::as_simple))?)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as("select id, body from revision where id = any($1)")
                .bind(revisions)
                .fetch_all(c)
                .await?
        }
    };
    Ok(rows.into_iter().collect())
}

/// Returns for each hit whether it contains the phrases of the query.
async fn phrases(mut conn: Conn<'_>, query: &Query, hits: &[Hit]) -> Result<Vec<bool>, StoreError> {
    if query.phrases.is_empty() {
        return Ok(vec![true; hits.len()]);
    }
    let mut holds = Vec::with_capacity(hits.len());
    for some in hits.chunks(BODY_BATCH_SIZE) {
        let revisions: Vec<Uuid> = some.iter().map(|hit| hit.listed.article.revision_id).collect();
        let bodies = bodies(conn.reborrow(), &revisions).await?;
        holds.extend(some.iter().map(|hit| {
            let article = &hit.listed.article;
            let body = bodies.get(&article.revision_id).map_or("", String::as_str);
            query.holds_phrases(&[&article.title, &article.slug, body])
        }));
    }
    Ok(holds)
}

/// A select of [`Hit`]s with the parameters $1 condition, $2 and $3 cursor, $4 to $6 filter, $7
/// limit, $8 tag.
macro_rules! select {
    ($at:literal, $from:literal, $where:literal, $order:literal) => {
        concat!(
            "select ",
            columns!(),
            ", ",
            $at,
            " as at from ",
            $from,
            " where ",
            $where,
            " and ",
            filter_condition!("$4", "$5", "$6", "$8"),
            " order by ",
            $order,
            " limit $7"
        )
    };
}

/// Reads the index backwards; the other tables are read for each hit, until there are enough.
const SQLITE_SQL: &str = select!(
    "e.seq",
    "search_index f
     cross join search_entry e on e.seq = f.rowid
     cross join article a on a.id = e.article_id
     cross join account p on p.id = a.owner_id",
    "f.search_index match $1 and f.rowid < $2 and $3 is not null",
    "f.rowid desc"
);

const RARE_SQL: &str = concat!(
    "with hit as materialized (select article_id from search_entry where tokens @@ $1::text::tsquery) ",
    select!(
        "a.changed_at",
        "hit join article a on a.id = hit.article_id join account p on p.id = a.owner_id",
        "(a.changed_at, a.id) < ($2, $3)",
        "a.changed_at desc, a.id desc"
    )
);

/// `coalesce` keeps the planner from using the index of the tokens.
const COMMON_SQL: &str = select!(
    "a.changed_at",
    "article a join search_entry e on e.article_id = a.id join account p on p.id = a.owner_id",
    "(a.changed_at, a.id) < ($2, $3) and coalesce(e.tokens @@ $1::text::tsquery, false)",
    "a.changed_at desc, a.id desc"
);

/// The articles in a filter that has an index of its own. $6: the filter.
macro_rules! few {
    () => {
        "select id from article where $6 = 'published' and published_at is not null
         union all
         select id from article where $6 = 'trash' and deleted_at is not null
         union all
         select distinct target_id from task where $6 = 'scheduled' and state = 'scheduled'"
    };
}

const FEW_SQLITE_SQL: &str = concat!(
    "with few (id) as materialized (",
    few!(),
    ") ",
    select!(
        "e.seq",
        "few
         cross join article a on a.id = few.id
         cross join search_entry e on e.article_id = a.id
         cross join search_index f on f.rowid = e.seq
         cross join account p on p.id = a.owner_id",
        "f.search_index match $1 and e.seq < $2 and $3 is not null",
        "e.seq desc"
    )
);

const FEW_POSTGRES_SQL: &str = concat!(
    "with few (id) as materialized (",
    few!(),
    ") ",
    select!(
        "a.changed_at",
        "few join article a on a.id = few.id join search_entry e on e.article_id = a.id
             join account p on p.id = a.owner_id",
        "(a.changed_at, a.id) < ($2, $3) and coalesce(e.tokens @@ $1::text::tsquery, false)",
        "a.changed_at desc, a.id desc"
    )
);

/// Whether the filter has an index and at most [`MAX_FEW`] articles.
async fn has_few(conn: Conn<'_>, filter: Option<ArticleFilter>) -> Result<bool, StoreError> {
    let statement = match filter {
        Some(ArticleFilter::Published) => {
            "select count(*) from (select 1 from article where published_at is not null limit $1) as counted"
        }
        Some(ArticleFilter::Trash) => {
            "select count(*) from (select 1 from article where deleted_at is not null limit $1) as counted"
        }
        Some(ArticleFilter::Scheduled) => {
            "select count(*) from (select 1 from task where state = 'scheduled' limit $1) as counted"
        }
        Some(ArticleFilter::Draft) | None => return Ok(false),
    };
    let count: i64 =
        with_conn!(conn, c => sqlx::query_scalar(statement).bind(MAX_FEW + 1).fetch_one(c).await)?;
    Ok(count <= MAX_FEW)
}

/// Returns the next articles of one rank.
async fn part(
    mut conn: Conn<'_>,
    query: &Query,
    place: SearchCursor,
    (wanted, limit, is_few): (&ArticleListQuery, u32, bool),
) -> Result<Vec<Hit>, StoreError> {
    let condition = query.rank(place.rank);
    macro_rules! hits {
        ($c:expr, $sql:expr, $condition:expr) => {
            sqlx::query_as($sql)
                .bind($condition)
                .bind(place.at)
                .bind(place.id)
                .bind(i32::from(wanted.owner.is_some()))
                .bind(wanted.owner.map_or(Uuid::nil(), Uuid::from))
                .bind(wanted.filter.map_or("", ArticleFilter::as_str))
                .bind(i64::from(limit))
                .bind(wanted.tag.as_deref().unwrap_or_default())
                .fetch_all($c)
                .await?
        };
    }
    Ok(match conn.reborrow() {
        Conn::Sqlite(c) => hits!(c, if is_few { FEW_SQLITE_SQL } else { SQLITE_SQL }, condition.fts()),
        Conn::Postgres(c) if is_few => hits!(c, FEW_POSTGRES_SQL, condition.tsquery()),
        Conn::Postgres(c) => {
            let condition = condition.tsquery();
            let count: i64 = sqlx::query_scalar(
                "select count(*) from (select 1 from search_entry where tokens @@ $1::text::tsquery limit $2) as few",
            )
            .bind(&condition)
            .bind(COMMON_MIN_HITS)
            .fetch_one(&mut *c)
            .await?;
            let sql = if count < COMMON_MIN_HITS { RARE_SQL } else { COMMON_SQL };
            hits!(c, sql, condition)
        }
    })
}
