//! Bad weather: every page says in plain words what is wrong, tasks still go out if SQL lives, and nothing is lost.

use crate::{
    caller::Caller,
    house::{Flavour, Story},
    sheet::says,
};
use domain::{State, TaskId, engine::Weather};
use presstime::config::Address;
use serde_json::json;
use store::{Conn, Who};

/// A story with a Redis of its own, and a task whose hint is in it.
async fn with_redis() -> (Story, rig::Redis) {
    let redis = rig::Redis::start().await;
    let url = redis.url();
    let story = Story::begin_with(|config| config.redis_url = Some(Address(url))).await;
    story.tick().await;
    (story, redis)
}

/// The task goes out although Redis is not used; the engine page says so and why, and `/readyz` stays green.
async fn goes_out_all_the_same(story: &Story, why: &str) {
    let task = story.waiting("All the same", 1_000).await;
    story.advance(1_000).await;
    story.tick().await;
    assert_eq!(story.look(task.id).await.state, State::Executed, "{why}");
    let report = story.report().await;
    assert_eq!(report.heartbeat.weather, Some(Weather::HintsAway));
    let trouble = report.hints.trouble.map(|told| told.words).unwrap_or_default();
    assert!(trouble.contains(why), "{trouble}");
    let ready = story.as_nobody().get("/readyz").await.expect(200);
    assert!(ready["says"].as_str().is_some_and(|says| says.starts_with("Redis is not used")), "{ready}");
    says(&story.page(&story.admin, "/engine").await, &["Redis is not used at the moment", why]);
    says(&story.page(&story.admin, "/").await, &["Redis is not used at the moment"]);
    assert!(!story.page(&story.creator, "/").await.contains("Redis"), "it is none of their business");
}

#[tokio::test]
async fn a_redis_that_is_down_is_named_and_holds_up_nothing() {
    let (story, redis) = with_redis().await;
    assert_eq!(story.report().await.heartbeat.weather, None);
    redis.kill().await;
    goes_out_all_the_same(&story, "Redis").await;
}

#[tokio::test]
async fn a_redis_that_is_full_is_named_and_holds_up_nothing() {
    let (story, redis) = with_redis().await;
    let waits = story.waiting("Waits in it", 1_000).await;
    redis.tell(&["config", "set", "maxmemory", "1"]).await;
    story.advance(1_000).await;
    assert_eq!(story.look(waits.id).await.state, State::Executed);
    goes_out_all_the_same(&story, "Redis is full").await;
    reads_chinese(&story).await;
    let page = story.page(&story.admin, "/engine").await;
    says(&page, &["目前没有使用 Redis", "Redis 已满，拒绝写入"]);
    assert!(!page.contains("refuses to write"), "{page}");
    // So does what an open page asks for.
    let cookie = story.cookie(&story.admin).await;
    let asked = story.as_nobody().request(reqwest::Method::POST, "/fn/engine").header("cookie", cookie);
    let told = crate::caller::Reply::of(asked.header("origin", &story.url)).await;
    assert!(told.status == 200 && told.text.contains("Redis 已满，拒绝写入"), "{}", told.text);
}

#[tokio::test]
async fn a_redis_that_has_forgotten_and_is_full_is_named_and_holds_up_nothing() {
    let (story, redis) = with_redis().await;
    redis.tell(&["config", "set", "maxmemory", "1"]).await;
    redis.wipe().await;
    story.tick().await;
    goes_out_all_the_same(&story, "Redis is full").await;
    let feeder = story.report().await.loops.into_iter().find(|one| one.name == "feeder").unwrap();
    assert!(feeder.trouble.unwrap().told.fault == Some(domain::fault::Fault::HintsFull));
    redis.tell(&["config", "set", "maxmemory", "0"]).await;
    story.advance(10_000).await;
    assert_eq!(story.report().await.heartbeat.weather, Some(Weather::HintsWiped));
}

#[tokio::test]
async fn a_redis_that_is_wiped_is_named_for_a_minute_and_holds_up_nothing() {
    const WIPED: &str = "Redis was wiped, or restarted without its data.";
    let (story, redis) = with_redis().await;
    let [soon, late] = [story.waiting("Soon", 1_000).await, story.waiting("Late", 90_000).await];
    story.tick().await;
    assert_eq!(story.report().await.heartbeat.weather, None, "a node that begins was never on its list");
    let begun = story.now();
    redis.wipe().await;
    story.advance(1_000).await;
    assert_eq!(story.look(soon.id).await.state, State::Executed);
    let report = story.report().await;
    assert_eq!(report.heartbeat.weather, Some(Weather::HintsWiped));
    assert!(report.heartbeat.is_healthy);
    assert_eq!(report.hint_counts.future, 2, "what waits is loaded again, and the canary");
    let ready = story.as_nobody().get("/readyz").await.expect(200);
    assert!(ready["says"].as_str().is_some_and(|says| says.starts_with(WIPED)), "{ready}");
    assert_eq!(
        story.as_admin().get("/api/v1/stats").await.expect(200)["heartbeat"]["weather"],
        "hints_wiped"
    );
    says(&story.page(&story.admin, "/").await, &[WIPED]);
    let when = format!("Found empty at {} UTC", story.now().utc().format("%Y-%m-%d %H:%M:%S"));
    says(&story.page(&story.admin, "/engine").await, &[WIPED, &when]);
    assert!(!story.page(&story.creator, "/").await.contains("Redis"), "it is none of their business");
    story.advance(60_000).await;
    assert_eq!(story.report().await.heartbeat.weather, None);
    says(&story.page(&story.admin, "/engine").await, &[&when]);
    story.advance(29_000).await;
    assert_eq!(story.look(late.id).await.state, State::Executed);
    story.advance(3_600_000).await;
    assert_eq!(story.report().await.hints.trouble, None);
    let mut lease = story.house.parts.store.read(Who::People).await.unwrap();
    let notes = store::event::notes(lease.conn(), story.now(), 100).await.unwrap();
    drop(lease);
    let forgot: Vec<_> = notes.iter().filter(|note| note.verb == "forget_hints").collect();
    assert_eq!(forgot.iter().map(|note| note.since).collect::<Vec<_>>(), [Some(begun)]);
    story.ledger_agrees().await;
}

#[tokio::test]
async fn a_redis_that_is_read_only_is_named_and_holds_up_nothing() {
    let (story, redis) = with_redis().await;
    story.waiting("Waits in it", 1_000).await;
    redis.tell(&["replicaof", "127.0.0.1", "1"]).await;
    story.advance(1_000).await;
    goes_out_all_the_same(&story, "read-only replica").await;
}

#[tokio::test]
async fn a_redis_that_evicts_is_named() {
    let (story, redis) = with_redis().await;
    redis.tell(&["config", "set", "maxmemory", "1gb"]).await;
    redis.tell(&["config", "set", "maxmemory-policy", "allkeys-lru"]).await;
    let task = story.waiting("All the same", 1_000).await;
    story.advance(1_000).await;
    assert_eq!(story.look(task.id).await.state, State::Executed);
    says(
        &story.page(&story.admin, "/engine").await,
        &["throws keys away", "set maxmemory-policy to noeviction"],
    );
}

#[tokio::test]
async fn a_database_that_is_read_only_is_named_and_loses_nothing() {
    let story = Story::begin(Flavour::Servers).await;
    let postgres = rig::postgres().await;
    let url = story.config.database_url.as_ref().unwrap().0.clone();
    let name = url.rsplit('/').next().unwrap();
    let switch = |to: &str| {
        postgres.sql("postgres", &format!("alter database {name} set default_transaction_read_only = {to}"));
        let others =
            format!("select pg_terminate_backend(pid) from pg_stat_activity where datname = '{name}'");
        postgres.sql("postgres", &others);
    };
    let task = story.waiting("Patient", 1_000).await;
    story.tick().await;
    let cookie = story.cookie(&story.admin).await;
    switch("on");
    story.advance(1_000).await;
    story.tick().await;
    let ready = story.as_nobody().get("/readyz").await.expect(503);
    assert_eq!(ready["reason"], "database_read_only", "{ready}");
    assert!(ready["says"].as_str().is_some_and(|says| says.contains("read only")), "{ready}");
    let refused = story.as_creator().post("/api/v1/articles", &json!({"title": "Not now", "body": ""})).await;
    assert_eq!(refused.refused(503), "unavailable");
    let page = page(&story.as_nobody(), &cookie, "/engine").await;
    says(&page, &["The database lets itself be read only."]);
    assert_eq!(story.look(task.id).await.state, State::Scheduled);
    switch("off");
    story.advance(1_000).await;
    story.tick().await;
    story.as_nobody().get("/readyz").await.expect(200);
    assert_eq!(story.look(task.id).await.state, State::Executed);
    story.ledger_agrees().await;
}

#[tokio::test]
async fn what_only_a_newer_release_knows_is_told_when_overdue_and_executed_by_it() {
    let story = Story::begin(Flavour::Embedded).await;
    let (newer, known) = (story.waiting("Newer", 1_000).await, story.waiting("Known", 7_000).await);
    set_kind(&story, newer.id, "meeting.start").await;
    story.advance(7_000).await;
    story.tick().await;
    assert_eq!(story.look(known.id).await.state, State::Executed);
    let ready = story.as_nobody().get("/readyz").await.expect(503);
    assert_eq!(ready["reason"], "newer_release", "{ready}");
    let sentence = "Tasks are overdue that only a newer release knows.";
    for account in [&story.admin, &story.creator] {
        says(&story.page(account, "/").await, &[sentence]);
    }
    set_kind(&story, newer.id, "article.publish").await;
    story.advance(1_000).await;
    story.tick().await;
    assert_eq!(story.look(newer.id).await.state, State::Executed);
    story.as_nobody().get("/readyz").await.expect(200);
    story.ledger_agrees().await;
}

#[tokio::test]
async fn what_stops_the_engine_is_said_on_every_page_to_everybody() {
    let story = Story::begin(Flavour::Embedded).await;
    story.tick().await;
    let pulse = &story.house.parts.pulse;
    for (weather, sentence) in [
        (Weather::DatabaseAway, "The database does not answer."),
        (Weather::DatabaseReadOnly, "The database lets itself be read only."),
        (Weather::DatabaseFull, "The disk of the database is full."),
        (Weather::ClockOff, "The clocks of the database and of this machine are more than 30 s apart."),
    ] {
        match weather {
            Weather::ClockOff => pulse.set_offset_ms(31_000),
            _ => pulse.set_database(Some(weather)),
        }
        for account in [&story.admin, &story.creator] {
            for path in ["/", "/articles", "/tasks"] {
                says(&story.page(account, path).await, &[sentence]);
            }
        }
        let ready = story.as_nobody().get("/readyz").await.expect(503);
        assert_eq!(ready["reason"], weather.as_str());
        assert!(ready["says"].as_str().is_some_and(|says| says.starts_with(sentence)), "{ready}");
        pulse.set_database(None);
    }
}

#[tokio::test]
async fn messages_that_are_held_are_named_to_admins_until_one_confirms() {
    const HELD: &str = "Messages are held until an admin confirms on the engine page.";
    let story = Story::begin(Flavour::Embedded).await;
    let mut tx = story.house.parts.store.begin(Who::People).await.unwrap();
    let Conn::Sqlite(c) = tx.conn() else { panic!("this story is on SQLite") };
    sqlx::query("insert into setting (name, value) values ('restore.held', '1')").execute(c).await.unwrap();
    tx.commit().await.unwrap();
    story.tick().await;
    let report = story.report().await;
    assert_eq!(report.heartbeat.weather, Some(Weather::MessagesHeld));
    let ready = story.as_nobody().get("/readyz").await.expect(200);
    assert!(ready["says"].as_str().is_some_and(|says| says.starts_with(HELD)), "{ready}");
    says(&story.page(&story.admin, "/").await, &[HELD]);
    assert!(!story.page(&story.creator, "/").await.contains(HELD), "it is none of their business");
    story.house.parts.pulse.set_hints_away(true);
    assert_eq!(story.report().await.heartbeat.weather, Some(Weather::HintsAway), "the graver is told");
    story.house.parts.pulse.set_hints_away(false);
    story.as_admin().post("/api/v1/restore/confirm", &json!(null)).await.expect(200);
    assert_eq!(story.report().await.heartbeat.weather, None);
}

async fn set_kind(story: &Story, task: TaskId, kind: &str) {
    let mut tx = story.house.parts.store.begin(Who::People).await.unwrap();
    let Conn::Sqlite(c) = tx.conn() else { panic!("this story is on SQLite") };
    sqlx::query("update task set kind = $1 where id = $2").bind(kind).bind(task.0).execute(c).await.unwrap();
    tx.commit().await.unwrap();
}

/// Everybody here reads Chinese from now on.
async fn reads_chinese(story: &Story) {
    let mut tx = story.house.parts.store.begin(Who::People).await.unwrap();
    let Conn::Sqlite(c) = tx.conn() else { panic!("this story is on SQLite") };
    sqlx::query("update person set language = 'zh'").execute(c).await.unwrap();
    tx.commit().await.unwrap();
}

async fn page(caller: &Caller, cookie: &str, path: &str) -> String {
    let request = caller.request(reqwest::Method::GET, path).header("cookie", cookie);
    crate::caller::Reply::of(request).await.expect_page()
}
