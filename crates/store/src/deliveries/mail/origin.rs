//! Who caused mails, and which of their addresses belong to accounts of the desk.

use crate::{Conn, StoreError, json_rows::encode, row::row};
use std::collections::HashMap;
use uuid::Uuid;

row! {
    /// Who caused a mail.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct OriginRow {
        /// The delivery.
        pub id: Uuid,
        /// Key of its message.
        pub key: String,
        /// The account that caused it.
        pub owner_id: Uuid,
        /// Name of that account; `None`: it was deleted.
        pub name: Option<String>,
        /// Language of that account.
        pub language: Option<String>,
    }
}

/// Returns who caused these deliveries. Those without a message are missing.
pub async fn origins(conn: Conn<'_>, deliveries: &[Uuid]) -> Result<HashMap<Uuid, OriginRow>, StoreError> {
    macro_rules! origins {
        ($ids:literal) => {
            concat!(
                "select d.id, m.key, m.owner_id, a.name, a.language
                   from delivery d
                   join message m on m.id = d.message_id
                   left join account a on a.id = m.owner_id
                  where d.id ",
                $ids
            )
        };
    }
    let rows: Vec<OriginRow> = match conn {
        _ if deliveries.is_empty() => Vec::new(),
        Conn::Sqlite(c) => {
            sqlx::query_as(origins!("in (select unhex(value) from jsonb_each($1))"))
                .bind(encode(deliveries.iter().map(Uuid::as_simple))?)
                .fetch_all(c)
                .await?
        }
        Conn::Postgres(c) => sqlx::query_as(origins!("= any($1)")).bind(deliveries).fetch_all(c).await?,
    };
    Ok(rows.into_iter().map(|row| (row.id, row)).collect())
}

/// Returns the languages of the accounts with these addresses. An address that is missing is outside the
/// desk.
pub async fn languages(conn: Conn<'_>, addresses: &[String]) -> Result<HashMap<String, String>, StoreError> {
    let rows: Vec<(String, String)> = match conn {
        _ if addresses.is_empty() => Vec::new(),
        Conn::Sqlite(c) => {
            sqlx::query_as(
                "select email, language from account where email in (select value from jsonb_each($1))",
            )
            .bind(encode(addresses)?)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as("select email, language from account where email = any($1)")
                .bind(addresses)
                .fetch_all(c)
                .await?
        }
    };
    Ok(rows.into_iter().collect())
}
