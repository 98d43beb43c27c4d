//! Wall clocks: times that happen twice, or never.

use crate::{
    house::Story,
    on_both,
    sheet::says,
    wish::{local, publish},
};
use domain::{
    Refusal, When,
    refusal::Problem,
    task::{Change, NewTask},
    time::Disambiguation,
};
use presstime::{
    import::{self, Import, Progress},
    zone::{self, Zone},
};
use serde_json::{Value, json};

on_both!(
    a_doubled_time_is_scheduled_once_it_is_said_which,
    a_skipped_time_is_refused_with_what_is_around_it,
    a_moment_is_shown_in_both_zones,
    a_task_typed_in_a_zone_comes_back_as_it_was_typed,
    times_out_of_range_get_a_sentence,
    a_zone_is_taken_in_any_case_and_kept_by_its_own_name,
    a_zone_that_is_none_is_refused_with_the_nearest_names,
    a_day_that_does_not_begin_at_midnight_is_right_in_the_api_and_the_import,
    the_release_of_the_time_zone_data_is_named,
);

async fn a_doubled_time_is_scheduled_once_it_is_said_which(story: Story) {
    let article = story.article("Twice").await;
    let (tasks, actor) = (&story.house.desk.tasks, &story.creator.actor);
    let wish = |which| NewTask {
        when: local("2027-10-31T02:30", "Europe/Berlin", which),
        ..publish(article, story.now())
    };
    let refused = tasks.schedule(actor, wish(None)).await;
    let Err(Refusal::DoubledTime { earlier, later, .. }) = refused else { panic!("{refused:?}") };
    assert_eq!(later.since(earlier), 3_600_000);
    let row = tasks.schedule(actor, wish(Some(Disambiguation::Later))).await.unwrap();
    assert_eq!(row.due.at, later);
}

async fn a_skipped_time_is_refused_with_what_is_around_it(story: Story) {
    let row = story.waiting("Never", 60_000).await;
    let when = local("2027-03-28T02:30", "Europe/Berlin", None);
    let refused = story.change(&row, Change::Reschedule { when }).await;
    let Err(Refusal::SkippedTime { before, after, .. }) = refused else { panic!("{refused:?}") };
    assert_eq!((before.as_str(), after.as_str()), ("2027-03-28T01:59", "2027-03-28T03:00"));
    assert_eq!(story.look(row.id).await.version, row.version, "nothing was changed");
}

async fn a_moment_is_shown_in_both_zones(story: Story) {
    let actor = domain::Actor { zone: "Asia/Kathmandu".to_owned(), ..story.creator.actor.clone() };
    let when = local("2027-06-09T09:00", "Asia/Kathmandu", None);
    let moment = story.house.desk.tasks.resolve(&actor, &when).await.unwrap();
    assert_eq!(moment.at.to_string(), "2027-06-09T03:15:00.000Z");
    assert_eq!(moment.viewer_offset, 345);
    assert_eq!((moment.viewer_wall().hour, moment.viewer_wall().minute), (9, 0));
}

async fn a_task_typed_in_a_zone_comes_back_as_it_was_typed(story: Story) {
    let article = story.article("Typed").await;
    let when = local("2027-06-09T09:00", "Europe/Berlin", None);
    let wish = NewTask { when: when.clone(), ..publish(article, story.now()) };
    let row = story.house.desk.tasks.schedule(&story.creator.actor, wish).await.unwrap();
    let moved = Change::Reschedule { when: story.now().plus(60_000).into() };
    let row = story.change(&row, moved).await.unwrap();
    let back = story.change(&row, Change::Undo).await.unwrap();
    assert_eq!(back.due.at.to_string(), "2027-06-09T07:00:00.000Z");
    let mut lease = story.house.parts.store.read(store::Who::People).await.unwrap();
    let line = store::task_list::find(lease.conn(), row.id).await.unwrap().unwrap();
    let typed = (line.local.as_deref(), line.zone.as_deref());
    assert_eq!(typed, (Some("2027-06-09T09:00"), Some("Europe/Berlin")));
}

async fn times_out_of_range_get_a_sentence(story: Story) {
    let article = story.article("Far").await;
    let (tasks, actor) = (&story.house.desk.tasks, &story.creator.actor);
    let wish = |when: When| NewTask { when, ..publish(article, story.now()) };
    let far = |text| local(text, "UTC", None);
    for text in ["1900-01-01T00:00", "12000-01-01T00:00"] {
        let refused = tasks.schedule(actor, wish(far(text))).await;
        assert_eq!(refused, Err(Refusal::invalid("local", Problem::OutOfRange)));
    }
    let refused = tasks.schedule(actor, wish(local("2027-06-09T09:00", "Mars/Olympus", None))).await;
    let like = "Europe/Berlin".to_owned();
    assert_eq!(refused, Err(Refusal::invalid("zone", Problem::NotAZone { like })));
    let year_1900 = When::At { due_at: domain::Timestamp::from_millis(-2_208_988_800_000) };
    let refused = tasks.schedule(actor, wish(year_1900)).await.unwrap_err();
    assert_eq!(
        (refused.field(), refused.to_string().as_str()),
        (Some("due_at"), "must be between the years 2000 and 2199")
    );
}

fn wall(article: domain::ArticleId, text: &str, zone: &str) -> Value {
    json!({"kind": "article.publish", "target_id": article, "local": text, "zone": zone})
}

async fn a_zone_is_taken_in_any_case_and_kept_by_its_own_name(story: Story) {
    for (typed, name, due) in [
        ("america/vancouver", "America/Vancouver", "2027-12-01T16:00:00.000Z"),
        ("Asia/Calcutta", "Asia/Calcutta", "2027-12-01T03:30:00.000Z"),
        ("US/Pacific", "US/Pacific", "2027-12-01T17:00:00.000Z"),
        ("kyiv", "Europe/Kyiv", "2027-12-01T07:00:00.000Z"),
        ("etc/gmt+5", "Etc/GMT+5", "2027-12-01T14:00:00.000Z"),
    ] {
        let article = story.article(typed).await;
        let wish = wall(article, "2027-12-01T09:00", typed);
        let made = story.as_creator().post("/api/v1/tasks", &wish).await.expect(201);
        assert_eq!(made["due_at"], due, "{typed}");
        let id: domain::TaskId = made["id"].as_str().unwrap().parse().unwrap();
        let mut lease = story.house.parts.store.read(store::Who::People).await.unwrap();
        let line = store::task_list::find(lease.conn(), id).await.unwrap().unwrap();
        assert_eq!(line.zone.as_deref(), Some(name), "{typed}");
        drop(lease);
        let again = json!({"seen_version": 1, "local": "2027-12-02T09:00", "zone": typed.to_uppercase()});
        story.as_creator().post(&format!("/api/v1/tasks/{id}/reschedule"), &again).await.expect(200);
        let mut lease = story.house.parts.store.read(store::Who::People).await.unwrap();
        let line = store::task_list::find(lease.conn(), id).await.unwrap().unwrap();
        assert_eq!(line.zone.as_deref(), Some(name), "{typed}");
    }
}

async fn a_zone_that_is_none_is_refused_with_the_nearest_names(story: Story) {
    let article = story.article("Nowhere").await;
    let long = "Europe/Berlin".repeat(800);
    for (typed, near) in [
        ("Europe/Berln", "Europe/Berlin"),
        ("Vancuver", "America/Vancouver"),
        ("+02:00", "Etc/GMT-2"),
        ("../../etc/passwd", "Europe/Berlin"),
        ("", "Europe/Berlin"),
        (&*long, "Europe/Berlin"),
    ] {
        let wish = wall(article, "2027-12-01T09:00", typed);
        let refused = story.as_creator().post("/api/v1/tasks", &wish).await.expect(422);
        let message = refused["error"]["message"].as_str().unwrap();
        assert!(message.starts_with("zone is not a time zone") && message.contains(near), "{message}");
        assert_eq!(refused["error"]["field"], "zone");
    }
}

struct Silence;

impl Progress for Silence {
    fn begin(&self, _files: usize) {}
    fn step(&self, _files: usize) {}
}

async fn a_day_that_does_not_begin_at_midnight_is_right_in_the_api_and_the_import(story: Story) {
    for (day, zone, before, after, first) in [
        ("2027-04-30", "Africa/Cairo", "2027-04-29T23:59", "2027-04-30T01:00", "2027-04-29T22:00:00Z"),
        ("2027-09-05", "America/Santiago", "2027-09-04T23:59", "2027-09-05T01:00", "2027-09-05T04:00:00Z"),
        ("2027-03-28", "Asia/Beirut", "2027-03-27T23:59", "2027-03-28T01:00", "2027-03-27T22:00:00Z"),
    ] {
        let article = story.article(zone).await;
        let wish = wall(article, &format!("{day}T00:00"), zone);
        let refused = story.as_creator().post("/api/v1/tasks", &wish).await.expect(422);
        assert_eq!(refused["choices"], json!([{"local": before}, {"local": after}]));
        let folder = tempfile::tempdir().unwrap();
        let name = zone.replace('/', "-");
        let text = format!("---\ntitle: {name}\ndate: {day}\n---\nText\n");
        std::fs::write(folder.path().join(format!("{name}.md")), text).unwrap();
        let wish = Import {
            folder: folder.path().to_path_buf(),
            zone: Zone::named(zone).unwrap(),
            publish_past: false,
            pace: None,
        };
        import::run(&story.house, &story.creator.actor, &wish, &Silence).await.unwrap();
        let listed = story.as_creator().get(&format!("/api/v1/tasks?q={name}")).await.expect(200);
        let due = listed["items"][0]["due_at"].as_str().unwrap().parse::<domain::Timestamp>();
        assert_eq!(due.unwrap(), first.parse().unwrap(), "{zone}");
    }
}

async fn the_release_of_the_time_zone_data_is_named(story: Story) {
    let release = zone::data_version();
    let stats = story.as_creator().get("/api/v1/stats").await.expect(200);
    assert_eq!(stats["time_zone_data"], release);
    says(&story.page(&story.admin, "/engine").await, &["Time-zone data", release]);
}
