//! Connections to PostgreSQL whose other side says no word any more, as after a fail-over, while the server takes new ones.

use crate::{ear::Ear, house::Story};
use futures::future::join_all;
use presstime::config::Address;
use rig::Proxy;
use serde_json::json;
use std::time::Duration;
use store::Who;
use tokio::time::timeout;

/// How long such a connection is waited for in this story.
const PATIENCE: Duration = Duration::from_secs(3);
/// And how long until all goes on, on a machine that does other things as well.
const SOON: Duration = Duration::from_secs(9);

/// Waits until the task has gone out.
async fn goes_out(story: &Story, ear: &mut Ear, title: &str, millis: i64) {
    let (_, task) = story.scheduled(title, millis).await;
    let heard = timeout(SOON, ear.hear_executed(&task)).await;
    assert!(heard.is_ok(), "{title} did not go out: {}", story.as_nobody().get("/readyz").await.text);
}

/// Takes all connections of a pool at once: none is lost.
async fn are_all_there(story: &Story, who: Who, count: usize) {
    let store = &story.house.parts.store;
    let leases = join_all((0..count).map(|_| store.read(who))).await;
    assert!(leases.iter().all(Result::is_ok), "{who:?}: {leases:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_that_fall_silent_hold_nothing_up_for_longer_than_our_patience() {
    let postgres = rig::postgres().await;
    let way = Proxy::to(postgres.port()).await;
    let story = Story::live_with(|config| {
        let direct = config.database_url.take().unwrap().0;
        let port = |port: u16| format!(":{port}/");
        config.database_url = Some(Address(direct.replace(&port(postgres.port()), &port(way.port()))));
        config.patience = PATIENCE;
    })
    .await;
    let mut ear = Ear::open(&story.as_admin(), None).await;
    goes_out(&story, &mut ear, "Before", 500).await;
    let (_, meanwhile) = story.scheduled("Meanwhile", 1_000).await;

    way.forget();
    let heard = timeout(SOON, ear.hear_executed(&meanwhile)).await;
    let ready = story.as_nobody().get("/readyz").await;
    assert!(heard.is_ok(), "what was due meanwhile did not go out: {}", ready.text);
    goes_out(&story, &mut ear, "Afterwards", 500).await;
    let turns_green = async {
        while story.as_nobody().get("/readyz").await.status != 200 {
            ear.hear("beat").await;
        }
    };
    timeout(SOON, turns_green).await.expect("it is ready again");
    are_all_there(&story, Who::Engine, 8).await;
    are_all_there(&story, Who::People, 4).await;
    story.ledger_agrees().await;

    // People find out by themselves: nobody has used these connections meanwhile.
    way.forget();
    let draft = json!({"title": "Saved at once", "body": "A text."});
    let saved = timeout(SOON, story.as_creator().post("/api/v1/articles", &draft)).await;
    saved.expect("an answer").expect(201);
    goes_out(&story, &mut ear, "After the second time", 500).await;
}
