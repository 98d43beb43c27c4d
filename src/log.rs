//! Where log lines go: standard error, for people or for machines.

use crate::{
    config::{Config, LogFormat},
    plain::PlainErr,
    traces::Traces,
    trouble::Trouble,
};
use tracing_subscriber::{EnvFilter, Layer, fmt, layer::SubscriberExt, util::SubscriberInitExt};

/// Starts logging for the life of the process, and traces until the answer is dropped. A filter that cannot be read is wrong
/// usage.
pub fn start(config: &Config) -> Result<Traces, Trouble> {
    // What PostgreSQL notices about "if not exists" is no news to anybody, and what happens on a connection to a broker stands in
    // the log of its channel, without the text of messages; a filter that names them wins.
    let quiet = "sqlx::postgres::notice=warn,lapin=off";
    let filter = EnvFilter::try_new(format!("{quiet},{}", config.log_level))
        .map_err(|why| Trouble::Usage(format!("log-level: {:?} is not a filter: {why}", config.log_level)))?;
    let lines = fmt::layer().with_writer(PlainErr).with_ansi(false);
    let lines = match config.log {
        LogFormat::Human => lines.with_target(false).boxed(),
        LogFormat::Json => lines.json().flatten_event(true).boxed(),
    };
    let traces = Traces::start(config)?;
    // A second start in one process (tests) keeps the first.
    let _ = tracing_subscriber::registry().with(lines.with_filter(filter)).with(traces.layer()).try_init();
    Ok(traces)
}
