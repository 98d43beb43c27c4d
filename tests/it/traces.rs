//! Traces: what a collector gets of a task's way, from a real program.

use crate::program::Program;
#[cfg(feature = "otel")]
use crate::{
    caller::{Caller, Reply},
    ear::Ear,
};
#[cfg(feature = "otel")]
use domain::{Clock as _, clock::SystemClock};
#[cfg(feature = "otel")]
use reqwest::Method;
#[cfg(feature = "otel")]
use rig::Sink;
#[cfg(feature = "otel")]
use serde_json::json;

/// 16 bytes that are letters: found again in what the collector gets.
#[cfg(feature = "otel")]
const TRACE: &str = "aTraceOfTheProxy";

#[cfg(not(feature = "otel"))]
#[tokio::test]
async fn a_program_without_traces_refuses_a_collector() {
    let answer = Program::new().run(&["migrate", "--otlp-url", "http://127.0.0.1:4318"]).await;
    assert_eq!(answer.code, 2, "{}", answer.err);
    answer.is_plain();
}

#[cfg(feature = "otel")]
#[tokio::test]
async fn a_collector_gets_requests_batches_and_the_way_of_each_task() {
    let (program, sink) = (Program::new(), Sink::start().await);
    let collector = format!("http://127.0.0.1:{}", sink.port());
    let serving = program.serve(&["--otlp-url", &collector, "--node", "anna"]).await;
    let caller = Caller { token: Some(program.admin(&[]).await), ..serving.caller() };
    let mut ear = Ear::open(&caller, None).await;
    let article = caller.post("/api/v1/articles", &json!({"title": "Traced", "body": "b"})).await.expect(201);
    let due_at = SystemClock.now().plus(300);
    let wish = json!({"kind": "article.publish", "target_id": article["id"], "due_at": due_at});
    let hex: String = TRACE.bytes().map(|byte| format!("{byte:02x}")).collect();
    let asked = caller.request(Method::POST, "/api/v1/tasks").json(&wish);
    let asked = asked.header("traceparent", format!("00-{hex}-00f067aa0ba902b7-01"));
    let task = Reply::of(asked).await.expect(201);
    ear.hear_executed(&task).await;
    drop(ear);
    assert_eq!(serving.end().await, 0);
    let sent = sink.received();
    assert!(sent.iter().all(|one| one.line.starts_with("POST /v1/traces")), "{:?}", sent[0].line);
    let text: String = sent.into_iter().map(|one| one.body).collect();
    let id = task["id"].as_str().unwrap();
    for word in
        ["presstime", "anna", "POST /api/v1/tasks", TRACE, "execute", "task article.publish", id, "moved"]
    {
        assert!(text.contains(word), "{word} was not sent");
    }
}
