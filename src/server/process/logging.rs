//! Log output to standard error, as text or as JSON.

use crate::server::process::{
    cli_error::CliError,
    config::{Config, LogFormat},
    sanitize::SanitizedStderr,
    telemetry::Traces,
};
use tracing_subscriber::{EnvFilter, Layer, fmt, layer::SubscriberExt, util::SubscriberInitExt};

/// Starts logging for the life of the process, and tracing until the returned value is dropped. An
/// invalid filter is a usage error.
pub fn start(config: &Config) -> Result<Traces, CliError> {
    // Hides PostgreSQL notices about "if not exists". Hides the AMQP client's log, because errors
    // are in the channel's log without the text of messages. A filter that names these targets
    // overrides this.
    let quiet = "sqlx::postgres::notice=warn,lapin=off";
    let filter = EnvFilter::try_new(format!("{quiet},{}", config.log_level)).map_err(|why| {
        CliError::Usage(format!("log-level: {:?} is not a filter: {why}", config.log_level))
    })?;
    let lines = fmt::layer().with_writer(SanitizedStderr).with_ansi(false);
    let lines = match config.log {
        LogFormat::Human => lines.with_target(false).boxed(),
        LogFormat::Json => lines.json().flatten_event(true).boxed(),
    };
    let traces = Traces::start(config)?;
    // If logging was already started in this process (tests), the first start stays in effect.
    let _ = tracing_subscriber::registry().with(lines.with_filter(filter)).with(traces.layer()).try_init();
    Ok(traces)
}
