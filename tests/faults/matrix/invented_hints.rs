//! Redis has a million hints that no node wrote while many tasks are due (F22).

use crate::faults::redis_faults::{INVENTS, INVENTS_BRIEFLY, check, run_scenario};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn everything_is_published_once_whatever_redis_invents() {
    let mutant = run_scenario(Some("popped-means-allowed"), &[INVENTS_BRIEFLY]).await;
    assert!(mutant.wrong > 0, "void: executions of invented hints are not detected: {mutant}");
    check(&[INVENTS]).await;
}
