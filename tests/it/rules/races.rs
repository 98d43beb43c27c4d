//! A signal and the moment of a wait at the same time: one of them wins.

use super::subjects;
use crate::{deliveries::text, on_both, test_server::TestServer};
use domain::signal::NewSignal;
use futures::future::join_all;
use serde_json::{Map, Value, json};
use std::collections::HashSet;
use test_support::Sink;

on_both!(
    s2_a_signal_and_the_moment_at_once_send_or_cancel_but_never_both,
    opening_and_closing_signals_at_once_leave_nothing_open,
);

const SUBJECTS: usize = 100;

/// Sends a signal of this moment and returns the number of waits that it closed.
async fn send(server: &TestServer, name: &str, subject: String) -> u32 {
    let new = NewSignal {
        name: name.to_owned(),
        subject,
        id: None,
        key: String::new(),
        at: Some(server.now()),
        data: Map::new(),
    };
    let results = server.app.services.rules.signal(&server.creator.actor, vec![new]).await.unwrap();
    results[0].closed
}

/// Number of rounds of [`SUBJECTS`] races: `FAULTS_LONG=1` runs 10,000 races.
fn rounds() -> usize {
    #[expect(clippy::disallowed_methods, reason = "runs are chosen by environment variables")]
    let is_long = std::env::var("FAULTS_LONG").is_ok();
    if is_long { 10_000 / SUBJECTS } else { 1 }
}

async fn s2_a_signal_and_the_moment_at_once_send_or_cancel_but_never_both(server: TestServer) {
    let sink = Sink::start().await;
    let rule = server.create_top_up_rule(&sink, json!({})).await;
    for round in 0..rounds() {
        let subject = |n: usize| format!("u{round}-{n}");
        let items: Vec<Value> =
            (0..SUBJECTS).map(|n| json!({"name": "top_up.clicked", "subject": subject(n)})).collect();
        server.as_creator().post("/api/v1/signals/bulk", &json!({"items": items})).await.expect(202);
        server.advance_without_loops(1_800_000);
        let paid = (0..SUBJECTS).map(|n| send(&server, "top_up.paid", subject(n)));
        let (closed, ()) = tokio::join!(join_all(paid), server.tick());
        server.tick().await;
        server.advance(1_000).await;
        let sent: HashSet<String> = subjects(&sink).into_iter().collect();
        assert_eq!(sent.len(), subjects(&sink).len(), "a message was sent twice");
        for (n, closed) in closed.iter().enumerate() {
            let subject = subject(n);
            assert_eq!(sent.contains(&subject), *closed == 0, "{subject} was closed {closed} times");
        }
        assert_eq!(server.waits(&rule, "state=scheduled").await.len(), 0);
    }
    let sent: HashSet<String> = subjects(&sink).into_iter().collect();
    for wait in server.waits(&rule, "limit=200").await {
        let expected = if sent.contains(text(&wait["subject"])) { "executed" } else { "cancelled" };
        assert_eq!(text(&wait["state"]), expected, "{wait}");
    }
    server.assert_execution_records_match().await;
}

async fn opening_and_closing_signals_at_once_leave_nothing_open(server: TestServer) {
    let sink = Sink::start().await;
    let rule = server.create_top_up_rule(&sink, json!({})).await;
    let all =
        (0..SUBJECTS).flat_map(|n| ["top_up.clicked", "top_up.paid"].map(|name| (name, format!("u{n}"))));
    join_all(all.map(|(name, subject)| send(&server, name, subject))).await;
    assert_eq!(server.waits(&rule, "state=scheduled").await.len(), 0);
    server.advance(1_800_000).await;
    assert!(sink.received().is_empty());
}
