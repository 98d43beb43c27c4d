//! Newer time-zone data: what waits in wall-clock time keeps it, moves to its new instant, and is listed until it is dismissed.

use crate::{
    house::Story,
    on_both,
    sheet::says,
    wish::{local, publish},
};
use domain::{
    State, TaskId, Timestamp,
    task::{AttentionGroup, NewTask, TaskRow, reason},
};
use presstime::zone;
use store::{Conn, Who, setting, zone_move};

on_both!(
    what_waits_keeps_its_local_time_under_newer_rules_and_is_listed_until_dismissed,
    it_goes_out_at_its_new_instant,
    an_instant_that_is_past_by_newer_rules_goes_by_its_grace,
    a_local_time_that_is_skipped_or_doubled_by_newer_rules_is_listed,
    nodes_that_start_at_once_move_each_item_once,
    older_data_moves_nothing,
);

/// A statement past the desk: what an older program had left.
async fn run(story: &Story, text: &'static str, value: i64, id: TaskId) {
    let mut tx = story.house.parts.store.begin(Who::People).await.unwrap();
    match tx.conn() {
        Conn::Sqlite(c) => drop(sqlx::query(text).bind(value).bind(id.0).execute(c).await.unwrap()),
        Conn::Postgres(c) => drop(sqlx::query(text).bind(value).bind(id.0).execute(c).await.unwrap()),
    }
    tx.commit().await.unwrap();
}

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

/// A task at a local time whose instant is that of older rules.
async fn outdated(story: &Story, typed: &str, zone: &str, was: &str) -> TaskRow {
    let article = story.article(&format!("At {typed} in {zone}")).await;
    let when = local("2027-07-01T09:00", zone, None);
    let wish = NewTask { when, ..publish(article, story.now()) };
    let row = story.house.desk.tasks.schedule(&story.creator.actor, wish).await.unwrap();
    run(story, "update task set due_at = $1 where id = $2", at(was).millis(), row.id).await;
    let mut tx = story.house.parts.store.begin(Who::People).await.unwrap();
    let text = "update task set local = $1 where id = $2";
    match tx.conn() {
        Conn::Sqlite(c) => drop(sqlx::query(text).bind(typed).bind(row.id.0).execute(c).await.unwrap()),
        Conn::Postgres(c) => drop(sqlx::query(text).bind(typed).bind(row.id.0).execute(c).await.unwrap()),
    }
    tx.commit().await.unwrap();
    story.look(row.id).await
}

async fn last_start_with(story: &Story, data: &str) {
    let mut tx = story.house.parts.store.begin(Who::People).await.unwrap();
    setting::put(tx.conn(), zone_move::DATA, data).await.unwrap();
    tx.commit().await.unwrap();
}

async fn moves(story: &Story) -> Option<AttentionGroup> {
    let groups = story.house.desk.tasks.attention(&story.creator.actor).await.unwrap();
    groups.into_iter().find(|group| group.reason == reason::ZONE_DATA)
}

async fn what_waits_keeps_its_local_time_under_newer_rules_and_is_listed_until_dismissed(story: Story) {
    let row = outdated(&story, "2027-12-01T09:00", "America/Vancouver", "2027-12-01T17:00:00Z").await;
    let right = outdated(&story, "2027-12-01T09:00", "Europe/Berlin", "2027-12-01T08:00:00Z").await;
    let exact = story.waiting("Exact", 3_600_000).await;
    last_start_with(&story, "2025b").await;
    assert_eq!(story.house.keep_local_times().await.unwrap(), 1);
    let moved = story.look(row.id).await;
    assert_eq!((moved.due.at, moved.version.0), (at("2027-12-01T16:00:00Z"), row.version.0 + 1));
    assert_eq!(story.verbs(row.id).await, ["schedule", "adjust_zone"]);
    for kept in [&right, &exact] {
        assert_eq!(story.look(kept.id).await.version, kept.version);
    }
    let mut lease = story.house.parts.store.read(Who::People).await.unwrap();
    let line = store::task_list::find(lease.conn(), row.id).await.unwrap().unwrap();
    let typed = (line.local.as_deref(), line.zone.as_deref());
    assert_eq!(typed, (Some("2027-12-01T09:00"), Some("America/Vancouver")));
    let noted = setting::find(lease.conn(), zone_move::DATA).await.unwrap();
    assert_eq!(noted.as_deref(), Some(zone::data_version()));
    drop(lease);
    let group = moves(&story).await.unwrap();
    assert_eq!((group.total, group.theirs, group.tasks.len()), (1, 1, 1));
    let told = group.tasks[0].reason.clone().unwrap();
    for part in
        ["2027-12-01 09:00 in America/Vancouver", "is 2027-12-01 16:00 UTC", "was 2027-12-01 17:00 UTC"]
    {
        assert!(told.contains(part), "{told}");
    }
    let board = story.house.desk.tasks.board(&story.creator.actor).await.unwrap();
    assert_eq!(board.attention, 1);
    assert_eq!(story.house.keep_local_times().await.unwrap(), 0, "once");
    dismissed(&story).await;
}

async fn dismissed(story: &Story) {
    let page = story.page(&story.creator, "/attention").await;
    says(&page, &["is 2027-12-01 16:00 UTC now; it was 2027-12-01 17:00 UTC.", "/fn/dismiss_zone_moves"]);
    let form = [("seen_at", &*story.later(0)), ("from", "/attention")];
    let reply = story.browser_of(&story.colleague).await.form("/fn/dismiss_zone_moves", &form).await;
    assert!((300..400).contains(&reply.status), "{}", reply.text);
    assert!(moves(story).await.is_some(), "only its owner or an admin may");
    let reply = story.browser_of(&story.creator).await.form("/fn/dismiss_zone_moves", &form).await;
    assert_eq!(reply.header("location"), "/attention");
    assert_eq!(moves(story).await, None);
}

async fn it_goes_out_at_its_new_instant(story: Story) {
    // 2027-03-01T08:05Z by the rules of today.
    let row = outdated(&story, "2027-03-01T01:05", "America/Vancouver", "2027-03-01T09:05:00Z").await;
    last_start_with(&story, "").await;
    assert_eq!(story.house.keep_local_times().await.unwrap(), 1);
    story.advance(299_000).await;
    assert_eq!(story.look(row.id).await.state, State::Scheduled, "not early");
    story.advance(1_000).await;
    let done = story.look(row.id).await;
    assert_eq!((done.state, done.due.at), (State::Executed, at("2027-03-01T08:05:00Z")));
    assert!(moves(&story).await.is_some(), "it is listed still");
    story.ledger_agrees().await;
}

async fn an_instant_that_is_past_by_newer_rules_goes_by_its_grace(story: Story) {
    let late = outdated(&story, "2027-03-01T00:30", "America/Vancouver", "2027-03-01T08:30:00Z").await;
    let too_late = outdated(&story, "2027-03-01T00:20", "America/Vancouver", "2027-03-01T08:20:00Z").await;
    run(&story, "update task set late_grace = $1 where id = $2", 60_000, too_late.id).await;
    last_start_with(&story, "2025b").await;
    assert_eq!(story.house.keep_local_times().await.unwrap(), 2);
    story.advance(6_000).await;
    assert_eq!(story.look(late.id).await.state, State::Executed);
    let missed = story.look(too_late.id).await;
    assert_eq!((missed.state, missed.reason.as_deref()), (State::Missed, Some(reason::LATE)));
}

async fn a_local_time_that_is_skipped_or_doubled_by_newer_rules_is_listed(story: Story) {
    let skipped = outdated(&story, "2027-03-28T02:30", "Europe/Berlin", "2027-03-28T01:30:00Z").await;
    let doubled = outdated(&story, "2027-10-31T02:30", "Europe/Berlin", "2027-10-31T02:30:00Z").await;
    last_start_with(&story, "2025b").await;
    assert_eq!(story.house.keep_local_times().await.unwrap(), 2);
    assert_eq!(
        story.look(skipped.id).await.due.at,
        at("2027-03-28T01:00:00Z"),
        "when the clocks have jumped"
    );
    assert_eq!(story.look(doubled.id).await.due.at, at("2027-10-31T00:30:00Z"), "the first of two");
    let told: Vec<_> = moves(&story).await.unwrap().tasks.into_iter().filter_map(|row| row.reason).collect();
    assert!(told[0].contains("does not exist") && told[1].contains("happens twice"), "{told:?}");
}

async fn nodes_that_start_at_once_move_each_item_once(story: Story) {
    let articles = story.articles(600).await;
    let wish = |article: &domain::ArticleId| NewTask {
        when: local("2027-12-01T09:00", "America/Vancouver", None),
        ..publish(*article, story.now())
    };
    let wishes = articles.iter().map(wish).collect();
    let rows = story.house.desk.tasks.schedule_all(&story.creator.actor, wishes).await.unwrap();
    let old = at("2027-12-01T17:00:00Z").millis();
    run(&story, "update task set due_at = $1 where target_id is not null or id = $2", old, rows[0].id).await;
    last_start_with(&story, "2025b").await;
    let other = story.another().await;
    let (one, two) = tokio::join!(story.house.keep_local_times(), other.keep_local_times());
    assert_eq!(one.unwrap() + two.unwrap(), 600);
    for row in rows.iter().step_by(97) {
        let now = story.look(row.id).await;
        assert_eq!((now.due.at, now.version.0), (at("2027-12-01T16:00:00Z"), row.version.0 + 1));
        assert_eq!(story.verbs(row.id).await, ["schedule", "adjust_zone"]);
    }
    assert_eq!(moves(&story).await.unwrap().total, 600);
    other.close().await;
}

async fn older_data_moves_nothing(story: Story) {
    let row = outdated(&story, "2027-12-01T09:00", "America/Vancouver", "2027-12-01T17:00:00Z").await;
    last_start_with(&story, "2999z").await;
    assert_eq!(story.house.keep_local_times().await.unwrap(), 0);
    assert_eq!(story.look(row.id).await.version, row.version);
    // What this program took on meanwhile is looked at by the newer one again.
    let mut lease = story.house.parts.store.read(Who::People).await.unwrap();
    let noted = setting::find(lease.conn(), zone_move::DATA).await.unwrap();
    assert_eq!(noted.as_deref(), Some(zone::data_version()));
}
