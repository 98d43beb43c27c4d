//! What others do to meetings, series, releases, reminders, rules, messages, files and accounts, through the API.

use crate::{
    articles::media::fixture, deliveries::text, messages, on_both, rules::top_up, support::test_account,
    test_server::TestServer,
};
use domain::Role;
use serde_json::{Value, json};
use test_support::{Sink, SmtpSink};

on_both!(
    a_meeting_that_another_moves_or_cancels_is_notified_with_both_times,
    a_series_is_notified_as_one,
    releases_and_files_are_notified_also_when_they_are_deleted,
    authors_are_notified_of_changes_of_a_release_of_another,
    a_reminder_is_notified_once_also_when_it_follows,
    rules_messages_and_accounts_of_another_are_notified,
);

const HOUR: i64 = 3_600_000;

async fn a_meeting_that_another_moves_or_cancels_is_notified_with_both_times(server: TestServer) {
    // Its mails to attendees are no changes of their own.
    let smtp = SmtpSink::start().await;
    server.set_mail_server(&smtp).await;
    let mut announcer = server.announcer().await;
    let room = server.create_room(json!({"name": "Aula"})).await;
    let other = server.create_room(json!({"name": "Studio"})).await;
    let new = json!({"title": "Planning", "room_id": room["id"], "starts_at": server.time_after(HOUR),
                     "ends_at": server.time_after(2 * HOUR), "attendees": [{"email": "ada@guests.example"}]});
    let meeting = server.as_creator().post("/api/v1/meetings", &new).await.expect(201);
    let path = format!("/api/v1/meetings/{}", text(&meeting["id"]));
    let version = async || server.as_admin().get(&path).await.expect(200)["version"].clone();
    let times = json!({"seen_version": version().await, "starts_at": server.time_after(3 * HOUR),
                       "ends_at": server.time_after(4 * HOUR), "room_id": other["id"]});
    server.as_admin().patch(&path, &times).await.expect(200);
    let notified = server.notified_once(&mut announcer).await;
    let lines: Vec<&str> = notified.lines().collect();
    assert_eq!(lines[0], "admin moved the meeting “Planning”.");
    assert!(lines[1].starts_with("Before: ") && lines[1].ends_with(", Aula"), "{notified}");
    assert!(lines[2].starts_with("Now: ") && lines[2].ends_with(", Studio"), "{notified}");
    let newest = server.newest().await;
    assert_eq!(
        (&newest["link"], &newest["undo"]["thing"]),
        (&json!(format!("/meetings/{}", text(&meeting["id"]))), &json!("meeting"))
    );
    let cancel = json!({"seen_version": version().await, "reason": "Holidays"});
    server.as_admin().post(&format!("{path}/cancel"), &cancel).await.expect(200);
    let notified = server.notified_once(&mut announcer).await;
    assert!(
        notified.starts_with("admin cancelled “Planning” (") && notified.ends_with("Reason: Holidays"),
        "{notified}"
    );
    // The organizer undoes it from the list.
    let browser = server.log_in_browser(&server.creator).await;
    let version = version().await.to_string();
    let form =
        [("thing", "meeting"), ("id", text(&meeting["id"])), ("seen", &version), ("from", "/notifications")];
    assert_eq!(browser.form("/fn/undo_notified", &form).await.status, 303);
    assert_eq!(server.as_creator().get(&path).await.expect(200)["state"], "confirmed");
    assert_eq!(server.notified_owner(&mut announcer).await, [""; 0], "the organizer did it");
}

async fn a_series_is_notified_as_one(server: TestServer) {
    let mut announcer = server.announcer().await;
    let new = json!({"title": "Weekly", "local_start": "2027-03-08T09:00", "local_end": "2027-03-08T10:00", "zone": "UTC",
                     "series": {"rule": {"frequency": "weekly", "weekdays": ["monday"], "count": 8}}});
    let first = server.as_creator().post("/api/v1/meetings", &new).await.expect(201);
    let path = format!("/api/v1/meetings/{}", text(&first["id"]));
    let moved = json!({"seen_version": first["version"], "reach": "all", "local_start": "2027-03-08T11:00",
                       "local_end": "2027-03-08T12:00", "zone": "UTC"});
    let moved = server.as_admin().patch(&path, &moved).await.expect(200);
    assert_eq!(server.notified_once(&mut announcer).await, "admin moved the series “Weekly”.");
    let version = server.as_admin().get(&path).await.expect(200)["version"].clone();
    assert_ne!(version, first["version"], "{moved}");
    let cancel = json!({"seen_version": version, "reach": "all", "reason": ""});
    server.as_admin().post(&format!("{path}/cancel"), &cancel).await.expect(200);
    assert_eq!(server.notified_once(&mut announcer).await, "admin cancelled the series “Weekly”.");
    let version = server.as_admin().get(&path).await.expect(200)["version"].clone();
    server.as_admin().post(&format!("{path}/undo"), &json!({"seen_version": version})).await.expect(200);
    assert_eq!(
        server.notified_once(&mut announcer).await,
        "admin undid the last change of the series “Weekly”."
    );
}

async fn releases_and_files_are_notified_also_when_they_are_deleted(server: TestServer) {
    let mut announcer = server.announcer().await;
    let drafts = [server.create_draft("Harbour").await, server.create_draft("Quay").await];
    let item = |draft: &Value| json!({"article_id": draft["id"], "action": "publish"});
    let new = json!({"name": "Package", "items": [item(&drafts[0]), item(&drafts[1])]});
    let release = server.as_creator().post("/api/v1/releases", &new).await.expect(201);
    let path = format!("/api/v1/releases/{}", text(&release["id"]));
    let edit = json!({"seen_version": release["version"], "name": "Bundle", "items": [item(&drafts[0])]});
    server.as_admin().patch(&path, &edit).await.expect(200);
    assert_eq!(
        server.notified_once(&mut announcer).await,
        "admin edited the release “Bundle”.\nBefore: “Package”, 2 articles\nNow: “Bundle”, one article"
    );
    server
        .as_admin()
        .post(&format!("{path}/schedule"), &json!({"due_at": server.time_after(HOUR)}))
        .await
        .expect(201);
    assert!(
        server
            .notified_once(&mut announcer)
            .await
            .starts_with("admin scheduled the release “Bundle”.\nNow: ")
    );
    let tasks = server.as_admin().get("/api/v1/tasks?state=scheduled").await.expect(200);
    server.admin_changes(&tasks["items"][0], "cancel", json!({})).await;
    assert!(
        server
            .notified_once(&mut announcer)
            .await
            .starts_with("admin unscheduled the release “Bundle”.\nBefore: ")
    );
    assert_eq!(server.as_admin().delete(&path).await.status, 204);
    assert_eq!(server.notified_once(&mut announcer).await, "admin deleted the release “Bundle”.");
    assert_eq!(server.newest().await["link"], "/releases");
    let file = server.as_creator().upload("quay.png", &fixture::png(1)).await.expect(201);
    let path = format!("/api/v1/media/{}", text(&file["id"]));
    let alt = json!({"alt": "The quay", "seen_version": file["version"]});
    server.as_admin().patch(&path, &alt).await.expect(200);
    let notified = server.notified_once(&mut announcer).await;
    assert!(
        notified.starts_with("admin edited the file “quay") && notified.ends_with("Now: The quay"),
        "{notified}"
    );
    assert_eq!(server.as_admin().delete(&path).await.status, 204);
    let notified = server.notified_once(&mut announcer).await;
    assert!(notified.starts_with("admin deleted the file “quay"), "{notified}");
}

async fn authors_are_notified_of_changes_of_a_release_of_another(server: TestServer) {
    let mut announcer = server.announcer().await;
    let (admin, colleague) = (server.as_admin(), server.as_colleague());
    let new = json!({"title": "Quay", "body": "Text"});
    let quay = colleague.post("/api/v1/articles", &new).await.expect(201);
    let (harbour, tide) = (server.create_draft("Harbour").await, server.create_draft("Tide").await);
    let item = |article: &Value| json!({"article_id": article["id"], "action": "publish"});
    let new = json!({"name": "Package", "items": [item(&harbour), item(&tide), item(&quay)]});
    let release = admin.post("/api/v1/releases", &new).await.expect(201);
    let path = format!("/api/v1/releases/{}", text(&release["id"]));
    let at = json!({"due_at": server.time_after(HOUR)});
    admin.post(&format!("{path}/schedule"), &at).await.expect(201);
    let notified = server.notified_once(&mut announcer).await;
    assert!(
        notified.starts_with(
            "admin scheduled 2 articles of yours (“Harbour”, “Tide”) with the release “Package”."
        ),
        "{notified}"
    );
    let notified = server.news_of(&mut announcer, &colleague).await;
    assert!(
        notified.len() == 1
            && notified[0].starts_with("admin scheduled “Quay” with the release “Package”.\nNow: "),
        "{notified:?}"
    );
    let task = admin.get("/api/v1/tasks?state=scheduled").await.expect(200)["items"][0].clone();
    server.admin_changes(&task, "reschedule", json!({"due_at": server.time_after(2 * HOUR)})).await;
    server.admin_changes(&task, "cancel", json!({})).await;
    let notified = server.news_of(&mut announcer, &colleague).await;
    let [moved, cancelled] = &notified[..] else { panic!("{notified:?}") };
    assert!(moved.starts_with("admin rescheduled “Quay” with the release “Package”.\nBefore: "), "{moved}");
    assert!(moved.contains("\nNow: "), "{moved}");
    assert!(
        cancelled.starts_with("admin unscheduled “Quay” with the release “Package”.\nBefore: "),
        "{cancelled}"
    );
    let list = colleague.get("/api/v1/notifications").await.expect(200);
    let newest = &list["items"][0];
    assert_eq!(newest["link"], format!("/articles/{}", text(&quay["id"])));
    assert!(newest["undo"].is_null(), "the task is not the colleague's: {newest}");
    assert_eq!(server.notified_owner(&mut announcer).await.len(), 2);
    // An article that leaves the release.
    let edit = json!({"seen_version": release["version"], "items": [item(&harbour), item(&tide)]});
    admin.patch(&path, &edit).await.expect(200);
    let notified = server.news_of(&mut announcer, &colleague).await;
    assert_eq!(notified, ["admin removed “Quay” from the release “Package”."]);
    assert_eq!(server.notified_owner(&mut announcer).await, [""; 0]);
    assert_eq!(admin.delete(&path).await.status, 204);
    let notified = server.notified_once(&mut announcer).await;
    assert_eq!(notified, "admin removed 2 articles of yours (“Harbour”, “Tide”) from the release “Package”.");
    // The owner of a release is notified of the release alone.
    let new = json!({"name": "Own", "items": [item(&harbour)]});
    let own = server.as_creator().post("/api/v1/releases", &new).await.expect(201);
    let path = format!("/api/v1/releases/{}", text(&own["id"]));
    admin.post(&format!("{path}/schedule"), &at).await.expect(201);
    assert!(server.notified_once(&mut announcer).await.starts_with("admin scheduled the release “Own”."));
    let task = admin.get("/api/v1/tasks?state=scheduled").await.expect(200)["items"][0].clone();
    server.admin_changes(&task, "cancel", json!({})).await;
    assert_eq!(server.notified_owner(&mut announcer).await.len(), 1);
    assert_eq!(admin.delete(&path).await.status, 204);
    assert_eq!(server.notified_once(&mut announcer).await, "admin deleted the release “Own”.");
}

async fn a_reminder_is_notified_once_also_when_it_follows(server: TestServer) {
    let mut announcer = server.announcer().await;
    let new = json!({"text": "Call the mayor", "due_at": server.time_after(HOUR)});
    let reminder = server.as_creator().post("/api/v1/reminders", &new).await.expect(201);
    let path = format!("/api/v1/reminders/{}", text(&reminder["id"]));
    let edit = json!({"seen_version": reminder["version"], "due_at": server.time_after(2 * HOUR)});
    server.as_admin().patch(&path, &edit).await.expect(200);
    let notified = server.notified_once(&mut announcer).await;
    assert!(
        notified.starts_with("admin edited the reminder “Call the mayor”.\nBefore: ")
            && notified.contains("\nNow: "),
        "{notified}"
    );
    assert_eq!(server.newest().await["undo"]["thing"], "reminder");
    server.as_admin().delete(&path).await.expect(200);
    let notified = server.notified_once(&mut announcer).await;
    assert!(notified.starts_with("admin cancelled the reminder “Call the mayor”.\nBefore: "), "{notified}");
    // A reminder about an article of another follows it: its owner is notified of it, that of the article of the article.
    let (article, task) = server.schedule_new_article("Harbour", 5 * HOUR).await;
    for client in [server.as_creator(), server.as_colleague()] {
        let about = json!({"text": "Look at it", "article_id": article["id"], "offset_minutes": 30});
        let made = client.post("/api/v1/reminders", &about).await;
        made.expect(201);
    }
    server.admin_changes(&task, "reschedule", json!({"due_at": server.time_after(6 * HOUR)})).await;
    assert!(server.notified_once(&mut announcer).await.starts_with("admin rescheduled “Harbour”."));
    let notified = server.news_of(&mut announcer, &server.as_colleague()).await;
    assert!(
        notified.len() == 1 && notified[0].starts_with("admin moved the reminder “Look at it”."),
        "{notified:?}"
    );
}

async fn rules_messages_and_accounts_of_another_are_notified(server: TestServer) {
    let sink = Sink::start().await;
    let other = test_account::create(&server.app, "second", Role::Admin).await;
    let (second, admin) = (server.as_account(&other), server.as_admin());
    let channel = server.create_webhook(&sink, json!({})).await;
    let rule = server.create_rule(&top_up(&channel, json!({}))).await;
    server.signal("top_up.clicked", "u1", json!({})).await;
    let mut announcer = server.announcer().await;
    let path = format!("/api/v1/rules/{}", text(&rule["id"]));
    assert_eq!(second.post(&format!("{path}/pause"), &json!({})).await.status / 100, 2);
    assert_eq!(
        server.news_of(&mut announcer, &admin).await,
        ["second paused the rule “Top-up not finished”."]
    );
    let edit = json!({"name": "Top-up", "waiting": "cancel"});
    second.patch(&path, &edit).await.expect(200);
    assert_eq!(
        server.news_of(&mut announcer, &admin).await,
        ["second edited the rule “Top-up”.\nBefore: Top-up not finished\nNow: Top-up"],
        "its waits belong to it"
    );
    assert_eq!(second.post(&format!("{path}/take-over"), &json!({})).await.status / 100, 2);
    assert_eq!(server.news_of(&mut announcer, &admin).await, ["second took over the rule “Top-up”."]);
    server.create_message(&channel, "order-1", json!({})).await;
    assert_eq!(second.delete(&messages::path("order-1")).await.status / 100, 2);
    let notified = server.news_of(&mut announcer, &admin).await;
    assert!(
        notified.len() == 1 && notified[0].starts_with("second cancelled the message “order-1”.\nBefore: "),
        "{notified:?}"
    );
    let accounts = &server.app.services.accounts;
    accounts.change_role(&other.actor, server.creator.actor.account, Role::Reviewer).await.unwrap();
    let notified = server.news_of(&mut announcer, &server.as_creator()).await;
    assert_eq!(notified, ["second changed your role.\nBefore: creator\nNow: reviewer"]);
    assert_eq!(server.notified(&second).await, [""; 0], "who did it is notified nothing");
}
