//! The last change of an account by an admin, from the event log.

use crate::{Conn, StoreError, db::with_conn, row::row};
use domain::AccountId;
use uuid::Uuid;

row! {
    /// A change of role, or that an account was disabled or enabled.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct AccountChange {
        /// Number in the event log.
        pub seq: i64,
        /// When it was made, milliseconds.
        pub at: i64,
        /// The admin who made it; `None`: it was made on the command line.
        pub actor_id: Option<Uuid>,
        /// `change_role`, `disable` or `enable`.
        pub verb: String,
        /// Details: a JSON object.
        pub detail: String,
    }
}

/// Returns the last change of this account; `None`: it was not changed.
pub async fn last(conn: Conn<'_>, id: AccountId) -> Result<Option<AccountChange>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select seq, at, actor_id, verb, detail
           from event
          where entity_id = $1 and entity = 'account' and verb in ('change_role', 'disable', 'enable')
          order by seq desc
          limit 1")
        .bind(id.0).fetch_optional(c).await)?)
}
