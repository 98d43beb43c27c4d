//! Values of the URL that name the result of a change of many tasks.

use domain::bulk_change::BulkOutcome;

/// Begin of the values in the URL.
pub const PREFIX: &str = "bulk-";

/// Value in the URL: whether the desk's time zone was changed too, the batch, and the number of changed and
/// unchanged tasks. `change`: its word in the form of the list; empty: another one.
#[must_use]
pub fn value(outcome: &BulkOutcome, change: &str) -> String {
    let batch = outcome.batch.map(|batch| batch.to_string()).unwrap_or_default();
    let what = match change {
        _ if outcome.time_zone.is_some() => "zone",
        "shift" | "move_to_day" | "to_slots" => "moved",
        _ => "changed",
    };
    format!("{PREFIX}{what}.{batch}.{}.{}", outcome.changed, outcome.refused.len())
}

/// Value in the URL: the number of restored tasks, and of the others.
#[must_use]
pub fn undone_value(outcome: &BulkOutcome) -> String {
    let what = if outcome.time_zone.is_some() { "zone_undone" } else { "undone" };
    format!("{PREFIX}{what}..{}.{}", outcome.changed, outcome.refused.len())
}
