//! Random streams of signals, with repeated ones and in another order, against the model.

use super::{model::Model, subjects, top_up};
use crate::{on_both, test_server::TestServer};
use domain::{
    RuleId, SignalId, Timestamp, WaitId,
    rule::{Action, DEFAULT_GRACE, Repeat, RuleSettings, WaitTime},
    rules::decide::{self, Known, OpenWait, RuleView},
    signal::{NewSignal, Signal},
};
use serde_json::{Map, json};
use std::collections::HashMap;

const OPEN: &str = "top_up.clicked";
const CLOSE: &str = "top_up.paid";
const WAIT_MS: i64 = 1_800_000;
/// No signal is so late that its rule would not act any more.
const GRACE_MS: i64 = i64::MAX / 4;

/// A random number generator; the same seed gives the same numbers.
struct Random(u64);

impl Random {
    /// Returns a number below `end`.
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let bits = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((bits ^ (bits >> 31)) % end as u64) as usize
    }

    /// Returns a number of minutes below `end`, in milliseconds.
    fn minutes(&mut self, end: usize) -> i64 {
        60_000 * self.below(end) as i64
    }
}

/// A signal of a stream: id, whether it opens, moment, and when it arrives.
#[derive(Debug, Clone, Copy)]
struct Sent {
    id: u32,
    is_opening: bool,
    at: i64,
    arrives: i64,
}

/// Returns a stream in the order of arrival.
fn stream(random: &mut Random, start: i64) -> Vec<Sent> {
    let mut sent: Vec<Sent> = Vec::new();
    for id in 0..1 + random.below(11) as u32 {
        let at = start + random.minutes(90);
        let arrives = at + 60_000 * [0, 0, 0, 1, 5, 29][random.below(6)];
        sent.push(Sent { id, is_opening: random.below(10) < 6, at, arrives });
    }
    for _ in 0..random.below(4) {
        let again = sent[random.below(sent.len())];
        sent.push(Sent { arrives: again.arrives + random.minutes(60), ..again });
    }
    sent.sort_by_key(|one| one.arrives);
    sent
}

fn settings(repeat: Repeat) -> RuleSettings {
    RuleSettings {
        name: String::new(),
        after: OPEN.to_owned(),
        unless: vec![CLOSE.to_owned()],
        wait: WaitTime::After("PT30M".to_owned()),
        subject: None,
        repeat,
        grace: DEFAULT_GRACE.to_owned(),
        zone: None,
        zone_field: None,
        quiet_hours: None,
        cap: None,
        action: Action::Signal { name: "sent".to_owned() },
    }
}

/// The decision of the program, with lists in place of a database.
struct Lists {
    rule: RuleView,
    known: Known,
    due: HashMap<WaitId, Timestamp>,
    seen: Vec<u32>,
    sent: Vec<i64>,
    closed: usize,
}

impl Lists {
    fn tick(&mut self, now: i64) {
        let due = &self.due;
        let (fired, rest) = self.known.waits.drain(..).partition(|wait| due[&wait.id].millis() <= now);
        self.known.waits = rest;
        let fired: Vec<OpenWait> = fired;
        self.sent.extend(fired.iter().map(|wait| self.due[&wait.id].millis()));
    }

    fn signals(&mut self, batch: &[Sent], now: i64) {
        let mut fresh: Vec<Sent> = Vec::new();
        for one in batch {
            if !self.seen.contains(&one.id) {
                self.seen.push(one.id);
                fresh.push(*one);
            }
        }
        let signal = |one: &Sent| Signal {
            id: SignalId::generate(),
            sender_id: None,
            name: if one.is_opening { OPEN } else { CLOSE }.to_owned(),
            subject: "u1".to_owned(),
            key: String::new(),
            at: one.at.into(),
            data: Map::new(),
            depth: 0,
            root: None,
        };
        let signals: Vec<Signal> = fresh.iter().map(signal).collect();
        let due = |_: &RuleView, signal: &Signal| Some(signal.at.plus(WAIT_MS));
        let rules = std::slice::from_ref(&self.rule);
        let decision = decide::decide(rules, &signals, &self.known, now.into(), due);
        self.closed += decision.counts.iter().map(|(_, closed)| *closed as usize).sum::<usize>();
        let waits = &mut self.known.waits;
        waits.retain(|wait| decision.closings.iter().all(|(closed, _)| *closed != wait.id));
        for restart in &decision.restarts {
            for wait in waits.iter_mut().filter(|wait| wait.id == restart.wait) {
                wait.opened_at = signals[restart.signal].at;
                self.due.insert(wait.id, restart.due_at);
            }
        }
        for opening in &decision.openings {
            let (id, opened_at) = (WaitId::generate(), signals[opening.signal].at);
            let (subject, key) = ("u1".to_owned(), String::new());
            waits.push(OpenWait { id, rule: self.rule.id, subject, key, opened_at });
            self.due.insert(id, opening.due_at);
        }
        for signal in &signals {
            let key = (signal.name.clone(), signal.subject.clone(), signal.key.clone());
            let newest = self.known.newest.entry(key).or_insert(signal.at);
            *newest = signal.at.max(*newest);
        }
    }
}

#[test]
fn ten_thousand_streams_end_as_in_the_model() {
    let mut random = Random(34);
    for number in 0..10_000 {
        let repeat = Repeat::ALL[number % 3];
        let stream = stream(&mut random, 1_800_000_000_000);
        let rule =
            RuleView { id: RuleId::generate(), settings: settings(repeat), opens: true, grace_ms: GRACE_MS };
        let mut lists = Lists {
            rule,
            known: Known::default(),
            due: HashMap::new(),
            seen: Vec::new(),
            sent: Vec::new(),
            closed: 0,
        };
        let mut model = Model::new(repeat, WAIT_MS);
        // Signals that arrive in the same minute are sent in one request.
        for batch in stream.chunk_by(|one, next| one.arrives == next.arrives) {
            let now = batch[0].arrives;
            model.tick(now);
            lists.tick(now);
            lists.signals(batch, now);
            batch.iter().for_each(|one| model.signal(one.id, one.is_opening, one.at));
        }
        model.tick(i64::MAX / 2);
        lists.tick(i64::MAX / 2);
        model.sent.sort_unstable();
        lists.sent.sort_unstable();
        assert_eq!((lists.sent, lists.closed), (model.sent, model.closed), "{repeat} {stream:?}");
    }
}

on_both!(streams_through_the_server_end_as_in_the_model);

async fn streams_through_the_server_end_as_in_the_model(server: TestServer) {
    const SUBJECTS: usize = 60;
    let mut random = Random(4_711);
    let sink = test_support::Sink::start().await;
    let channel = server.create_webhook(&sink, json!({"concurrency": 20})).await;
    let repeat = |subject: usize| Repeat::ALL[subject % 3];
    for (index, one) in Repeat::ALL.iter().enumerate() {
        let more = json!({"name": one, "repeat": one, "subject": format!("{index}:*"), "grace": "P1D"});
        server.create_rule(&top_up(&channel, more)).await;
    }
    let name = |subject: usize| format!("{}:{subject}", subject % 3);
    let mut models: Vec<Model> = (0..SUBJECTS).map(|subject| Model::new(repeat(subject), WAIT_MS)).collect();
    let start = server.now().millis();
    let mut all: Vec<(usize, Sent)> = Vec::new();
    for subject in 0..SUBJECTS {
        all.extend(stream(&mut random, start).into_iter().map(|sent| (subject, sent)));
    }
    all.sort_by_key(|(_, sent)| sent.arrives);
    for batch in all.chunk_by(|one, next| one.1.arrives == next.1.arrives) {
        let now = batch[0].1.arrives;
        server.advance(now - server.now().millis()).await;
        models.iter_mut().for_each(|model| model.tick(now));
        let signal = |(subject, sent): &(usize, Sent)| NewSignal {
            name: if sent.is_opening { OPEN } else { CLOSE }.to_owned(),
            subject: name(*subject),
            id: Some(format!("{subject}/{}", sent.id)),
            key: String::new(),
            at: Some(sent.at.into()),
            data: Map::new(),
        };
        let signals: Vec<NewSignal> = batch.iter().map(signal).collect();
        server.app.services.rules.signal(&server.creator.actor, signals).await.unwrap();
        for (subject, sent) in batch {
            models[*subject].signal(sent.id, sent.is_opening, sent.at);
        }
        // What is due already is sent at once.
        models.iter_mut().for_each(|model| model.tick(now));
        server.tick().await;
    }
    for _ in 0..4 {
        server.advance(WAIT_MS).await;
    }
    models.iter_mut().for_each(|model| model.tick(i64::MAX / 2));
    let mut counts: HashMap<String, usize> = HashMap::new();
    for subject in subjects(&sink) {
        *counts.entry(subject).or_default() += 1;
    }
    for (subject, model) in models.iter().enumerate() {
        let sent = counts.get(&name(subject)).copied().unwrap_or(0);
        assert_eq!(sent, model.sent.len(), "{}", name(subject));
    }
    server.assert_execution_records_match().await;
}
