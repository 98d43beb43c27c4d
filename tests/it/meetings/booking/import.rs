//! Calendar files become meetings: checked first, all or nothing, and only once.

use crate::{
    calendar::ics::part,
    http_client::{HttpClient, Reply},
    meetings::{HOUR, act},
    on_both,
    test_server::TestServer,
};
use reqwest::Method;
use serde_json::{Value, json};
use test_support::SmtpSink;

on_both!(
    a_file_is_checked_first_and_imported_once,
    what_cannot_become_a_meeting_is_named_and_refuses_the_file_or_is_skipped,
    a_rule_becomes_a_series_without_the_occurrences_that_were_moved,
    zones_are_known_by_their_windows_names,
    a_feed_of_a_desk_is_imported_on_an_empty_desk,
    attendees_are_invited_only_if_that_is_chosen,
    attendees_without_an_address_or_without_a_place_are_named,
    files_are_limited,
    the_form_shows_each_event_and_imports_what_was_checked,
);

/// An event with these lines.
pub fn event(uid: &str, title: &str, lines: &str) -> String {
    format!("BEGIN:VEVENT\r\nUID:{uid}\r\nSUMMARY:{title}\r\n{lines}\r\nEND:VEVENT\r\n")
}

/// A calendar of these events.
pub fn calendar(events: &[String]) -> String {
    format!("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n{}END:VCALENDAR\r\n", events.concat())
}

/// An event of an hour.
fn hour(uid: &str, title: &str, start: &str) -> String {
    event(uid, title, &format!("DTSTART;TZID=Europe/Berlin:{start}\r\nDURATION:PT1H"))
}

pub async fn send(client: &HttpClient, query: &str, text: &str) -> Reply {
    let path = format!("/api/v1/meetings/import{query}");
    let request = client.request(Method::POST, &path).header("content-type", "text/calendar");
    Reply::of(request.body(text.to_owned())).await
}

pub async fn import(server: &TestServer, query: &str, text: &str) -> Value {
    send(&server.as_creator(), query, text).await.expect(200)
}

/// Numbers of new, known and refused events.
pub fn counts(report: &Value) -> [i64; 3] {
    ["new", "known", "refused"].map(|name| report[name].as_i64().unwrap())
}

/// All meetings of the desk: title, start and end.
pub async fn meetings(server: &TestServer) -> Vec<[String; 3]> {
    let page = server.as_creator().get("/api/v1/meetings?limit=200").await.expect(200);
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let one = |item: &Value| ["title", "starts_at", "ends_at"].map(|name| text(&item[name]));
    page["items"].as_array().unwrap().iter().map(one).collect()
}

async fn a_file_is_checked_first_and_imported_once(server: TestServer) {
    let room = server.create_room(json!({"name": "Aula"})).await;
    let text = calendar(&[
        hour("a", "First", "20280109T090000"),
        event(
            "b",
            "Second\\, long",
            "DTSTART:20280109T120000Z\r\nDTEND:20280109T133000Z\r\nLOCATION:Aula\r\nDESCRIPTION:Line\\nTwo",
        ),
    ]);
    let report = import(&server, "", &text).await;
    assert_eq!((counts(&report), &report["is_written"]), ([2, 0, 0], &json!(false)), "{report}");
    assert_eq!(meetings(&server).await.len(), 0, "it is only checked");
    let report = import(&server, "?dry_run=false", &text).await;
    assert_eq!((counts(&report), &report["is_written"]), ([2, 0, 0], &json!(true)), "{report}");
    assert_eq!((&report["items"][0]["line"], &report["items"][1]["room"]), (&json!(3), &json!("Aula")));
    let first = server.meeting(&json!({"id": report["items"][0]["meeting_id"]})).await;
    assert_eq!(
        (&first["local_start"], &first["zone"]),
        (&json!("2028-01-09T09:00"), &json!("Europe/Berlin"))
    );
    let second = server.meeting(&json!({"id": report["items"][1]["meeting_id"]})).await;
    assert_eq!((&second["title"], &second["description"]), (&json!("Second, long"), &json!("Line\nTwo")));
    assert_eq!((&second["room_id"], &second["state"]), (&room["id"], &json!("confirmed")));
    assert_eq!(second["tasks"].as_array().unwrap().len(), 2);
    let before = meetings(&server).await;
    let again = import(&server, "?dry_run=false", &text).await;
    assert_eq!(counts(&again), [0, 2, 0], "a second import changes nothing");
    assert_eq!(meetings(&server).await, before);
    act(&server.as_creator(), &second, "undo").await.expect(200);
    assert_eq!(server.state(&second).await, "cancelled", "an import can be undone");
    server.assert_execution_records_match().await;
}

async fn what_cannot_become_a_meeting_is_named_and_refuses_the_file_or_is_skipped(server: TestServer) {
    let room = server.create_room(json!({"name": "Aula"})).await;
    let taken = server.book(&room, 48 * HOUR, 49 * HOUR).await.expect(201);
    let at = |value: &Value| value.as_str().unwrap()[..19].replace(['-', ':'], "") + "Z";
    let (start, end) = (at(&taken["starts_at"]), at(&taken["ends_at"]));
    let in_room = |from: &str, to: &str| format!("DTSTART:{from}\r\nDTEND:{to}\r\nLOCATION:Aula");
    let text = calendar(&[
        hour("ok", "Good", "20280109T090000"),
        event("day", "Day", "DTSTART;VALUE=DATE:20280109"),
        event("past", "Past", "DTSTART:20200110T090000Z\r\nDTEND:20200110T100000Z"),
        event("taken", "Taken", &in_room(&start, &end)),
        event("one", "One", &in_room("20280110T090000Z", "20280110T110000Z")),
        event("two", "Two", &in_room("20280110T100000Z", "20280110T120000Z")),
        event("zone", "Zone", "DTSTART;TZID=Mars/Base:20280109T090000\r\nDURATION:PT1H"),
        event(
            "rule",
            "Rule",
            "DTSTART:20280109T090000Z\r\nDURATION:PT1H\r\nRRULE:FREQ=YEARLY;BYWEEKNO=20;COUNT=9",
        ),
        hour("ok", "Again", "20280109T090000"),
        event("gone", "Gone", "STATUS:CANCELLED\r\nDTSTART:20280109T090000Z\r\nDURATION:PT1H"),
        event("point", "Point", "DTSTART:20280109T090000Z"),
    ]);
    let report = import(&server, "?dry_run=false", &text).await;
    let problems: Vec<&str> = report["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| item["problem"].as_str().unwrap_or("-"))
        .collect();
    let expected = [
        "-",
        "all_day",
        "past",
        "room_taken",
        "-",
        "room_taken",
        "unknown_zone",
        "invalid",
        "duplicate",
        "cancelled",
        "no_end",
    ];
    assert_eq!((problems, &report["is_written"]), (expected.to_vec(), &json!(false)));
    let message = |place: usize| report["items"][place]["message"].as_str().unwrap().to_owned();
    assert!(message(3).contains("Planning") && message(5).contains("One"), "{report}");
    assert!(message(7).contains("BYWEEKNO"), "named: {}", message(7));
    assert_eq!(meetings(&server).await.len(), 1, "nothing was written");
    let report = import(&server, "?dry_run=false&on_problem=skip", &text).await;
    assert_eq!((counts(&report), &report["is_written"]), ([2, 0, 9], &json!(true)));
    assert_eq!((meetings(&server).await.len(), server.overlaps().await), (3, 0));
    let chosen = format!("?room_id={}", room["id"].as_str().unwrap());
    let all = calendar(&[hour("x", "X", "20280111T090000"), hour("y", "Y", "20280111T093000")]);
    assert_eq!(counts(&import(&server, &chosen, &all).await), [1, 0, 1], "all in one room");
}

async fn a_rule_becomes_a_series_without_the_occurrences_that_were_moved(server: TestServer) {
    let text = calendar(&[
        event(
            "weekly",
            "Weekly",
            "DTSTART;TZID=Europe/Berlin:20280110T090000\r\nDTEND;TZID=Europe/Berlin:20280110T100000\r\n\
             RRULE:FREQ=WEEKLY;COUNT=4\r\nEXDATE;TZID=Europe/Berlin:20280117T090000",
        ),
        event(
            "weekly",
            "Weekly, later",
            "RECURRENCE-ID;TZID=Europe/Berlin:20280124T090000\r\nDTSTART;TZID=Europe/Berlin:20280124T150000\r\n\
             DURATION:PT1H",
        ),
    ]);
    let report = import(&server, "?dry_run=false", &text).await;
    assert_eq!(counts(&report), [2, 0, 0], "{report}");
    assert_eq!(report["items"][0]["count"], 2);
    let all = meetings(&server).await;
    let starts: Vec<(&str, &str)> =
        all.iter().map(|[title, starts, _]| (title.as_str(), &starts[..16])).collect();
    let expected = [
        ("Weekly", "2028-01-10T08:00"),
        ("Weekly, later", "2028-01-24T14:00"),
        ("Weekly", "2028-01-31T08:00"),
    ];
    assert_eq!(starts, expected);
    let first = server.meeting(&json!({"id": report["items"][0]["meeting_id"]})).await;
    let series = server.as_creator().get(&crate::meetings::path(&first, "/series")).await.expect(200);
    assert!(series.to_string().contains("weekly"), "{series}");
    assert_eq!(counts(&import(&server, "?dry_run=false", &text).await), [0, 2, 0]);
    server.assert_execution_records_match().await;
}

/// A time zone as Outlook writes it.
const OUTLOOK_ZONE: &str = "BEGIN:VTIMEZONE\r\nTZID:W. Europe Standard Time\r\nBEGIN:STANDARD\r\n\
    DTSTART:16010101T030000\r\nTZOFFSETFROM:+0200\r\nTZOFFSETTO:+0100\r\n\
    RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10\r\nEND:STANDARD\r\nBEGIN:DAYLIGHT\r\n\
    DTSTART:16010101T020000\r\nTZOFFSETFROM:+0100\r\nTZOFFSETTO:+0200\r\n\
    RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3\r\nEND:DAYLIGHT\r\nEND:VTIMEZONE\r\n";

async fn zones_are_known_by_their_windows_names(server: TestServer) {
    let in_zone = |zone: &str, date: &str| {
        format!("DTSTART;TZID={zone}:{date}T090000\r\nDTEND;TZID={zone}:{date}T100000")
    };
    let text = calendar(&[
        OUTLOOK_ZONE.to_owned(),
        event("summer", "Summer", &in_zone("W. Europe Standard Time", "20271025")),
        event("winter", "Winter", &in_zone("W. Europe Standard Time", "20280110")),
        event("east", "East", &in_zone("\"China Standard Time\"", "20280111")),
        event("none", "None", &in_zone("Mars Standard Time", "20280112")),
    ]);
    let report = import(&server, "?dry_run=false&on_problem=skip", &text).await;
    assert_eq!((counts(&report), &report["items"][3]["problem"]), ([3, 0, 1], &json!("unknown_zone")));
    for (place, local, zone) in [
        (0, "2027-10-25T09:00", "Europe/Berlin"),
        (1, "2028-01-10T09:00", "Europe/Berlin"),
        (2, "2028-01-11T09:00", "Asia/Shanghai"),
    ] {
        let meeting = server.meeting(&json!({"id": report["items"][place]["meeting_id"]})).await;
        assert_eq!((&meeting["local_start"], &meeting["zone"]), (&json!(local), &json!(zone)));
    }
    let all = meetings(&server).await;
    let starts: Vec<&str> = all.iter().map(|[_, starts, _]| &starts[..16]).collect();
    assert_eq!(starts, ["2027-10-25T07:00", "2028-01-10T08:00", "2028-01-11T01:00"]);
    let new = json!({"title": "Own", "local_start": "2028-01-12T09:00", "local_end": "2028-01-12T10:00",
                     "zone": "China Standard Time"});
    let refused = server.as_creator().post("/api/v1/meetings", &new).await;
    assert_eq!(refused.status, 422, "only calendar files have these names");
}

async fn a_feed_of_a_desk_is_imported_on_an_empty_desk(server: TestServer) {
    let room = json!({"name": "Aula; 1, \"left\""});
    let (here, other) = (server.create_room(room.clone()).await, TestServer::start(server.backend).await);
    other.create_room(room).await;
    for (title, start, end, zone) in [
        ("Plain", "2028-01-09T09:00", "2028-01-09T10:00", "Europe/Berlin"),
        ("Комната, ; \\n月 ".trim(), "2028-02-09T09:05", "2028-02-11T10:00", "Asia/Kathmandu"),
        ("Over the change", "2027-03-27T22:00", "2027-03-28T04:30", "Europe/Berlin"),
        ("Half", "2027-04-03T12:00", "2027-04-04T12:00", "Australia/Lord_Howe"),
        ("UTC", "2027-05-01T00:00", "2027-05-01T00:01", "UTC"),
    ] {
        let new = json!({"title": title, "room_id": here["id"], "local_start": start, "local_end": end, "zone": zone});
        server.as_creator().post("/api/v1/meetings", &new).await.expect(201);
    }
    let twice = json!({"title": "Second two o'clock", "local_start": "2027-10-31T02:30", "zone": "Europe/Berlin",
                       "local_end": "2027-10-31T02:45", "disambiguation": "later"});
    server.as_creator().post("/api/v1/meetings", &twice).await.expect(201);
    let feed = server.as_creator().post("/api/v1/feeds", &json!({"kind": "desk"})).await.expect(201);
    let url = feed["url"].as_str().unwrap();
    let text = server.as_anonymous().get(&url[url.find("/feeds/").unwrap()..]).await.text;
    let report = import(&other, "?dry_run=false", &text).await;
    assert_eq!(counts(&report), [6, 0, 0], "{report}");
    assert_eq!(meetings(&other).await, meetings(&server).await);
    assert_eq!(report["items"][0]["room"], here["name"]);
    assert_eq!(
        counts(&import(&server, "?dry_run=false", &text).await),
        [0, 6, 0],
        "they come from this desk"
    );
}

/// An hour with these lines of an organizer and attendees.
fn attended(uid: &str, start: &str, lines: &str) -> String {
    event(uid, "Attended", &format!("DTSTART:{start}\r\nDURATION:PT1H\r\n{lines}"))
}

async fn attendees_are_invited_only_if_that_is_chosen(server: TestServer) {
    let smtp = SmtpSink::start().await;
    server.set_mail_server(&smtp).await;
    let own = server.creator.email.to_uppercase();
    let lines = format!(
        "ORGANIZER;CN=\"Boss, the\":MAILTO:boss@example.org\r\nATTENDEE;CN=Ada:mailto:Ada@example.org\r\n\
         ATTENDEE;PARTSTAT=ACCEPTED:mailto:ben@example.org\r\nATTENDEE;CUTYPE=ROOM:mailto:aula@example.org\r\n\
         ATTENDEE:mailto:{own}\r\nDESCRIPTION:Text"
    );
    let text = calendar(&[
        attended("a", "20280109T090000Z", &lines),
        attended(
            "b",
            "20280110T090000Z",
            &format!("ORGANIZER:mailto:{own}\r\nRRULE:FREQ=DAILY;COUNT=2\r\nATTENDEE:mailto:ben@example.org"),
        ),
    ]);
    let left_out = import(&server, "?dry_run=false&on_problem=skip", &text.replace("UID:", "UID:no-")).await;
    server.tick().await;
    let meeting = server.meeting(&json!({"id": left_out["items"][0]["meeting_id"]})).await;
    assert_eq!((&left_out["items"][0]["attendees"], &meeting["attendees"]), (&json!(0), &json!([])));
    assert_eq!(meeting["description"], "Text\n\nOrganizer: Boss, the <boss@example.org>");
    assert_eq!(smtp.received().len(), 0);
    let checked = import(&server, "?attendees=invite", &text).await;
    assert_eq!((&checked["items"][0]["attendees"], smtp.received().len()), (&json!(2), 0), "{checked}");
    let invited = import(&server, "?attendees=invite&dry_run=false", &text).await;
    server.tick().await;
    let meeting = server.meeting(&json!({"id": invited["items"][0]["meeting_id"]})).await;
    let people: Vec<&Value> =
        meeting["attendees"].as_array().unwrap().iter().map(|one| &one["email"]).collect();
    assert_eq!(people, ["ada@example.org", "ben@example.org"]);
    assert_eq!(meeting["attendees"][1]["answer"], "pending", "the answer was one to another organizer");
    let repeated = server.meeting(&json!({"id": invited["items"][1]["meeting_id"]})).await;
    assert_eq!(repeated["description"], "", "the organizer is the caller");
    let mails = smtp.received();
    let asks = |mail| part(mail, "text/calendar").1.contains("METHOD:REQUEST");
    assert!(!mails.is_empty() && mails.iter().all(asks), "{mails:?}");
    let again = import(&server, "?attendees=invite&dry_run=false", &text).await;
    server.tick().await;
    assert_eq!((counts(&again), smtp.received().len()), ([0, 2, 0], mails.len()));
    let browser = server.log_in_browser(&server.creator).await;
    let fields = [("attendees", "invite"), ("what", "check")];
    let page = submit(&browser, &server, &fields, Some(&text.replace("UID:", "UID:form-"))).await;
    assert!(page.contains("Invited: 2."), "{page}");
}

async fn attendees_without_an_address_or_without_a_place_are_named(server: TestServer) {
    server.create_room(json!({"name": "Small", "capacity": 1})).await;
    let many = |count: usize| {
        (0..count).map(|n| format!("ATTENDEE:mailto:a{n}@example.org\r\n")).collect::<String>()
            + "STATUS:CONFIRMED"
    };
    let text = calendar(&[
        attended("ok", "20280109T090000Z", &many(200)),
        attended("bad", "20280110T090000Z", "ATTENDEE;CN=X:urn:uuid:7"),
        attended("line", "20280111T090000Z", "ATTENDEE:mailto:a@example.org\\nBcc: b@example.org"),
        attended("many", "20280112T090000Z", &many(201)),
        attended("small", "20280113T090000Z", &format!("LOCATION:Small\r\n{}", many(2))),
    ]);
    assert_eq!(counts(&import(&server, "", &text).await), [5, 0, 0], "attendees are left out");
    let report = import(&server, "?attendees=invite", &text).await;
    let items = report["items"].as_array().unwrap();
    let problems: Vec<&str> = items.iter().map(|item| item["problem"].as_str().unwrap_or("-")).collect();
    assert_eq!(problems, ["-", "bad_attendee", "bad_attendee", "invalid", "invalid"], "{report}");
    assert!(items[1]["message"].as_str().unwrap().contains("urn:uuid:7"), "{report}");
    let many_events: Vec<String> =
        (0..26).map(|n| attended(&format!("c{n}"), "20280109T090000Z", &many(200))).collect();
    let refused = send(&server.as_creator(), "?attendees=invite", &calendar(&many_events)).await.expect(422);
    assert_eq!(refused["error"]["field"], "attendees", "{refused}");
    assert_eq!(send(&server.as_creator(), "?attendees=some", &calendar(&[])).await.status, 422);
}

async fn files_are_limited(server: TestServer) {
    let creator = server.as_creator();
    let events: Vec<String> =
        (0..5_001).map(|number| hour(&format!("u{number}"), "Many", "20280109T090000")).collect();
    let refused = send(&creator, "", &calendar(&events)).await.expect(422);
    assert_eq!(refused["error"]["field"], "file", "{refused}");
    let report = import(&server, "?dry_run=false", &calendar(&events[..5_000])).await;
    assert_eq!(counts(&report), [5_000, 0, 0], "without a room they do not collide");
    let long = format!("BEGIN:VCALENDAR\r\nX:{}", "a\r\n ".repeat(200_000));
    for text in ["", "no calendar", &long, "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n"] {
        assert_eq!(send(&creator, "", text).await.status, 422);
    }
    let big = "BEGIN:VCALENDAR\r\n".to_owned() + &"X:y\r\n".repeat(2_200_000);
    assert_eq!(send(&creator, "", &big).await.refused(422), "invalid", "more than 10 MiB");
    let series: Vec<String> = (0..101)
        .map(|number| {
            let rule = "DTSTART:20280109T090000Z\r\nDURATION:PT1H\r\nRRULE:FREQ=DAILY;COUNT=2";
            event(&format!("s{number}"), "Again", rule)
        })
        .collect();
    assert_eq!(counts(&import(&server, "", &calendar(&series)).await), [100, 0, 1]);
    assert_eq!(send(&creator, "?on_problem=maybe", "BEGIN:VCALENDAR\r\n").await.status, 422);
}

async fn the_form_shows_each_event_and_imports_what_was_checked(server: TestServer) {
    let browser = server.log_in_browser(&server.creator).await;
    let page = browser.get("/meetings").await.expect_page();
    assert!(page.contains("href=\"/meetings/import\""), "{page}");
    assert!(browser.get("/meetings/import").await.expect_page().contains("multipart/form-data"));
    let text =
        calendar(&[hour("a", "<b>Bold</b>", "20280109T090000"), event("d", "Day", "DTSTART:20280109")]);
    let page = submit(&browser, &server, &[("what", "check")], Some(&text)).await;
    assert!(page.contains("&lt;b>Bold") || page.contains("&lt;b&gt;Bold"), "{page}");
    assert!(page.contains("It takes whole days") && page.contains("Import the others: 1"), "{page}");
    assert_eq!(meetings(&server).await.len(), 0);
    let fields = [("what", "import_others"), ("text", text.as_str())];
    let page = submit(&browser, &server, &fields, None).await;
    assert!(page.contains("Imported: 1."), "{page}");
    assert_eq!(meetings(&server).await.len(), 1);
    let page = submit(&browser, &server, &[("what", "check")], None).await;
    assert!(page.contains("role=\"alert\""), "no file was chosen: {page}");
}

/// Sends the form as a browser without JavaScript does.
pub async fn submit(
    browser: &HttpClient,
    server: &TestServer,
    fields: &[(&str, &str)],
    file: Option<&str>,
) -> String {
    let mut body = String::new();
    for (name, value) in fields {
        body += &format!("--limit\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n");
    }
    let file_name = if file.is_some() { "plan.ics" } else { "" };
    body += &format!(
        "--limit\r\ncontent-disposition: form-data; name=\"file\"; filename=\"{file_name}\"\r\n\r\n"
    );
    body += &format!("{}\r\n--limit--\r\n", file.unwrap_or_default());
    let request = browser
        .request(Method::POST, "/fn/import_meetings")
        .header("content-type", "multipart/form-data; boundary=limit")
        .header("accept", "text/html")
        .header("origin", &server.url)
        .header("sec-fetch-site", "same-origin")
        .body(body);
    Reply::of(request).await.text
}
