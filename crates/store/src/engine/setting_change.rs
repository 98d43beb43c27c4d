//! Who changed the settings of kinds and channels last, from the event log.

use crate::{Conn, StoreError, db::with_conn, row::row};
use uuid::Uuid;

/// Maximum number of changes of limits among which the last one of each kind is looked for.
const MAX_CHANGES: i64 = 1_000;

row! {
    /// A change of the limit of a kind.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct KindChange {
        /// Time, milliseconds.
        pub at: i64,
        /// Name of the account that made it.
        pub actor: String,
        /// A JSON object with the `kind`.
        pub detail: String,
    }
}

row! {
    /// The last change of the settings of a channel.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ChannelChange {
        /// Id of the channel.
        pub id: Uuid,
        /// Time, milliseconds.
        pub at: i64,
        /// Name of the account that made it.
        pub actor: String,
    }
}

/// Returns the changes of limits, newest first.
pub async fn of_kinds(conn: Conn<'_>) -> Result<Vec<KindChange>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select at, actor, detail
           from event
          where entity_id = $1 and entity = 'engine' and verb = 'limit'
          order by seq desc
          limit $2")
        .bind(Uuid::nil()).bind(MAX_CHANGES).fetch_all(c).await)?)
}

/// Returns the last change of the settings of each channel.
pub async fn of_channels(conn: Conn<'_>) -> Result<Vec<ChannelChange>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select c.id, e.at, e.actor
           from channel c
           join event e on e.seq = (select max(o.seq)
                                      from event o
                                     where o.entity_id = c.id
                                       and o.entity = 'channel'
                                       and o.verb in ('create', 'change'))")
        .fetch_all(c).await)?)
}
