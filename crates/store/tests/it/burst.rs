//! A burst: 5,000 tasks due at one instant. How long it takes is printed; benchmarks judge it.

use crate::memory::{Memory, START};
use domain::Kind;
use std::time::Instant;

const TASKS: usize = 5_000;
const BATCH: usize = 500;

async fn of_a_burst_of_five_thousand_each_is_executed(memory: &Memory) {
    let texts = memory.texts(TASKS).await;
    let claims = memory.plan(Kind::ArticlePublish, &texts, START).await;
    let (mut executed, began) = (0, Instant::now());
    for batch in claims.chunks(BATCH) {
        executed += memory.run(batch).await.executed.len();
    }
    let took = began.elapsed();
    println!("{TASKS} tasks in {took:?}: {:.0} a second", TASKS as f64 / took.as_secs_f64());
    assert_eq!(executed, TASKS);
}

crate::on_both!(of_a_burst_of_five_thousand_each_is_executed);
