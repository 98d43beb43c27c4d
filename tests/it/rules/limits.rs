//! Rules keep quiet hours, wait for working days, and act for one subject at most as often as they may.

use super::{subjects, top_up};
use crate::{
    deliveries::text,
    engine_page::assert_contains,
    on_both,
    test_server::{Backend, TestServer},
};
use serde_json::{Value, json};
use test_support::Sink;

on_both!(
    a_wait_ends_outside_quiet_hours_in_the_zone_of_the_rule_or_the_subject,
    quiet_hours_that_began_in_an_outage_are_kept,
    a_wait_ends_at_a_time_of_the_next_working_day,
    a_rule_acts_for_a_subject_at_most_as_often_as_its_cap_allows,
    waits_of_a_subject_that_end_together_share_its_cap,
    limits_are_edited_and_removed,
    the_form_of_a_rule_has_its_limits,
);

const MINUTE: i64 = 60_000;
const DAY: i64 = 24 * 60 * MINUTE;
/// Asia/Kolkata, in minutes.
const KOLKATA: i64 = 330;

impl TestServer {
    /// The time of the day, this number of minutes from now, east of UTC by `offset` minutes.
    fn clock_in(&self, minutes: i64, offset: i64) -> String {
        self.time_after((minutes + offset) * MINUTE)[11..16].to_owned()
    }

    /// Opens a wait of a new subject and returns when the rule acts, to the minute.
    async fn due_of(&self, rule: &Value, subject: &str, data: Value) -> String {
        assert_eq!(self.signal("top_up.clicked", subject, json!({"data": data})).await.0, 1, "{rule}");
        let waits = self.waits(rule, &format!("subject={subject}")).await;
        text(&waits[0]["due_at"])[..16].to_owned()
    }

    fn minute_after(&self, minutes: i64) -> String {
        self.time_after(minutes * MINUTE)[..16].to_owned()
    }
}

async fn a_wait_ends_outside_quiet_hours_in_the_zone_of_the_rule_or_the_subject(server: TestServer) {
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({})).await;
    let quiet = |offset| json!({"from": server.clock_in(20, offset), "to": server.clock_in(60, offset)});
    let more = json!({"quiet_hours": quiet(0), "zone": "UTC", "zone_field": "zone"});
    let rule = server.create_rule(&top_up(&channel, more)).await;
    assert_eq!((&rule["zone"], &rule["quiet_hours"]), (&json!("UTC"), &quiet(0)));
    assert_eq!(server.due_of(&rule, "u1", json!({})).await, server.minute_after(60));
    let elsewhere = json!({"zone": "Asia/Kolkata"});
    assert_eq!(server.due_of(&rule, "u2", elsewhere).await, server.minute_after(30), "no night there");
    assert_eq!(server.due_of(&rule, "u3", json!({"zone": "Mars"})).await, server.minute_after(60));
    let path = format!("/api/v1/rules/{}", text(&rule["id"]));
    let edit = json!({"quiet_hours": quiet(KOLKATA), "zone": "Asia/Kolkata"});
    server.as_admin().patch(&path, &edit).await.expect(200);
    assert_eq!(
        server.due_of(&rule, "u4", json!({})).await,
        server.minute_after(60),
        "in the zone of the rule"
    );
    let before = json!({"wait": {"before": "PT1H", "field": "ends_at"},
                        "quiet_hours": {"from": server.clock_in(50, KOLKATA), "to": server.clock_in(70, KOLKATA)}});
    server.as_admin().patch(&path, &before).await.expect(200);
    let ends = json!({"ends_at": server.time_after(120 * MINUTE)});
    assert_eq!(
        server.due_of(&rule, "u5", ends).await,
        server.minute_after(49),
        "earlier, not after the moment"
    );
    server.advance(49 * MINUTE).await;
    server.advance(10 * MINUTE).await;
    assert!(!subjects(&sink).contains(&"u1".to_owned()), "it is quiet");
    server.advance(2 * MINUTE).await;
    let mut sent = subjects(&sink);
    sent.sort_unstable();
    assert_eq!(sent, ["u1", "u2", "u3", "u4", "u5"]);
}

async fn quiet_hours_that_began_in_an_outage_are_kept(server: TestServer) {
    let sink = Sink::start().await;
    let quiet = json!({"from": server.clock_in(35, 0), "to": server.clock_in(60, 0)});
    let rule = server.create_top_up_rule(&sink, json!({"quiet_hours": quiet, "zone": "UTC"})).await;
    assert_eq!(server.due_of(&rule, "late", json!({})).await, server.minute_after(30));
    assert_eq!(server.due_of(&rule, "chosen", json!({})).await, server.minute_after(30));
    server.advance_without_loops(40 * MINUTE);
    server.tick().await;
    assert_eq!(subjects(&sink), Vec::<String>::new(), "it is quiet");
    // A person decides otherwise.
    let waits = server.waits(&rule, "subject=chosen").await;
    let fire = format!("/api/v1/waits/{}/fire", text(&waits[0]["id"]));
    server.as_admin().post(&fire, &Value::Null).await.expect(200);
    server.tick().await;
    assert_eq!(subjects(&sink), ["chosen"]);
    server.advance(21 * MINUTE).await;
    assert_eq!(subjects(&sink), ["chosen", "late"]);
}

async fn a_wait_ends_at_a_time_of_the_next_working_day(server: TestServer) {
    let sink = Sink::start().await;
    let rule = server
        .create_top_up_rule(
            &sink,
            json!({"wait": {"next_working_day": "09:00"}, "zone": "UTC", "grace": "P3D"}),
        )
        .await;
    for day in 0..7 {
        let subject = format!("day-{day}");
        let due = server.due_of(&rule, &subject, json!({})).await;
        let now = server.time_after(0);
        let days = |text: &str| text[..10].parse::<jiff::civil::Date>().unwrap();
        let (today, next) = (days(&now), days(&due));
        let far = today.until(next).unwrap().get_days();
        let expected = match today.weekday() {
            jiff::civil::Weekday::Friday => 3,
            jiff::civil::Weekday::Saturday => 2,
            _ => 1,
        };
        assert_eq!((far, &due[11..]), (expected, "09:00"), "{now} {due}");
        server.advance(DAY).await;
    }
    server.advance(3 * DAY).await;
    assert_eq!(subjects(&sink).len(), 7);
}

async fn a_rule_acts_for_a_subject_at_most_as_often_as_its_cap_allows(server: TestServer) {
    let sink = Sink::start().await;
    let rule = server.create_top_up_rule(&sink, json!({"cap": {"times": 2, "days": 7}})).await;
    let mut sent = 0;
    for (day, is_sent) in [(0, true), (1, true), (2, false), (3, false), (7, true), (8, true), (9, false)] {
        server.signal("top_up.clicked", "u1", json!({})).await;
        server.signal("top_up.clicked", &format!("other-{day}"), json!({})).await;
        server.advance(30 * MINUTE).await;
        sent += usize::from(is_sent);
        let of_u1 = subjects(&sink).into_iter().filter(|subject| subject == "u1").count();
        assert_eq!(of_u1, sent, "day {day}");
        let days = if day == 3 { 4 } else { 1 };
        server.advance(days * DAY - 30 * MINUTE).await;
    }
    assert_eq!(subjects(&sink).len(), 4 + 7, "other subjects have caps of their own");
    let waits = server.waits(&rule, "subject=u1").await;
    let capped: Vec<&Value> = waits.iter().filter(|wait| wait["reason"] == "capped").collect();
    assert_eq!(
        (capped.len(), &capped[0]["outcome"], &capped[0]["executed_at"]),
        (3, &Value::Null, &Value::Null)
    );
    let page = server.page(&server.admin, &format!("/rules/{}?q=u1", text(&rule["id"]))).await;
    assert_contains(
        &page,
        &["has reached its limit for this subject", "at most 2 times in 7 days for one subject"],
    );
    let path = format!("/api/v1/rules/{}/dry-run", text(&rule["id"]));
    let run = server.as_admin().post(&path, &json!({"days": 20})).await.expect(200);
    assert_eq!(run["would_send"], 4 + 7, "the dry run knows the cap: {run}");
    server.assert_execution_records_match().await;
}

async fn waits_of_a_subject_that_end_together_share_its_cap(server: TestServer) {
    let sink = Sink::start().await;
    let rule = server.create_top_up_rule(&sink, json!({"cap": {"times": 3, "days": 1}})).await;
    for key in 0..20 {
        server.signal("top_up.clicked", "u1", json!({"key": format!("order {key}")})).await;
        server.signal("top_up.clicked", "u2", json!({"key": format!("order {key}")})).await;
    }
    server.advance(30 * MINUTE).await;
    server.advance(MINUTE).await;
    let mut sent = subjects(&sink);
    sent.sort_unstable();
    assert_eq!(sent, ["u1", "u1", "u1", "u2", "u2", "u2"]);
    let capped = server.waits(&rule, "subject=u2&limit=50").await;
    assert_eq!(capped.iter().filter(|wait| wait["reason"] == "capped").count(), 17);
    assert_eq!(server.waits(&rule, "state=scheduled").await.len(), 0);
}

async fn limits_are_edited_and_removed(server: TestServer) {
    let sink = Sink::start().await;
    let limits = json!({"cap": {"times": 3, "days": 1}, "quiet_hours": {"from": "22:00", "to": "08:00"}});
    let rule = server.create_top_up_rule(&sink, limits.clone()).await;
    assert_eq!(rule["zone"], json!(server.admin.actor.zone), "that of the caller: {rule}");
    let path = format!("/api/v1/rules/{}", text(&rule["id"]));
    let kept = server.as_admin().patch(&path, &json!({"name": "Other"})).await.expect(200);
    assert_eq!((&kept["cap"], &kept["quiet_hours"]), (&limits["cap"], &limits["quiet_hours"]));
    let none = server.as_admin().patch(&path, &json!({"cap": false, "quiet_hours": false})).await.expect(200);
    assert_eq!((&none["cap"], &none["quiet_hours"]), (&Value::Null, &Value::Null));
}

#[tokio::test]
async fn bad_limits_are_refused_with_their_field() {
    let server = TestServer::start(Backend::Embedded).await;
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({})).await;
    for (more, field, part) in [
        (json!({"cap": {"times": 0, "days": 1}}), "cap.times", "between 1 and 1000"),
        (json!({"cap": {"times": 1, "days": 366}}), "cap.days", "between 1 and 365"),
        (json!({"cap": {"times": 1}}), "cap.days", "must be given"),
        (json!({"cap": 3}), "cap", ""),
        (json!({"cap": {"times": 1, "days": 1, "hours": 1}}), "cap.hours", "its fields are"),
        (json!({"quiet_hours": {"from": "25:00", "to": "08:00"}}), "quiet_hours.from", "22:00"),
        (json!({"quiet_hours": {"from": "22:00", "to": "8"}}), "quiet_hours.to", "22:00"),
        (json!({"quiet_hours": {"from": "08:00", "to": "8:00"}}), "quiet_hours.to", "another time"),
        (json!({"wait": {"next_working_day": "soon"}}), "wait.next_working_day", "22:00"),
        (json!({"zone": "Mars/Olympus"}), "zone", "zone"),
        (json!({"zone_field": " "}), "zone_field", "empty"),
    ] {
        let refused =
            server.as_admin().post("/api/v1/rules", &top_up(&channel, more.clone())).await.expect(422);
        assert_eq!(text(&refused["error"]["field"]), field, "{more}: {refused}");
        assert!(text(&refused["error"]["message"]).contains(part), "{more}: {refused}");
    }
}

async fn the_form_of_a_rule_has_its_limits(server: TestServer) {
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({})).await;
    let browser = server.log_in_browser(&server.admin).await;
    let mut fields = vec![
        ("rule[name]", "Morning"),
        ("rule[after]", "top_up.clicked"),
        ("rule[wait]", "9:00"),
        ("rule[counts]", "working_day"),
        ("rule[action]", "message"),
        ("rule[channel_id]", text(&channel["id"])),
        ("rule[text]", "{\"to\": \"{{subject}}\"}"),
        ("rule[repeat]", "restart"),
        ("rule[grace]", "1 h"),
        ("rule[quiet_from]", "22:00"),
        ("rule[quiet_to]", "08:00"),
        ("rule[zone]", "Europe/Berlin"),
        ("rule[zone_field]", ""),
        ("rule[cap_times]", "many"),
        ("rule[cap_days]", "7"),
        ("from", "/rules/new"),
    ];
    let refused = browser.form("/fn/create_rule", &fields).await;
    assert_eq!(refused.status, 422, "{}", refused.text);
    assert_contains(&refused.text, &["value=\"many\"", "value=\"22:00\"", "value=\"Europe/Berlin\""]);
    fields[13].1 = "3";
    let made = browser.form("/fn/create_rule", &fields).await;
    assert_eq!(made.status, 303, "{}", made.text);
    let page = browser.get(made.header("location")).await.expect_page();
    let sentence = "wait until 9:00 of the next working day (Europe/Berlin), then send a message to";
    assert_contains(
        &page,
        &[sentence, "not between 22:00 and 08:00 (Europe/Berlin)", "at most 3 times in 7 days"],
    );
    assert_contains(&page, &["rule[cap_times]", "value=\"3\"", "value=\"08:00\""]);
}
