//! Local times in files are scheduled as local times.

use super::{put, run, settings};
use crate::{on_both, test_server::TestServer};
use domain::Timestamp;
use presstime::{
    imports::importer::{Import, Spacing, parse_date},
    zone::Zone,
};
use std::collections::BTreeMap;
use store::{Conn, PoolRole, setting, zone_move};

on_both!(
    local_times_in_files_are_kept,
    spaced_articles_keep_the_local_time_of_the_first,
    new_zone_rules_move_imported_tasks_and_a_second_import_changes_nothing,
);

/// Returns local time, time zone and instant of scheduled tasks, by slug and kind.
async fn scheduled(server: &TestServer) -> BTreeMap<String, (Option<String>, Option<String>, String)> {
    let list = server.as_creator().get("/api/v1/tasks?state=scheduled").await.expect(200);
    let mut all = BTreeMap::new();
    for task in list["items"].as_array().unwrap() {
        let id = task["id"].as_str().unwrap().parse().unwrap();
        let mut lease = server.app.parts.store.read(PoolRole::Web).await.unwrap();
        let line = store::task_list::find(lease.conn(), id).await.unwrap().unwrap();
        let kind = line.kind.trim_start_matches("article.");
        let due_at = Timestamp::from_millis(line.due_at).to_string();
        all.insert(format!("{} {kind}", line.path), (line.local_time, line.time_zone, due_at));
    }
    all
}

fn wall(local: &str, zone: &str, due_at: &str) -> (Option<String>, Option<String>, String) {
    (Some(local.to_owned()), Some(zone.to_owned()), format!("{due_at}.000Z"))
}

async fn local_times_in_files_are_kept(server: TestServer) {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let page = |front: &str| format!("---\n{front}\n---\nText.\n");
    put(at, "plain.md", page("date: 2027-07-01 09:00"));
    put(at, "named.md", page("date: 2027-12-01 09:00 America/Vancouver"));
    put(at, "seconds.md", page("date: 2027-07-01 09:00:30"));
    put(at, "exact.md", page("date: 2027-07-01T09:00:00+02:00"));
    put(at, "twice.md", page("date: 2027-10-31 02:30"));
    put(at, "ends.md", page("date: 2027-07-01\nexpiryDate: 2027-08-01 18:00"));
    let report = run(&server, &settings(at)).await;
    assert_eq!((report.scheduled, report.expiring, report.refused.len()), (6, 1, 0), "{report:?}");
    let all = scheduled(&server).await;
    assert_eq!(all["plain publish"], wall("2027-07-01T09:00", "Europe/Berlin", "2027-07-01T07:00:00"));
    assert_eq!(all["named publish"], wall("2027-12-01T09:00", "America/Vancouver", "2027-12-01T16:00:00"));
    assert_eq!(all["seconds publish"], wall("2027-07-01T09:00:30", "Europe/Berlin", "2027-07-01T07:00:30"));
    assert_eq!(all["exact publish"], (None, None, "2027-07-01T07:00:00.000Z".to_owned()));
    assert_eq!(all["twice publish"], wall("2027-10-31T02:30", "Europe/Berlin", "2027-10-31T00:30:00"));
    assert_eq!(all["ends publish"], wall("2027-07-01T00:00", "Europe/Berlin", "2027-06-30T22:00:00"));
    assert_eq!(all["ends unpublish"], wall("2027-08-01T18:00", "Europe/Berlin", "2027-08-01T16:00:00"));
    // A day without midnight: it begins at 01:00.
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "cairo.md", page("date: 2027-04-30"));
    run(&server, &Import { zone: Zone::stored("Africa/Cairo"), ..settings(folder.path()) }).await;
    let cairo = wall("2027-04-30T01:00", "Africa/Cairo", "2027-04-29T22:00:00");
    assert_eq!(scheduled(&server).await["cairo publish"], cairo);
}

async fn spaced_articles_keep_the_local_time_of_the_first(server: TestServer) {
    let day = 24 * 3_600_000;
    for (name, from, expected) in [
        ("wall", "2027-06-09 09:00", wall("2027-06-09T09:00", "Europe/Berlin", "2027-06-09T07:00:00")),
        ("exact", "2027-06-09T09:00:00Z", (None, None, "2027-06-09T09:00:00.000Z".to_owned())),
    ] {
        let folder = tempfile::tempdir().unwrap();
        put(folder.path(), &format!("{name}.md"), "# A text\n");
        let from = parse_date(from, Zone::stored("Europe/Berlin")).unwrap();
        let spacing = Some(Spacing { from: from.at, every_ms: day, zone: from.zone });
        assert_eq!(run(&server, &Import { spacing, ..settings(folder.path()) }).await.scheduled, 1);
        assert_eq!(scheduled(&server).await[&format!("{name} publish")], expected);
    }
}

/// Sets the due times that older time-zone rules would have given.
async fn outdate(server: &TestServer, due_at: i64) {
    let mut tx = server.app.parts.store.begin(PoolRole::Web).await.unwrap();
    for text in
        ["update task set due_at = $1 where local_time is not null", "update article set import_due_at = $1"]
    {
        match tx.conn() {
            Conn::Sqlite(c) => drop(sqlx::query(text).bind(due_at).execute(c).await.unwrap()),
            Conn::Postgres(c) => drop(sqlx::query(text).bind(due_at).execute(c).await.unwrap()),
        }
    }
    setting::put(tx.conn(), zone_move::RELEASE_SETTING, "2025b").await.unwrap();
    tx.commit().await.unwrap();
}

async fn new_zone_rules_move_imported_tasks_and_a_second_import_changes_nothing(server: TestServer) {
    let folder = tempfile::tempdir().unwrap();
    let text = |front: &str| format!("---\ndate: 2027-12-01 09:00\n{front}---\nText.\n");
    put(folder.path(), "late.md", text(""));
    let import = Import { zone: Zone::stored("America/Vancouver"), ..settings(folder.path()) };
    assert_eq!(run(&server, &import).await.scheduled, 1);
    let was: Timestamp = "2027-12-01T17:00:00Z".parse().unwrap();
    outdate(&server, was.millis()).await;
    assert_eq!(server.app.adjust_local_times().await.unwrap(), 1);
    let expected = wall("2027-12-01T09:00", "America/Vancouver", "2027-12-01T16:00:00");
    assert_eq!(scheduled(&server).await["late publish"], expected);
    let again = run(&server, &import).await;
    assert_eq!((again.unchanged, again.scheduled, again.kept.len()), (1, 0, 0), "{again:?}");
    // The task still belongs to the import: a draft marker in the file cancels it.
    put(folder.path(), "late.md", text("draft: true\n"));
    let cancelled = run(&server, &import).await;
    assert_eq!(cancelled.refused.len(), 0, "{cancelled:?}");
    assert!(scheduled(&server).await.is_empty());
}
