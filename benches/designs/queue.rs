//! The message queue of some designs, with acknowledgements: what a killed consumer has not acknowledged is
//! delivered again.

use crate::sandbox::{Sandbox, WORKERS};
use redis::{Commands, Connection, Direction};

const QUEUE: &str = "queue";
const UNACKNOWLEDGED: &str = "queue:unacknowledged";

/// Adds tasks to the queue.
pub fn publish(redis: &mut Connection, tasks: &[String]) {
    if !tasks.is_empty() {
        let _: i64 = redis.lpush(QUEUE, tasks).expect("LPUSH");
    }
}

/// Returns unacknowledged tasks to the queue, then starts workers that execute tasks.
pub fn consume(sandbox: &Sandbox) {
    let mut redis = sandbox.redis();
    while let Ok(Some(_)) =
        redis.lmove::<_, _, Option<String>>(UNACKNOWLEDGED, QUEUE, Direction::Right, Direction::Right)
    {}
    sandbox.spawn_workers(WORKERS, |sandbox| {
        let mut redis = sandbox.redis();
        loop {
            let task: Option<String> =
                redis.blmove(QUEUE, UNACKNOWLEDGED, Direction::Right, Direction::Left, 0.0).expect("BLMOVE");
            if let Some(task) = task {
                sandbox.execute(&task);
                let _: i64 = redis.lrem(UNACKNOWLEDGED, 1, task).expect("LREM");
            }
        }
    });
}
