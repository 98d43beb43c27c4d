//! When a rule acts after a signal.

use crate::messages::send_time;
use domain::{
    Timestamp,
    rule::{RuleSettings, WaitTime},
    rules::decide::RuleView,
    signal::Signal,
};
use serde_json::{Map, Value};

/// Returns when the rule acts after this signal; `None`: its data does not say, or no task can be
/// due then.
pub fn due(rule: &RuleView, signal: &Signal) -> Option<Timestamp> {
    after(&rule.settings, signal.at, &signal.data)
}

/// The same for a signal of this moment with this data.
pub fn after(settings: &RuleSettings, at: Timestamp, data: &Map<String, Value>) -> Option<Timestamp> {
    match &settings.wait {
        WaitTime::After(duration) => send_time::after(at, duration).ok(),
        WaitTime::Before { before, field } => {
            let end: Timestamp = data.get(field)?.as_str()?.trim().parse().ok()?;
            send_time::before(end, before).ok()
        }
    }
}

/// Returns the grace of a rule in milliseconds.
pub fn grace_ms(settings: &RuleSettings) -> i64 {
    let epoch = Timestamp::EARLIEST;
    send_time::after(epoch, &settings.grace).map_or(0, |end| end.since(epoch))
}
