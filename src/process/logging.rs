//! Log output to standard error, as text or as JSON.

use crate::process::{
    cli_error::CliError,
    config::{Config, LogFormat},
    sanitize::SanitizedStderr,
    telemetry::Traces,
};
use tracing_subscriber::{
    EnvFilter, Layer, filter::LevelFilter, fmt, layer::SubscriberExt, util::SubscriberInitExt,
};

/// Starts logging for the life of the process, and tracing until the returned value is dropped. An
/// invalid filter is a usage error.
pub fn start(config: &Config) -> Result<Traces, CliError> {
    // Hides PostgreSQL notices about "if not exists". Hides the AMQP client's log, because errors
    // are in the channel's log without the text of messages. A filter that names these targets
    // overrides this.
    let quiet = "sqlx::postgres::notice=warn,lapin=off";
    let level = checked_level(&config.log_level)?;
    let filter = EnvFilter::try_new(format!("{quiet},{level}")).map_err(|why| {
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

/// Returns the log level, or the filter, as the logger takes it; an empty one is `info`. The logger would
/// take an unknown level for the name of a module, and log nothing.
fn checked_level(text: &str) -> Result<String, CliError> {
    let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
    let parts: Result<Vec<_>, _> = parts.map(checked_part).collect();
    let parts = parts?.join(",");
    Ok(if parts.is_empty() { "info".to_owned() } else { parts })
}

fn checked_part(part: &str) -> Result<String, CliError> {
    let (target, level) = part.rsplit_once('=').map_or(("", part), |(target, level)| (target, level));
    if level.eq_ignore_ascii_case("warning") {
        return Ok(if target.is_empty() { "warn".to_owned() } else { format!("{target}=warn") });
    }
    if part.contains(['=', '[']) || part.parse::<LevelFilter>().is_ok() {
        return Ok(part.to_owned());
    }
    Err(CliError::Usage(format!(
        "log-level: {part:?} is not a level; use error, warn, info, debug, trace or off, or a filter like \
         info,sqlx=warn"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_level_is_refused() {
        let level = |text: &str| checked_level(text).ok();
        assert_eq!(level("info, sqlx=warning").as_deref(), Some("info,sqlx=warn"));
        assert_eq!(level("warning").as_deref(), Some("warn"));
        assert_eq!(level("").as_deref(), Some("info"));
        for filter in ["DEBUG", "off", "info,sqlx=warn", "warn,[publish]=trace"] {
            assert_eq!(level(filter).as_deref(), Some(filter));
        }
        for wrong in ["inof", "verbose", "info,sqlx", "sqlx"] {
            assert_eq!(level(wrong), None, "{wrong}");
        }
    }
}
