//! The engine's loops have threads of their own: pages never keep them from running.

use crate::house::{Flavour, Story};
use presstime::worker::live::News;
use std::{sync::mpsc, time::Duration};
use tokio::runtime::{Builder, Runtime};

const WORKERS: usize = 2;

fn web_threads() -> Runtime {
    Builder::new_multi_thread().worker_threads(WORKERS).enable_all().build().expect("threads")
}

/// Takes every thread of the web; each works until what is returned is dropped.
async fn block(web: &Runtime) -> Vec<mpsc::Sender<()>> {
    let (started, mut starts) = tokio::sync::mpsc::unbounded_channel();
    let holds = (0..WORKERS).map(|_| {
        let (hold, held) = mpsc::channel::<()>();
        let started = started.clone();
        web.spawn(async move {
            _ = started.send(());
            _ = held.recv();
        });
        hold
    });
    let holds = holds.collect();
    for _ in 0..WORKERS {
        starts.recv().await.expect("each has a thread");
    }
    holds
}

async fn tasks_go_out_while_every_thread_of_the_web_is_busy(flavour: Flavour) {
    let web = web_threads();
    let story = Story::live_beside(flavour, web.handle().clone()).await;
    // Through the web, so that whatever it shares with the engine was used by both.
    let (_, first) = story.scheduled("First", 2_000).await;
    let mut news = story.house.parts.live.subscribe().await;
    let row = story.waiting("While pages are made", 3_000).await;
    let holds = block(&web).await;
    let heard = async {
        loop {
            let Ok(heard) = news.recv().await else { continue };
            let News::Batch(batch) = &*heard else { continue };
            let mut signals = batch.signals.iter();
            if signals.any(|one| one.entity_id == row.id.0 && one.verb == "execute") {
                return;
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(30), heard).await.expect("the loops go on");
    drop(holds);
    assert_eq!(story.task(&first).await["state"], "executed");
    story.stop().await;
    web.shutdown_background();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn embedded() {
    tasks_go_out_while_every_thread_of_the_web_is_busy(Flavour::Embedded).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn servers() {
    tasks_go_out_while_every_thread_of_the_web_is_busy(Flavour::Servers).await;
}
