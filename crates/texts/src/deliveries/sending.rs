//! Texts about how a channel sends: its priority, its rate, and how messages are published at a broker.

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
        headers = "Headers", "消息头";
        headers_hint = "Optional, one per line, like X-Shop: north. Those of a message itself replace them.", "可选，每行一个，如 X-Shop: north。消息自带的同名消息头优先。";
        storage = "Storage at the broker", "代理端存储";
        persistent = "Persistent: survives a restart of the broker", "持久：代理重启后仍在";
        transient = "Transient: a restart of the broker loses it", "非持久：代理重启会丢失";
        no_queue = "If no queue takes a message", "没有队列接收时";
        mandatory = "The message fails and is shown", "消息失败并显示出来";
        not_mandatory = "The broker drops it; it counts as delivered", "代理丢弃消息，仍算已送达";
        delivered_when = "A message counts as delivered", "何时算已送达";
        confirmed = "When the broker has confirmed it", "代理确认后";
        received = "When the broker has received it; it may be lost before it is stored", "代理收到后，存储前可能丢失";
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
