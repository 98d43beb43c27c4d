//! The engine's loops have their own threads, so pages cannot block them.

use crate::test_server::{Backend, TestServer};
use engine::event_bus::Message;
use std::{sync::mpsc, time::Duration};
use tokio::runtime::{Builder, Runtime};

const WORKERS: usize = 2;

fn web_threads() -> Runtime {
    Builder::new_multi_thread().worker_threads(WORKERS).enable_all().build().expect("threads")
}

/// Blocks every web thread until the result is dropped.
async fn block(web: &Runtime) -> Vec<mpsc::Sender<()>> {
    let (started, mut starts) = tokio::sync::mpsc::unbounded_channel();
    let blockers = (0..WORKERS).map(|_| {
        let (release, released) = mpsc::channel::<()>();
        let started = started.clone();
        web.spawn(async move {
            _ = started.send(());
            _ = released.recv();
        });
        release
    });
    let blockers = blockers.collect();
    for _ in 0..WORKERS {
        starts.recv().await.expect("each has a thread");
    }
    blockers
}

async fn check_tasks_run_while_every_web_thread_is_busy(backend: Backend) {
    let web = web_threads();
    let server = TestServer::start_realtime_on(backend, web.handle().clone()).await;
    // Through HTTP, so that state shared by web and engine is used by both.
    let (_, first) = server.schedule_new_article("First", 2_000).await;
    let mut events = server.app.parts.events.bus.subscribe().await;
    let row = server.create_task("While pages are made", 3_000).await;
    let blockers = block(&web).await;
    let until_executed = async {
        loop {
            let Ok(message) = events.recv().await else { continue };
            let Message::Batch(batch) = &*message else { continue };
            let mut signals = batch.signals.iter();
            if signals.any(|one| one.entity_id == row.id.0 && one.verb == "execute") {
                return;
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(30), until_executed).await.expect("the loops keep running");
    drop(blockers);
    assert_eq!(server.task(&first).await["state"], "executed");
    server.stop().await;
    web.shutdown_background();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn embedded() {
    check_tasks_run_while_every_web_thread_is_busy(Backend::Embedded).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn servers() {
    check_tasks_run_while_every_web_thread_is_busy(Backend::Servers).await;
}
