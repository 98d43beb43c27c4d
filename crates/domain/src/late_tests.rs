use super::*;

fn at(millis: i64) -> Timestamp {
    Timestamp::from_millis(millis)
}

/// Due at 0, with a hint.
fn way(moved: i64, popped: i64, started: i64, executed: i64) -> Stages {
    Stages {
        hinted_at: None,
        moved_at: Some(at(moved)),
        popped_at: Some(at(popped)),
        started_at: at(started),
        executed_at: at(executed),
    }
}

/// Due at 0, found by the sweeper.
fn swept(executed: i64) -> Stages {
    Stages { moved_at: None, popped_at: None, ..way(0, 0, executed - 2, executed) }
}

fn note(millis: i64, verb: &str, since: Option<i64>) -> Note {
    Note { at: at(millis), verb: verb.to_owned(), since: since.map(at) }
}

fn cause(stages: &Stages, attempts: i32, notes: &[Note]) -> Option<Cause> {
    why(at(0), stages, attempts, &spells(notes, at(100_000))).map(|late| late.cause)
}

#[test]
fn what_was_on_time_needs_no_reason() {
    assert_eq!(cause(&way(1, 2, 3, ON_TIME_MS), 1, &[]), None);
}

#[test]
fn the_longest_stage_is_named() {
    let late = why(at(0), &way(3, 4_000, 4_010, 4_030), 1, &[]).unwrap();
    assert_eq!(late, Late { lag: 4_030, stage: Stage::Popped, took: 3_997, cause: Cause::Stage });
    let late = why(at(0), &way(900, 901, 902, 905), 1, &[]).unwrap();
    assert_eq!((late.stage, late.took), (Stage::Moved, 900));
    assert_eq!(why(at(0), &swept(1_500), 1, &[]).unwrap().stage, Stage::Swept);
    let slow = why(at(0), &way(1, 2, 3, 2_003), 1, &[]).unwrap();
    assert_eq!((slow.stage, slow.took), (Stage::Executed, 2_000));
}

#[test]
fn the_stages_add_up_to_the_lag() {
    let late_hint = Stages { hinted_at: Some(at(700)), ..way(710, 715, 716, 720) };
    for stages in [way(3, 4, 6, 9), way(-5, 4, 6, 9), swept(800), late_hint.clone()] {
        let sum: i64 = steps(at(0), &stages).iter().map(|step| step.took).sum();
        assert_eq!(sum, stages.executed_at.millis(), "{stages:?}");
    }
    assert_eq!(steps(at(0), &late_hint)[0], Step { stage: Stage::Hinted, took: 700 });
}

#[test]
fn bad_weather_that_lasted_most_of_the_time_is_the_reason() {
    let hindered = |hindrance| Some(Cause::Hindered(hindrance));
    let late = swept(10_000);
    let of = |notes: &[Note]| cause(&late, 1, notes);
    assert_eq!(of(&[note(9_000, "start", Some(-60_000))]), hindered(Hindrance::Off));
    assert_eq!(of(&[note(9_900, "regain_database", Some(-5))]), hindered(Hindrance::Database));
    assert_eq!(of(&[note(-9, "pause", None), note(9_990, "resume", None)]), hindered(Hindrance::Paused));
    assert_eq!(of(&[note(-9, "lose_hints", None)]), hindered(Hindrance::Hints));
    assert_eq!(of(&[note(9_000, "forget_hints", Some(-900))]), hindered(Hindrance::Hints));
    assert_eq!(
        of(&[note(1, "lose_clock", None), note(9_000, "regain_clock", None)]),
        hindered(Hindrance::Clock)
    );
    // Too short, before it, or of a kind nobody knows.
    assert_eq!(of(&[note(0, "pause", None), note(4_000, "resume", None)]), Some(Cause::Stage));
    assert_eq!(of(&[note(-9_000, "pause", None), note(-8_000, "resume", None)]), Some(Cause::Stage));
    assert_eq!(of(&[note(5_000, "confirm_restore", None), note(6_000, "resume", None)]), Some(Cause::Stage));
}

#[test]
fn of_two_spells_the_longer_and_of_equals_the_graver_is_the_reason() {
    let away = note(-20, "lose_hints", None);
    let off = note(9_999, "start", Some(-10));
    assert_eq!(cause(&swept(10_000), 1, &[away.clone(), off]), Some(Cause::Hindered(Hindrance::Hints)));
    let whole = note(20_000, "start", Some(-10));
    assert_eq!(cause(&swept(10_000), 1, &[away, whole]), Some(Cause::Hindered(Hindrance::Off)));
}

#[test]
fn what_broke_down_before_says_so() {
    assert_eq!(cause(&way(1, 2, 3_000, 3_010), 2, &[]), Some(Cause::Retried));
}

#[test]
fn the_times_of_stages_are_told_where_there_are_any() {
    let mut ways: Vec<_> = (0..99).map(|ms| (at(0), way(1, 2, 3, 3 + ms))).collect();
    ways.push((at(0), swept(900)));
    let times = times(&ways);
    let told: Vec<_> = times.iter().map(|one| (one.stage, one.count, one.p50, one.p99)).collect();
    assert_eq!(
        told,
        [
            (Stage::Moved, 99, 1, 1),
            (Stage::Popped, 99, 1, 1),
            (Stage::Swept, 1, 898, 898),
            (Stage::Started, 99, 1, 1),
            (Stage::Executed, 100, 48, 97),
        ]
    );
}
