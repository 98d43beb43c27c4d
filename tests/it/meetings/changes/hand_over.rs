//! Another account becomes the organizer of a meeting, or of a whole series.

use crate::{
    calendar::{ics::part, program::mails_to},
    deliveries::text,
    http_client::Reply,
    meetings::{HOUR, MINUTE, act, path},
    on_both,
    test_server::TestServer,
};
use reqwest::Method;
use serde_json::{Value, json};
use test_support::SmtpSink;

on_both!(
    a_series_is_handed_over_as_a_whole,
    only_the_organizer_and_admins_hand_over_to_an_account_that_exists,
    a_meeting_is_handed_over_on_its_page,
    every_room_of_a_series_is_checked,
    a_repeated_hand_over_has_the_result_of_the_first,
    mails_about_a_series_name_its_new_organizer,
);

const ADA: &str = "ada@example.org";

/// Names the new organizer and the version that the meeting has.
fn to(meeting: &Value, organizer: &str) -> Value {
    json!({"seen_version": meeting["version"], "organizer": organizer})
}

async fn a_series_is_handed_over_as_a_whole(server: TestServer) {
    let rule = json!({"frequency": "weekly", "weekdays": ["monday"], "count": 4});
    let new = json!({"title": "Weekly", "local_start": "2027-03-08T09:00", "local_end": "2027-03-08T10:00",
        "zone": "Europe/Berlin", "series": {"rule": rule},
        "reminders": [{"before": "start", "minutes": 10, "by": "mail"}]});
    let first = server.as_creator().post("/api/v1/meetings", &new).await.expect(201);
    let series = server.as_creator().get(&path(&first, "/series")).await.expect(200);
    let all = series["meetings"].as_array().unwrap();
    // One is over in its own way: it keeps its organizer.
    act(&server.as_creator(), &server.meeting(&all[3]).await, "cancel").await.expect(200);
    let colleague = server.colleague.actor.account;
    let hand_over = path(&all[1], "/hand-over");
    let seen = server.meeting(&all[1]).await;
    let handed = server.as_creator().post(&hand_over, &to(&seen, &colleague.to_string())).await.expect(200);
    assert_eq!(handed["organizer_id"], json!(colleague));
    for (place, organizer) in
        [colleague, colleague, colleague, server.creator.actor.account].into_iter().enumerate()
    {
        assert_eq!(server.meeting(&all[place]).await["organizer_id"], json!(organizer), "{place}");
    }
    // The new organizer changes the series, the former one no longer does.
    let later = |seen: &Value| {
        json!({"seen_version": seen["version"], "reach": "all", "local_start": "2027-03-08T11:00",
               "local_end": "2027-03-08T12:00", "zone": "Europe/Berlin"})
    };
    let first = server.meeting(&first).await;
    assert_eq!(server.as_creator().patch(&path(&first, ""), &later(&first)).await.status, 403);
    let moved = server.as_colleague().patch(&path(&first, ""), &later(&first)).await.expect(200);
    assert_eq!(moved["organizer_id"], json!(colleague));
    let next = server.meeting(&all[1]).await;
    assert_eq!(next["organizer_id"], json!(colleague));
    assert_eq!(next["reminders"][0]["state"], "scheduled", "{next}");
    assert_eq!(server.verbs(&all[2]).await.iter().filter(|verb| *verb == "hand_over").count(), 1);
    server.assert_execution_records_match().await;
}

async fn only_the_organizer_and_admins_hand_over_to_an_account_that_exists(server: TestServer) {
    let room = server.create_room(json!({"name": "Aula"})).await;
    let meeting = server.book(&room, HOUR, 2 * HOUR).await.expect(201);
    let hand_over = path(&meeting, "/hand-over");
    let colleague = server.colleague.actor.account.to_string();
    let refused = server.as_colleague().post(&hand_over, &to(&meeting, &colleague)).await;
    assert_eq!(refused.refused(403), "not_allowed");
    for unknown in ["Unknown Person", "", "00000000-0000-7000-8000-000000000001"] {
        let refused = server.as_creator().post(&hand_over, &to(&meeting, unknown)).await.expect(422);
        assert_eq!(refused["error"]["field"], "organizer", "{unknown}: {refused}");
    }
    let old = json!({"seen_version": 99, "organizer": colleague});
    assert_eq!(server.as_creator().post(&hand_over, &old).await.status, 409);
    let admins_only = json!({"booked_by": "admin", "seen_version": room["version"]});
    let room = format!("/api/v1/rooms/{}", text(&room["id"]));
    server.as_admin().patch(&room, &admins_only).await.expect(200);
    let refused = server.as_creator().post(&hand_over, &to(&meeting, &colleague)).await;
    assert_eq!(refused.refused(403), "not_allowed", "the colleague may not book the room");
    let taken = server.as_admin().post(&hand_over, &to(&meeting, "me")).await.expect(200);
    assert_eq!(taken["organizer_id"], json!(server.admin.actor.account));
    let same = server.as_admin().post(&hand_over, &to(&meeting, "me")).await.expect(200);
    assert_eq!(same["version"], taken["version"], "nothing to do");
    assert_eq!(server.verbs(&meeting).await, ["book", "hand_over"]);
    let cancelled = act(&server.as_admin(), &taken, "cancel").await.expect(200);
    let refused = server.as_admin().post(&hand_over, &to(&cancelled, &colleague)).await;
    assert_eq!(refused.refused(409), "wrong_state");
}

async fn a_meeting_is_handed_over_on_its_page(server: TestServer) {
    let room = server.create_room(json!({"name": "Aula"})).await;
    let meeting = server.book(&room, HOUR, 2 * HOUR).await.expect(201);
    let page = path(&meeting, "").replace("/api/v1", "");
    let browser = server.log_in_browser(&server.creator).await;
    assert!(browser.get(&page).await.expect_page().contains("New organizer"));
    let (id, seen) = (meeting["id"].as_str().unwrap(), meeting["version"].to_string());
    let colleague = server.colleague.actor.account.to_string();
    let form = async |organizer: &str| {
        let fields = [("id", id), ("seen", seen.as_str()), ("organizer", organizer), ("from", page.as_str())];
        browser.form("/fn/hand_over_meeting", &fields).await
    };
    let refused = form("Unknown Person").await;
    assert!(refused.status == 422 && refused.text.contains("Unknown Person"), "{}", refused.text);
    assert_eq!(form(&colleague).await.status, 303);
    assert_eq!(server.meeting(&meeting).await["organizer_id"], json!(server.colleague.actor.account));
    assert!(!browser.get(&page).await.expect_page().contains("New organizer"));
}

/// A series of four Mondays without a room, changed by `more`. Returns its meetings.
async fn mondays(server: &TestServer, more: Value) -> Vec<Value> {
    let rule = json!({"frequency": "weekly", "weekdays": ["monday"], "count": 4});
    let mut new = json!({"title": "Weekly", "local_start": "2027-03-08T09:00", "local_end": "2027-03-08T10:00",
                         "zone": "Europe/Berlin", "series": {"rule": rule}});
    for (name, value) in more.as_object().unwrap() {
        new[name] = value.clone();
    }
    let first = server.as_creator().post("/api/v1/meetings", &new).await.expect(201);
    let series = server.as_creator().get(&path(&first, "/series")).await.expect(200);
    series["meetings"].as_array().unwrap().clone()
}

async fn every_room_of_a_series_is_checked(server: TestServer) {
    let room = server.create_room(json!({"name": "Aula"})).await;
    let all = mondays(&server, json!({})).await;
    let third = server.meeting(&all[2]).await;
    let own_room = json!({"seen_version": third["version"], "room_id": room["id"]});
    let third = server.as_creator().patch(&path(&third, ""), &own_room).await.expect(200);
    let admins_only = json!({"booked_by": "admin", "seen_version": room["version"]});
    let room = format!("/api/v1/rooms/{}", text(&room["id"]));
    server.as_admin().patch(&room, &admins_only).await.expect(200);
    let colleague = server.colleague.actor.account.to_string();
    let first = server.meeting(&all[0]).await;
    let hand_over = path(&first, "/hand-over");
    let refused = server.as_creator().post(&hand_over, &to(&first, &colleague)).await;
    assert_eq!(refused.refused(403), "not_allowed", "the colleague may not book the room of the third");
    assert_eq!(server.meeting(&all[0]).await["organizer_id"], json!(server.creator.actor.account));
    // A meeting that does not take place needs no room.
    act(&server.as_creator(), &third, "cancel").await.expect(200);
    let handed = server.as_creator().post(&hand_over, &to(&first, &colleague)).await.expect(200);
    assert_eq!(handed["organizer_id"], json!(server.colleague.actor.account));
}

async fn a_repeated_hand_over_has_the_result_of_the_first(server: TestServer) {
    let room = server.create_room(json!({"name": "Aula"})).await;
    let meeting = server.book(&room, HOUR, 2 * HOUR).await.expect(201);
    let send = async |organizer: &str| {
        let request = server.as_creator().request(Method::POST, &path(&meeting, "/hand-over"));
        Reply::of(request.header("idempotency-key", "one").json(&to(&meeting, organizer))).await
    };
    let colleague = server.colleague.actor.account.to_string();
    let first = send(&colleague).await.expect(200);
    assert_eq!(first["organizer_id"], json!(server.colleague.actor.account));
    let again = send(&colleague).await.expect(200);
    assert_eq!((&again["version"], &again["organizer_id"]), (&first["version"], &first["organizer_id"]));
    assert_eq!(send("me").await.refused(422), "key_reused");
    assert_eq!(server.verbs(&meeting).await, ["book", "hand_over"]);
}

async fn mails_about_a_series_name_its_new_organizer(server: TestServer) {
    let smtp = SmtpSink::start().await;
    server.set_mail_server(&smtp).await;
    let all = mondays(&server, json!({"attendees": [{"email": ADA}]})).await;
    server.tick().await;
    // The last one keeps its organizer.
    act(&server.as_creator(), &server.meeting(&all[3]).await, "cancel").await.expect(200);
    server.tick().await;
    let first = server.meeting(&all[0]).await;
    let colleague = server.colleague.actor.account.to_string();
    let handed = server.as_creator().post(&path(&first, "/hand-over"), &to(&first, &colleague)).await;
    let handed = handed.expect(200);
    let later = json!({"seen_version": handed["version"], "reach": "all", "local_start": "2027-03-08T11:00",
                       "local_end": "2027-03-08T12:00", "zone": "Europe/Berlin"});
    server.as_colleague().patch(&path(&first, ""), &later).await.expect(200);
    // Changes of ten minutes are one mail.
    server.advance(11 * MINUTE).await;
    for _ in 0..4 {
        server.tick().await;
    }
    let mails = mails_to(&smtp, ADA);
    let (first, last) =
        (&part(&mails[0], "text/calendar").1, &part(mails.last().unwrap(), "text/calendar").1);
    assert!(first.contains("CN=\"creator\""), "{first}");
    assert!(last.contains("CN=\"colleague\"") && last.contains("T110000"), "{last}");
}
