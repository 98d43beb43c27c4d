//! The eight designs, each by what its own description says. What a kill loses follows from where a task is while it is done.

use crate::{
    place::{HANDS, Place, Task, now},
    queue,
};
use redis::{Commands, Connection, Script};
use std::{sync::mpsc, thread, time::Duration};

mod articles;

/// A way to do tasks when they are due.
pub trait Design: Send + Sync {
    /// `S1` to `S8`.
    fn name(&self) -> &'static str;
    /// In a few words.
    fn shape(&self) -> &'static str;
    /// Plans tasks, as its callers would.
    fn plan(&self, place: &Place, tasks: &[Task]);
    /// Says `READY` and works until the process is ended.
    fn work(&self, place: &Place);
}

/// All of them, in order.
pub fn all() -> Vec<Box<dyn Design>> {
    vec![
        Box::new(articles::Articles),
        Box::new(Shards { name: "S2", shape: "one scanner, each 5 s, to a message queue", count: 1 }),
        Box::new(Shards {
            name: "S3",
            shape: "8 shards, a counter picks, each 5 s, to a message queue",
            count: 8,
        }),
        Box::new(Loops),
        Box::new(Leases),
        Box::new(Expiry),
        Box::new(TwoLists),
        Box::new(Leaders),
    ]
}

const SET: &str = "set";

fn shard(n: usize) -> String {
    format!("set:{n}")
}

fn ready() {
    println!("READY");
}

fn for_ever() {
    loop {
        thread::park();
    }
}

fn plan_into(redis: &mut Connection, set: &str, tasks: &[Task]) {
    for part in tasks.chunks(1_000) {
        let items: Vec<(i64, &str)> = part.iter().map(|(name, due)| (*due, name.as_str())).collect();
        let _: i64 = redis.zadd_multiple(set, &items).expect("ZADD");
    }
}

/// At most 1,000 that are due: deleted first, and done only by whoever deleted them.
fn take_due(redis: &mut Connection, set: &str) -> Vec<String> {
    let due: Vec<String> = redis.zrangebyscore_limit(set, 0, now(), 0, 1_000).expect("ZRANGEBYSCORE");
    due.into_iter().filter(|task| redis.zrem::<_, _, i64>(set, task).expect("ZREM") == 1).collect()
}

fn place_of(task: &str, count: usize) -> usize {
    task.bytes().fold(7_usize, |sum, byte| sum.wrapping_mul(31).wrapping_add(usize::from(byte))) % count
}

/// S2 and S3: sets that are scanned every 5 s, 1,000 at a time.
struct Shards {
    name: &'static str,
    shape: &'static str,
    count: usize,
}

impl Design for Shards {
    fn name(&self) -> &'static str {
        self.name
    }

    fn shape(&self) -> &'static str {
        self.shape
    }

    fn plan(&self, place: &Place, tasks: &[Task]) {
        let mut redis = place.redis();
        for n in 0..self.count {
            let own: Vec<Task> =
                tasks.iter().filter(|(name, _)| place_of(name, self.count) == n).cloned().collect();
            plan_into(&mut redis, &shard(n), &own);
        }
    }

    fn work(&self, place: &Place) {
        queue::consume(place);
        let mut redis = place.redis();
        ready();
        loop {
            for _ in 0..self.count {
                let turn: usize = redis.incr("turn", 1).expect("INCR");
                let taken = take_due(&mut redis, &shard(turn % self.count));
                queue::publish(&mut redis, &taken);
            }
            thread::sleep(Duration::from_secs(5));
        }
    }
}

/// S4: workers that take the earliest due one, each for itself, and sleep only when nothing is due.
struct Loops;

impl Design for Loops {
    fn name(&self) -> &'static str {
        "S4"
    }

    fn shape(&self) -> &'static str {
        "looping workers, a script takes one, to a message queue"
    }

    fn plan(&self, place: &Place, tasks: &[Task]) {
        plan_into(&mut place.redis(), SET, tasks);
    }

    fn work(&self, place: &Place) {
        queue::consume(place);
        place.hands(4, |place| {
            let take = Script::new(
                "local due = redis.call('zrangebyscore', KEYS[1], 0, ARGV[1], 'limit', 0, 1)
                 if due[1] then redis.call('zrem', KEYS[1], due[1]) end
                 return due",
            );
            let mut redis = place.redis();
            loop {
                let taken: Vec<String> = take.key(SET).arg(now()).invoke(&mut redis).expect("the script");
                if taken.is_empty() {
                    thread::sleep(Duration::from_secs(1));
                }
                queue::publish(&mut redis, &taken);
            }
        });
        ready();
        for_ever();
    }
}

/// S5: what is being done stands in a set of its own with a time-out, and comes back when that is over.
struct Leases;

impl Design for Leases {
    fn name(&self) -> &'static str {
        "S5"
    }

    fn shape(&self) -> &'static str {
        "a set of what is being done, 10 s time-out"
    }

    fn plan(&self, place: &Place, tasks: &[Task]) {
        plan_into(&mut place.redis(), SET, tasks);
    }

    fn work(&self, place: &Place) {
        let (tasks, taken) = mpsc::sync_channel::<String>(0);
        let taken = std::sync::Arc::new(std::sync::Mutex::new(taken));
        place.hands(HANDS, move |place| {
            let mut redis = place.redis();
            loop {
                let next = taken.lock().expect("whole").recv();
                let Ok(task) = next else { return };
                place.work(&task);
                let _: i64 = redis.zrem("doing", task).expect("ZREM");
            }
        });
        let take = Script::new(
            "for _, late in ipairs(redis.call('zrangebyscore', KEYS[2], 0, ARGV[1])) do
                 redis.call('zrem', KEYS[2], late)
                 redis.call('zadd', KEYS[1], ARGV[1], late)
             end
             local due = redis.call('zrangebyscore', KEYS[1], 0, ARGV[1], 'limit', 0, 100)
             for _, task in ipairs(due) do
                 redis.call('zrem', KEYS[1], task)
                 redis.call('zadd', KEYS[2], ARGV[1] + 10000, task)
             end
             return due",
        );
        let mut redis = place.redis();
        ready();
        loop {
            let due: Vec<String> =
                take.key(SET).key("doing").arg(now()).invoke(&mut redis).expect("the script");
            if due.is_empty() {
                thread::sleep(Duration::from_secs(1));
            }
            for task in due {
                tasks.send(task).expect("hands");
            }
        }
    }
}

/// S6: a key a task, and the server tells when it has expired.
struct Expiry;

impl Design for Expiry {
    fn name(&self) -> &'static str {
        "S6"
    }

    fn shape(&self) -> &'static str {
        "expiring keys and their events"
    }

    fn plan(&self, place: &Place, tasks: &[Task]) {
        let mut redis = place.redis();
        for part in tasks.chunks(1_000) {
            let mut pipe = redis::pipe();
            for (name, due) in part {
                pipe.cmd("SET").arg(format!("notice:{name}")).arg(1).arg("PXAT").arg(due).ignore();
            }
            pipe.query::<()>(&mut redis).expect("SET");
        }
    }

    fn work(&self, place: &Place) {
        let mut redis = place.redis();
        redis::cmd("CONFIG")
            .arg(&["SET", "notify-keyspace-events", "Ex"])
            .query::<()>(&mut redis)
            .expect("CONFIG");
        let mut events = redis.as_pubsub();
        events.subscribe("__keyevent@0__:expired").expect("SUBSCRIBE");
        let (tasks, taken) = mpsc::channel::<String>();
        let taken = std::sync::Arc::new(std::sync::Mutex::new(taken));
        place.hands(HANDS, move |place| {
            loop {
                let next = taken.lock().expect("whole").recv();
                let Ok(task) = next else { return };
                place.work(&task);
            }
        });
        ready();
        while let Ok(event) = events.get_message() {
            let key: String = event.get_payload().expect("text");
            if let Some(task) = key.strip_prefix("notice:") {
                tasks.send(task.to_owned()).expect("hands");
            }
        }
    }
}

/// S7: one script moves everything due and says when the next is; consumers block on the list.
struct TwoLists;

impl Design for TwoLists {
    fn name(&self) -> &'static str {
        "S7"
    }

    fn shape(&self) -> &'static str {
        "a script moves what is due to a list and names the next moment"
    }

    fn plan(&self, place: &Place, tasks: &[Task]) {
        plan_into(&mut place.redis(), SET, tasks);
    }

    fn work(&self, place: &Place) {
        place.hands(HANDS, |place| {
            let mut redis = place.redis();
            loop {
                let (_, task): (String, String) = redis.blpop("list", 0.0).expect("BLPOP");
                place.work(&task);
            }
        });
        let moves = Script::new(
            "local due = redis.call('zrangebyscore', KEYS[1], 0, ARGV[1], 'limit', 0, 1000)
             for _, task in ipairs(due) do redis.call('rpush', KEYS[2], task) end
             if #due > 0 then redis.call('zremrangebyrank', KEYS[1], 0, #due - 1) end
             return redis.call('zrange', KEYS[1], 0, 0, 'withscores')",
        );
        let mut redis = place.redis();
        ready();
        loop {
            let next: Vec<(String, i64)> =
                moves.key(SET).key("list").arg(now()).invoke(&mut redis).expect("it moves");
            let until = next.first().map_or(1_000, |(_, due)| (due - now()).clamp(0, 1_000));
            thread::sleep(Duration::from_millis(u64::try_from(until).expect("not negative")));
        }
    }
}

/// S8: a set a bucket, each with a leader that only asks and hands over.
struct Leaders;

impl Leaders {
    const BUCKETS: usize = 4;
}

impl Design for Leaders {
    fn name(&self) -> &'static str {
        "S8"
    }

    fn shape(&self) -> &'static str {
        "4 buckets, each with an elected leader that looks each 100 ms, to a message queue"
    }

    fn plan(&self, place: &Place, tasks: &[Task]) {
        let mut redis = place.redis();
        for n in 0..Self::BUCKETS {
            let own: Vec<Task> =
                tasks.iter().filter(|(name, _)| place_of(name, Self::BUCKETS) == n).cloned().collect();
            plan_into(&mut redis, &shard(n), &own);
        }
    }

    fn work(&self, place: &Place) {
        queue::consume(place);
        let own = format!("{}", std::process::id());
        for n in 0..Self::BUCKETS {
            let own = own.clone();
            place.hands(1, move |place| {
                let mut redis = place.redis();
                let lock = format!("leader:{n}");
                loop {
                    redis::cmd("SET")
                        .arg(&[&lock, &own, "NX", "PX", "3000"])
                        .query::<Option<String>>(&mut redis)
                        .expect("SET");
                    if redis.get::<_, Option<String>>(&lock).expect("GET").as_ref() == Some(&own) {
                        let _: bool = redis.pexpire(&lock, 3_000).expect("PEXPIRE");
                        let taken = take_due(&mut redis, &shard(n));
                        queue::publish(&mut redis, &taken);
                        if !taken.is_empty() {
                            continue;
                        }
                    }
                    thread::sleep(Duration::from_millis(100));
                }
            });
        }
        ready();
        for_ever();
    }
}
