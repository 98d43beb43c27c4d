//! The reviewers who were asked for a review, and those who may be asked.

use crate::{
    Conn, StoreError,
    db::with_conn,
    json_rows::{column, encode},
    row::row,
};
use uuid::Uuid;

row! {
    /// A reviewer who was asked.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct AskedRow {
        /// The review.
        pub review_id: Uuid,
        /// The account.
        pub account_id: Uuid,
        /// Its name.
        pub name: String,
    }
}

row! {
    /// An account that may review.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ReviewerRow {
        /// Id.
        pub id: Uuid,
        /// Name.
        pub name: String,
    }
}

/// Returns the accounts that may review, by name.
pub async fn reviewers(conn: Conn<'_>, limit: i64) -> Result<Vec<ReviewerRow>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select id, name from account where role in ('reviewer', 'admin') and is_disabled = 0 order by name, id limit $1")
        .bind(limit).fetch_all(c).await)?)
}

/// Returns who was asked for these reviews, by name.
pub async fn of_reviews(conn: Conn<'_>, reviews: &[Uuid]) -> Result<Vec<AskedRow>, StoreError> {
    Ok(match conn {
        _ if reviews.is_empty() => Vec::new(),
        Conn::Sqlite(c) => {
            sqlx::query_as(
                "select q.review_id, q.account_id, a.name
                   from review_asked q
                   join account a on a.id = q.account_id
                  where q.review_id in (select unhex(value) from jsonb_each($1))
                  order by a.name, a.id",
            )
            .bind(encode(reviews.iter().map(Uuid::as_simple))?)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(
                "select q.review_id, q.account_id, a.name
                   from review_asked q
                   join account a on a.id = q.account_id
                  where q.review_id = any($1)
                  order by a.name, a.id",
            )
            .bind(reviews)
            .fetch_all(c)
            .await?
        }
    })
}

/// Replaces who is asked for these reviews by `rows`: a review and an account each.
pub async fn set_all(mut conn: Conn<'_>, reviews: &[Uuid], rows: &[(Uuid, Uuid)]) -> Result<(), StoreError> {
    match conn.reborrow() {
        _ if reviews.is_empty() => return Ok(()),
        Conn::Sqlite(c) => {
            sqlx::query(
                "delete from review_asked where review_id in (select unhex(value) from jsonb_each($1))",
            )
            .bind(encode(reviews.iter().map(Uuid::as_simple))?)
            .execute(c)
            .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query("delete from review_asked where review_id = any($1)")
                .bind(reviews)
                .execute(c)
                .await?;
        }
    }
    match conn {
        _ if rows.is_empty() => {}
        Conn::Sqlite(c) => {
            sqlx::query(
                "insert into review_asked (review_id, account_id)
                 select unhex(value ->> 0), unhex(value ->> 1) from jsonb_each($1)",
            )
            .bind(encode(rows.iter().map(|(review, account)| (review.simple(), account.simple())))?)
            .execute(c)
            .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query(
                "insert into review_asked (review_id, account_id) select * from unnest($1::uuid[], $2::uuid[])",
            )
            .bind(column(rows, |one| one.0))
            .bind(column(rows, |one| one.1))
            .execute(c)
            .await?;
        }
    }
    Ok(())
}
