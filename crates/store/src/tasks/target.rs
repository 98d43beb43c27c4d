//! Targets: everything that can be scheduled. The engine, task lists and Attention know only these
//! rows, not what they describe. Targets are locked first, then what they describe, then tasks, each
//! in id order.

use crate::{Conn, StoreError, json_rows::encode, row::row};
use domain::AccountId;
use uuid::Uuid;

row! {
    /// A target.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Target {
        /// Id: the same as that of the described row.
        pub id: Uuid,
        /// The described table, e.g. `article`.
        pub kind: String,
        /// Title.
        pub title: String,
        /// Last part of its URL; `None`: it has no page.
        pub path: Option<String>,
        /// Owner.
        pub owner_id: Uuid,
        /// Name of the owner.
        pub owner: String,
        /// Id of the current revision; `None`: it has no revisions.
        pub revision_id: Option<Uuid>,
        /// When it was moved to the trash, milliseconds; `None`: it is not there.
        pub deleted_at: Option<i64>,
    }
}

impl Target {
    /// Owner.
    #[must_use]
    pub fn owner(&self) -> AccountId {
        AccountId(self.owner_id)
    }
}

macro_rules! target {
    ($rest:literal) => {
        concat!(
            "select g.id, g.kind, g.title, g.path, g.owner_id, coalesce(p.name, '') as owner, g.revision_id, g.deleted_at
               from target g
               left join account p on p.id = g.owner_id ",
            $rest
        )
    };
}

/// Locks the targets, in id order, until the transaction ends. Targets that do not exist are not
/// returned.
pub async fn lock(conn: Conn<'_>, ids: &[Uuid]) -> Result<Vec<Target>, StoreError> {
    Ok(match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(target!("where g.id in (select unhex(value) from jsonb_each($1)) order by g.id"))
                .bind(encode(ids.iter().map(Uuid::as_simple))?)
                .fetch_all(c)
                .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(target!("where g.id = any($1) order by g.id for no key update of g"))
                .bind(ids)
                .fetch_all(c)
                .await?
        }
    })
}
