//! Redis loses all data again and again while many tasks are due (F12).

use crate::faults::redis_faults::{LOSES_DATA, check};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_redis_that_loses_all_data_delays_nothing() {
    check(&[LOSES_DATA]).await;
}
