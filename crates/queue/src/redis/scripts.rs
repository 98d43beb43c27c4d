//! Wrappers of the Lua scripts. Each script documents its keys and arguments.

use crate::{HintScope, codec::RawHint, keys::Keys, order::Rank, redis::connection::Connection};
use domain::{Priority, Timestamp};
use redis::{RedisResult, Script, aio::MultiplexedConnection};
use std::sync::LazyLock;

static PROMOTE: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("scripts/promote.lua")));
static POP: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("scripts/pop.lua")));

/// Number of moved hints, next due time or −1, feeder watermark or −1, number of publish lists with hints
/// of high priority and with content, and the popped hints of each rank.
type PromoteResponse = (u32, i64, i64, u32, u32, Vec<Vec<RawHint>>);

/// Moves due hints of one bucket.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Promotion {
    /// The bucket.
    pub bucket: u16,
    /// What is moved.
    pub scope: HintScope,
    /// What is due.
    pub now: Timestamp,
    /// Maximum number of hints of each rank.
    pub limit: u32,
    /// Maximum number of hints that are popped, if any were moved.
    pub wanted: usize,
}

/// Moves the due hints of these ranks. If any were moved, pops some.
pub(crate) async fn promote(
    connection: &mut Connection,
    keys: &Keys,
    what: Promotion,
) -> RedisResult<PromoteResponse> {
    let mut call = PROMOTE.prepare_invoke();
    for rank in Rank::all() {
        call.key(keys.future(what.bucket, rank));
    }
    for rank in Rank::all() {
        call.key(keys.publish(what.bucket, rank));
    }
    let is_moved = |rank: Rank| (rank.class as usize) < what.scope.classes(rank.priority);
    let ranks: String = Rank::all().map(|rank| if is_moved(rank) { '1' } else { '0' }).collect();
    call.key(keys.loaded_until(what.bucket))
        .arg(what.now.millis())
        .arg(what.limit)
        .arg(ranks)
        .arg(what.wanted);
    call.invoke_async(connection).await
}

/// Pops at most `limit` hints from one server, whose keys need not share a slot. `lists` are those of the
/// scope, each rank with its buckets. Returns hints with the index of their list
/// in `lists`, from 1, in no order.
pub(crate) async fn pop(
    connection: &mut MultiplexedConnection,
    lists: &[String],
    scope: HintScope,
    (limit, round): (usize, usize),
) -> RedisResult<Vec<(usize, Vec<RawHint>)>> {
    let mut call = POP.prepare_invoke();
    for list in lists {
        call.key(list);
    }
    call.arg(limit).arg(lists.len() / scope.ranks().count()).arg(round % 10);
    for priority in Priority::ALL {
        call.arg(scope.classes(*priority));
    }
    call.invoke_async(connection).await
}
