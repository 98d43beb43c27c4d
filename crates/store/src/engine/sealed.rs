//! Secrets that are stored encrypted, to encrypt them again with another key.

use crate::{Conn, StoreError, db::with_conn};
use uuid::Uuid;

/// A column of encrypted secrets. Those of settings are not among them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SealedColumn {
    /// `channel.secret`.
    ChannelSecret,
    /// `channel.previous_secret`.
    PreviousChannelSecret,
    /// `second_factor.secret`.
    SecondFactor,
    /// `sign_in_provider.client_secret`.
    SignInProvider,
}

impl SealedColumn {
    /// All columns.
    pub const ALL: [Self; 4] =
        [Self::ChannelSecret, Self::PreviousChannelSecret, Self::SecondFactor, Self::SignInProvider];

    /// Table and column.
    #[must_use]
    pub const fn name(self) -> (&'static str, &'static str) {
        match self {
            Self::ChannelSecret => ("channel", "secret"),
            Self::PreviousChannelSecret => ("channel", "previous_secret"),
            Self::SecondFactor => ("second_factor", "secret"),
            Self::SignInProvider => ("sign_in_provider", "client_secret"),
        }
    }

    const fn select(self) -> &'static str {
        match self {
            Self::ChannelSecret => "select id, secret from channel where secret is not null",
            Self::PreviousChannelSecret => {
                "select id, previous_secret from channel where previous_secret is not null"
            }
            Self::SecondFactor => "select account_id, secret from second_factor",
            Self::SignInProvider => {
                "select id, client_secret from sign_in_provider where client_secret is not null"
            }
        }
    }

    const fn update(self) -> &'static str {
        match self {
            Self::ChannelSecret => "update channel set secret = $2 where id = $1",
            Self::PreviousChannelSecret => "update channel set previous_secret = $2 where id = $1",
            Self::SecondFactor => "update second_factor set secret = $2 where account_id = $1",
            Self::SignInProvider => "update sign_in_provider set client_secret = $2 where id = $1",
        }
    }
}

/// An encrypted secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealedSecret {
    /// Its column.
    pub column: SealedColumn,
    /// Id of the channel, the account or the provider.
    pub id: Uuid,
    /// The encrypted secret.
    pub sealed: String,
}

/// Returns all encrypted secrets.
pub async fn list(mut conn: Conn<'_>) -> Result<Vec<SealedSecret>, StoreError> {
    let mut all = Vec::new();
    for column in SealedColumn::ALL {
        let rows: Vec<(Uuid, String)> =
            with_conn!(conn.reborrow(), c => sqlx::query_as(column.select()).fetch_all(c).await)?;
        all.extend(rows.into_iter().map(|(id, sealed)| SealedSecret { column, id, sealed }));
    }
    Ok(all)
}

/// Replaces an encrypted secret.
pub async fn replace(conn: Conn<'_>, secret: &SealedSecret, sealed: &str) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query(secret.column.update())
        .bind(secret.id).bind(sealed).execute(c).await?.rows_affected());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::SealedColumn;
    use sqlx::{Connection as _, SqliteConnection};
    use std::collections::BTreeSet;

    /// Columns with a secret in their names that hold none that was encrypted: hashes.
    fn is_hash(column: &str) -> bool {
        column.ends_with("_hash")
    }

    #[tokio::test]
    async fn every_secret_column_of_the_schema_is_encrypted_again() {
        let mut file = SqliteConnection::connect("sqlite::memory:").await.unwrap();
        crate::migrations::SQLITE.run(&mut file).await.unwrap();
        let columns: Vec<(String, String)> = sqlx::query_as(
            "select t.name, c.name from sqlite_schema t join pragma_table_info(t.name) c
              where t.type = 'table'
                and (c.name like '%secret%' or c.name like '%sealed%' or c.name like '%password%')",
        )
        .fetch_all(&mut file)
        .await
        .unwrap();
        let found: BTreeSet<(&str, &str)> = columns
            .iter()
            .map(|(table, column)| (table.as_str(), column.as_str()))
            .filter(|(_, column)| !is_hash(column) && !column.ends_with("_until") && !column.ends_with("_at"))
            .collect();
        assert_eq!(found, SealedColumn::ALL.map(SealedColumn::name).into_iter().collect());
    }
}
