//! Texts of reminders and notifications.

use crate::texts::{number::counted, texts};
use domain::reminders::{Anchor, ReminderState};

texts! {
    /// Texts of reminders.
    ReminderTexts {
        title = "Reminders", "提醒";
        lead = "A text that is sent at its time, to you or to others.", "在指定时刻提醒自己或他人。";
        new_title = "New reminder", "新建提醒";
        edit_title = "Change reminder", "修改提醒";
        text = "Remind of", "提醒内容";
        text_hint = "At most 1,000 characters.", "最多 1,000 个字符。";
        to = "Whom", "提醒谁";
        me = "Me, in the bell of this desk", "我自己，显示在工作台的通知铃中";
        mail_address = "A mail address", "一个邮箱地址";
        channel(name: &str) = "Channel: {name}", "渠道：{name}";
        address = "Mail address", "邮箱地址";
        address_hint = "People of this desk get a notification, others a mail.", "本工作台成员在通知铃中收到，其他人收到邮件。";
        no_mail = "This desk has no mail server: mails to others are not sent.", "此工作台没有邮件服务器：不会向其他人发送邮件。";
        set_mail = "Set the mail server", "设置邮件服务器";
        at = "on", "于";
        remind = "Set reminder", "设置提醒";
        remind_on(when: String) = "Remind on {when}", "{when} 提醒";
        save = "Save", "保存";
        save_for(when: String) = "Save for {when}", "保存为 {when}";
        keep = "Cancel", "取消";
        today = "Today", "今天";
        coming = "Coming", "以后";
        done_title = "Done", "已完成";
        nothing_today = "Nothing for today.", "今天没有提醒。";
        nothing_coming = "Nothing is planned.", "没有后续提醒。";
        nothing_done = "Nothing yet.", "暂无。";
        more = "More are planned than this page shows.", "还有更多提醒未在此页显示。";
        snooze = "Snooze", "稍后提醒";
        in_10_min = "10 min", "10 分钟";
        in_1_h = "1 h", "1 小时";
        tomorrow = "Tomorrow 9:00", "明天 9:00";
        done = "Done", "完成";
        cancel = "Cancel reminder", "取消提醒";
        edit = "Change", "修改";
        undo = "Undo", "撤销";
        for_whom(name: &str) = "for {name}", "提醒 {name}";
        from_owner(name: &str) = "from {name}", "来自 {name}";
        scheduled = "Scheduled", "已安排";
        sent = "Sent", "已提醒";
        cancelled = "Cancelled", "已取消";
        skipped = "Skipped", "已跳过";
        failed = "Failed", "失败";
        was_set = "The reminder is set.", "提醒已设置。";
        was_saved = "The reminder is changed.", "提醒已修改。";
        was_snoozed = "It is sent again later.", "稍后再次提醒。";
        was_done = "Done.", "已完成。";
        was_cancelled = "The reminder is cancelled.", "提醒已取消。";
        was_undone = "The last change is undone.", "已撤销上次更改。";
        before_start(span: String) = "{span} before the start", "开始前 {span}";
        before_end(span: String) = "{span} before the end", "结束前 {span}";
        by_mail(before: String) = "{before}, by mail", "{before}，邮件";
        by_sms(before: String) = "{before}, by SMS", "{before}，短信";
        meeting_hint = "Mails go to you and the attendees through the mail server of the desk; SMS to the numbers of the first SMS channel.", "邮件通过工作台的邮件服务器发给你和参加者；短信发给第一个短信渠道的号码。";
        notifications = "Notifications", "通知";
        no_notifications = "No notifications.", "没有通知。";
        no_notifications_hint = "Reminders for you appear here when their time has come.", "到时间的提醒会出现在这里。";
        mark_all_read = "Mark all as read", "全部标为已读";
        unread = "Unread", "未读";
        unread_count(n: String) = "{n} unread", "{n} 条未读";
    }
}

impl ReminderTexts {
    /// State of a reminder.
    #[must_use]
    pub fn state(self, state: ReminderState) -> &'static str {
        match state {
            ReminderState::Scheduled => self.scheduled(),
            ReminderState::Sent => self.sent(),
            ReminderState::Done => self.done_title(),
            ReminderState::Cancelled => self.cancelled(),
            ReminderState::Skipped => self.skipped(),
            ReminderState::Failed => self.failed(),
        }
    }

    /// How long before what a reminder is sent.
    #[must_use]
    pub fn before(self, anchor: Anchor, span: String) -> String {
        match anchor {
            Anchor::Start => self.before_start(span),
            Anchor::End => self.before_end(span),
        }
    }

    /// Number of unread notifications.
    #[must_use]
    pub fn unread_of(self, count: u64) -> String {
        self.unread_count(counted(count))
    }
}
