//! Texts of the page with the settings of the queue.

use crate::texts;
use domain::Priority;

texts! {
    /// Texts of the page.
    QueueTexts {
        title = "Queue settings", "队列设置";
        lead = "What is in force for each kind of task and for each channel, and why. A change applies on all nodes within a second.", "每种任务和每个渠道当前生效的设置及其来源。更改会在一秒内对所有节点生效。";
        kinds = "Kinds of tasks", "任务种类";
        kinds_hint = "At once: how many tasks of a kind are executed at the same time, over all nodes. Rate: how many of them start in a second or minute; others wait for their turn. Grace: how late a task may still be executed; after that it is missed. Retry schedule: when a failed execution is tried again; after the last attempt the task fails. Tasks that follow from something else are always executed.", "同时执行：每种任务在所有节点上同时执行的最大数量。速率：每秒或每分钟开始执行的数量，其余任务依次等待。宽限期：任务最多可延迟多久执行，超过后记为错过。重试间隔：执行失败后何时重试，最后一次仍失败则任务失败。随其他内容产生的任务始终会执行。";
        kind = "Kind", "种类";
        concurrency = "At once", "同时执行";
        grace = "Grace", "宽限期";
        own_grace = "each rule has its own", "由各规则决定";
        origin = "Why", "来源";
        change = "Change", "更改";
        change_of(name: String) = "Change {name}", "更改 {name}";
        no_limit = "no limit", "不限";
        limit_hint = "1 to 500. Leave empty for no limit.", "1 至 500，留空表示不限。";
        kind_rate = "Rate", "速率";
        kind_rate_hint = "Number of executions that start, 1 to 1,000. Leave empty for no limit.", "开始执行的数量，1 至 1000，留空表示不限。";
        kind_retries_hint(delays: &str) = "Delays after each failure, for example 5s, 5m, 2h. Leave empty for the default: {delays}.", "每次失败后的等待时间，如 5s, 5m, 2h。留空使用默认值：{delays}。";
        grace_minutes = "Grace in minutes", "宽限期（分钟）";
        grace_hint(minutes: i64) = "For tasks scheduled from now on. Leave empty for the default of {minutes}.", "适用于此后安排的任务，留空使用默认的 {minutes} 分钟。";
        save = "Save", "保存";
        channels = "Channels", "渠道";
        channels_hint = "Channels of high priority send first. The name leads to all settings of a channel.", "优先级高的渠道先发送。点击名称查看渠道的全部设置。";
        no_channels = "No channels yet.", "还没有渠道。";
        channel = "Channel", "渠道";
        retries = "Retry schedule", "重试间隔";
        rate(count: u16, period: &str) = "{count} {period}", "{period} {count} 次";
        high = "high", "高";
        normal = "normal", "普通";
        low = "low", "低";
        by_default = "default", "默认";
        set_by(name: String) = "set by {name}", "由 {name} 设置";
        set_here = "set here", "在此设置";
    }
}

impl QueueTexts {
    /// Priority of a channel in one word.
    #[must_use]
    pub fn priority_of(self, priority: Priority) -> &'static str {
        match priority {
            Priority::High => self.high(),
            Priority::Normal => self.normal(),
            Priority::Low => self.low(),
        }
    }
}
