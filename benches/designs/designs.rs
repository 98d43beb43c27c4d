//! The eight designs according to their descriptions. What a kill loses depends on where a task is stored
//! while it is executed.

use crate::{
    queue,
    sandbox::{Sandbox, Task, WORKERS, now},
};
use redis::{Commands, Connection, Script};
use std::{sync::mpsc, thread, time::Duration};

mod articles;

/// A design that executes tasks when they are due.
pub trait Design: Send + Sync {
    /// Returns `S1` to `S8`.
    fn name(&self) -> &'static str;
    /// Returns a short description.
    fn description(&self) -> &'static str;
    /// Schedules tasks as a client does.
    fn schedule(&self, sandbox: &Sandbox, tasks: &[Task]);
    /// Prints `READY` and executes tasks until the process is killed.
    fn run(&self, sandbox: &Sandbox);
}

/// Returns all designs in order.
pub fn all() -> Vec<Box<dyn Design>> {
    vec![
        Box::new(articles::Articles),
        Box::new(Shards { name: "S2", description: "one scanner, each 5 s, to a message queue", count: 1 }),
        Box::new(Shards {
            name: "S3",
            description: "8 shards, a counter selects, each 5 s, to a message queue",
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

fn print_ready() {
    println!("READY");
}

fn wait_forever() {
    loop {
        thread::park();
    }
}

fn add_to_set(redis: &mut Connection, set: &str, tasks: &[Task]) {
    for part in tasks.chunks(1_000) {
        let items: Vec<(i64, &str)> = part.iter().map(|(name, due)| (*due, name.as_str())).collect();
        let _: i64 = redis.zadd_multiple(set, &items).expect("ZADD");
    }
}

/// Takes at most 1,000 due tasks. Each is deleted first; only the process that deleted it executes it.
fn take_due(redis: &mut Connection, set: &str) -> Vec<String> {
    let due: Vec<String> = redis.zrangebyscore_limit(set, 0, now(), 0, 1_000).expect("ZRANGEBYSCORE");
    due.into_iter().filter(|task| redis.zrem::<_, _, i64>(set, task).expect("ZREM") == 1).collect()
}

fn shard_of(task: &str, count: usize) -> usize {
    task.bytes().fold(7_usize, |sum, byte| sum.wrapping_mul(31).wrapping_add(usize::from(byte))) % count
}

/// S2 and S3: sets that are scanned every 5 s, 1,000 at a time.
struct Shards {
    name: &'static str,
    description: &'static str,
    count: usize,
}

impl Design for Shards {
    fn name(&self) -> &'static str {
        self.name
    }

    fn description(&self) -> &'static str {
        self.description
    }

    fn schedule(&self, sandbox: &Sandbox, tasks: &[Task]) {
        let mut redis = sandbox.redis();
        for n in 0..self.count {
            let own: Vec<Task> =
                tasks.iter().filter(|(name, _)| shard_of(name, self.count) == n).cloned().collect();
            add_to_set(&mut redis, &shard(n), &own);
        }
    }

    fn run(&self, sandbox: &Sandbox) {
        queue::consume(sandbox);
        let mut redis = sandbox.redis();
        print_ready();
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

/// S4: workers that each take the earliest due task and sleep only when none is due.
struct Loops;

impl Design for Loops {
    fn name(&self) -> &'static str {
        "S4"
    }

    fn description(&self) -> &'static str {
        "looping workers, a script takes one task, to a message queue"
    }

    fn schedule(&self, sandbox: &Sandbox, tasks: &[Task]) {
        add_to_set(&mut sandbox.redis(), SET, tasks);
    }

    fn run(&self, sandbox: &Sandbox) {
        queue::consume(sandbox);
        sandbox.spawn_workers(4, |sandbox| {
            let take = Script::new(
                "local due = redis.call('zrangebyscore', KEYS[1], 0, ARGV[1], 'limit', 0, 1)
                 if due[1] then redis.call('zrem', KEYS[1], due[1]) end
                 return due",
            );
            let mut redis = sandbox.redis();
            loop {
                let taken: Vec<String> = take.key(SET).arg(now()).invoke(&mut redis).expect("the script");
                if taken.is_empty() {
                    thread::sleep(Duration::from_secs(1));
                }
                queue::publish(&mut redis, &taken);
            }
        });
        print_ready();
        wait_forever();
    }
}

/// S5: tasks in flight are in a second set with a timeout, and return when it expires.
struct Leases;

impl Design for Leases {
    fn name(&self) -> &'static str {
        "S5"
    }

    fn description(&self) -> &'static str {
        "a set of tasks in flight, 10 s timeout"
    }

    fn schedule(&self, sandbox: &Sandbox, tasks: &[Task]) {
        add_to_set(&mut sandbox.redis(), SET, tasks);
    }

    fn run(&self, sandbox: &Sandbox) {
        let (tasks, taken) = mpsc::sync_channel::<String>(0);
        let taken = std::sync::Arc::new(std::sync::Mutex::new(taken));
        sandbox.spawn_workers(WORKERS, move |sandbox| {
            let mut redis = sandbox.redis();
            loop {
                let next = taken.lock().expect("the lock is not poisoned").recv();
                let Ok(task) = next else { return };
                sandbox.execute(&task);
                let _: i64 = redis.zrem("in_flight", task).expect("ZREM");
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
        let mut redis = sandbox.redis();
        print_ready();
        loop {
            let due: Vec<String> =
                take.key(SET).key("in_flight").arg(now()).invoke(&mut redis).expect("the script");
            if due.is_empty() {
                thread::sleep(Duration::from_secs(1));
            }
            for task in due {
                tasks.send(task).expect("a worker runs");
            }
        }
    }
}

/// S6: one key for each task; the server notifies when it expires.
struct Expiry;

impl Design for Expiry {
    fn name(&self) -> &'static str {
        "S6"
    }

    fn description(&self) -> &'static str {
        "expiring keys and their events"
    }

    fn schedule(&self, sandbox: &Sandbox, tasks: &[Task]) {
        let mut redis = sandbox.redis();
        for part in tasks.chunks(1_000) {
            let mut pipe = redis::pipe();
            for (name, due) in part {
                pipe.cmd("SET").arg(format!("notice:{name}")).arg(1).arg("PXAT").arg(due).ignore();
            }
            pipe.query::<()>(&mut redis).expect("SET");
        }
    }

    fn run(&self, sandbox: &Sandbox) {
        let mut redis = sandbox.redis();
        redis::cmd("CONFIG")
            .arg(&["SET", "notify-keyspace-events", "Ex"])
            .query::<()>(&mut redis)
            .expect("CONFIG");
        let mut events = redis.as_pubsub();
        events.subscribe("__keyevent@0__:expired").expect("SUBSCRIBE");
        let (tasks, taken) = mpsc::channel::<String>();
        let taken = std::sync::Arc::new(std::sync::Mutex::new(taken));
        sandbox.spawn_workers(WORKERS, move |sandbox| {
            loop {
                let next = taken.lock().expect("the lock is not poisoned").recv();
                let Ok(task) = next else { return };
                sandbox.execute(&task);
            }
        });
        print_ready();
        while let Ok(event) = events.get_message() {
            let key: String = event.get_payload().expect("text");
            if let Some(task) = key.strip_prefix("notice:") {
                tasks.send(task.to_owned()).expect("a worker runs");
            }
        }
    }
}

/// S7: one script moves all due tasks and returns the next due time; consumers block on the list.
struct TwoLists;

impl Design for TwoLists {
    fn name(&self) -> &'static str {
        "S7"
    }

    fn description(&self) -> &'static str {
        "a script moves due tasks to a list and returns the next due time"
    }

    fn schedule(&self, sandbox: &Sandbox, tasks: &[Task]) {
        add_to_set(&mut sandbox.redis(), SET, tasks);
    }

    fn run(&self, sandbox: &Sandbox) {
        sandbox.spawn_workers(WORKERS, |sandbox| {
            let mut redis = sandbox.redis();
            loop {
                let (_, task): (String, String) = redis.blpop("list", 0.0).expect("BLPOP");
                sandbox.execute(&task);
            }
        });
        let moves = Script::new(
            "local due = redis.call('zrangebyscore', KEYS[1], 0, ARGV[1], 'limit', 0, 1000)
             for _, task in ipairs(due) do redis.call('rpush', KEYS[2], task) end
             if #due > 0 then redis.call('zremrangebyrank', KEYS[1], 0, #due - 1) end
             return redis.call('zrange', KEYS[1], 0, 0, 'withscores')",
        );
        let mut redis = sandbox.redis();
        print_ready();
        loop {
            let next: Vec<(String, i64)> =
                moves.key(SET).key("list").arg(now()).invoke(&mut redis).expect("the script");
            let until = next.first().map_or(1_000, |(_, due)| (due - now()).clamp(0, 1_000));
            thread::sleep(Duration::from_millis(u64::try_from(until).expect("not negative")));
        }
    }
}

/// S8: one set for each bucket, each with a leader that only polls and enqueues.
struct Leaders;

impl Leaders {
    const BUCKETS: usize = 4;
}

impl Design for Leaders {
    fn name(&self) -> &'static str {
        "S8"
    }

    fn description(&self) -> &'static str {
        "4 buckets, each with an elected leader that polls every 100 ms, to a message queue"
    }

    fn schedule(&self, sandbox: &Sandbox, tasks: &[Task]) {
        let mut redis = sandbox.redis();
        for n in 0..Self::BUCKETS {
            let own: Vec<Task> =
                tasks.iter().filter(|(name, _)| shard_of(name, Self::BUCKETS) == n).cloned().collect();
            add_to_set(&mut redis, &shard(n), &own);
        }
    }

    fn run(&self, sandbox: &Sandbox) {
        queue::consume(sandbox);
        let own = format!("{}", std::process::id());
        for n in 0..Self::BUCKETS {
            let own = own.clone();
            sandbox.spawn_workers(1, move |sandbox| {
                let mut redis = sandbox.redis();
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
        print_ready();
        wait_forever();
    }
}
