//! Servers that keep one waiting: connections to PostgreSQL whose other side says no word any more, as after a fail-over, while the
//! server takes new ones; and a PostgreSQL or a Redis that takes long for everything.

use crate::{ear::Ear, house::Story, sheet::says};
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

/// Waits until `/readyz` says, or does not say any more, that somebody is slow; says what status it has then.
async fn comes_to_say(story: &Story, ear: &mut Ear, sentence: &str, says_it: bool) -> u16 {
    let comes = async {
        loop {
            let ready = story.as_nobody().get("/readyz").await;
            if ready.text.contains(sentence) == says_it {
                return ready.status;
            }
            ear.hear("beat").await;
        }
    };
    timeout(3 * SOON, comes).await.unwrap_or_else(|_| panic!("it does not come to {says_it}: {sentence}"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_is_slow_is_named_and_all_goes_out() {
    let (postgres, redis) = (rig::postgres().await, rig::redis().await);
    let (to_postgres, to_redis) = (Proxy::to(postgres.port()).await, Proxy::to(redis.port()).await);
    let story = Story::live_with(|config| {
        let led = |url: Option<Address>, from: u16, to: u16| {
            url.map(|Address(url)| Address(url.replace(&format!(":{from}"), &format!(":{to}"))))
        };
        config.database_url = led(config.database_url.take(), postgres.port(), to_postgres.port());
        config.redis_url = led(config.redis_url.take(), redis.port(), to_redis.port());
    })
    .await;
    let mut ear = Ear::open(&story.as_admin(), None).await;
    for (way, delay, sentence) in
        [(&to_redis, 160, "Redis answers slowly"), (&to_postgres, 80, "The database answers slowly")]
    {
        way.delay(Duration::from_millis(delay));
        assert_eq!(comes_to_say(&story, &mut ear, sentence, true).await, 200, "{sentence}");
        says(&story.page(&story.admin, "/engine").await, &[sentence]);
        goes_out(&story, &mut ear, sentence, 3_000).await;
        way.delay(Duration::ZERO);
        comes_to_say(&story, &mut ear, sentence, false).await;
    }
    story.ledger_agrees().await;
}
