//! How many channels have the newest publication of an article.

use crate::{Conn, StoreError, json_rows::encode};
use domain::delivery::Notified;
use std::collections::HashMap;
use uuid::Uuid;

/// Counts the deliveries of the last executed publish of each article; `$articles` selects them.
macro_rules! notified {
    ($articles:literal) => {
        concat!(
            "select l.target_id, count(case when d.state = 'delivered' then 1 end), count(*)
               from (select t.id, t.target_id,
                            row_number() over (partition by t.target_id order by t.executed_at desc, t.id desc) as place
                       from task t
                      where t.target_id in (",
            $articles,
            ")         and t.kind = 'article.publish' and t.executed_at is not null) as l
               join delivery d on d.task_id = l.id
              where l.place = 1
                and d.version = (select max(n.version) from delivery n where n.task_id = l.id)
              group by l.target_id"
        )
    };
}

/// Returns the counts of these articles; those whose newest publication was sent to no channel are
/// left out.
pub async fn notified(conn: Conn<'_>, articles: &[Uuid]) -> Result<HashMap<Uuid, Notified>, StoreError> {
    let rows: Vec<(Uuid, i64, i64)> = match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(notified!("select unhex(value) from jsonb_each($1)"))
                .bind(encode(articles.iter().map(Uuid::as_simple))?)
                .fetch_all(c)
                .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(notified!("select unnest($1::uuid[])")).bind(articles).fetch_all(c).await?
        }
    };
    let count = |(article, delivered, total): (Uuid, i64, i64)| {
        (article, Notified { delivered: delivered.unsigned_abs(), total: total.unsigned_abs() })
    };
    Ok(rows.into_iter().map(count).collect())
}
