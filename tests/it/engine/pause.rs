//! The pause of all publishing: by a plain form, until a time, and resumed by the engine itself.

use crate::{engine_page::assert_contains, on_both, test_server::TestServer};
use domain::{
    DomainError, State,
    late_cause::{Impairment, LateCause},
};
use engine::Loop as _;
use store::PoolRole;
use uuid::Uuid;

on_both!(
    a_pause_with_an_end_holds_tasks_and_ends_by_itself,
    a_pause_without_an_end_lasts_until_it_is_resumed,
    a_pause_that_would_end_in_the_past_is_refused,
    a_pause_ends_on_a_node_that_started_after_its_end,
);

const MINUTE_MS: i64 = 60_000;

impl TestServer {
    /// Verbs of the events of the engine, with whether a person acted.
    async fn pause_events(&self) -> Vec<(String, bool)> {
        let mut lease = self.app.parts.store.read(PoolRole::Web).await.unwrap();
        let events = store::event::history(lease.conn(), Uuid::nil(), 1_000).await.unwrap();
        let of_pause = events.into_iter().filter(|event| matches!(event.verb.as_str(), "pause" | "resume"));
        of_pause.map(|event| (event.verb, event.actor_id.is_some())).collect()
    }
}

async fn a_pause_with_an_end_holds_tasks_and_ends_by_itself(server: TestServer) {
    let task = server.create_task("Held", 10 * MINUTE_MS).await;
    server.create_task("Later", 120 * MINUTE_MS).await;
    let page = server.page(&server.admin, "/engine").await;
    assert_contains(
        &page,
        &[
            "Publishing on time.",
            "Pause publishing …",
            "1 task of the next hour then waits until publishing resumes.",
            "Pause until an admin resumes it",
        ],
    );
    let browser = server.log_in_browser(&server.admin).await;
    let end = server.now().plus(30 * MINUTE_MS);
    let (date, time) = (end.utc().format("%Y-%m-%d").to_string(), end.utc().format("%H:%M:%S").to_string());
    let form = [
        ("is_paused", "true"),
        ("date", date.as_str()),
        ("time", time.as_str()),
        ("zone", "UTC"),
        ("from", "/engine"),
    ];
    let reply = browser.form("/fn/pause_engine", &form).await;
    assert_eq!(reply.status, 303, "{}", reply.text);
    let page = server.page(&server.admin, "/engine").await;
    assert_contains(&page, &["You paused publishing on ", ", until ", "Resume publishing"]);
    assert_contains(&page, &["You paused it. Nothing is published until "]);
    let others = server.page(&server.creator, "/").await;
    assert_contains(&others, &["An admin paused it. Nothing is published until "]);
    assert!(!page.contains("until an admin resumes it") && !page.contains("Pause publishing …"), "{page}");
    server.advance(11 * MINUTE_MS).await;
    assert_eq!(server.find_task(task.id).await.state, State::Scheduled);
    server.advance(19 * MINUTE_MS).await;
    server.advance(1_000).await;
    let found = server.app.services.tasks.find(&server.creator.actor, task.id).await.unwrap();
    assert_eq!(found.row.state, State::Executed);
    assert_eq!(found.late.unwrap().cause, LateCause::Impaired(Impairment::Paused));
    assert_eq!(server.engine_report().await.pause, None);
    let expected = [("pause", true), ("resume", false)].map(|(verb, is_person)| (verb.to_owned(), is_person));
    assert_eq!(server.pause_events().await, expected, "the engine resumed once");
}

async fn a_pause_without_an_end_lasts_until_it_is_resumed(server: TestServer) {
    let browser = server.log_in_browser(&server.admin).await;
    // Without a time, the date means nothing.
    let form =
        [("is_paused", "true"), ("date", "2027-03-01"), ("time", ""), ("zone", "UTC"), ("from", "/engine")];
    assert_eq!(browser.form("/fn/pause_engine", &form).await.status, 303);
    server.advance(20 * MINUTE_MS).await;
    let page = server.page(&server.admin, "/engine").await;
    assert_contains(&page, &[" paused publishing on ", "until an admin resumes it."]);
    // A second pause changes nothing.
    let end = server.now().plus(MINUTE_MS);
    server.app.services.engine.pause(&server.admin.actor, Some(end.into())).await.unwrap();
    assert_eq!(server.engine_report().await.pause.unwrap().until, None);
    let form = [("is_paused", "false"), ("from", "/engine")];
    assert_eq!(browser.form("/fn/pause_engine", &form).await.status, 303);
    assert_eq!(server.engine_report().await.pause, None);
    assert!(!server.app.services.engine.status().await.is_paused());
}

async fn a_pause_that_would_end_in_the_past_is_refused(server: TestServer) {
    let (engine, admin) = (&server.app.services.engine, &server.admin.actor);
    let past = server.now();
    assert_eq!(engine.pause(admin, Some(past.into())).await, Err(DomainError::past(past)));
    assert_eq!(engine.pause(&server.creator.actor, None).await, Err(DomainError::NotAllowed));
    assert_eq!(engine.resume(&server.creator.actor).await, Err(DomainError::NotAllowed));
    let browser = server.log_in_browser(&server.admin).await;
    let form = [
        ("is_paused", "true"),
        ("date", "2020-02-03"),
        ("time", "04:05"),
        ("zone", "UTC"),
        ("from", "/engine"),
    ];
    let reply = browser.form("/fn/pause_engine", &form).await;
    assert_eq!(reply.status, 422);
    assert_contains(&reply.text, &[r#"value="2020-02-03""#, r#"value="04:05""#]);
    assert_eq!(server.engine_report().await.pause, None);
}

async fn a_pause_ends_on_a_node_that_started_after_its_end(server: TestServer) {
    let end = server.now().plus(MINUTE_MS);
    server.app.services.engine.pause(&server.admin.actor, Some(end.into())).await.unwrap();
    server.advance_without_loops(2 * MINUTE_MS);
    let other = server.open_second_node().await;
    server.align_database_clock(&other);
    other.loops.maintenance.tick(server.now()).await;
    assert!(!other.services.engine.status().await.is_paused());
    assert_eq!(server.pause_events().await.len(), 2);
    other.close().await;
    // A pause begun before the engine has ended the last one.
    let engine = &server.app.services.engine;
    engine.pause(&server.admin.actor, Some(server.now().plus(MINUTE_MS).into())).await.unwrap();
    server.advance_without_loops(2 * MINUTE_MS);
    engine.pause(&server.admin.actor, None).await.unwrap();
    server.tick().await;
    assert!(engine.status().await.is_paused());
    let verbs: Vec<_> = server.pause_events().await.into_iter().map(|(verb, _)| verb).collect();
    assert_eq!(verbs, ["pause", "resume", "pause", "resume", "pause"]);
}
