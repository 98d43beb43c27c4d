//! Random sequences of edits keep the past, and undo restores every byte.

use super::{
    editing::{Scene, ZONE},
    series,
    zone::BERLIN,
};
use crate::{
    Timestamp,
    base::local_time::minute_text,
    series::{Edit, EditChange, MovedOccurrences, Reach, SeriesState, instant_of},
};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use uuid::Uuid;

const SEQUENCES: u64 = 10_000;
const EDITS: usize = 3;
const DAY_MS: i64 = 86_400_000;

/// SplitMix64: small, and the same everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % limit
    }

    fn pick<T: Clone>(&mut self, items: &[T]) -> T {
        items[usize::try_from(self.below(items.len() as u64)).unwrap()].clone()
    }

    fn signed(&mut self, most: i64) -> i64 {
        i64::try_from(self.below(u64::try_from(most * 2 + 1).unwrap())).unwrap() - most
    }
}

fn random_rule(random: &mut Random) -> Value {
    let count = 2 + random.below(12);
    let choice = random.pick(&["skip", "last_day"]);
    match random.below(6) {
        0 => json!({"frequency": "daily", "interval": 1 + random.below(9), "count": count}),
        1 => json!({"frequency": "weekly", "count": count, "interval": 1 + random.below(3)}),
        2 => json!({"frequency": "weekly", "count": count, "weekdays": ["tuesday", "saturday", "sunday"]}),
        3 => {
            json!({"frequency": "monthly", "day": 27 + random.below(5), "count": count % 6 + 1, "short_month": choice})
        }
        4 => json!({"frequency": "monthly", "nth": 5, "weekdays": ["monday"], "count": count % 4 + 1}),
        _ => {
            json!({"frequency": "daily", "until": format!("2027-{:02}-28", 1 + count % 4), "interval": 2 + count})
        }
    }
}

fn random_edit(random: &mut Random, scene: &Scene) -> Edit {
    let ids: Vec<Uuid> = scene.state.occurrences.keys().copied().collect();
    let occurrence = random.pick(&ids);
    let row = &scene.state.occurrences[&occurrence];
    let change = match random.below(5) {
        0 => EditChange::Cancel,
        1 => {
            let starts = minute_text(row.original_local.with().hour(10).build().unwrap());
            EditChange::Replace(series(&starts, ZONE, &random_rule(random)))
        }
        _ => {
            let shift = jiff::SignedDuration::from_mins(random.signed(6) * 24 * 60 + random.signed(90) * 15);
            EditChange::MoveTo(row.original_local.checked_add(shift).unwrap())
        }
    };
    Edit { occurrence, reach: random.pick(Reach::ALL), change, moved: random.pick(MovedOccurrences::ALL) }
}

/// Rows that have taken place, and cancelled ones.
fn past(state: &SeriesState, now: Timestamp) -> Vec<String> {
    let rows = state.occurrences.iter().filter(|(_, row)| !row.is_upcoming(now));
    rows.map(|(id, row)| format!("{id} {row:?}")).collect()
}

/// Each occurrence is stored once, and at the instant that its series gives it.
fn check(state: &SeriesState, now: Timestamp, seed: u64) {
    let mut identities = BTreeSet::new();
    for row in state.occurrences.values() {
        assert!(identities.insert((row.part, row.original_local)), "seed {seed}: {row:?} is stored twice");
        if row.is_upcoming(now) && row.own_local.is_none() {
            let rule = &state.parts[&row.part].series.rule;
            let instant = instant_of(row.original_local, rule.choices, &*BERLIN).map(|(at, _)| at);
            assert_eq!(instant, Some(row.at), "seed {seed}: {row:?}");
        }
    }
}

#[test]
fn ten_thousand_random_edit_sequences_keep_the_past_and_undo_to_equal_bytes() {
    let (mut applied, mut refused, mut undone) = (0, 0, 0);
    for seed in 0..SEQUENCES {
        let random = &mut Random(seed);
        let start = random.pick(&["2026-10-20T02:30", "2027-03-20T02:15", "2026-12-31T09:00"]);
        let mut scene = Scene::new(start, &random_rule(random), "2026-10-01T00:00:00Z");
        if scene.state.occurrences.is_empty() {
            continue;
        }
        for _ in 0..EDITS {
            scene.now = scene.now.plus(random.signed(10).abs() * DAY_MS);
            let edit = random_edit(random, &scene);
            let (before, was_past) = (scene.bytes(), past(&scene.state, scene.now));
            let Ok(plan) = scene.decide(&edit) else {
                refused += 1;
                continue;
            };
            plan.apply(&mut scene.state).unwrap();
            applied += 1;
            let is_past = past(&scene.state, scene.now);
            assert!(was_past.iter().all(|row| is_past.contains(row)), "seed {seed}: {edit:?}");
            check(&scene.state, scene.now, seed);
            if random.below(2) == 0 {
                plan.undo(scene.now).unwrap().apply(&mut scene.state).unwrap();
                assert_eq!(scene.bytes(), before, "seed {seed}: {edit:?}");
                undone += 1;
            } else {
                scene.extend();
                check(&scene.state, scene.now, seed);
            }
        }
    }
    assert!(applied > 12_000 && refused > 2_000 && undone > 5_500, "{applied} {refused} {undone}");
}
