//! Notifications of commits of other processes.

use crate::test_database::TestDatabase;
use futures::FutureExt as _;
use std::time::Duration;
use store::change_watch::{self, ChangeWatch};
use tokio::time::timeout;
use uuid::Uuid;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_is_notified_of_commits_of_other_nodes_only() {
    let db = TestDatabase::postgres().await;
    let (own, other) = (Uuid::now_v7(), Uuid::now_v7());
    let mut watch = ChangeWatch::open(&db.store, own).await.unwrap();
    change_watch::notify(&db.store, own).await.unwrap();
    change_watch::notify(&db.store, other).await.unwrap();
    let changed = timeout(Duration::from_secs(10), watch.changed()).await.unwrap();
    assert!(changed.unwrap());
    // One notification was received, and it was the last.
    assert!(watch.changed().now_or_never().is_none());
}
