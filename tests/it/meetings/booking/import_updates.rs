//! Calendar files that change or cancel what was imported before, and files of other programs.

use super::import::{calendar, counts, event, import, meetings, send, submit};
use crate::{calendar::ics::part, on_both, test_server::TestServer};
use reqwest::Method;
use serde_json::{Value, json};
use test_support::SmtpSink;

on_both!(
    a_newer_event_is_offered_as_an_update_and_moves_its_meeting,
    a_file_that_cancels_books_nothing_and_cancels_what_is_known,
    answers_and_questions_change_nothing,
    only_the_organizer_can_update_or_cancel,
    a_newer_series_replaces_what_is_still_to_come,
    one_time_of_a_known_series_is_moved_or_cancelled,
    a_series_is_cancelled_from_one_time_on,
    a_cancelled_series_takes_its_moved_times_with_it,
    a_known_series_is_moved_from_one_time_on,
    a_running_series_is_brought_along_from_now_on,
    a_fold_inside_a_letter_is_undone,
    attendees_are_notified_of_an_update_and_of_a_cancellation,
    an_update_that_reminds_an_outside_address_too_often_changes_nothing,
    the_form_shows_updates_and_can_leave_what_is_known,
);

macro_rules! case {
    ($name:literal) => {
        include_str!(concat!("../../../calendars/cases/", $name))
    };
}

/// A calendar with a method and events.
fn message(method: &str, events: &[String]) -> String {
    calendar(events).replace("VERSION:2.0\r\n", &format!("VERSION:2.0\r\nMETHOD:{method}\r\n"))
}

/// An event of an hour in Berlin with a sequence.
fn numbered(uid: &str, title: &str, start: &str, sequence: i32) -> String {
    event(uid, title, &format!("SEQUENCE:{sequence}\r\nDTSTART;TZID=Europe/Berlin:{start}\r\nDURATION:PT1H"))
}

/// A weekly series in Berlin with further lines.
fn weekly(title: &str, start: &str, lines: &str) -> String {
    let lines = format!("DTSTART;TZID=Europe/Berlin:{start}\r\nDURATION:PT1H\r\n{lines}");
    event("weekly", title, &lines)
}

/// One time of the weekly series.
fn weekly_time(id: &str, start: &str, lines: &str) -> String {
    let lines = format!(
        "RECURRENCE-ID{id}\r\nSEQUENCE:1\r\nDTSTART;TZID=Europe/Berlin:{start}\r\nDURATION:PT1H{lines}"
    );
    event("weekly", "Weekly", &lines)
}

async fn write(server: &TestServer, text: &str) -> Value {
    import(server, "?dry_run=false", text).await
}

fn outcomes(report: &Value) -> Vec<&str> {
    report["items"].as_array().unwrap().iter().map(|item| item["outcome"].as_str().unwrap()).collect()
}

/// Title and start of all meetings that take place.
async fn open(server: &TestServer) -> Vec<String> {
    let page = server.as_creator().get("/api/v1/meetings?limit=200&state=confirmed").await.expect(200);
    let text = |item: &Value| {
        format!("{} {}", item["title"].as_str().unwrap(), &item["starts_at"].as_str().unwrap()[..16])
    };
    page["items"].as_array().unwrap().iter().map(text).collect()
}

async fn a_newer_event_is_offered_as_an_update_and_moves_its_meeting(server: TestServer) {
    let first = write(&server, &case!("91-first.ics").replace("2027", "2028")).await;
    assert_eq!(outcomes(&first), ["new"], "{first}");
    let moved = case!("91-moved.ics").replace("2027", "2028");
    let checked = import(&server, "", &moved).await;
    assert_eq!(
        (outcomes(&checked), &checked["update"], counts(&checked)),
        (vec!["update"], &json!(1), [0, 0, 0])
    );
    let item = &checked["items"][0];
    assert_eq!(item["was_starts_at"], "2028-07-01T08:00:00.000Z", "{item}");
    assert_eq!(
        (&item["starts_at"], &item["zone"]),
        (&json!("2028-07-01T12:00:00.000Z"), &json!("Europe/Berlin"))
    );
    assert_eq!(open(&server).await, ["c91 planning 2028-07-01T08:00"], "a dry run changes nothing");
    let kept = import(&server, "?dry_run=false&on_known=keep", &moved).await;
    assert_eq!((outcomes(&kept), open(&server).await.len()), (vec!["known"], 1));
    let done = write(&server, &moved).await;
    assert_eq!(
        (outcomes(&done), &done["items"][0]["meeting_id"]),
        (vec!["update"], &first["items"][0]["meeting_id"])
    );
    assert_eq!(open(&server).await, ["c91 planning (moved) 2028-07-01T12:00"]);
    assert_eq!(outcomes(&write(&server, &moved).await), ["known"]);
    let older = write(&server, &case!("91-first.ics").replace("2027", "2028")).await;
    assert_eq!(outcomes(&older), ["older"]);
    assert_eq!(open(&server).await, ["c91 planning (moved) 2028-07-01T12:00"]);
    server.assert_execution_records_match().await;
}

async fn a_file_that_cancels_books_nothing_and_cancels_what_is_known(server: TestServer) {
    let room = server.create_room(json!({"name": "Blue"})).await;
    let (cancel, request) = (
        case!("44-method-cancel.ics").replace("2027", "2028"),
        case!("44-method-request.ics").replace("2027", "2028"),
    );
    let unknown = import(&server, "?dry_run=false&on_problem=skip", &cancel).await;
    assert_eq!((outcomes(&unknown), &unknown["items"][0]["problem"]), (vec!["refused"], &json!("cancelled")));
    assert_eq!(meetings(&server).await.len(), 0, "the room is not booked");
    let booked = write(&server, &request).await;
    let checked = import(&server, "", &cancel).await;
    assert_eq!((outcomes(&checked), &checked["cancel"]), (vec!["cancel"], &json!(1)), "{checked}");
    assert_eq!(open(&server).await.len(), 1, "a dry run cancels nothing");
    assert_eq!(outcomes(&write(&server, &cancel).await), ["cancel"]);
    let meeting = server.meeting(&json!({"id": booked["items"][0]["meeting_id"]})).await;
    assert_eq!((&meeting["state"], &meeting["room_id"]), (&json!("cancelled"), &room["id"]));
    assert_eq!(outcomes(&write(&server, &cancel).await), ["known"]);
    assert_eq!(outcomes(&write(&server, &request).await), ["older"], "the request is older");
    server.assert_execution_records_match().await;
}

async fn answers_and_questions_change_nothing(server: TestServer) {
    let known = numbered("a", "Known", "20280301T100000", 0);
    write(&server, &calendar(std::slice::from_ref(&known))).await;
    for method in ["REPLY", "counter", "REFRESH", "DECLINECOUNTER", "ADD", "X-OWN"] {
        let events =
            [numbered("a", "Other", "20280301T120000", 3), numbered("b", "New", "20280302T120000", 0)];
        let report = import(&server, "?dry_run=false&on_problem=skip", &message(method, &events)).await;
        let problems: Vec<&Value> =
            report["items"].as_array().unwrap().iter().map(|item| &item["problem"]).collect();
        assert_eq!(problems, [&json!("method"); 2], "{report}");
        let said = report["items"][0]["message"].as_str().unwrap();
        assert!(said.contains(&method.to_uppercase().replace('-', "")), "{said}");
    }
    assert_eq!(open(&server).await, ["Known 2028-03-01T09:00"]);
    let published = import(&server, "", &message("Publish", &[known])).await;
    assert_eq!(outcomes(&published), ["known"]);
}

async fn only_the_organizer_can_update_or_cancel(server: TestServer) {
    write(&server, &calendar(&[numbered("a", "Mine", "20280301T100000", 0)])).await;
    let client = server.as_colleague();
    for text in [
        calendar(&[numbered("a", "Yours", "20280301T120000", 1)]),
        message("CANCEL", &[numbered("a", "Mine", "20280301T100000", 1)]),
    ] {
        let report = send(&client, "?dry_run=false&on_problem=skip", &text).await.expect(200);
        assert_eq!(outcomes(&report), ["refused"], "{report}");
    }
    assert_eq!(open(&server).await, ["Mine 2028-03-01T09:00"]);
}

async fn a_newer_series_replaces_what_is_still_to_come(server: TestServer) {
    let report =
        write(&server, &calendar(&[weekly("Weekly", "20280110T090000", "RRULE:FREQ=WEEKLY;COUNT=4")])).await;
    assert_eq!(outcomes(&report), ["new"], "{report}");
    let newer = weekly(
        "Weekly, earlier",
        "20280107T080000",
        "SEQUENCE:1\r\nRRULE:FREQ=WEEKLY;COUNT=4\r\nEXDATE;TZID=UTC:20280121T070000",
    );
    let checked = import(&server, "", &calendar(std::slice::from_ref(&newer))).await;
    assert_eq!(outcomes(&checked), ["update"], "{checked}");
    assert_eq!(open(&server).await.len(), 4);
    let done = write(&server, &calendar(std::slice::from_ref(&newer))).await;
    assert_eq!(outcomes(&done), ["update"], "{done}");
    let expected = ["2028-01-07T07:00", "2028-01-14T07:00", "2028-01-28T07:00"];
    assert_eq!(open(&server).await, expected.map(|at| format!("Weekly, earlier {at}")));
    assert_eq!(outcomes(&write(&server, &calendar(&[newer])).await), ["known"]);
    let longer = weekly("Weekly, earlier", "20280107T080000", "SEQUENCE:2\r\nRRULE:FREQ=WEEKLY;COUNT=5");
    assert_eq!(outcomes(&write(&server, &calendar(&[longer])).await), ["update"]);
    assert_eq!(open(&server).await.len(), 5, "the third time is no exception any more");
    let gone = weekly("Weekly", "20280107T080000", "SEQUENCE:3\r\nRRULE:FREQ=WEEKLY;COUNT=5");
    assert_eq!(outcomes(&write(&server, &message("CANCEL", &[gone])).await), ["cancel"]);
    assert_eq!(open(&server).await.len(), 0);
    server.assert_execution_records_match().await;
}

async fn one_time_of_a_known_series_is_moved_or_cancelled(server: TestServer) {
    write(&server, &calendar(&[weekly("Weekly", "20280110T090000", "RRULE:FREQ=WEEKLY;COUNT=3")])).await;
    let moved = message("REQUEST", &[weekly_time(":20280117T080000Z", "20280118T150000", "")]);
    let report = write(&server, &moved).await;
    assert_eq!(outcomes(&report), ["update"], "{report}");
    assert_eq!(outcomes(&write(&server, &moved).await), ["known"]);
    let cancelled =
        message("CANCEL", &[weekly_time(";TZID=Europe/Berlin:20280124T090000", "20280124T090000", "")]);
    assert_eq!(outcomes(&write(&server, &cancelled).await), ["cancel"]);
    assert_eq!(open(&server).await, ["Weekly 2028-01-10T08:00", "Weekly 2028-01-18T14:00"]);
    server.assert_execution_records_match().await;
}

async fn a_series_is_cancelled_from_one_time_on(server: TestServer) {
    write(&server, &calendar(&[weekly("Weekly", "20280110T090000", "RRULE:FREQ=WEEKLY;COUNT=4")])).await;
    let id = ";RANGE=THISANDFUTURE:20280124T080000Z";
    let report = write(&server, &message("CANCEL", &[weekly_time(id, "20280124T090000", "")])).await;
    assert_eq!((outcomes(&report), &report["items"][0]["count"]), (vec!["cancel"], &json!(2)), "{report}");
    assert_eq!(open(&server).await, ["Weekly 2028-01-10T08:00", "Weekly 2028-01-17T08:00"]);
}

async fn a_cancelled_series_takes_its_moved_times_with_it(server: TestServer) {
    let series = weekly("Weekly", "20280110T090000", "RRULE:FREQ=WEEKLY;COUNT=4");
    let moved = weekly_time(";TZID=Europe/Berlin:20280117T090000", "20280118T150000", "");
    let later = weekly_time(";RANGE=THISANDFUTURE:20280124T080000Z", "20280124T140000", "");
    let report = write(&server, &calendar(&[series.clone(), moved, later])).await;
    assert_eq!((outcomes(&report), open(&server).await.len()), (vec!["new"; 3], 4), "{report}");
    let report = write(&server, &message("CANCEL", &[series])).await;
    assert_eq!((outcomes(&report), &report["items"][0]["count"]), (vec!["cancel"], &json!(4)), "{report}");
    assert_eq!(open(&server).await.len(), 0);
    server.assert_execution_records_match().await;
}

async fn a_known_series_is_moved_from_one_time_on(server: TestServer) {
    let later = weekly_time(";RANGE=THISANDFUTURE:20280124T080000Z", "20280124T140000", "");
    let unknown = import(&server, "", &calendar(std::slice::from_ref(&later))).await;
    assert_eq!(unknown["items"][0]["problem"], "no_series", "{unknown}");
    write(&server, &calendar(&[weekly("Weekly", "20280110T090000", "RRULE:FREQ=WEEKLY;COUNT=4")])).await;
    let report = write(&server, &message("REQUEST", &[later])).await;
    assert_eq!(outcomes(&report), ["update"], "{report}");
    let expected = ["2028-01-10T08:00", "2028-01-17T08:00", "2028-01-24T13:00", "2028-01-31T13:00"];
    assert_eq!(open(&server).await, expected.map(|at| format!("Weekly {at}")));
    server.assert_execution_records_match().await;
}

async fn a_running_series_is_brought_along_from_now_on(server: TestServer) {
    let text = calendar(&[weekly("Weekly", "20250107T093000", "RRULE:FREQ=WEEKLY;BYDAY=TU;WKST=MO")]);
    let report = write(&server, &text).await;
    let item = &report["items"][0];
    assert_eq!(
        (outcomes(&report), &item["is_running"], &item["count"]),
        (vec!["new"], &json!(true), &json!(60))
    );
    let last = item["shortened_to"].as_str().unwrap();
    assert!(last > &item["starts_at"].as_str().unwrap()[..10], "{item}");
    let all = open(&server).await;
    assert!(all.iter().all(|one| one.ends_with("T08:30") || one.ends_with("T07:30")), "{all:?}");
    assert_eq!(outcomes(&write(&server, &text).await), ["known"]);
}

async fn a_fold_inside_a_letter_is_undone(server: TestServer) {
    let bytes = include_bytes!("../../../calendars/cases/47-fold-splits-utf8.ics");
    let path = "/api/v1/meetings/import";
    let request = server.as_creator().request(Method::POST, path).header("content-type", "text/calendar");
    let report = crate::http_client::Reply::of(request.body(bytes.to_vec())).await.expect(200);
    let title = report["items"][0]["title"].as_str().unwrap();
    assert_eq!((title, title.contains('\u{fffd}')), ("会议室预订确认".repeat(6).as_str(), false), "{report}");
    let request = server.as_creator().request(Method::POST, path).header("content-type", "text/calendar");
    let latin = b"BEGIN:VCALENDAR\r\nX:Caf\xE9\r\nEND:VCALENDAR\r\n".to_vec();
    crate::http_client::Reply::of(request.body(latin)).await.expect(422);
}

async fn attendees_are_notified_of_an_update_and_of_a_cancellation(server: TestServer) {
    let smtp = SmtpSink::start().await;
    server.set_mail_server(&smtp).await;
    let attended = |start: &str, sequence: i32| {
        numbered("a", "Talk", start, sequence)
            .replace("DURATION", "ATTENDEE:mailto:ada@example.org\r\nDURATION")
    };
    import(&server, "?dry_run=false&attendees=invite", &calendar(&[attended("20280301T100000", 0)])).await;
    server.tick().await;
    let moved = calendar(&[attended("20280301T120000", 1)]);
    let report = import(&server, "?attendees=invite", &moved).await;
    server.tick().await;
    assert_eq!((outcomes(&report), smtp.received().len()), (vec!["update"], 1), "a dry run sends nothing");
    import(&server, "?dry_run=false&attendees=invite", &moved).await;
    server.tick().await;
    write(&server, &message("CANCEL", &[attended("20280301T120000", 2)])).await;
    server.tick().await;
    let mails = smtp.received();
    let texts: Vec<String> = mails.iter().map(|mail| part(mail, "text/calendar").1).collect();
    assert_eq!(texts.len(), 3, "{texts:?}");
    assert!(texts[1].contains("20280301T120000") && texts[2].contains("METHOD:CANCEL"), "{texts:?}");
}

async fn an_update_that_reminds_an_outside_address_too_often_changes_nothing(server: TestServer) {
    let limits = json!({"account_per_day": 200, "address_per_hour": 1, "desk_per_minute": 600});
    server.as_admin().put("/api/v1/mail-limits", &limits).await.expect(200);
    let reminded = json!({"attendees": [{"email": "ada@example.org"}],
                          "reminders": [{"before": "start", "minutes": 30, "by": "mail"}]});
    let mut other = reminded.clone();
    other["title"] = json!("Other");
    other["starts_at"] = json!("2028-03-01T11:10:00Z");
    other["ends_at"] = json!("2028-03-01T12:00:00Z");
    server.as_creator().post("/api/v1/meetings", &other).await.expect(201);
    let known = write(&server, &calendar(&[numbered("a", "Talk", "20280301T100000", 0)])).await;
    let meeting = server.meeting(&json!({"id": known["items"][0]["meeting_id"]})).await;
    let mut change = reminded;
    change["seen_version"] = meeting["version"].clone();
    let path = format!("/api/v1/meetings/{}", meeting["id"].as_str().unwrap());
    server.as_creator().patch(&path, &change).await.expect(200);
    let moved =
        calendar(&[numbered("a", "Talk", "20280301T120000", 1), numbered("b", "New", "20280302T120000", 0)]);
    let refused = send(&server.as_creator(), "?dry_run=false&on_problem=skip", &moved).await;
    assert_eq!(refused.refused(429), "mail_limit");
    let mut all = open(&server).await;
    all.sort_unstable();
    assert_eq!(all, ["Other 2028-03-01T11:10", "Talk 2028-03-01T09:00"]);
}

async fn the_form_shows_updates_and_can_leave_what_is_known(server: TestServer) {
    write(&server, &calendar(&[numbered("a", "First", "20280301T100000", 0)])).await;
    let text = calendar(&[numbered("a", "Moved", "20280301T120000", 1)]);
    let browser = server.log_in_browser(&server.creator).await;
    let page = submit(&browser, &server, &[("what", "check")], Some(&text)).await;
    assert!(page.contains("Update: 1. Cancel: 0.") && page.contains("Until now:"), "{page}");
    assert!(page.contains("Import what is new or changed: 1"), "{page}");
    let keep = [("what", "import"), ("known", "keep"), ("text", text.as_str())];
    submit(&browser, &server, &keep, None).await;
    assert_eq!(open(&server).await, ["First 2028-03-01T09:00"]);
    let page = submit(&browser, &server, &[("what", "import"), ("text", text.as_str())], None).await;
    assert!(page.contains("Updated: 1. Cancelled: 0."), "{page}");
    assert_eq!(open(&server).await, ["Moved 2028-03-01T11:00"]);
}
