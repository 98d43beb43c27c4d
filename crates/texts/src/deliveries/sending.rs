//! Texts about how a channel sends: its priority and its rate.

use crate::texts;
use domain::{Priority, channel::RatePeriod};

texts! {
    /// Texts about how a channel sends.
    SendingTexts {
        rate = "Maximum rate", "速率上限";
        rate_hint = "Number of attempts. Leave empty for no limit.", "发送次数，留空表示不限。";
        rate_per = "Period of the rate", "速率的时间单位";
        per_second = "per second", "每秒";
        per_minute = "per minute", "每分钟";
        priority = "Priority", "优先级";
        high = "High: sends before the others", "高：先于其他渠道发送";
        normal = "Normal", "普通";
        low = "Low: sends after the others", "低：其他渠道之后发送";
    }
}

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
