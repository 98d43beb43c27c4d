//! Texts of the choices of notifications.

use crate::texts;
use domain::reminders::{MailTime, NotificationEvent};

texts! {
    /// Texts of the page.
    ChoiceTexts {
        title = "Notifications", "通知设置";
        lead = "What you are notified of, and how.", "选择接收哪些通知，以及如何接收。";
        saved = "Saved. It applies from now on.", "已保存，对今后发生的事情生效。";
        no_mail = "This desk has no mail server, so nothing is mailed. What you chose only by mail appears in the list of notifications.", "此工作台没有邮件服务器：不会发送邮件，仅选择邮件的通知会显示在通知列表中。";
        event = "What", "事项";
        bell = "In the bell", "通知铃";
        mail = "By mail", "邮件";
        push = "On my devices", "我的设备";
        went_out = "An article of mine was published or unpublished as scheduled", "我的文章按计划发布或撤下";
        failed = "A task of mine failed", "我的任务失败";
        missed = "A task of mine missed its time", "我的任务错过了时间";
        approval = "A text or a meeting waits for my approval", "有文章或会议等待我审核";
        decided = "A text or a meeting of mine was approved, rejected or cancelled by others", "我的文章或会议由他人批准、拒绝或取消";
        changed = "Something of mine was changed, moved, cancelled, deleted or handed over by others", "我的内容由他人更改、改期、取消、删除或移交";
        expires_soon = "An article of mine will be unpublished within 24 hours", "我的文章将在 24 小时内撤下";
        access = "My account was used in a new browser, or its password, second factor or tokens changed, or a token expires within a week", "我的账号在新浏览器登录，或密码、双重验证、令牌有变动，或令牌将在一周内到期";
        off = "No", "不发送";
        now = "At once", "立即";
        daily = "Daily, if unread", "每日（未读）";
        quiet = "Quiet hours", "免打扰时段";
        from = "From", "开始";
        until = "Until", "结束";
        quiet_hint(zone: &str) = "During these hours nothing is mailed or shown on devices; it follows when they end. Reminders still come at their time. Leave both empty for none. Time zone: {zone}", "此时段内不发送邮件，也不在设备上显示，结束后补发。提醒仍按时送达。两项留空：不设免打扰。时区：{zone}";
        daily_at = "Daily mail at", "每日邮件时间";
        daily_hint(zone: &str) = "Time zone: {zone}", "时区：{zone}";
        meetings = "Reminders of my meetings (minutes before the start)", "我的会议提醒（开始前的分钟数）";
        meetings_hint = "By mail to you and the attendees, if you choose no reminders when you make a meeting and its room has none. Up to 3, separated by commas, e.g. 10, 60.", "新建会议时未选择提醒、会议室也未设提醒时，向你和参会者发送邮件。最多 3 个，用逗号分隔，例如：10, 60。";
        save = "Save", "保存";
        of_event(event: &str, column: &str) = "{column}: {event}", "{column}：{event}";
    }
}

impl ChoiceTexts {
    /// What happened.
    pub fn event_name(self, event: NotificationEvent) -> &'static str {
        match event {
            NotificationEvent::WentOut => self.went_out(),
            NotificationEvent::Failed => self.failed(),
            NotificationEvent::Missed => self.missed(),
            NotificationEvent::Approval => self.approval(),
            NotificationEvent::Decided => self.decided(),
            NotificationEvent::Changed => self.changed(),
            NotificationEvent::ExpiresSoon => self.expires_soon(),
            NotificationEvent::Access => self.access(),
        }
    }

    /// When it is mailed.
    pub fn mail_time(self, time: MailTime) -> &'static str {
        match time {
            MailTime::Off => self.off(),
            MailTime::Now => self.now(),
            MailTime::Daily => self.daily(),
        }
    }
}
