//! Random edits, list changes, approvals and times: what is published is what was approved.

use super::{MINUTE, SECOND, approve, path, send_back};
use crate::{on_both, test_server::TestServer};
use presstime::articles::review::workflow::content_hash;
use serde_json::{Value, json};
use std::collections::HashSet;

on_both!(s1_the_approved_hash_is_the_published_hash);

/// Number of runs, each with an article of its own.
const RUNS: u64 = 25;
/// Number of steps of a run.
const STEPS: usize = 8;

const WORDS: [&str; 6] = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta"];

/// Actions of a step that are also chosen at the beginning of a run.
const APPROVE: usize = 3;
const SCHEDULE: usize = 6;

/// A random number generator; the same seed gives the same numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((bits ^ (bits >> 31)) % end as u64).unwrap()
    }

    /// From one second to `end` seconds, in milliseconds.
    fn seconds(&mut self, end: usize) -> i64 {
        (i64::try_from(self.below(end)).unwrap() + 1) * SECOND
    }
}

/// Hashes of the texts that reviewers approved, and the last state of the article.
struct Run<'s> {
    server: &'s TestServer,
    random: Random,
    article: Value,
    approved: HashSet<String>,
}

impl Run<'_> {
    fn words(&mut self) -> String {
        let count = self.random.below(5) + 1;
        let words: Vec<&str> = (0..count).map(|_| WORDS[self.random.below(WORDS.len())]).collect();
        words.join(" ")
    }

    async fn step(&mut self, list: &Value) {
        let action = self.random.below(8);
        self.act(action, list).await;
    }

    async fn act(&mut self, action: usize, list: &Value) {
        let server = self.server;
        let current = server.article(&self.article).await;
        match action {
            0 | 1 => {
                let edit = json!({"body": self.words(), "seen_revision": current["revision"]});
                server.as_creator().patch(&path(&current, ""), &edit).await;
            }
            2 => {
                let body = json!({"seen_revision": current["revision"]});
                server.as_creator().post(&path(&current, "/submit"), &body).await;
            }
            APPROVE | 4 => {
                let reply = approve(&server.as_reviewer(), &current).await;
                if reply.status == 200 {
                    self.approved.insert(current["review"]["hash"].as_str().unwrap().to_owned());
                }
            }
            5 => {
                send_back(&server.as_reviewer(), &current, "Again").await;
            }
            SCHEDULE => {
                let due_at = server.time_after(self.random.seconds(90));
                let new = json!({"kind": "article.publish", "target_id": current["id"], "due_at": due_at});
                server.as_creator().post("/api/v1/tasks", &new).await;
            }
            _ => {
                let word = WORDS[self.random.below(WORDS.len())];
                let terms = format!("/api/v1/word-lists/{}/terms", list["id"].as_str().unwrap());
                server.as_admin().put(&terms, &json!({"terms": [word]})).await.expect(200);
            }
        }
        if self.random.below(3) == 0 {
            server.advance(self.random.seconds(60)).await;
        }
        self.check().await;
    }

    /// The public text is one of the approved ones.
    async fn check(&self) {
        let current = self.server.article(&self.article).await;
        let Some(number) = current["published_revision"].as_i64() else { return };
        let id = self.article["id"].as_str().unwrap().parse().unwrap();
        let number = i32::try_from(number).unwrap();
        let articles = &self.server.app.services.articles;
        let public = articles.revision(&self.server.admin.actor, id, number).await.unwrap();
        let hash = content_hash(&public.row.title, &public.body, None);
        assert!(self.approved.contains(&hash), "revision {number} of {} was not approved", self.article);
    }
}

async fn s1_the_approved_hash_is_the_published_hash(server: TestServer) {
    server.set_workflow("one_reviewer", json!({})).await;
    let lists = [
        server.create_list("block", json!(["omega"])).await,
        server.create_list("needs_approval", json!(["omega"])).await,
    ];
    let mut published = 0;
    for seed in 0..RUNS {
        let article = server.write(&format!("Run {seed}"), "alpha").await;
        let random = Random(seed);
        let mut run = Run { server: &server, random, article, approved: HashSet::new() };
        if seed % 2 == 0 {
            run.act(SCHEDULE, &lists[0]).await;
            run.act(APPROVE, &lists[0]).await;
        }
        for step in 0..STEPS {
            run.step(&lists[step % 2]).await;
        }
        server.advance(2 * MINUTE).await;
        run.check().await;
        let last = server.article(&run.article).await;
        published += u32::from(!last["published_revision"].is_null());
    }
    assert!(published > 0, "{published} runs published a text");
    server.assert_execution_records_match().await;
}
