//! Scenes with messages.

use super::{
    Verdict,
    node::{NODE, TestNode},
};
use reqwest::Method;
use serde_json::Value;
use std::{sync::Arc, time::Duration};
use test_support::{Behaviour, Proxy, Sink};
use tokio::{sync::Notify, time::timeout};

/// Time to wait for a message that must not arrive; its retry would be due after 1 s.
const NO_MESSAGE_WAIT: Duration = Duration::from_secs(8);

/// The response to a message arrives after its lease ended and another attempt has begun.
pub async fn a_response_arrives_after_the_lease(node: &TestNode) -> Verdict {
    let (sink, first, second) = (Sink::start().await, Arc::new(Notify::new()), Arc::new(Notify::new()));
    sink.behave([
        Behaviour::RespondWhen(Arc::clone(&first), 500),
        Behaviour::RespondWhen(Arc::clone(&second), 204),
    ]);
    node.cluster.create_channel(NODE, &sink.url()).await;
    node.schedule(100).await;
    sink.wait_for(1).await;
    // Ends the lease as if a minute had passed.
    node.sql("update delivery set lease_until = 0 where state = 'sending'".to_owned()).await;
    sink.wait_for(2).await;
    first.notify_one();
    let third = timeout(NO_MESSAGE_WAIT, sink.wait_for(3)).await;
    second.notify_one();
    if third.is_ok() {
        return Err("wrong: a third copy was sent while the second was being sent".to_owned());
    }
    node.wait_for_row("select 1::bigint from delivery where state = 'delivered'".to_owned()).await;
    Ok(())
}

/// A user cancels a message that is being sent.
pub async fn a_message_being_sent_is_cancelled(node: &TestNode) -> Verdict {
    let sink = Sink::start().await;
    let proxy = Proxy::to(sink.port()).await;
    node.cluster.create_channel(NODE, &format!("http://127.0.0.1:{}/hook", proxy.port())).await;
    proxy.hold(true);
    node.schedule(100).await;
    node.wait_for_row("select 1::bigint from delivery where state = 'sending'".to_owned()).await;
    let (_, list) = node.cluster.request(NODE, Method::GET, "/deliveries", &Value::Null).await;
    let id = list["items"][0]["id"].as_str().unwrap().to_owned();
    let (status, _) = node.cluster.try_post(NODE, &format!("/deliveries/{id}/drop"), &Value::Null).await;
    proxy.hold(false);
    sink.wait_for(1).await;
    match status {
        409 => Ok(()),
        status => Err(format!("wrong: a message arrived after its cancellation was answered with {status}")),
    }
}
