//! When a rule acts after a signal.

use crate::{messages::send_time, zone::Zone};
use domain::{
    Timestamp,
    rule::{RuleSettings, WaitTime},
    rules::{
        decide::RuleView,
        hours::{self, QuietHours},
    },
    signal::Signal,
};
use serde_json::{Map, Value};

/// Returns when the rule acts after this signal; `None`: its data does not say, or no task can be
/// due then.
pub fn due(rule: &RuleView, signal: &Signal, now: Timestamp) -> Option<Timestamp> {
    after(&rule.settings, (signal.at, now), &signal.data)
}

/// The same for a signal of the moment `at` with this data.
pub fn after(
    settings: &RuleSettings,
    (at, now): (Timestamp, Timestamp),
    data: &Map<String, Value>,
) -> Option<Timestamp> {
    let zone = zone_of(settings, data);
    let due_at = match &settings.wait {
        WaitTime::After(duration) => send_time::after(at, duration).ok()?,
        WaitTime::Before { before, field } => {
            let end: Timestamp = data.get(field)?.as_str()?.trim().parse().ok()?;
            send_time::before(end, before).ok()?
        }
        WaitTime::WorkingDay { next_working_day } => hours::next_working_day(at, next_working_day, &zone)?,
    };
    let due_at = match &settings.quiet_hours {
        Some(quiet) => outside(settings, quiet, (due_at, now), zone),
        None => due_at,
    };
    due_at.is_valid_due_time().then_some(due_at)
}

/// Returns the moment, or another one outside quiet hours: later, or earlier if something must be said
/// before it happens. What is due already is done now.
fn outside(
    settings: &RuleSettings,
    quiet: &QuietHours,
    (due_at, now): (Timestamp, Timestamp),
    zone: Zone,
) -> Timestamp {
    let is_late = due_at < now && due_at.plus(grace_ms(settings)) >= now;
    let acts_at = if is_late { now } else { due_at };
    let later = hours::after_quiet(acts_at, quiet, &zone);
    if later == acts_at {
        return due_at;
    }
    let earlier = hours::before_quiet(acts_at, quiet, &zone);
    let is_before = matches!(settings.wait, WaitTime::Before { .. });
    if is_before && earlier >= now { earlier } else { later }
}

/// Returns until when a rule that is late does not act: the end of the quiet hours that it is in now.
/// `None`: it may act. A moment that itself lies in quiet hours was chosen by a person.
pub fn quiet_until(
    settings: &RuleSettings,
    data: &Map<String, Value>,
    (due_at, now): (Timestamp, Timestamp),
) -> Option<Timestamp> {
    let quiet = settings.quiet_hours.as_ref()?;
    let zone = zone_of(settings, data);
    let is_chosen = hours::after_quiet(due_at, quiet, &zone) != due_at;
    let until = hours::after_quiet(now, quiet, &zone);
    (until > now && !is_chosen).then_some(until)
}

/// The zone of the subject if the data names one, else that of the rule.
fn zone_of(settings: &RuleSettings, data: &Map<String, Value>) -> Zone {
    let own = settings.zone_field.as_ref().and_then(|field| data.get(field)?.as_str());
    let own = own.and_then(|name| Zone::named(name).ok());
    own.unwrap_or_else(|| settings.zone.as_deref().map_or(Zone::UTC, Zone::stored))
}

/// Returns the grace of a rule in milliseconds.
pub fn grace_ms(settings: &RuleSettings) -> i64 {
    let epoch = Timestamp::EARLIEST;
    send_time::after(epoch, &settings.grace).map_or(0, |end| end.since(epoch))
}
