//! Who changed the settings of kinds and channels last, from the event log.

use crate::{Conn, StoreError, db::with_conn, row::row};
use uuid::Uuid;

/// Maximum number of events among which the last change of a setting is looked for.
const MAX_EVENTS: i64 = 1_000;

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
           from (select o.seq, o.at, o.actor, o.detail, o.entity, o.verb
                   from event o
                  where o.entity_id = $1
                  order by o.seq desc
                  limit $2) as event
          where entity = 'engine' and verb = 'limit'
          order by seq desc")
        .bind(Uuid::nil()).bind(MAX_EVENTS * 10).fetch_all(c).await)?)
}

/// Returns the last change of the settings of each channel, if it is among the last events of the channel.
pub async fn of_channels(conn: Conn<'_>) -> Result<Vec<ChannelChange>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select c.id, e.at, e.actor
           from channel c
           join event e on e.seq = (select max(n.seq)
                                      from (select o.seq, o.entity, o.verb
                                              from event o
                                             where o.entity_id = c.id
                                             order by o.seq desc
                                             limit $1) as n
                                     where n.entity = 'channel' and n.verb in ('create', 'change'))")
        .bind(MAX_EVENTS).fetch_all(c).await)?)
}
