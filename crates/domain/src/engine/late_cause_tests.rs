use super::*;

fn at(millis: i64) -> Timestamp {
    Timestamp::from_millis(millis)
}

/// Due at 0, with a hint.
fn stages(moved: i64, popped: i64, started: i64, executed: i64) -> StageTimes {
    StageTimes {
        hinted_at: None,
        moved_at: Some(at(moved)),
        popped_at: Some(at(popped)),
        started_at: at(started),
        executed_at: at(executed),
    }
}

/// Due at 0, found by the sweeper.
fn swept(executed: i64) -> StageTimes {
    StageTimes { moved_at: None, popped_at: None, ..stages(0, 0, executed - 2, executed) }
}

fn event(millis: i64, verb: &str, since: Option<i64>) -> EngineEvent {
    EngineEvent { at: at(millis), verb: verb.to_owned(), since: since.map(at) }
}

fn cause(stages: &StageTimes, attempts: i32, events: &[EngineEvent]) -> Option<LateCause> {
    explain(at(0), stages, attempts, &impaired_periods(events, at(100_000))).map(|late| late.cause)
}

#[test]
fn a_task_on_time_has_no_explanation() {
    assert_eq!(cause(&stages(1, 2, 3, ON_TIME_MS), 1, &[]), None);
}

#[test]
fn the_longest_stage_is_named() {
    let late = explain(at(0), &stages(3, 4_000, 4_010, 4_030), 1, &[]).unwrap();
    assert_eq!(
        late,
        LateExplanation { late_ms: 4_030, stage: Stage::Popped, duration_ms: 3_997, cause: LateCause::Stage }
    );
    let late = explain(at(0), &stages(900, 901, 902, 905), 1, &[]).unwrap();
    assert_eq!((late.stage, late.duration_ms), (Stage::Moved, 900));
    assert_eq!(explain(at(0), &swept(1_500), 1, &[]).unwrap().stage, Stage::Swept);
    let slow = explain(at(0), &stages(1, 2, 3, 2_003), 1, &[]).unwrap();
    assert_eq!((slow.stage, slow.duration_ms), (Stage::Executed, 2_000));
}

#[test]
fn the_durations_add_up_to_the_lateness() {
    let late_hint = StageTimes { hinted_at: Some(at(700)), ..stages(710, 715, 716, 720) };
    for stages in [stages(3, 4, 6, 9), stages(-5, 4, 6, 9), swept(800), late_hint.clone()] {
        let sum: i64 = stage_durations(at(0), &stages).iter().map(|step| step.duration_ms).sum();
        assert_eq!(sum, stages.executed_at.millis(), "{stages:?}");
    }
    assert_eq!(
        stage_durations(at(0), &late_hint)[0],
        StageDuration { stage: Stage::Hinted, duration_ms: 700 }
    );
}

#[test]
fn an_impairment_that_lasted_most_of_the_time_is_the_cause() {
    let impaired = |impairment| Some(LateCause::Impaired(impairment));
    let late = swept(10_000);
    let of = |events: &[EngineEvent]| cause(&late, 1, events);
    assert_eq!(of(&[event(9_000, "start", Some(-60_000))]), impaired(Impairment::Off));
    assert_eq!(of(&[event(9_900, "regain_database", Some(-5))]), impaired(Impairment::Database));
    assert_eq!(of(&[event(-9, "pause", None), event(9_990, "resume", None)]), impaired(Impairment::Paused));
    assert_eq!(of(&[event(-9, "lose_hints", None)]), impaired(Impairment::Hints));
    assert_eq!(of(&[event(9_000, "forget_hints", Some(-900))]), impaired(Impairment::Hints));
    assert_eq!(
        of(&[event(1, "lose_clock", None), event(9_000, "regain_clock", None)]),
        impaired(Impairment::Clock)
    );
    // Too short, before it, or with an unknown verb.
    assert_eq!(of(&[event(0, "pause", None), event(4_000, "resume", None)]), Some(LateCause::Stage));
    assert_eq!(of(&[event(-9_000, "pause", None), event(-8_000, "resume", None)]), Some(LateCause::Stage));
    assert_eq!(
        of(&[event(5_000, "confirm_restore", None), event(6_000, "resume", None)]),
        Some(LateCause::Stage)
    );
}

#[test]
fn the_longer_impairment_is_the_cause_and_on_a_tie_the_more_severe_one() {
    let away = event(-20, "lose_hints", None);
    let off = event(9_999, "start", Some(-10));
    assert_eq!(cause(&swept(10_000), 1, &[away.clone(), off]), Some(LateCause::Impaired(Impairment::Hints)));
    let whole = event(20_000, "start", Some(-10));
    assert_eq!(cause(&swept(10_000), 1, &[away, whole]), Some(LateCause::Impaired(Impairment::Off)));
}

#[test]
fn a_retried_task_says_so() {
    assert_eq!(cause(&stages(1, 2, 3_000, 3_010), 2, &[]), Some(LateCause::Retried));
}

#[test]
fn stages_without_tasks_are_not_reported() {
    let mut tasks: Vec<_> = (0..99).map(|ms| (at(0), stages(1, 2, 3, 3 + ms))).collect();
    tasks.push((at(0), swept(900)));
    let reports = stage_reports(&tasks);
    let found: Vec<_> = reports.iter().map(|one| (one.stage, one.count, one.p50, one.p99)).collect();
    assert_eq!(
        found,
        [
            (Stage::Moved, 99, 1, 1),
            (Stage::Popped, 99, 1, 1),
            (Stage::Swept, 1, 898, 898),
            (Stage::Started, 99, 1, 1),
            (Stage::Executed, 100, 48, 97),
        ]
    );
}
