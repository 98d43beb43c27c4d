//! The numbers the process counts, for Prometheus.

use domain::engine::Heartbeat;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use std::sync::OnceLock;

/// Bounds of the lag histogram, in seconds: from a millisecond to an hour.
const LAG: [f64; 14] =
    [0.001, 0.002, 0.004, 0.008, 0.015, 0.03, 0.06, 0.125, 0.25, 0.5, 1.0, 5.0, 60.0, 3600.0];

/// Counts from now on. Once a process; later calls change nothing. Call it before the loops start.
pub fn count() {
    handle();
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
        metrics::gauge!("presstime_engine_healthy").set(f64::from(u8::from(beat.is_healthy)));
        metrics::gauge!("presstime_engine_paused").set(f64::from(u8::from(beat.is_paused)));
        metrics::gauge!("presstime_attention").set(beat.attention as f64);
        metrics::gauge!("presstime_beat_age_seconds").set(beat.now.since(beat.beat_at) as f64 / 1_000.0);
    }
    handle().map(PrometheusHandle::render).unwrap_or_default()
}
