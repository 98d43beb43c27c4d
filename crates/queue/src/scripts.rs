//! One wrapper a script. The files beside say what each does.

use crate::{keys::Keys, member::Raw, wire::Wire};
use domain::{Lane, Timestamp};
use redis::{RedisResult, Script, aio::MultiplexedConnection};
use std::sync::LazyLock;

static PROMOTE: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("scripts/promote.lua")));
static TAKE: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("scripts/take.lua")));

/// How many were moved, the next due time or −1, the watermark or −1, how many of the high lane are left on the publish list, and
/// what was popped of each lane.
type Promotion = (u32, i64, i64, u32, Vec<Raw>, Vec<Raw>, Vec<Raw>);

/// Moves what is due of these lanes, all or the high one, and pops at most `wanted` hints where something moved.
pub(crate) async fn promote(
    connection: &mut Wire,
    keys: &Keys,
    bucket: u16,
    lanes: &[Lane],
    now: Timestamp,
    limit: u32,
    wanted: usize,
) -> RedisResult<Promotion> {
    let mut call = PROMOTE.prepare_invoke();
    for lane in Lane::ALL {
        call.key(keys.future(bucket, *lane));
    }
    for lane in Lane::ALL {
        call.key(keys.publish(bucket, *lane));
    }
    call.key(keys.fed(bucket)).arg(now.millis()).arg(limit).arg(lanes.len()).arg(wanted);
    call.invoke_async(connection).await
}

/// Pops at most `limit` hints from one server, whose keys need not share a slot: for each list that gave some its place in `lists`, from 1, and the hints.
pub(crate) async fn take(
    connection: &mut MultiplexedConnection,
    lists: &[String],
    limit: usize,
) -> RedisResult<Vec<(usize, Vec<Raw>)>> {
    let mut call = TAKE.prepare_invoke();
    for list in lists {
        call.key(list);
    }
    call.arg(limit).invoke_async(connection).await
}
