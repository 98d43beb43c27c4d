//! A burst: 5,000 tasks due at one instant. The duration is printed; the benchmarks evaluate it.

use crate::test_database::{START, TestDatabase};
use domain::Kind;
use std::time::Instant;

const TASKS: usize = 5_000;
const BATCH: usize = 500;

async fn a_burst_of_five_thousand_tasks_is_executed(db: &TestDatabase) {
    let texts = db.texts(TASKS).await;
    let claims = db.plan(Kind::ArticlePublish, &texts, START).await;
    let (mut executed, began) = (0, Instant::now());
    for batch in claims.chunks(BATCH) {
        executed += db.run(batch).await.executed.len();
    }
    let took = began.elapsed();
    println!("{TASKS} tasks in {took:?}: {:.0} a second", TASKS as f64 / took.as_secs_f64());
    assert_eq!(executed, TASKS);
}

crate::on_both!(a_burst_of_five_thousand_tasks_is_executed);
