//! Misfortunes of messages.

use super::{Verdict, desk::Desk};
use reqwest::Method;
use rig::{Manner, Proxy, Sink};
use serde_json::{Value, json};
use std::{sync::Arc, time::Duration};
use tokio::{sync::Notify, time::timeout};

/// How long a message that must not come is waited for: its retry would be due after 1 s.
const QUIET: Duration = Duration::from_secs(8);

async fn channel(desk: &Desk, address: &str) {
    let new = json!({"name": "Sink", "address": address, "ladder": "1s, 1s, 1s", "on_ambiguous": "retry"});
    desk.have("/channels", &new).await;
}

/// The answer to a message comes when its lease is over and somebody else is sending it.
pub async fn an_answer_comes_after_the_lease(desk: &Desk) -> Verdict {
    let (sink, first, second) = (Sink::start().await, Arc::new(Notify::new()), Arc::new(Notify::new()));
    sink.behave([Manner::When(Arc::clone(&first), 500), Manner::When(Arc::clone(&second), 204)]);
    channel(desk, &sink.url()).await;
    desk.plan(100).await;
    sink.wait_for(1).await;
    // As if the minute had passed.
    desk.sql("update delivery set lease_until = 0 where state = 'sending'".to_owned()).await;
    sink.wait_for(2).await;
    first.notify_one();
    let third = timeout(QUIET, sink.wait_for(3)).await;
    second.notify_one();
    if third.is_ok() {
        return Err("wrong: a third copy was sent while the second was on its way".to_owned());
    }
    desk.until("select 1::bigint from delivery where state = 'delivered'".to_owned()).await;
    Ok(())
}

/// A person drops a message that is on its way.
pub async fn a_message_on_its_way_is_dropped(desk: &Desk) -> Verdict {
    let sink = Sink::start().await;
    let way = Proxy::to(sink.port()).await;
    channel(desk, &format!("http://127.0.0.1:{}/hook", way.port())).await;
    way.hold(true);
    desk.plan(100).await;
    desk.until("select 1::bigint from delivery where state = 'sending'".to_owned()).await;
    let (_, list) = desk.ask(Method::GET, "/deliveries", &Value::Null).await;
    let id = list["items"][0]["id"].as_str().unwrap().to_owned();
    let (status, _) = desk.ask(Method::POST, &format!("/deliveries/{id}/drop"), &Value::Null).await;
    way.hold(false);
    sink.wait_for(1).await;
    match status {
        409 => Ok(()),
        status => Err(format!("wrong: a message came that was dropped before, answered {status}")),
    }
}
