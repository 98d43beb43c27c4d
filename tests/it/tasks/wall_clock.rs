//! Wall-clock times that are repeated or skipped.

use crate::{
    engine_page::assert_contains,
    new_task::{local, publish},
    on_both,
    support::test_account,
    test_server::TestServer,
};
use domain::{
    DomainError, Role, When,
    error::ValidationError,
    task::{Change, NewTask},
    time::Disambiguation,
};
use presstime::{
    imports::importer::{self, Import, Progress},
    zone::{self, Zone},
};
use serde_json::{Value, json};

on_both!(
    an_ambiguous_time_is_scheduled_after_disambiguation,
    a_skipped_time_is_refused_with_the_times_around_it,
    a_time_is_shown_in_the_zone_of_the_viewer,
    a_row_in_a_repeated_hour_shows_its_offset,
    a_task_keeps_the_local_time_and_zone_as_typed,
    times_out_of_range_get_a_message,
    a_zone_is_accepted_in_any_case_and_stored_by_its_canonical_name,
    an_unknown_zone_is_refused_with_the_nearest_names,
    a_day_without_midnight_is_correct_in_the_api_and_the_import,
    the_time_zone_data_version_is_shown,
);

async fn an_ambiguous_time_is_scheduled_after_disambiguation(server: TestServer) {
    let article = server.create_article("Twice").await;
    let (tasks, actor) = (&server.app.services.tasks, &server.creator.actor);
    let new_task = |which| NewTask {
        when: local("2027-10-31T02:30", "Europe/Berlin", which),
        ..publish(article, server.now())
    };
    let refused = tasks.schedule(actor, new_task(None)).await;
    let Err(DomainError::DoubledTime { earlier, later, .. }) = refused else { panic!("{refused:?}") };
    assert_eq!(later.since(earlier), 3_600_000);
    let row = tasks.schedule(actor, new_task(Some(Disambiguation::Later))).await.unwrap();
    assert_eq!(row.due.at, later);
}

async fn a_skipped_time_is_refused_with_the_times_around_it(server: TestServer) {
    let row = server.create_task("Never", 60_000).await;
    let when = local("2027-03-28T02:30", "Europe/Berlin", None);
    let refused = server.change(&row, Change::Reschedule { when }).await;
    let Err(DomainError::SkippedTime { before, after, .. }) = refused else { panic!("{refused:?}") };
    assert_eq!((before.as_str(), after.as_str()), ("2027-03-28T01:59", "2027-03-28T03:00"));
    assert_eq!(server.find_task(row.id).await.version, row.version, "nothing was changed");
}

async fn a_time_is_shown_in_the_zone_of_the_viewer(server: TestServer) {
    let actor = domain::Actor { zone: "Asia/Kathmandu".to_owned(), ..server.creator.actor.clone() };
    let when = local("2027-06-09T09:00", "Asia/Kathmandu", None);
    let moment = server.app.services.tasks.resolve(&actor, &when).await.unwrap();
    assert_eq!(moment.at.to_string(), "2027-06-09T03:15:00.000Z");
    assert_eq!(moment.viewer_offset, 345);
    assert_eq!((moment.viewer_time().hour, moment.viewer_time().minute), (9, 0));
}

async fn a_row_in_a_repeated_hour_shows_its_offset(server: TestServer) {
    let desk = json!({"title": "Desk", "zone": "America/New_York"});
    server.as_admin().patch("/api/v1/settings/desk", &desk).await.expect(200);
    // A new account has the time zone of the desk.
    let reader = test_account::create(&server.app, "newcomer", Role::Creator).await;
    let times = [
        ("Earlier", "2027-11-07T01:30", Some(Disambiguation::Earlier)),
        ("Later", "2027-11-07T01:30", Some(Disambiguation::Later)),
        ("Once", "2027-11-07T02:30", None),
    ];
    for (title, time, which) in times {
        let article = server.create_article(title).await;
        let new_task =
            NewTask { when: local(time, "America/New_York", which), ..publish(article, server.now()) };
        server.app.services.tasks.schedule(&server.creator.actor, new_task).await.unwrap();
    }
    let page = server.page(&reader, "/tasks").await;
    let shown = ["01:30 UTC−4 New York", "01:30 UTC−5 New York", "02:30 New York"]
        .map(|time| format!("Sun 7 Nov, {time}"));
    assert_contains(&page, &shown.each_ref().map(String::as_str));
    assert!(!page.contains("01:30 New York"), "{page}");
}

async fn a_task_keeps_the_local_time_and_zone_as_typed(server: TestServer) {
    let article = server.create_article("Typed").await;
    let when = local("2027-06-09T09:00", "Europe/Berlin", None);
    let new_task = NewTask { when: when.clone(), ..publish(article, server.now()) };
    let row = server.app.services.tasks.schedule(&server.creator.actor, new_task).await.unwrap();
    let moved = Change::Reschedule { when: server.now().plus(60_000).into() };
    let row = server.change(&row, moved).await.unwrap();
    let back = server.change(&row, Change::Undo).await.unwrap();
    assert_eq!(back.due.at.to_string(), "2027-06-09T07:00:00.000Z");
    let mut lease = server.app.parts.store.read(store::PoolRole::Web).await.unwrap();
    let stored = store::task_list::find(lease.conn(), row.id).await.unwrap().unwrap();
    let typed = (stored.local_time.as_deref(), stored.time_zone.as_deref());
    assert_eq!(typed, (Some("2027-06-09T09:00"), Some("Europe/Berlin")));
}

async fn times_out_of_range_get_a_message(server: TestServer) {
    let article = server.create_article("Far").await;
    let (tasks, actor) = (&server.app.services.tasks, &server.creator.actor);
    let new_task = |when: When| NewTask { when, ..publish(article, server.now()) };
    let far = |text| local(text, "UTC", None);
    for text in ["1900-01-01T00:00", "12000-01-01T00:00"] {
        let refused = tasks.schedule(actor, new_task(far(text))).await;
        assert_eq!(refused, Err(DomainError::invalid("local", ValidationError::OutOfRange)));
    }
    let refused = tasks.schedule(actor, new_task(local("2027-06-09T09:00", "Mars/Olympus", None))).await;
    let like = "Europe/Berlin".to_owned();
    assert_eq!(refused, Err(DomainError::invalid("zone", ValidationError::NotAZone { like })));
    let year_1900 = When::At { due_at: domain::Timestamp::from_millis(-2_208_988_800_000) };
    let refused = tasks.schedule(actor, new_task(year_1900)).await.unwrap_err();
    assert_eq!(
        (refused.field(), refused.to_string().as_str()),
        (Some("due_at"), "must be between the years 2000 and 2199")
    );
}

fn wall(article: domain::ArticleId, text: &str, zone: &str) -> Value {
    json!({"kind": "article.publish", "target_id": article, "local": text, "zone": zone})
}

async fn a_zone_is_accepted_in_any_case_and_stored_by_its_canonical_name(server: TestServer) {
    for (typed, name, due) in [
        ("america/vancouver", "America/Vancouver", "2027-12-01T16:00:00.000Z"),
        ("Asia/Calcutta", "Asia/Calcutta", "2027-12-01T03:30:00.000Z"),
        ("US/Pacific", "US/Pacific", "2027-12-01T17:00:00.000Z"),
        ("kyiv", "Europe/Kyiv", "2027-12-01T07:00:00.000Z"),
        ("etc/gmt+5", "Etc/GMT+5", "2027-12-01T14:00:00.000Z"),
    ] {
        let article = server.create_article(typed).await;
        let new_task = wall(article, "2027-12-01T09:00", typed);
        let made = server.as_creator().post("/api/v1/tasks", &new_task).await.expect(201);
        assert_eq!(made["due_at"], due, "{typed}");
        let id: domain::TaskId = made["id"].as_str().unwrap().parse().unwrap();
        let mut lease = server.app.parts.store.read(store::PoolRole::Web).await.unwrap();
        let stored = store::task_list::find(lease.conn(), id).await.unwrap().unwrap();
        assert_eq!(stored.time_zone.as_deref(), Some(name), "{typed}");
        drop(lease);
        let again = json!({"seen_version": 1, "local": "2027-12-02T09:00", "zone": typed.to_uppercase()});
        server.as_creator().post(&format!("/api/v1/tasks/{id}/reschedule"), &again).await.expect(200);
        let mut lease = server.app.parts.store.read(store::PoolRole::Web).await.unwrap();
        let stored = store::task_list::find(lease.conn(), id).await.unwrap().unwrap();
        assert_eq!(stored.time_zone.as_deref(), Some(name), "{typed}");
    }
}

async fn an_unknown_zone_is_refused_with_the_nearest_names(server: TestServer) {
    let article = server.create_article("Nowhere").await;
    let long = "Europe/Berlin".repeat(800);
    for (typed, near) in [
        ("Europe/Berln", "Europe/Berlin"),
        ("Vancuver", "America/Vancouver"),
        ("+02:00", "Etc/GMT-2"),
        ("../../etc/passwd", "Europe/Berlin"),
        ("", "Europe/Berlin"),
        (&*long, "Europe/Berlin"),
    ] {
        let new_task = wall(article, "2027-12-01T09:00", typed);
        let refused = server.as_creator().post("/api/v1/tasks", &new_task).await.expect(422);
        let message = refused["error"]["message"].as_str().unwrap();
        assert!(message.starts_with("zone is not a time zone") && message.contains(near), "{message}");
        assert_eq!(refused["error"]["field"], "zone");
    }
}

struct NoProgress;

impl Progress for NoProgress {
    fn begin(&self, _files: usize) {}
    fn step(&self, _files: usize) {}
}

async fn a_day_without_midnight_is_correct_in_the_api_and_the_import(server: TestServer) {
    for (day, zone, before, after, first) in [
        ("2027-04-30", "Africa/Cairo", "2027-04-29T23:59", "2027-04-30T01:00", "2027-04-29T22:00:00Z"),
        ("2027-09-05", "America/Santiago", "2027-09-04T23:59", "2027-09-05T01:00", "2027-09-05T04:00:00Z"),
        ("2027-03-28", "Asia/Beirut", "2027-03-27T23:59", "2027-03-28T01:00", "2027-03-27T22:00:00Z"),
    ] {
        let article = server.create_article(zone).await;
        let new_task = wall(article, &format!("{day}T00:00"), zone);
        let refused = server.as_creator().post("/api/v1/tasks", &new_task).await.expect(422);
        assert_eq!(refused["choices"], json!([{"local": before}, {"local": after}]));
        let folder = tempfile::tempdir().unwrap();
        let name = zone.replace('/', "-");
        let text = format!("---\ntitle: {name}\ndate: {day}\n---\nText\n");
        std::fs::write(folder.path().join(format!("{name}.md")), text).unwrap();
        let import = Import::new(folder.path().to_path_buf(), Zone::named(zone).unwrap());
        importer::run(&server.app.importer, &server.creator.actor, &import, &NoProgress).await.unwrap();
        let listed = server.as_creator().get(&format!("/api/v1/tasks?q={name}")).await.expect(200);
        let due = listed["items"][0]["due_at"].as_str().unwrap().parse::<domain::Timestamp>();
        assert_eq!(due.unwrap(), first.parse().unwrap(), "{zone}");
    }
}

async fn the_time_zone_data_version_is_shown(server: TestServer) {
    let release = zone::data_version();
    let stats = server.as_creator().get("/api/v1/stats").await.expect(200);
    assert_eq!(stats["time_zone_data"], release);
    assert_contains(&server.page(&server.admin, "/engine").await, &["Time-zone data", release]);
}
