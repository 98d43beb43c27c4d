//! Redis has a million hints that no node wrote while many tasks are due (F22).

use crate::faults::{
    is_detected,
    redis_faults::{INVENTS, INVENTS_BRIEFLY, check, run_scenario},
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn everything_is_published_once_whatever_redis_invents() {
    let run = |_| run_scenario(Some("popped-means-allowed"), &[INVENTS_BRIEFLY]);
    assert!(
        is_detected(run, |mutant| mutant.wrong > 0).await,
        "void: executions of invented hints are not detected"
    );
    check(&[INVENTS]).await;
}
