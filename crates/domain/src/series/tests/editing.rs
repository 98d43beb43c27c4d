//! Edits of a series.

use super::{at, series, zone::BERLIN};
use crate::{
    DomainError, Timestamp,
    base::local_time::{self, minute_text},
    series::{
        Edit, EditChange, EditPlan, MovedOccurrences, Reach, ReachCounts, RuleFields, SeriesPart,
        SeriesState, StoredOccurrence, count_reaches,
    },
};
use serde_json::{Value, json};
use uuid::Uuid;

pub(super) const ZONE: &str = "Europe/Berlin";

/// A series whose occurrences are stored, and the current time.
pub(super) struct Scene {
    pub state: SeriesState,
    pub now: Timestamp,
    ids: u128,
}

impl Scene {
    pub(super) fn new(starts: &str, rule: &Value, now: &str) -> Self {
        let mut scene = Self { state: SeriesState::default(), now: at(now), ids: 0 };
        let part = scene.new_id();
        let series = series(starts, ZONE, rule);
        scene.state.parts.insert(part, SeriesPart { series, split_from: None });
        scene.extend();
        scene
    }

    pub(super) fn new_id(&mut self) -> Uuid {
        self.ids += 1;
        Uuid::from_u128(self.ids)
    }

    /// What the task `series.extend` does.
    pub(super) fn extend(&mut self) {
        for (part, SeriesPart { series, .. }) in self.state.parts.clone() {
            let rows = self.state.occurrences.values().filter(|row| row.part == part);
            let last = rows.map(|row| row.original_local).max();
            for one in series.extension(&*BERLIN, last, self.now).occurrences {
                let row = StoredOccurrence {
                    part,
                    original_local: one.original_local,
                    own_local: None,
                    at: one.at,
                    is_cancelled: false,
                };
                let id = self.new_id();
                self.state.occurrences.insert(id, row);
            }
        }
    }

    /// Id of the occurrence with that original local time that is not cancelled.
    fn id(&self, original: &str) -> Uuid {
        let is_it = |row: &StoredOccurrence| minute_text(row.original_local) == original && !row.is_cancelled;
        *self.state.occurrences.iter().find(|(_, row)| is_it(row)).unwrap_or_else(|| panic!("{original}")).0
    }

    pub(super) fn decide(&mut self, edit: &Edit) -> Result<EditPlan, DomainError> {
        let mut ids = self.ids;
        let plan = edit.decide(&self.state, &*BERLIN, self.now, &mut || {
            ids += 1;
            Uuid::from_u128(ids)
        });
        self.ids = ids;
        plan
    }

    fn try_edit(
        &mut self,
        original: &str,
        reach: Reach,
        change: EditChange,
    ) -> Result<EditPlan, DomainError> {
        let occurrence = self.id(original);
        let plan = self.decide(&Edit { occurrence, reach, change, moved: MovedOccurrences::Keep })?;
        plan.apply(&mut self.state)?;
        Ok(plan)
    }

    fn edit(&mut self, original: &str, reach: Reach, change: EditChange) -> EditPlan {
        self.try_edit(original, reach, change).unwrap()
    }

    /// Local times at which the series takes place, with the moved ones marked.
    fn times(&self) -> String {
        let rows = self.state.occurrences.values().filter(|row| !row.is_cancelled);
        let mut times: Vec<_> = rows.map(|row| (row.at, row.own_local.is_some())).collect();
        times.sort_unstable();
        let text = |(at, is_moved): (Timestamp, bool)| {
            let local = super::super::ZoneRules::local_at(&*BERLIN, at).unwrap();
            format!("{}{}", &minute_text(local)[5..], if is_moved { "*" } else { "" })
        };
        times.into_iter().map(text).collect::<Vec<_>>().join(" ")
    }

    /// Everything as text, as it would be stored.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let parts = self.state.parts.iter().map(|(id, part)| {
            let starts = minute_text(part.series.starts_local);
            json!([id, part.split_from, starts, part.series.zone, RuleFields::from(&part.series.rule)])
        });
        let rows = self.state.occurrences.iter().map(|(id, row)| {
            let own = row.own_local.map(minute_text);
            json!([id, row.part, minute_text(row.original_local), own, row.at, row.is_cancelled])
        });
        serde_json::to_vec(&parts.chain(rows).collect::<Vec<_>>()).unwrap()
    }
}

fn to(local: &str) -> EditChange {
    EditChange::MoveTo(local_time::parse(local).unwrap())
}

fn weekly() -> Scene {
    let rule = json!({"frequency": "weekly", "weekdays": ["monday", "thursday"], "count": 8});
    Scene::new("2026-06-01T09:00", &rule, "2026-05-20T00:00:00Z")
}

const WEEKLY: &str =
    "06-01T09:00 06-04T09:00 06-08T09:00 06-11T09:00 06-15T09:00 06-18T09:00 06-22T09:00 06-25T09:00";

#[test]
fn one_occurrence_moves_and_the_others_stay() {
    let mut scene = weekly();
    assert_eq!(scene.times(), WEEKLY);
    let plan = scene.edit("2026-06-08T09:00", Reach::This, to("2026-06-09T10:30"));
    assert_eq!((plan.changes.len(), plan.counts.changed), (1, 1));
    assert_eq!(scene.times(), WEEKLY.replace("06-08T09:00", "06-09T10:30*"));
    // Moved back to its original time, it follows the series again.
    scene.edit("2026-06-08T09:00", Reach::This, to("2026-06-08T09:00"));
    assert_eq!(scene.times(), WEEKLY);
}

#[test]
fn a_cancelled_occurrence_is_an_exception_of_the_rule() {
    let mut scene = weekly();
    scene.edit("2026-06-08T09:00", Reach::This, EditChange::Cancel);
    assert_eq!(scene.times(), WEEKLY.replace("06-08T09:00 ", ""));
    let rule = &scene.state.parts.values().next().unwrap().series.rule;
    assert_eq!(rule.exceptions.len(), 1);
}

#[test]
fn this_and_following_split_the_series_and_keep_the_number_of_occurrences() {
    let mut scene = weekly();
    let plan = scene.edit("2026-06-11T09:00", Reach::Following, to("2026-06-12T14:00"));
    assert_eq!((plan.counts.changed, plan.counts.added, plan.counts.cancelled), (5, 0, 0));
    assert_eq!(
        scene.times(),
        "06-01T09:00 06-04T09:00 06-08T09:00 06-12T14:00 06-16T14:00 06-19T14:00 06-23T14:00 06-26T14:00"
    );
    let parts: Vec<&SeriesPart> = scene.state.parts.values().collect();
    assert_eq!((parts.len(), parts[1].split_from), (2, scene.state.parts.keys().next().copied()));
    // Start and zone of what subscribers have stay the same.
    assert_eq!(minute_text(parts[0].series.starts_local), "2026-06-01T09:00");
    let ends = |part: &SeriesPart| serde_json::to_value(RuleFields::from(&part.series.rule)).unwrap();
    assert_eq!(
        (ends(parts[0])["until"].as_str(), ends(parts[1])["count"].as_u64()),
        (Some("2026-06-10"), Some(5))
    );
}

#[test]
fn all_are_those_from_the_next_one_on() {
    let mut scene = weekly();
    scene.now = at("2026-06-10T00:00:00Z");
    let first = scene.id("2026-06-01T09:00");
    assert_eq!(
        count_reaches(&scene.state, first, scene.now),
        ReachCounts { following: 5, all: 5, ..ReachCounts::default() }
    );
    // From a past occurrence, too: by the same days, to the same time.
    scene.edit("2026-06-01T09:00", Reach::All, to("2026-05-31T08:00"));
    assert_eq!(
        scene.times(),
        "06-01T09:00 06-04T09:00 06-08T09:00 06-10T08:00 06-14T08:00 06-17T08:00 06-21T08:00 06-24T08:00"
    );
}

#[test]
fn moved_occurrences_keep_their_time_or_follow() {
    for (moved, expected) in
        [(MovedOccurrences::Keep, "06-17T20:00*"), (MovedOccurrences::Follow, "06-16T07:00")]
    {
        let mut scene = weekly();
        scene.edit("2026-06-15T09:00", Reach::This, to("2026-06-17T20:00"));
        let occurrence = scene.id("2026-06-08T09:00");
        assert_eq!(
            count_reaches(&scene.state, occurrence, scene.now),
            ReachCounts { following: 6, all: 8, moved: 1, other_moved_following: 1, other_moved: 1 }
        );
        let after = scene.id("2026-06-18T09:00");
        let counts = count_reaches(&scene.state, after, scene.now);
        assert_eq!((counts.other_moved_following, counts.other_moved), (0, 1));
        let edit = Edit { occurrence, reach: Reach::Following, change: to("2026-06-09T07:00"), moved };
        let plan = scene.decide(&edit).unwrap();
        plan.apply(&mut scene.state).unwrap();
        assert_eq!(plan.counts.kept_moved, usize::from(moved == MovedOccurrences::Keep));
        assert!(scene.times().contains(expected), "{}", scene.times());
        // It belongs to the new part and is not stored a second time.
        assert_eq!(scene.times().split(' ').count(), 8);
        scene.extend();
        assert_eq!(scene.times().split(' ').count(), 8);
    }
}

#[test]
fn a_cancelled_series_keeps_or_cancels_what_was_moved_alone() {
    for (moved, kept) in [(MovedOccurrences::Keep, "06-05T20:00*"), (MovedOccurrences::Follow, "")] {
        let mut scene = weekly();
        scene.edit("2026-06-01T09:00", Reach::This, to("2026-06-05T20:00"));
        let occurrence = scene.id("2026-06-11T09:00");
        let edit = Edit { occurrence, reach: Reach::All, change: EditChange::Cancel, moved };
        let plan = scene.decide(&edit).unwrap();
        plan.apply(&mut scene.state).unwrap();
        let kept_moved = usize::from(moved == MovedOccurrences::Keep);
        assert_eq!((plan.counts.cancelled, plan.counts.kept_moved), (8 - kept_moved, kept_moved));
        assert_eq!(scene.times(), kept);
    }
}

#[test]
fn a_cancelled_occurrence_stays_cancelled_when_the_series_moves() {
    let mut scene = weekly();
    scene.edit("2026-06-15T09:00", Reach::This, EditChange::Cancel);
    scene.edit("2026-06-08T09:00", Reach::Following, to("2026-06-09T09:00"));
    scene.extend();
    assert_eq!(
        scene.times(),
        "06-01T09:00 06-04T09:00 06-09T09:00 06-12T09:00 06-19T09:00 06-23T09:00 06-26T09:00"
    );
}

#[test]
fn a_new_rule_keeps_the_same_dates_and_cancels_and_adds_the_others() {
    let mut scene = weekly();
    let rule = json!({"frequency": "daily", "until": "2026-06-16"});
    let plan = scene.edit(
        "2026-06-11T09:00",
        Reach::Following,
        EditChange::Replace(series("2026-06-11T10:00", ZONE, &rule)),
    );
    assert_eq!((plan.counts.changed, plan.counts.added, plan.counts.cancelled), (2, 4, 3));
    assert_eq!(
        scene.times(),
        "06-01T09:00 06-04T09:00 06-08T09:00 06-11T10:00 06-12T10:00 06-13T10:00 06-14T10:00 06-15T10:00 06-16T10:00"
    );
}

#[test]
fn what_was_cancelled_or_has_taken_place_is_not_repeated_by_a_new_rule() {
    let mut scene = weekly();
    scene.edit("2026-06-15T09:00", Reach::This, EditChange::Cancel);
    scene.edit("2026-06-18T09:00", Reach::This, to("2026-06-09T12:00"));
    scene.now = at("2026-06-10T00:00:00Z");
    let rule = json!({"frequency": "weekly", "weekdays": ["monday", "thursday"], "count": 5});
    let replace = EditChange::Replace(series("2026-06-11T10:00", ZONE, &rule));
    scene.edit("2026-06-11T09:00", Reach::Following, replace);
    scene.extend();
    assert_eq!(
        scene.times(),
        "06-01T09:00 06-04T09:00 06-08T09:00 06-09T12:00* 06-11T10:00 06-22T10:00 06-25T10:00"
    );
}

#[test]
fn a_new_rule_that_starts_earlier_applies_from_the_edited_occurrence_on() {
    let mut scene = weekly();
    // Every second day from 1 June on: of eight, the four from 9 June on are left.
    let rule = json!({"frequency": "daily", "interval": 2, "count": 8});
    let replace = EditChange::Replace(series("2026-06-01T10:00", ZONE, &rule));
    scene.edit("2026-06-08T09:00", Reach::Following, replace);
    assert_eq!(scene.times(), "06-01T09:00 06-04T09:00 06-09T10:00 06-11T10:00 06-13T10:00 06-15T10:00");
}

#[test]
fn a_monthly_series_on_the_31st_moves_with_its_months() {
    let rule = json!({"frequency": "monthly", "count": 4});
    let mut scene = Scene::new("2026-07-31T09:00", &rule, "2026-06-01T00:00:00Z");
    assert_eq!(scene.times(), "07-31T09:00 08-31T09:00 10-31T09:00 12-31T09:00");
    let before = scene.id("2026-10-31T09:00");
    scene.edit("2026-08-31T09:00", Reach::Following, to("2026-08-30T09:00"));
    assert_eq!(scene.times(), "07-31T09:00 08-30T09:00 09-30T09:00 10-30T09:00");
    // October continues October.
    assert_eq!(before, scene.id("2026-10-30T09:00"));
}

#[test]
fn the_rest_of_a_series_is_cancelled_and_the_past_stays() {
    let mut scene = weekly();
    scene.now = at("2026-06-10T00:00:00Z");
    let plan = scene.edit("2026-06-18T09:00", Reach::All, EditChange::Cancel);
    assert_eq!(plan.counts.cancelled, 5);
    assert_eq!(scene.times(), "06-01T09:00 06-04T09:00 06-08T09:00");
    scene.extend();
    assert_eq!(scene.times(), "06-01T09:00 06-04T09:00 06-08T09:00");
}

#[test]
fn an_edit_of_the_past_is_refused() {
    let mut scene = weekly();
    scene.now = at("2026-06-10T00:00:00Z");
    for reach in [Reach::This, Reach::Following] {
        let refused = scene.try_edit("2026-06-08T09:00", reach, EditChange::Cancel).unwrap_err();
        assert!(refused.to_string().starts_with("has taken place"), "{refused}");
        let refused = scene.try_edit("2026-06-11T09:00", reach, to("2026-06-09T09:00")).unwrap_err();
        assert_eq!(refused, DomainError::past(at("2026-06-09T07:00:00Z")).in_field("local"));
    }
    let rule =
        EditChange::Replace(series("2026-06-11T10:00", ZONE, &json!({"frequency": "daily", "count": 1})));
    let refused = scene.try_edit("2026-06-11T09:00", Reach::This, rule).unwrap_err();
    assert!(refused.to_string().contains("cannot be changed for one occurrence"));
    scene.now = at("2027-01-01T00:00:00Z");
    assert!(scene.try_edit("2026-06-11T09:00", Reach::All, EditChange::Cancel).is_err());
}

#[test]
fn an_edit_by_an_old_view_changes_nothing() {
    let mut scene = weekly();
    let occurrence = scene.id("2026-06-11T09:00");
    let edit = Edit {
        occurrence,
        reach: Reach::Following,
        change: EditChange::Cancel,
        moved: MovedOccurrences::Keep,
    };
    let plan = scene.decide(&edit).unwrap();
    scene.edit("2026-06-18T09:00", Reach::This, EditChange::Cancel);
    let before = scene.bytes();
    assert_eq!(plan.apply(&mut scene.state), Err(DomainError::Changed));
    assert_eq!(scene.bytes(), before);
}

#[test]
fn an_edit_is_undone_until_an_occurrence_that_it_touched_takes_place() {
    let mut scene = weekly();
    let before = scene.bytes();
    let plan = scene.edit("2026-06-11T09:00", Reach::Following, to("2026-06-11T08:00"));
    plan.undo(at("2026-06-11T05:59:59Z")).unwrap().apply(&mut scene.state).unwrap();
    assert_eq!(scene.bytes(), before);
    assert_eq!(plan.undo(at("2026-06-11T06:00:00Z")), Err(DomainError::CannotUndo));
}
