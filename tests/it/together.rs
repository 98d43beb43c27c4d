//! Who uses which Redis: nodes of one desk that use several, and desks that use the same, are named, and hold up nothing.

use crate::{house::Story, sheet::says};
use domain::{
    Clock as _, State,
    clock::{ManualClock, SystemClock},
    engine::Weather,
};
use presstime::{
    config::{Address, Config},
    doctor::{Finding, Mark, examine},
    house::House,
    worker::Loop as _,
};
use std::sync::Arc;

const APART: &str = "does not use this Redis, or another desk does";

fn at(redis: &rig::Redis) -> Option<Address> {
    Some(Address(redis.url()))
}

/// Eleven seconds, in each of which the rosters look.
async fn eleven_seconds(story: &Story, others: &[&House]) {
    for _ in 0..11 {
        story.advance(1_000).await;
        for other in others {
            other.loops.roster.tick(story.now()).await;
        }
    }
}

#[tokio::test]
async fn nodes_of_one_desk_with_two_redis_are_named_and_hold_up_nothing() {
    let (redis, wrong) = (rig::Redis::start().await, rig::Redis::start().await);
    let story = Story::begin_with(|config| config.redis_url = at(&redis)).await;
    let config = Config { node: "another".to_owned(), redis_url: at(&wrong), ..story.config.clone() };
    let clock = Arc::clone(&story.house.parts.clock);
    let other = House::open_with(&config, Arc::clone(&clock)).await.unwrap();
    let right = story.another().await;
    eleven_seconds(&story, &[&right]).await;
    assert_eq!(story.report().await.heartbeat.weather, None, "two nodes in one Redis");
    right.loops.roster.leave().await;
    eleven_seconds(&story, &[&other]).await;
    let task = story.waiting("All the same", 1_000).await;
    story.advance(1_000).await;
    assert_eq!(story.look(task.id).await.state, State::Executed);
    other.loops.roster.tick(story.now()).await;
    let report = story.report().await;
    assert_eq!(report.heartbeat.weather, Some(Weather::HintsApart));
    assert!(report.hints.trouble.unwrap().words.contains("not in this Redis: another."));
    assert!(
        other.parts.pulse.servers.apart.fault(story.now()).unwrap().to_string().contains("Redis: story.")
    );
    let ready = story.as_nobody().get("/readyz").await.expect(200);
    assert!(ready["says"].as_str().is_some_and(|says| says.contains(APART)), "{ready}");
    says(&story.page(&story.admin, "/").await, &[APART]);
    says(&story.page(&story.admin, "/engine").await, &[APART, "not in this Redis: another"]);
    assert!(!story.page(&story.creator, "/").await.contains("Redis"), "it is none of their business");
    other.loops.roster.leave().await;
    story.advance(1_000).await;
    assert_eq!(story.report().await.heartbeat.weather, None);
    other.close().await;
    right.close().await;
}

#[tokio::test]
async fn desks_that_use_one_redis_are_named_and_hold_up_nothing() {
    let redis = rig::Redis::start().await;
    let story = Story::begin_with(|config| config.redis_url = at(&redis)).await;
    let stranger = Story::begin_with(|config| config.redis_url = at(&redis)).await;
    for _ in 0..11 {
        story.advance(1_000).await;
        stranger.advance(1_000).await;
    }
    let task = story.waiting("All the same", 1_000).await;
    // The other desk takes its hint away.
    story.wait_without_loops(1_000);
    stranger.advance(1_000).await;
    story.tick().await;
    assert_eq!(story.look(task.id).await.state, State::Scheduled);
    story.advance(1_500).await;
    stranger.advance(1_500).await;
    assert_eq!(story.look(task.id).await.state, State::Executed);
    for desk in [&story, &stranger] {
        let report = desk.report().await;
        assert_eq!(report.heartbeat.weather, Some(Weather::HintsApart));
        assert!(report.hints.trouble.unwrap().words.contains("nodes of another desk (1)"));
    }
    eleven_seconds(&story, &[]).await;
    assert_eq!(story.report().await.heartbeat.weather, None, "the other desk is gone");
}

#[tokio::test]
async fn the_doctor_names_those_who_are_apart() {
    let (redis, wrong) = (rig::Redis::start().await, rig::Redis::start().await);
    let data = tempfile::tempdir().unwrap();
    let here = Config {
        listen: "127.0.0.1:0".to_owned(),
        redis_url: at(&redis),
        node: "here".to_owned(),
        ..Config::new(data.path())
    };
    // By the doctor's clock it began a while ago.
    let clock = Arc::new(ManualClock::at(SystemClock.now().plus(-12_000)));
    let house = House::open_with(&here, Arc::clone(&clock) as _).await.unwrap();
    house.loops.roster.tick(clock.now()).await;
    clock.advance(12_000);
    house.loops.roster.tick(clock.now()).await;
    let warnings = async |config: &Config| -> Vec<String> {
        let warns = |finding: &Finding| finding.mark == Mark::Warn && finding.what == "redis";
        examine(config).await.into_iter().filter(warns).map(|finding| finding.how).collect()
    };
    assert_eq!(warnings(&here).await, Vec::<String>::new());
    let found = warnings(&Config { redis_url: at(&wrong), ..here }).await;
    assert!(found.len() == 1 && found[0].contains("not in this Redis: here."), "{found:?}");
    house.close().await;
}
