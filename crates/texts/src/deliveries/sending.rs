//! Texts about how a channel sends: its priority, its rate, and how messages are published at a broker.

use domain::{Priority, channel::RatePeriod};

sets!(deliveries: SendingTexts);

impl SendingTexts {
    /// Priority of a channel.
    #[must_use]
    pub fn priority_of(self, priority: Priority) -> &'static str {
        match priority {
            Priority::High => self.high(),
            Priority::Normal => self.normal(),
            Priority::Low => self.low(),
        }
    }

    /// Period of a rate.
    #[must_use]
    pub fn rate_per_of(self, period: RatePeriod) -> &'static str {
        match period {
            RatePeriod::Second => self.per_second(),
            RatePeriod::Minute => self.per_minute(),
        }
    }
}
