//! Why deliveries are held.

use crate::zone::{self, Zone};
use domain::{
    Timestamp,
    engine::{DeliveryHold, LostEvent, LostWrites},
};
use store::{Conn, StoreError, failover, restore};

/// Returns since when and why deliveries are held, with times in the zones of the user and the
/// site. `None`: they are not held.
pub async fn read(
    mut conn: Conn<'_>,
    viewer: Zone,
    site_zone: Zone,
) -> Result<Option<DeliveryHold>, StoreError> {
    let Some(since) = restore::delivery_hold_since(conn.reborrow()).await? else { return Ok(None) };
    let gaps = failover::lost_writes(conn, since).await?;
    let moment = |at: i64| zone::moment(Timestamp::from_millis(at), viewer, site_zone);
    let line = |line: failover::LostEvent| {
        let failover::LostEvent { at, actor, entity, id, verb, version } = line;
        LostEvent { at: moment(at), actor, entity, id, verb, version }
    };
    let gap = |(found_at, gap): (Timestamp, failover::LostWrites)| {
        let failover::LostWrites {
            node,
            lost,
            is_truncated: is_more,
            span: (from, until),
            events: lines,
            ..
        } = gap;
        let lines = lines.into_iter().map(line).collect();
        LostWrites {
            node,
            found_at,
            lost,
            is_truncated: is_more,
            from: moment(from),
            until: moment(until),
            events: lines,
        }
    };
    Ok(Some(DeliveryHold { since, lost_writes: gaps.into_iter().map(gap).collect() }))
}
