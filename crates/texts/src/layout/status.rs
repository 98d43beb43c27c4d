//! Texts of the state of the desk.

use crate::{Language, punctuation, texts};

texts! {
    /// Texts of the state of the desk.
    StatusTexts {
        live = "Engine is running", "引擎运行中";
        logged_out = "Logged out", "已退出登录";
        logged_out_hint = "What you typed stays on this page. Log in to save it.", "你输入的内容仍在此页面。登录后即可保存。";
        offline(time: String) = "Offline since {time}", "自 {time} 起离线";
        offline_hint = "This page may be out of date. Publishing does not depend on it.", "页面可能不是最新。发布不受影响。";
        silent(time: String) = "Engine silent since {time}", "引擎自 {time} 起没有响应";
        silent_hint = "Nothing is published until it runs again.", "恢复运行之前不会发布任何内容。";
        paused(time: String) = "Publishing paused since {time}", "自 {time} 起暂停发布";
        paused_by_you = "You paused it.", "由你暂停。";
        paused_by_admin = "An admin paused it.", "由管理员暂停。";
        paused_open = "Nothing is published until it is resumed.", "恢复之前不会发布任何内容。";
        paused_until(time: String) = "Nothing is published until {time}.", "{time}之前不会发布任何内容。";
        overdue = "Publishing is late", "发布延迟";
        overdue_hint = "Some tasks are overdue.", "有任务已逾期。";
        blocked = "Engine is not publishing", "引擎未在发布";
        degraded = "Engine is running, with a problem", "引擎运行中，但有问题";
        channels_retried = "Messages are kept and retried.", "消息会保留并重试。";
        channels_stopped = "Some messages are no longer retried.", "部分消息不再重试。";
        resume = "Resume", "恢复";
        log_in_here = "Log in here", "在此登录";
        to_attention = "Show what needs you", "查看需要处理的事项";
        to_engine = "Engine", "引擎";
    }
}

impl StatusTexts {
    /// Who paused publishing, and what follows. `until`: when the pause ends by itself.
    #[must_use]
    pub fn pause_hint(self, until: Option<String>, is_mine: bool) -> String {
        let who = if is_mine { self.paused_by_you() } else { self.paused_by_admin() };
        let what = until.map_or_else(|| self.paused_open().to_owned(), |until| self.paused_until(until));
        format!("{who}{}{what}", punctuation::gap(self.0))
    }

    /// Number of channels that do not deliver.
    #[must_use]
    pub fn channels_failing(self, count: u64) -> String {
        match (self.0, count) {
            (Language::En, 1) => "1 channel is failing".to_owned(),
            (Language::En, n) => format!("{n} channels are failing"),
            (Language::Zh, n) => format!("{n} 个渠道发送失败"),
        }
    }
}
