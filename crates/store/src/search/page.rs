//! One page of what a search finds: best rank first, newest change first within a rank.

use super::{Query, query::RANKS};
use crate::{
    Conn, StoreError,
    article_list::{ListedArticle, Wanted, columns, narrowed},
    batch::pack,
    row::row,
};
use domain::article::ArticleFilter;
use std::collections::HashMap;
use uuid::Uuid;

/// PostgreSQL: what this many articles hold is common. Of common words the newest articles are looked through; of others all that
/// the index finds are sorted.
const COMMON: i64 = 2_000;
/// Articles whose phrases are looked for before a page ends, if it holds any; and if it holds none.
const LOOKED_AT: usize = 200;
const LOOKED_AT_IN_VAIN: usize = 3_000;
/// Texts read at once.
const BODIES: usize = 10;

/// Where a page ended. On SQLite `at` is the place in the index, on PostgreSQL the moment of the last change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// From 1.
    pub rank: u8,
    /// See above.
    pub at: i64,
    /// The article.
    pub id: Uuid,
}

impl Place {
    fn start_of(rank: u8) -> Self {
        Self { rank, at: i64::MAX, id: Uuid::max() }
    }
}

row! {
    /// An article that was found.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Hit {
        /// Its line.
        flat pub listed: ListedArticle,
        /// See [`Place::at`].
        pub at: i64,
    }
}

/// One page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Found {
    /// Best first.
    pub hits: Vec<Hit>,
    /// Where the next page begins; `None`: this is the last one.
    pub next: Option<Place>,
}

/// What is searched, and how much of it is wanted.
#[derive(Debug, Clone, Copy)]
pub struct Scope<'w> {
    /// Narrowed to these; its own place and words are not looked at.
    pub wanted: &'w Wanted,
    /// Only after this place.
    pub after: Option<Place>,
}

/// PostgreSQL takes a text for as quick to look into as a number, and would rather read all of them than ask its index.
const BY_INDEX: &str = "begin read only; set local enable_seqscan = off; set local enable_hashjoin = off; set local enable_mergejoin = off";

/// One page. Where phrases must be looked for in the texts, it may hold fewer than were wanted and still not be the last one. Not
/// within a transaction.
pub async fn page(mut conn: Conn<'_>, query: &Query, scope: Scope<'_>) -> Result<Found, StoreError> {
    if query.is_empty() {
        return Ok(Found::default());
    }
    if let Conn::Postgres(c) = conn.again() {
        c.begin(BY_INDEX).await?;
    }
    let found = ranked(conn.again(), query, scope).await?;
    if let Conn::Postgres(c) = conn {
        c.end_reading().await?;
    }
    Ok(found)
}

async fn ranked(mut conn: Conn<'_>, query: &Query, scope: Scope<'_>) -> Result<Found, StoreError> {
    let mut found = Found::default();
    let most = usize::try_from(scope.wanted.limit).unwrap_or(1);
    let (mut place, mut looked_at) = (scope.after.unwrap_or(Place::start_of(1)), 0);
    for rank in place.rank..=RANKS {
        place = if place.rank == rank { place } else { Place::start_of(rank) };
        loop {
            let asked = scope.wanted.limit + 1 - u32::try_from(found.hits.len()).unwrap_or(0);
            let part = part(conn.again(), query, place, (scope.wanted, asked)).await?;
            let is_end = part.len() < asked as usize;
            let holds = phrases(conn.again(), query, &part).await?;
            for (hit, holds) in part.into_iter().zip(holds) {
                if holds && found.hits.len() == most {
                    found.next = Some(place);
                    return Ok(found);
                }
                place = Place { rank, at: hit.at, id: hit.listed.article.id };
                found.hits.extend(holds.then_some(hit));
                looked_at += 1;
            }
            if is_end {
                break;
            }
            let enough = if found.hits.is_empty() { LOOKED_AT_IN_VAIN } else { LOOKED_AT.max(most) };
            if looked_at >= enough {
                found.next = Some(place);
                return Ok(found);
            }
        }
    }
    Ok(found)
}

/// The texts of these revisions.
pub async fn bodies(conn: Conn<'_>, revisions: &[Uuid]) -> Result<HashMap<Uuid, String>, StoreError> {
    let rows: Vec<(Uuid, String)> = match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(
                "select id, body from revision where id in (select unhex(value) from jsonb_each($1))",
            )
            .bind(pack(revisions.iter().map(Uuid::as_simple))?)
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

/// Whether each of these holds the phrases of the query.
async fn phrases(mut conn: Conn<'_>, query: &Query, hits: &[Hit]) -> Result<Vec<bool>, StoreError> {
    if query.phrases.is_empty() {
        return Ok(vec![true; hits.len()]);
    }
    let mut holds = Vec::with_capacity(hits.len());
    for some in hits.chunks(BODIES) {
        let revisions: Vec<Uuid> = some.iter().map(|hit| hit.listed.article.revision_id).collect();
        let bodies = bodies(conn.again(), &revisions).await?;
        holds.extend(some.iter().map(|hit| {
            let article = &hit.listed.article;
            let body = bodies.get(&article.revision_id).map_or("", String::as_str);
            query.holds_phrases(&[&article.title, &article.slug, body])
        }));
    }
    Ok(holds)
}

/// A select of [`Hit`]s with the parameters $1 the condition, $2 and $3 the place, $4 to $6 what it is narrowed to, $7 the limit.
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
            narrowed!("$4", "$5", "$6"),
            " order by ",
            $order,
            " limit $7"
        )
    };
}

/// The index read backwards; the other tables are asked for each hit, until there are enough.
const SQLITE: &str = select!(
    "e.seq",
    "search_index f
     cross join search_entry e on e.seq = f.rowid
     cross join article a on a.id = e.article_id
     cross join person p on p.id = a.owner_id",
    "f.search_index match $1 and f.rowid < $2 and $3 is not null",
    "f.rowid desc"
);

const RARE: &str = concat!(
    "with hit as materialized (select article_id from search_entry where tokens @@ $1::text::tsquery) ",
    select!(
        "a.changed_at",
        "hit join article a on a.id = hit.article_id join person p on p.id = a.owner_id",
        "(a.changed_at, a.id) < ($2, $3)",
        "a.changed_at desc, a.id desc"
    )
);

/// `coalesce`: the index of the tokens is of no use here.
const OFTEN: &str = select!(
    "a.changed_at",
    "article a join search_entry e on e.article_id = a.id join person p on p.id = a.owner_id",
    "(a.changed_at, a.id) < ($2, $3) and coalesce(e.tokens @@ $1::text::tsquery, false)",
    "a.changed_at desc, a.id desc"
);

/// The next articles of one rank.
async fn part(
    mut conn: Conn<'_>,
    query: &Query,
    place: Place,
    (wanted, limit): (&Wanted, u32),
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
                .fetch_all($c)
                .await?
        };
    }
    Ok(match conn.again() {
        Conn::Sqlite(c) => hits!(c, SQLITE, condition.fts()),
        Conn::Postgres(c) => {
            let condition = condition.tsquery();
            let count: i64 = sqlx::query_scalar(
                "select count(*) from (select 1 from search_entry where tokens @@ $1::text::tsquery limit $2) as few",
            )
            .bind(&condition)
            .bind(COMMON)
            .fetch_one(&mut *c)
            .await?;
            let sql = if count < COMMON { RARE } else { OFTEN };
            hits!(c, sql, condition)
        }
    })
}
