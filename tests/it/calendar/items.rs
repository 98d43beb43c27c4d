//! Which items a user sees, and what is said about them.

use super::{days, titles};
use crate::{new_task::publish, on_both, test_server::TestServer};
use domain::task::Change;
use serde_json::{Value, json};

on_both!(
    items_of_all_kinds_are_filtered,
    items_are_filtered_by_room_tag_and_channel,
    each_item_has_one_status,
    messages_and_rules_are_shown_to_admins_only,
    only_what_the_caller_may_change_can_be_moved,
);

const MARCH: &str = "zone=UTC&from=2027-03-01&to=2027-03-31";

async fn items_are_filtered_by_room_tag_and_channel(server: TestServer) {
    let (client, admin) = (server.as_creator(), server.as_admin());
    server.publish_at("Plain", "2027-03-03T09:00:00Z").await;
    let new = json!({"title": "Tagged", "body": "Text.", "details": {"tags": ["Sea"]}});
    let article = client.post("/api/v1/articles", &new).await.expect(201);
    let task =
        json!({"kind": "article.publish", "target_id": article["id"], "due_at": "2027-03-04T09:00:00Z"});
    client.post("/api/v1/tasks", &task).await.expect(201);
    let room = admin.post("/api/v1/rooms", &json!({"name": "Watchtower", "zone": "UTC"})).await.expect(201);
    let meeting = json!({"title": "In the room", "room_id": room["id"], "starts_at": "2027-03-05T09:00:00Z", "ends_at": "2027-03-05T10:00:00Z"});
    client.post("/api/v1/meetings", &meeting).await.expect(201);
    server.meet("Elsewhere", "2027-03-05T11:00:00Z", "2027-03-05T12:00:00Z").await;
    let channel =
        json!({"name": "Hook", "url": "https://hooks.example.org/", "events": ["article.published"]});
    let channel = admin.post("/api/v1/channels", &channel).await.expect(201);
    let message =
        json!({"key": "letter", "channel_id": channel["id"], "due_at": "2027-03-06T09:00:00Z", "body": "x"});
    admin.post("/api/v1/messages", &message).await.expect(201);
    let room = room["id"].as_str().unwrap();
    let channel = channel["id"].as_str().unwrap();
    let found = days(&client, &format!("{MARCH}&room_id={room}")).await;
    assert_eq!(titles(&found), [("2027-03-05", vec!["In the room"])]);
    let found = days(&client, &format!("{MARCH}&tag=SEA")).await;
    assert_eq!(titles(&found), [("2027-03-04", vec!["Tagged"])]);
    let found = days(&admin, &format!("{MARCH}&channel_id={channel}")).await;
    assert_eq!(found[5]["count"], 1);
    assert_eq!(titles(&found).len(), 1);
    // A creator sees no messages.
    assert_eq!(titles(&days(&client, &format!("{MARCH}&channel_id={channel}")).await), []);
    for field in ["room_id", "channel_id"] {
        let refused = client.get(&format!("/api/v1/calendar?{field}=x")).await.expect(422);
        assert_eq!(refused["error"]["field"], field);
    }
    let browser = server.log_in_browser(&server.creator).await;
    let url = format!("/calendar?date=2027-03-05&zone=UTC&room={room}");
    let page = browser.get(&url).await.expect_page();
    for (text, is_shown) in
        [("In the room", true), ("Watchtower", true), ("Elsewhere", false), ("Tagged", false)]
    {
        assert_eq!(page.contains(text), is_shown, "{text}");
    }
    let page = browser.get("/calendar?date=2027-03-05&zone=UTC&room=x").await.expect_page();
    assert!(page.contains("Elsewhere"), "an unknown room is left out");
    let page = browser.get("/calendar?date=abc").await.expect_page();
    assert!(page.contains("The date is not a date like 2027-03-28."), "the problem names the parameter");
}

async fn items_of_all_kinds_are_filtered(server: TestServer) {
    server.publish_at("Article", "2027-03-03T09:00:00Z").await;
    server.meet("Meeting", "2027-03-03T09:30:00Z", "2027-03-03T10:00:00Z").await;
    let theirs =
        json!({"title": "Theirs", "starts_at": "2027-03-04T09:00:00Z", "ends_at": "2027-03-04T10:00:00Z"});
    server.as_colleague().post("/api/v1/meetings", &theirs).await.expect(201);
    let client = server.as_creator();
    let all = days(&client, MARCH).await;
    assert_eq!(titles(&all), [("2027-03-03", vec!["Article", "Meeting"]), ("2027-03-04", vec!["Theirs"])]);
    let kinds = |days: &[Value]| {
        let items = days.iter().flat_map(|day| day["items"].as_array().unwrap().clone());
        items.map(|item| item["kind"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(kinds(&all), ["article.publish", "meeting", "meeting"]);
    // Two things in one hour.
    assert_eq!(all[2]["items"][0]["together"], 2);
    assert_eq!(all[3]["items"][0]["together"], 1);
    let one = days(&client, &format!("{MARCH}&kind=meeting")).await;
    assert_eq!(titles(&one), [("2027-03-03", vec!["Meeting"]), ("2027-03-04", vec!["Theirs"])]);
    let one = days(&client, &format!("{MARCH}&kind=article.publish")).await;
    assert_eq!(titles(&one), [("2027-03-03", vec!["Article"])]);
    let mine = days(&server.as_colleague(), &format!("{MARCH}&owner=me")).await;
    assert_eq!(titles(&mine), [("2027-03-04", vec!["Theirs"])]);
    let of = server.creator.actor.account;
    let one = days(&server.as_colleague(), &format!("{MARCH}&owner={of}")).await;
    assert_eq!(titles(&one), [("2027-03-03", vec!["Article", "Meeting"])]);
}

async fn each_item_has_one_status(server: TestServer) {
    let gone = server.publish_at("Gone", "2027-03-01T09:00:00Z").await;
    server.change(&gone, Change::Cancel).await.unwrap();
    server.publish_at("Done", "2027-03-01T08:10:00Z").await;
    let later = server.publish_at("Later", "2027-03-01T10:00:00Z").await;
    server.meet("Now", "2027-03-01T08:15:00Z", "2027-03-01T09:00:00Z").await;
    server.advance(20 * 60_000).await;
    let client = server.as_creator();
    let of = async |status: &str| {
        let days = days(&client, &format!("zone=UTC&from=2027-03-01&state={status}")).await;
        let items = days[0]["items"].as_array().unwrap();
        assert!(items.iter().all(|item| item["status"] == status));
        assert_eq!(days[0]["count"].as_u64(), Some(items.len() as u64));
        items.iter().map(|item| item["title"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(of("done").await, ["Done"]);
    assert_eq!(of("running").await, ["Now"]);
    assert_eq!(of("upcoming").await, ["Later"]);
    assert_eq!(of("cancelled").await, ["Gone"]);
    assert_eq!(of("attention").await, [""; 0]);
    let all = days(&client, "zone=UTC&from=2027-03-01").await;
    assert_eq!(titles(&all), [("2027-03-01", vec!["Done", "Now", "Later"])]);
    // Due, and no loop runs.
    server.advance_without_loops(2 * 3_600_000);
    assert_eq!(of("running").await, ["Now", "Later"]);
    // Too late by more than its grace.
    server.advance(26 * 3_600_000).await;
    assert_eq!(of("attention").await, ["Later"]);
    assert_eq!(days(&client, "zone=UTC&from=2027-03-01").await[0]["attention"], 1);
    // A newer task replaces it, here as on Attention.
    let again = publish(domain::ArticleId(later.target_id), server.now().plus(3_600_000));
    server.app.services.tasks.schedule(&server.creator.actor, again).await.unwrap();
    assert_eq!(days(&client, "zone=UTC&from=2027-03-01").await[0]["attention"], 0);
}

async fn messages_and_rules_are_shown_to_admins_only(server: TestServer) {
    let channel = json!({"name": "Hook", "url": "https://example.org/"});
    let channel = server.as_admin().post("/api/v1/channels", &channel).await.expect(201);
    let new = json!({"key": "order-4711", "channel_id": channel["id"], "due_at": "2027-03-05T09:00:00Z", "body": "{}"});
    server.as_admin().post("/api/v1/messages", &new).await.expect(201);
    let admin = days(&server.as_admin(), MARCH).await;
    assert_eq!(titles(&admin), [("2027-03-05", vec!["order-4711"])]);
    assert_eq!(admin[4]["items"][0]["kind"], "message.send");
    for client in [server.as_creator(), server.as_reviewer()] {
        assert!(titles(&days(&client, MARCH).await).is_empty());
        let refused = client.get(&format!("/api/v1/calendar?{MARCH}&kind=message.send")).await;
        assert_eq!(refused.status, 422);
        assert!(!refused.text.contains("message.send"), "{}", refused.text);
    }
}

async fn only_what_the_caller_may_change_can_be_moved(server: TestServer) {
    server.publish_at("Article", "2027-03-01T09:00:00Z").await;
    server.meet("Meeting", "2027-03-01T09:30:00Z", "2027-03-01T10:00:00Z").await;
    let movable = async |client| {
        let days = days(&client, "zone=UTC&from=2027-03-01").await;
        let items = days[0]["items"].as_array().unwrap();
        items.iter().map(|item| item["may_move"].as_bool().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(movable(server.as_creator()).await, [true, true]);
    assert_eq!(movable(server.as_admin()).await, [true, true]);
    assert_eq!(movable(server.as_colleague()).await, [false, false]);
    server.advance(3 * 3_600_000).await;
    assert_eq!(movable(server.as_creator()).await, [false, false]);
}
