//! The numbers the process counts, for Prometheus. A dashboard for them is `docs/grafana/presstime.json`.

use crate::worker::Name;
use domain::{
    Kind,
    delivery::Outcome,
    engine::{Heartbeat, StaleReason, Weather},
};
use metrics::{counter, describe_counter, describe_gauge, describe_histogram, gauge};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use std::sync::OnceLock;

/// Bounds of the lag histogram, in seconds: from a millisecond to an hour.
const LAG: [f64; 14] =
    [0.001, 0.002, 0.004, 0.008, 0.015, 0.03, 0.06, 0.125, 0.25, 0.5, 1.0, 5.0, 60.0, 3600.0];

/// Counts from now on. Once a process; later calls change nothing. Call it before the loops start.
pub fn count() {
    if handle().is_some() {
        describe();
        begin();
    }
}

fn describe() {
    describe_histogram!("presstime_task_lag_seconds", "Executed minus due.");
    describe_counter!("presstime_tasks_executed_total", "Tasks executed, by kind.");
    describe_counter!("presstime_tasks_failed_total", "Tasks that could not happen.");
    describe_counter!("presstime_tasks_missed_total", "Tasks found beyond their late rule.");
    describe_counter!("presstime_hints_fed_total", "Hints put into the future set by the feeder.");
    describe_counter!("presstime_hints_moved_total", "Hints moved to the publish list.");
    describe_counter!("presstime_hints_stale_total", "Hints that came to nothing, by reason.");
    describe_counter!("presstime_sweeper_rescued_total", "Overdue tasks that no hint brought.");
    describe_counter!("presstime_delivery_attempts_total", "Attempts to deliver a message, by outcome.");
    describe_gauge!(
        "presstime_channels_stuck",
        "Channels at which messages are due for a minute, may leave, and do not."
    );
    describe_counter!("presstime_loop_troubles_total", "Rounds of a loop that did not succeed.");
    describe_counter!("presstime_audited_total", "Executions that this node audited; each is by one node.");
    describe_gauge!(
        "presstime_audit_disagreements",
        "Executions that audits found lost, early or doubled, of the whole desk since its sheet began."
    );
    describe_gauge!("presstime_clock_offset_seconds", "How far the database's clock is ahead.");
    describe_gauge!("presstime_tasks_overdue", "Tasks overdue by more than 5 s.");
    describe_gauge!("presstime_tasks_attention", "What needs a person.");
    describe_counter!(
        "presstime_hints_wiped_total",
        "Times this node found that Redis had forgotten everything."
    );
    describe_gauge!("presstime_hints_away", "1 while Redis is not used.");
    describe_gauge!("presstime_weather", "1 for what keeps the engine from working as it should.");
    describe_gauge!("presstime_engine_healthy", "1 while the engine publishes.");
    describe_gauge!("presstime_engine_paused", "1 while an admin has paused it.");
    describe_gauge!("presstime_beat_age_seconds", "Time since the consumer's last round.");
}

/// Counters that have not counted yet stand at 0: a rate over one that is not there shows nothing.
fn begin() {
    for name in [
        "presstime_tasks_failed_total",
        "presstime_tasks_missed_total",
        "presstime_hints_fed_total",
        "presstime_hints_moved_total",
        "presstime_hints_wiped_total",
        "presstime_sweeper_rescued_total",
        "presstime_audited_total",
    ] {
        counter!(name).increment(0);
    }
    gauge!("presstime_channels_stuck").set(0.0);
    for kind in Kind::WORDS {
        counter!("presstime_tasks_executed_total", "kind" => *kind).increment(0);
    }
    for reason in StaleReason::ALL {
        counter!("presstime_hints_stale_total", "reason" => reason.as_str()).increment(0);
    }
    for outcome in Outcome::WORDS {
        counter!("presstime_delivery_attempts_total", "outcome" => *outcome).increment(0);
    }
    for name in Name::ALL {
        counter!("presstime_loop_troubles_total", "loop" => name.as_str()).increment(0);
    }
    gauge!("presstime_audit_disagreements").increment(0.0);
    gauge!("presstime_hints_away").increment(0.0);
}

fn handle() -> Option<&'static PrometheusHandle> {
    static HANDLE: OnceLock<Option<PrometheusHandle>> = OnceLock::new();
    let made = HANDLE.get_or_init(|| {
        PrometheusBuilder::new()
            .set_buckets_for_metric(Matcher::Suffix("lag_seconds".to_owned()), &LAG)
            .ok()?
            .install_recorder()
            .ok()
    });
    made.as_ref()
}

/// Everything counted so far and the engine's pulse, in the text format of Prometheus.
#[must_use]
pub fn text(beat: &Heartbeat) -> String {
    #[expect(clippy::cast_precision_loss, reason = "counts and milliseconds fit into 53 bits")]
    {
        gauge!("presstime_engine_healthy").set(f64::from(u8::from(beat.is_healthy)));
        gauge!("presstime_engine_paused").set(f64::from(u8::from(beat.is_paused)));
        gauge!("presstime_attention").set(beat.attention as f64);
        gauge!("presstime_beat_age_seconds").set(beat.now.since(beat.beat_at) as f64 / 1_000.0);
    }
    for weather in Weather::ALL {
        let is_it = beat.weather == Some(weather);
        gauge!("presstime_weather", "what" => weather.as_str()).set(f64::from(u8::from(is_it)));
    }
    handle().map(PrometheusHandle::render).unwrap_or_default()
}
