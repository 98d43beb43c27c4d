//! Traces: the spans that a collector gets from a real program.

use crate::program::Program;
#[cfg(feature = "otel")]
use crate::{
    http_client::{HttpClient, Reply},
    sse_client::SseClient,
};
#[cfg(feature = "otel")]
use domain::{Clock as _, clock::SystemClock};
#[cfg(feature = "otel")]
use reqwest::Method;
#[cfg(feature = "otel")]
use serde_json::json;
#[cfg(feature = "otel")]
use test_support::Sink;

/// 16 bytes that are letters, to be found in the collected data.
#[cfg(feature = "otel")]
const TRACE: &str = "aTraceOfTheProxy";

#[cfg(not(feature = "otel"))]
#[tokio::test]
async fn a_build_without_otel_refuses_a_collector() {
    let answer = Program::new().run(&["migrate", "--otlp-url", "http://127.0.0.1:4318"]).await;
    assert_eq!(answer.code, 2, "{}", answer.err);
    answer.is_plain();
}

#[cfg(feature = "otel")]
#[tokio::test]
async fn a_collector_gets_spans_of_requests_batches_and_tasks() {
    let (program, sink) = (Program::new(), Sink::start().await);
    let collector = format!("http://127.0.0.1:{}", sink.port());
    let serving = program.serve(&["--otlp-url", &collector, "--node", "anna"]).await;
    let caller = HttpClient { token: Some(program.admin(&[]).await), ..serving.client() };
    let mut stream = SseClient::open(&caller, None).await;
    let article = caller.post("/api/v1/articles", &json!({"title": "Traced", "body": "b"})).await.expect(201);
    let due_at = SystemClock.now().plus(300);
    let new_task = json!({"kind": "article.publish", "target_id": article["id"], "due_at": due_at});
    let hex: String = TRACE.bytes().map(|byte| format!("{byte:02x}")).collect();
    let request = caller.request(Method::POST, "/api/v1/tasks").json(&new_task);
    let request = request.header("traceparent", format!("00-{hex}-00f067aa0ba902b7-01"));
    let task = Reply::of(request).await.expect(201);
    stream.wait_until_executed(&task).await;
    drop(stream);
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
