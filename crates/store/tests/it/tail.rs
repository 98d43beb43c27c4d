//! Who is told of what another process committed.

use crate::memory::Memory;
use futures::FutureExt as _;
use std::time::Duration;
use store::tail::{self, Watch};
use tokio::time::timeout;
use uuid::Uuid;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_is_told_of_what_others_executed_and_not_of_its_own() {
    let memory = Memory::postgres().await;
    let (own, other) = (Uuid::now_v7(), Uuid::now_v7());
    let mut watch = Watch::open(&memory.store, own).await.unwrap();
    tail::tell(&memory.store, own).await.unwrap();
    tail::tell(&memory.store, other).await.unwrap();
    let told = timeout(Duration::from_secs(10), watch.changed()).await.unwrap();
    assert!(told.unwrap());
    // One was heard, and it was the last: nothing is left.
    assert!(watch.changed().now_or_never().is_none());
}
