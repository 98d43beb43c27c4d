//! The message queue some designs hand their tasks to, as one that wants acknowledgements: what is not acknowledged when its
//! consumer dies is delivered again.

use crate::place::{HANDS, Place};
use redis::{Commands, Connection, Direction};

const QUEUE: &str = "queue";
const TAKEN: &str = "queue:taken";

/// Hands tasks over.
pub fn publish(redis: &mut Connection, tasks: &[String]) {
    if !tasks.is_empty() {
        let _: i64 = redis.lpush(QUEUE, tasks).expect("LPUSH");
    }
}

/// Starts the hands that do what is in it.
pub fn consume(place: &Place) {
    let mut redis = place.redis();
    while let Ok(Some(_)) =
        redis.lmove::<_, _, Option<String>>(TAKEN, QUEUE, Direction::Right, Direction::Right)
    {}
    place.hands(HANDS, |place| {
        let mut redis = place.redis();
        loop {
            let task: Option<String> =
                redis.blmove(QUEUE, TAKEN, Direction::Right, Direction::Left, 0.0).expect("BLMOVE");
            if let Some(task) = task {
                place.work(&task);
                let _: i64 = redis.lrem(TAKEN, 1, task).expect("LREM");
            }
        }
    });
}
