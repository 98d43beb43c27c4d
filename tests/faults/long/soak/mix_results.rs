//! What became of messages, notices, waits and meetings.

use super::mix::{Mix, Wanted};
use crate::faults::{
    cluster::Cluster,
    observer,
    results::{Results, Violations},
};
use domain::Timestamp;
use std::{collections::BTreeMap, time::Duration};
use test_support::Sink;

/// Timeout for what is still to be sent or started after the faults.
const SETTLE_TIMEOUT: Duration = Duration::from_secs(30);
/// What is still to be sent or started.
const COUNT_WAITING: &str = "select (select count(*) from task where state = 'scheduled'
            and kind in ('message.send', 'rule.fire', 'meeting.start'))
         + (select count(*) from delivery where state in ('pending', 'sending')
            and channel_id = (select id from channel where name = 'Direct'))";
/// Pairs of meetings that hold the room at the same time.
const COUNT_OVERLAPS: &str = "select count(*) from meeting a join meeting b
     on a.room_id = b.room_id and a.id < b.id and a.starts_at < b.free_at and b.starts_at < a.free_at
     where a.state not in ('cancelled', 'rejected', 'expired', 'released')
       and b.state not in ('cancelled', 'rejected', 'expired', 'released')";

/// Times at which something happened, by its name.
type Times = BTreeMap<String, Vec<Timestamp>>;

/// Waits until nothing is to be sent or started any more, and evaluates the mix.
pub async fn evaluate(cluster: &Cluster, mix: &Mix, sink: &Sink) -> Results {
    observer::wait_for_count(cluster, COUNT_WAITING, 0, SETTLE_TIMEOUT).await;
    let mut results = Results::default();
    let received = received(sink, &mut results);
    for wanted in mix.sent() {
        add(&mut results, &wanted, &received);
    }
    let started = started(cluster).await;
    for wanted in mix.booked() {
        add(&mut results, &wanted, &started);
    }
    let overlaps = observer::count(cluster, COUNT_OVERLAPS).await;
    if overlaps > 0 {
        results.add_wrong(format!("{overlaps} pairs of meetings overlap"));
    }
    results
}

fn add(results: &mut Results, wanted: &Wanted, all: &Times) {
    let times = all.get(&wanted.name).map(Vec::as_slice).unwrap_or_default();
    results.scheduled += usize::from(wanted.must == Some(true));
    let violations = Violations {
        is_lost: wanted.must == Some(true) && times.is_empty(),
        is_double: times.len() > 1,
        is_early: times.first().is_some_and(|at| *at < wanted.earliest),
        is_wrong: wanted.must == Some(false) && !times.is_empty(),
    };
    results.count(violations, || format!("{wanted:?} happened at {times:?}"));
}

/// When the receiver got each message for the first time. Its body is its name. A copy has the same
/// id, since the process may have been killed after sending and before recording.
fn received(sink: &Sink, results: &mut Results) -> Times {
    let (mut bodies, mut times) = (BTreeMap::<String, String>::new(), Times::new());
    for message in sink.received() {
        let id = message.header("webhook-id").to_owned();
        match bodies.insert(id, message.body.clone()) {
            None => times.entry(message.body).or_default().push(message.at_ms.into()),
            Some(previous) if previous != message.body => {
                results.add_wrong(format!("two bodies of one message: {previous}, {}", message.body));
            }
            Some(_) => {}
        }
    }
    times
}

/// When each meeting was started.
async fn started(cluster: &Cluster) -> Times {
    let rows: Vec<(String, i64)> = sqlx::query_as(
        "select m.title, e.executed_at from meeting m join task t on t.target_id = m.id and t.kind = 'meeting.start'
           join execution e on e.task_id = t.id order by e.executed_at",
    )
    .fetch_all(cluster.pool())
    .await
    .expect("the meetings can be read");
    let mut times = Times::new();
    for (title, at) in rows {
        times.entry(title).or_default().push(at.into());
    }
    times
}
