//! Wrappers of the Lua scripts. Each script documents its keys and arguments.

use crate::{codec::RawHint, keys::Keys, redis::connection::Connection};
use domain::{Priority, Timestamp};
use redis::{RedisResult, Script, aio::MultiplexedConnection};
use std::sync::LazyLock;

static PROMOTE: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("scripts/promote.lua")));
static POP: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("scripts/pop.lua")));

/// Number of moved hints, next due time or −1, feeder watermark or −1, number of high-priority
/// hints left on the publish list, and the popped hints of each priority.
type PromoteResponse = (u32, i64, i64, u32, Vec<RawHint>, Vec<RawHint>, Vec<RawHint>);

/// Moves the due hints of these priorities (all, or only the high one). If any were moved, pops at
/// most `wanted` hints.
pub(crate) async fn promote(
    connection: &mut Connection,
    keys: &Keys,
    bucket: u16,
    priorities: &[Priority],
    now: Timestamp,
    limit: u32,
    wanted: usize,
) -> RedisResult<PromoteResponse> {
    let mut call = PROMOTE.prepare_invoke();
    for priority in Priority::ALL {
        call.key(keys.future(bucket, *priority));
    }
    for priority in Priority::ALL {
        call.key(keys.publish(bucket, *priority));
    }
    call.key(keys.loaded_until(bucket)).arg(now.millis()).arg(limit).arg(priorities.len()).arg(wanted);
    call.invoke_async(connection).await
}

/// Pops at most `limit` hints from one server, whose keys need not share a slot. Returns the hints
/// for each non-empty list, with the index of the list in `lists`, from 1.
pub(crate) async fn pop(
    connection: &mut MultiplexedConnection,
    lists: &[String],
    limit: usize,
) -> RedisResult<Vec<(usize, Vec<RawHint>)>> {
    let mut call = POP.prepare_invoke();
    for list in lists {
        call.key(list);
    }
    call.arg(limit).invoke_async(connection).await
}
