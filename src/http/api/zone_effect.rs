//! What another time zone of the desk means for scheduled tasks, in responses.

use domain::{
    Timestamp,
    accounts::zone_effect::{ZoneEffect, ZoneExample},
};
use serde::Serialize;
use utoipa::ToSchema;

/// What another time zone of the desk means for scheduled tasks that are planned in the current one.
#[derive(Debug, Serialize, ToSchema)]
pub struct ZoneEffectBody {
    /// IANA name of the current zone.
    from: String,
    /// IANA name of the new one.
    to: String,
    /// Number of tasks that are planned in the current zone.
    count: u64,
    /// Number of those that can keep their wall-clock time.
    movable: u64,
    /// Number of those whose wall-clock time has passed in the new zone: they keep their instant.
    past: u64,
    /// Titles of the first of these; at most 5.
    past_titles: Vec<String>,
    /// Number of tasks whose wall-clock time the new zone skips: they move to the end of the gap.
    skipped: u64,
    /// Number of tasks whose wall-clock time happens twice in the new zone: the first one is taken.
    doubled: u64,
    /// The first task that can keep its wall-clock time.
    example: Option<ZoneExampleBody>,
}

/// A task before and after it moved.
#[derive(Debug, Serialize, ToSchema)]
pub struct ZoneExampleBody {
    /// Its title.
    title: String,
    /// When it is due; also with `keep_instant`.
    #[schema(value_type = String, format = DateTime)]
    due_at: Timestamp,
    /// When it is due with `keep_wall_clock`.
    #[schema(value_type = String, format = DateTime)]
    moved_to: Timestamp,
}

impl From<ZoneEffect> for ZoneEffectBody {
    fn from(effect: ZoneEffect) -> Self {
        let example =
            |ZoneExample { title, due, moved }| ZoneExampleBody { title, due_at: due.at, moved_to: moved.at };
        let ZoneEffect { from, to, count, movable, past, past_titles, skipped, doubled, .. } = effect;
        let example = effect.example.map(example);
        Self { from, to, count, movable, past, past_titles, skipped, doubled, example }
    }
}
