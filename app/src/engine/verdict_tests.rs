use super::*;
use domain::{
    engine::{
        AuditReport, ComponentReport, EngineStatus, HintCounts, Lateness, PauseReport, Totals, Upcoming,
    },
    health::HealthIssue,
};

fn now() -> Timestamp {
    "2026-11-25T13:30:00Z".parse().unwrap()
}

fn berlin(after_ms: i64) -> LocalizedTime {
    LocalizedTime::new(now().plus(after_ms), 60, 60)
}

/// A report without issues; the next task is due in an hour.
fn report() -> EngineReport {
    let status = EngineStatus {
        now: now(),
        heartbeat_at: now(),
        heartbeat_offset: 60,
        paused_since: None,
        paused_until: None,
        paused_by: None,
        failing_channels: 0,
        stopped_channels: 0,
        are_deliveries_held: false,
        is_healthy: true,
        attention: 0,
        attention_watched: 0,
        issue: None,
    };
    let component = ComponentReport { name: String::new(), is_up: true, ping_us: None, memory: None };
    EngineReport {
        status,
        pause: None,
        upcoming: Upcoming { next: Some(berlin(3_600_000)), ..Upcoming::default() },
        issues: Vec::new(),
        version: String::new(),
        time_zone_data: String::new(),
        started_at: now(),
        lateness: Lateness::default(),
        stages: Vec::new(),
        throughput: Vec::new(),
        totals: Totals::default(),
        audit: AuditReport::default(),
        loops: Vec::new(),
        database: component.clone(),
        hints: component,
        hint_counts: HintCounts::default(),
        stale: Vec::new(),
        buckets: 1,
        polled_buckets: 1,
        clock_offset_ms: 0,
        loaded_until: None,
        canary_at: None,
        hold_since: None,
        hold_reason: String::new(),
        limits: Vec::new(),
        nodes: Vec::new(),
        backups: None,
    }
}

const ME: AccountId = AccountId(uuid::Uuid::max());

fn sentence(report: &EngineReport) -> (Level, String) {
    headline(Language::En, "Europe/Berlin", Some(ME), report)
}

#[test]
fn the_verdict_names_the_last_hour_and_what_is_next() {
    let mut report = report();
    assert_eq!(sentence(&report), (Level::Good, "Publishing on time.".to_owned()));
    let figures = |report: &EngineReport| figures(Language::En, "Europe/Berlin", report);
    assert_eq!(figures(&report), "None in the last hour. Next: Wed 25 Nov, 15:30 Berlin.");
    report.lateness = Lateness { count: 35, p99: 7, ..Lateness::default() };
    report.upcoming = Upcoming::default();
    assert_eq!(
        figures(&report),
        "35 in the last hour: usually 0 ms after their time, 99 of 100 within 7 ms, 0 late. Nothing is scheduled."
    );
    assert_eq!(checked(Language::En, now(), now().plus(900)), "Checked just now.");
    assert_eq!(checked(Language::En, now(), now().plus(1_900)), "Checked 1 s ago.");
}

#[test]
fn the_verdict_names_the_worst_problem() {
    let mut report = report();
    let issue = |kind: HealthIssueKind| IssueReport::from(HealthIssue::from(kind));
    report.issues = vec![issue(HealthIssueKind::ClockOffset)];
    assert_eq!(sentence(&report).0, Level::Good, "a notice does not impair publishing");
    report.issues = vec![issue(HealthIssueKind::HintStoreUnavailable)];
    assert_eq!(sentence(&report), (Level::Impaired, "Publishing, with a problem.".to_owned()));
    report.audit.overdue = 3;
    assert_eq!(sentence(&report).1, "Publishing late; overdue tasks: 3.");
    report.status.paused_since = Some(berlin(-60_000));
    let pause = PauseReport { since: berlin(-30_000), by: "Ada".to_owned(), until: None };
    report.pause = Some(PauseReport { until: Some(berlin(1_800_000)), ..pause.clone() });
    let paused = "Ada paused publishing on Wed 25 Nov, 14:29 Berlin, until Wed 25 Nov, 15:00 Berlin.";
    assert_eq!(sentence(&report), (Level::Impaired, paused.to_owned()));
    report.pause = Some(pause);
    let paused = "Ada paused publishing on Wed 25 Nov, 14:29 Berlin, until an admin resumes it.";
    assert_eq!(sentence(&report).1, paused);
    report.status.paused_by = Some(ME);
    let paused = "You paused publishing on Wed 25 Nov, 14:29 Berlin, until an admin resumes it.";
    assert_eq!(sentence(&report).1, paused);
    report.issues.insert(0, issue(HealthIssueKind::DatabaseFull));
    assert_eq!(sentence(&report), (Level::Stopped, "Not publishing.".to_owned()));
    report.status.heartbeat_at = now().plus(-61_000);
    assert_eq!(sentence(&report).1, "Not publishing: the engine has not responded for 1 min.");
}

#[test]
fn many_late_tasks_are_no_success() {
    let mut report = report();
    report.lateness = Lateness { count: 10_000, late: 1, ..Lateness::default() };
    assert_eq!(sentence(&report), (Level::Good, "Publishing.".to_owned()));
    report.lateness.late = 50;
    assert_eq!(sentence(&report).0, Level::Impaired);
}
