//! One rule for addresses, wherever they are typed, imported or sent to.

use crate::{http_client::Reply, on_both, test_server::TestServer};
use reqwest::Method;
use serde_json::{Value, json};

on_both!(what_cannot_be_sent_is_refused_everywhere, addresses_in_all_scripts_are_accepted);

const BAD: [&str; 9] = [
    "anna..schmidt@example.org",
    ".a@example.org",
    "a.@example.org",
    "a@example..org",
    "a@-example.org",
    "a b@example.org",
    "\"a b\"@example.org",
    "a@b@example.org",
    "ü..ü@example.org",
];

/// Requests with this address, and the field that names it.
fn requests(server: &TestServer, address: &str) -> Vec<(&'static str, Value, &'static str)> {
    let (starts_at, ends_at) = (server.time_after(3_600_000), server.time_after(7_200_000));
    let channel = json!({"transport": "mail", "name": "Readers", "mail": {
        "host": "mail.example.org", "port": 587, "from": "desk@example.org", "to": [address]}});
    let rule = json!({"name": "Call", "after": "user.signed_up", "wait": "PT1M",
        "action": {"type": "reminder", "to": address, "text": "Hello"}});
    vec![
        (
            "/api/v1/meetings",
            json!({"title": "Planning", "starts_at": starts_at, "ends_at": ends_at,
                   "attendees": [{"email": address}]}),
            "attendees",
        ),
        ("/api/v1/reminders", json!({"text": "Call", "due_at": starts_at, "mail": address}), "mail"),
        ("/api/v1/channels", channel, "mail.to"),
        ("/api/v1/rules", rule, "action.to"),
        ("/api/v1/blocked-addresses", json!({"address": address}), "address"),
    ]
}

async fn what_cannot_be_sent_is_refused_everywhere(server: TestServer) {
    for address in BAD {
        for (path, body, field) in requests(&server, address) {
            let refused = server.as_admin().post(path, &body).await.expect(422);
            assert_eq!(refused["error"]["field"], field, "{path} {address}: {refused}");
        }
    }
    // A calendar file names the attendee that it cannot invite.
    let (starts, ends) = (server.now().plus(3_600_000), server.now().plus(7_200_000));
    let utc = |at: domain::Timestamp| at.to_string()[..19].replace(['-', ':'], "") + "Z";
    let file = format!(
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VEVENT\r\nUID:1\r\nDTSTAMP:{0}\r\nDTSTART:{0}\r\nDTEND:{1}\r\n\
         SUMMARY:Planning\r\nATTENDEE:mailto:anna..schmidt@example.org\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
        utc(starts),
        utc(ends)
    );
    let request = server.as_creator().request(Method::POST, "/api/v1/meetings/import?attendees=invite");
    let reply = Reply::of(request.header("content-type", "text/calendar").body(file)).await.expect(200);
    assert_eq!(reply["refused"], 1, "{reply}");
    assert!(reply.to_string().contains("anna..schmidt@example.org"), "{reply}");
}

async fn addresses_in_all_scripts_are_accepted(server: TestServer) {
    for (typed, stored) in
        [("Anna@MÜNCHEN.example", "anna@münchen.example"), ("用户@例子.广告", "用户@例子.广告")]
    {
        for (path, body, _) in requests(&server, typed) {
            let made = server.as_admin().post(path, &body).await.expect(201);
            assert!(made.to_string().contains(stored), "{path}: {made}");
        }
    }
    // The same domain as DNS has it is the same address.
    let again = json!({"address": "anna@xn--mnchen-3ya.example"});
    server.as_admin().post("/api/v1/blocked-addresses", &again).await.expect(409);
}
