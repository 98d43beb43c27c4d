//! A burst: 5,000 tasks due at one instant. The budget is generous; what it measures is printed.

use crate::memory::{Memory, START};
use domain::Kind;
use std::time::{Duration, Instant};

const TASKS: usize = 5_000;
const BATCH: usize = 500;

async fn a_burst_of_five_thousand_is_over_within_seconds(memory: &Memory) {
    let texts = memory.texts(TASKS).await;
    let claims = memory.plan(Kind::ArticlePublish, &texts, START).await;
    let (mut executed, began) = (0, Instant::now());
    for batch in claims.chunks(BATCH) {
        executed += memory.run(batch).await.executed.len();
    }
    let took = began.elapsed();
    println!("{TASKS} tasks in {took:?}: {:.0} a second", TASKS as f64 / took.as_secs_f64());
    assert_eq!(executed, TASKS);
    assert!(took < Duration::from_secs(10), "{took:?}");
}

crate::on_both!(a_burst_of_five_thousand_is_over_within_seconds);
