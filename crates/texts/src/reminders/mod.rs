//! Texts of reminders and notifications.

pub mod choices;
pub mod push;

use crate::{number::counted, texts};
use domain::reminders::{Anchor, ReminderAbout, ReminderState, Subject};

texts! {
    /// Texts of reminders.
    ReminderTexts {
        title = "Reminders", "提醒";
        lead = "Remind yourself or someone else at a set time.", "在指定时刻提醒自己或他人。";
        new_title = "New reminder", "新建提醒";
        edit_title = "Change reminder", "修改提醒";
        line = "Reminder and its time, in one line", "提醒内容和时间，写成一行";
        line_example = "call the printer every monday 9am", "每周一9点给印刷厂打电话";
        line_hint = "For you, in the bell of this desk. Use More for another recipient or time zone.", "提醒你自己，显示在工作台的通知铃中。如需其他接收人或时区，请使用“更多”。";
        more = "More", "更多";
        text = "Reminder", "提醒内容";
        text_hint = "At most 1,000 characters.", "最多 1,000 个字符。";
        to = "For", "提醒谁";
        me = "Me, in the bell of this desk", "我自己，显示在工作台的通知铃中";
        mail_address = "A mail address", "一个邮箱地址";
        channel(name: &str) = "Channel: {name}", "渠道：{name}";
        address = "Mail address", "邮箱地址";
        address_hint = "People of this desk get a notification, others a mail.", "本工作台成员在通知铃中收到，其他人收到邮件。";
        no_mail = "This desk has no mail server: mails to others are not sent.", "此工作台没有邮件服务器：不会向其他人发送邮件。";
        no_mail_for_meetings = "This desk has no mail server: reminders by mail are not sent.", "此工作台没有邮件服务器：不会发送邮件提醒。";
        no_sms_for_meetings = "This desk has no SMS channel: reminders by SMS are not sent.", "此工作台没有短信渠道：不会发送短信提醒。";
        set_sms = "Add a channel", "添加渠道";
        set_mail = "Set the mail server", "设置邮件服务器";
        at = "on", "时间";
        remind = "Set reminder", "设置提醒";
        remind_on(when: String) = "Remind on {when}", "{when} 提醒";
        save = "Save", "保存";
        save_for(when: String) = "Save for {when}", "保存为 {when}";
        keep = "Cancel", "取消";
        show_coming = "Show coming", "查看以后的提醒";
        today = "Today", "今天";
        coming = "Coming", "以后";
        done_title = "Done", "已完成";
        nothing_today = "Nothing for today.", "今天没有提醒。";
        nothing_coming = "Nothing is planned.", "没有后续提醒。";
        nothing_done = "Nothing yet.", "暂无。";
        find = "Find a reminder", "查找提醒";
        find_button = "Find", "查找";
        reminder = "Reminder", "提醒";
        open_all = "Open reminders", "打开提醒";
        state_head = "Status", "状态";
        when = "When", "时间";
        in_coming = "Look in the coming ones", "查看以后的提醒";
        nothing_found = "No reminder contains this text.", "没有提醒包含此文字。";
        nothing_found_hint = "Text, recipient, and title of the article or meeting are searched.", "搜索提醒内容、接收人以及文章或会议的标题。";
        show_all = "Clear the search", "清除搜索";
        snooze = "Snooze", "稍后提醒";
        in_10_min = "10 min", "10 分钟";
        in_1_h = "1 h", "1 小时";
        tomorrow = "Tomorrow 9:00", "明天 9:00";
        done = "Done", "完成";
        cancel = "Cancel reminder", "取消提醒";
        cancel_series = "Cancel all coming", "取消全部后续提醒";
        weekdays = "Every weekday, Monday to Friday", "每个工作日（周一至周五）";
        reach = "What changes", "更改范围";
        all_coming = "All coming reminders of the series", "系列中以后的全部提醒";
        only_next = "Only the next one", "仅下一次";
        edit = "Change", "修改";
        undo = "Undo", "撤销";
        undone = "The change was undone.", "已撤销该更改。";
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
        series_was_cancelled = "All coming reminders of the series are cancelled.", "已取消该系列以后的全部提醒。";
        was_undone = "The last change is undone.", "已撤销上次更改。";
        before_start(span: String) = "{span} before the start", "开始前 {span}";
        before_end(span: String) = "{span} before the end", "结束前 {span}";
        by_bell(before: String) = "{before}, in the desk for organizer and attendees", "{before}，在工作台中提醒组织者和参会者";
        bell_way = "In the desk, for organizer and attendees", "工作台通知，发给组织者和参会者";
        mail_way = "By mail, to organizer and attendees", "邮件，发给组织者和参会者";
        sms_way = "By SMS, to the numbers of the channel", "短信，发给渠道的号码";
        by_mail(before: String) = "{before}, mail to organizer and attendees", "{before}，发邮件给组织者和参会者";
        by_sms(before: String) = "{before}, SMS to the numbers of the channel", "{before}，发短信给渠道的号码";
        bell_hint = "A reminder for one person is added on the page of the meeting.", "只提醒一个人时，请在会议页面添加。";
        notifications = "Notifications", "通知";
        no_notifications = "No notifications.", "没有通知。";
        no_notifications_hint = "Your reminders appear here at their time, with news about your articles and tasks.", "到时间的提醒，以及你的文章和任务的动态会出现在这里。";
        choose_notifications = "Notification settings", "通知设置";
        all_notifications = "All notifications", "全部通知";
        not_loaded = "The notifications could not be loaded. Check the connection, then open them as a page.", "无法加载通知。请检查网络连接，然后以页面方式打开。";
        mark_all_read = "Mark all as read", "全部标为已读";
        unread = "Unread", "未读";
        unread_count(n: String) = "{n} unread", "{n} 条未读";
    }
}

texts! {
    /// Texts of reminders about an article or a meeting.
    AboutTexts {
        title = "Your reminders", "你的提醒";
        recipient = "Mail address (leave empty for yourself)", "邮箱地址；留空表示提醒自己";
        amount = "How long", "多久";
        unit = "Unit", "单位";
        minutes = "minutes", "分钟";
        hours = "hours", "小时";
        days = "days", "天";
        side = "Before or after", "之前或之后";
        before = "before", "之前";
        after = "after", "之后";
        of_what = "Of what", "相对于";
        the_start = "the start", "开始";
        the_end = "the end", "结束";
        the_publication = "the publication", "发布时间";
        hint = "It is moved and cancelled together with this item.", "随其一同改期或取消。";
        before_start(span: String, title: &str) = "{span} before the start of “{title}”", "“{title}”开始前 {span}";
        before_end(span: String, title: &str) = "{span} before the end of “{title}”", "“{title}”结束前 {span}";
        before_publication(span: String, title: &str) = "{span} before the publication of “{title}”", "“{title}”发布前 {span}";
        after_start(span: String, title: &str) = "{span} after the start of “{title}”", "“{title}”开始后 {span}";
        after_end(span: String, title: &str) = "{span} after the end of “{title}”", "“{title}”结束后 {span}";
        after_publication(span: String, title: &str) = "{span} after the publication of “{title}”", "“{title}”发布后 {span}";
        at_start(title: &str) = "At the start of “{title}”", "“{title}”开始时";
        at_end(title: &str) = "At the end of “{title}”", "“{title}”结束时";
        at_publication(title: &str) = "At the publication of “{title}”", "“{title}”发布时";
    }
}

impl AboutTexts {
    /// When a reminder is sent, counted from what it is about.
    #[must_use]
    pub fn distance(self, about: &ReminderAbout, span: String) -> String {
        let title = &about.title;
        match (about.subject, about.anchor, about.offset_minutes.signum()) {
            (Subject::Article, _, -1) => self.before_publication(span, title),
            (Subject::Article, _, 0) => self.at_publication(title),
            (Subject::Article, ..) => self.after_publication(span, title),
            (Subject::Meeting, Anchor::Start, -1) => self.before_start(span, title),
            (Subject::Meeting, Anchor::Start, 0) => self.at_start(title),
            (Subject::Meeting, Anchor::Start, _) => self.after_start(span, title),
            (Subject::Meeting, Anchor::End, -1) => self.before_end(span, title),
            (Subject::Meeting, Anchor::End, 0) => self.at_end(title),
            (Subject::Meeting, Anchor::End, _) => self.after_end(span, title),
        }
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
