//! A program without AMQP: no such channel is added, and what waits for one of another program's waits on and says why.

use super::{DAY_MS, text};
use crate::house::{Flavour, Story};
use domain::{
    ChannelId,
    channel::{AmqpRoute, ChannelEdit, Route, Way},
};
use serde_json::json;

#[tokio::test]
async fn a_way_that_is_not_built_in_is_refused_in_a_plain_sentence() {
    let story = Story::begin(Flavour::Embedded).await;
    let amqp = json!({"address": "amqps://mq.example.org", "user": "desk", "password": "open sesame"});
    let new = json!({"way": "amqp", "name": "Broker", "amqp": amqp});
    let refused = story.as_admin().post("/api/v1/channels", &new).await.expect(422);
    assert_eq!(refused["error"]["field"], "way");
    assert!(refused.to_string().contains("is not in this build"), "{refused}");
}

#[tokio::test]
async fn what_waits_for_a_way_that_is_not_built_in_waits_on_and_says_why() {
    let story = Story::begin(Flavour::Embedded).await;
    let (id, store) = (ChannelId::fresh(), &story.house.parts.store);
    let Route::Amqp(route) = Route::usual(Way::Amqp) else { unreachable!("AMQP is AMQP") };
    let route = AmqpRoute { address: "amqps://mq.example.org".to_owned(), ..route };
    let new =
        ChannelEdit { name: "Broker".to_owned(), route: Route::Amqp(route), ..ChannelEdit::usual(Way::Amqp) };
    let mut tx = store.begin(store::Who::People).await.unwrap();
    store::channel::insert(tx.conn(), id, &new, None, story.now()).await.unwrap();
    tx.commit().await.unwrap();
    let channel = json!({"id": id});
    story.publish("Patience").await;
    // More often than its ladder has steps.
    for _ in 0..10 {
        let delivery = story.newest(&channel).await;
        assert_eq!(
            (text(&delivery["state"]), text(&delivery["outcome"])),
            ("pending", "not_sent"),
            "{delivery}"
        );
        assert!(delivery["tries"].to_string().contains("built without AMQP"), "{delivery}");
        assert!(story.look_at(&channel).await["rests_until"].is_string());
        story.advance(DAY_MS).await;
    }
}
