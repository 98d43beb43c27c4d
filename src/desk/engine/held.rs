//! Why messages are held.

use crate::zone::{self, Zone};
use domain::{
    Timestamp,
    engine::{Gap, GapLine, Held},
};
use store::{Conn, StoreError, restore, takeover};

/// Since when messages are held, and why, for somebody in the zone `viewer` at a desk in the zone `desk`. `None`: they go out.
pub async fn read(mut conn: Conn<'_>, viewer: Zone, desk: Zone) -> Result<Option<Held>, StoreError> {
    let Some(since) = restore::held_since(conn.again()).await? else { return Ok(None) };
    let gaps = takeover::gaps(conn, since).await?;
    let moment = |at: i64| zone::moment(Timestamp::from_millis(at), viewer, desk);
    let line = |line: takeover::Line| {
        let takeover::Line { at, actor, entity, id, verb, version } = line;
        GapLine { at: moment(at), actor, entity, id, verb, version }
    };
    let gap = |(found_at, gap): (Timestamp, takeover::Gap)| {
        let takeover::Gap { node, lost, is_more, span: (from, until), lines, .. } = gap;
        let lines = lines.into_iter().map(line).collect();
        Gap { node, found_at, lost, is_more, from: moment(from), until: moment(until), lines }
    };
    Ok(Some(Held { since, gaps: gaps.into_iter().map(gap).collect() }))
}
