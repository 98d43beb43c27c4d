//! Texts of the engine page.

pub mod backups;
pub mod guarantee;
pub mod health;
pub mod queue;
pub mod verdict;

use domain::engine::StaleReason;

sets!(engine: EngineTexts);

impl EngineTexts {
    /// Name of a loop of the engine.
    #[must_use]
    pub fn loop_of(self, name: &str) -> String {
        match name {
            "feeder" => self.loop_feeder(),
            "mover" => self.loop_mover(),
            "consumer" => self.loop_consumer(),
            "sweeper" => self.loop_sweeper(),
            "dispatcher" => self.loop_dispatcher(),
            "maintenance" => self.loop_maintenance(),
            "event_tailer" => self.loop_event_tailer(),
            "heartbeat" => self.loop_heartbeat(),
            other => other,
        }
        .to_owned()
    }

    /// Name of a component: product and version, or where it is.
    #[must_use]
    pub fn component(self, name: &str) -> String {
        if name == "in memory" { self.in_memory().to_owned() } else { name.to_owned() }
    }

    /// Why a hint was skipped.
    #[must_use]
    pub fn stale(self, reason: StaleReason) -> &'static str {
        match reason {
            StaleReason::Changed => self.stale_changed(),
            StaleReason::Gone => self.stale_gone(),
            StaleReason::Early => self.stale_early(),
            StaleReason::Unapproved => self.stale_unapproved(),
            StaleReason::Blocked => self.stale_waits(),
            StaleReason::UnknownKind => self.stale_foreign(),
            StaleReason::AtLimit => self.stale_full(),
        }
    }
}
