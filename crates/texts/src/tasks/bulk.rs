//! Texts of changes of many tasks.

use crate::texts;

texts! {
    /// Texts of changes of many tasks.
    BulkTexts {
        title = "Change several", "批量更改";
        select(title: &str) = "Select {title}", "选择{title}";
        selected(n: u32) = "{n} selected", "已选 {n} 项";
        all_of(count: String) = "All that match ({count})", "全部匹配项（{count}）";
        all_found = "All that match", "全部匹配项";
        change = "Change", "更改";
        amount = "By", "数量";
        unit = "Unit", "单位";
        day = "To the day", "移到日期";
        preview = "Preview", "预览";
        hint(max: String) = "Select rows, or all that match (at most {max}). Nothing changes before you confirm.", "请选择行或全部匹配项（最多 {max} 项）。确认之前不会更改。";
        of_articles(max: String, articles: String) = "Select articles, or all that match. Times can be changed for at most {max}, the articles themselves for at most {articles}. Nothing changes before you confirm.", "请选择文章或全部匹配项。时间最多更改 {max} 项，文章本身最多 {articles} 篇。确认之前不会更改。";
        shift = "Reschedule by", "推迟或提前";
        move_to_day = "Move to a day", "移到某一天";
        to_slots = "Move to free slots", "移到空闲时段";
        cancel = "Cancel", "取消";
        unschedule = "Unschedule", "取消安排";
        retry = "Try again", "重试";
        run_now = "Run now", "立即执行";
        days = "days", "天";
        hours = "hours", "小时";
        minutes = "minutes", "分钟";
        page_title = "Change several tasks", "批量更改任务";
        summary(changed: String, matched: String) = "{changed} of {matched} tasks will be changed.", "{matched} 项任务中将更改 {changed} 项。";
        summary_of_one = "1 of 1 task will be changed.", "1 项任务中将更改 1 项。";
        nothing = "None of these tasks can be changed in this way.", "这些任务都无法这样更改。";
        conflicts(n: u64) = "{n} will share their moment with another task.", "{n} 项将与其他任务同时执行。";
        stay(n: usize) = "{n} stay as they are", "{n} 项保持不变";
        tasks(n: String) = "({n})", "（{n}）";
        first_only(n: usize) = "The first {n} are listed.", "仅列出前 {n} 项。";
        task = "Task", "任务";
        from = "Now", "现在";
        to = "Afterwards", "之后";
        conflict = "same moment as another task", "与其他任务同时";
        article = "Article", "文章";
        confirm(n: String) = "Change {n} tasks", "更改 {n} 项任务";
        confirm_one = "Change 1 task", "更改 1 项任务";
        back = "Back to the list", "返回列表";
        back_to_articles = "Back to the articles", "返回文章列表";
        one_changed = "1 item was changed.", "已更改 1 项。";
        many_changed(n: u64) = "{n} items were changed.", "已更改 {n} 项。";
        one_moved = "1 item was rescheduled.", "已改期 1 项。";
        many_moved(n: u64) = "{n} items were rescheduled.", "已改期 {n} 项。";
        left(n: u64) = "Unchanged: {n}.", "保持不变：{n} 项。";
        none_changed = "Nothing was changed.", "未作更改。";
        one_undone = "1 item is as before.", "已恢复原状：1 项。";
        many_undone(n: u64) = "{n} items are as before.", "已恢复原状：{n} 项。";
        zone_changed = "The time zone of the desk is changed.", "工作台时区已更改。";
        wall_clock_kept(n: u64) = "Scheduled items that keep their wall-clock times: {n}.", "保持钟面时间的项目：{n} 项。";
        zone_undone = "The desk has its previous time zone again.", "工作台已恢复原时区。";
        none_undone = "Nothing could be undone: all of it was changed or executed since.", "无法撤销：之后已被更改或执行。";
        undo = "Undo all", "全部撤销";
        assign = "Assign to a person", "分配给某人";
        add_tag = "Add a tag", "添加标签";
        remove_tag = "Remove a tag", "移除标签";
        submit = "Submit for review", "提交审核";
        approve = "Approve", "批准";
        person = "Person", "人员";
        tag = "Tag", "标签";
        articles_title = "Change several articles", "批量更改文章";
        summary_of_articles(changed: String, matched: String) = "{changed} of {matched} articles will be changed.", "{matched} 篇文章中将更改 {changed} 篇。";
        summary_of_one_article = "1 of 1 article will be changed.", "1 篇文章中将更改 1 篇。";
        nothing_of_articles = "None of these articles needs this change, or can be changed.", "这些文章都无需更改或无法更改。";
        confirm_of_articles(n: String) = "Change {n} articles", "更改 {n} 篇文章";
        confirm_one_article = "Change 1 article", "更改 1 篇文章";
        no_undo = "An approval cannot be undone. Read the texts first.", "批准后无法撤销，请先阅读文章。";
        close_gap = "Close the gap", "补上空档";
        make_room = "Move this and later ones back by one slot", "此时段及之后的发布后移一个时段";
        insert(title: String) = "Insert “{title}”", "插入“{title}”";
        slot = "Slot", "时段";
        one_earlier = "1 publication moves to the slot before its own.", "1 项发布提前一个时段。";
        earlier(n: String) = "{n} publications move to the slot before their own.", "{n} 项发布各提前一个时段。";
        one_later = "1 publication moves to the slot after its own.", "1 项发布推后一个时段。";
        later(n: String) = "{n} publications move to the slot after their own.", "{n} 项发布各推后一个时段。";
        no_move = "Nothing has to move.", "无需移动任何内容。";
        nothing_follows = "No publication of yours is in the next slot. Nothing moves.", "下一个时段没有你的发布，无需移动。";
        move_earlier = "Move one slot earlier", "提前一个时段";
        move_later = "Move one slot later", "推后一个时段";
        insert_here = "Insert here", "插入此处";
        keep_gap = "Keep the gap", "保留空档";
        keep = "Leave everything as it is", "保持不变";
        reject = "Reject", "拒绝";
        done = "Mark as done", "标为完成";
        reason = "Reason", "原因";
        hint_meetings(max: String) = "Select rows, or all that match (at most {max}). Of a series, only the selected meetings change. Nothing changes before you confirm.", "请选择行或全部匹配项（最多 {max} 项）。重复会议只更改所选的场次。确认之前不会更改。";
        meetings_title = "Change several meetings", "批量更改会议";
        reminders_title = "Change several reminders", "批量更改提醒";
        summary_of_meetings(changed: String, matched: String) = "{changed} of {matched} meetings will be changed.", "{matched} 场会议中将更改 {changed} 场。";
        summary_of_reminders(changed: String, matched: String) = "{changed} of {matched} reminders will be changed.", "{matched} 条提醒中将更改 {changed} 条。";
        summary_of_one_meeting = "1 of 1 meeting will be changed.", "1 场会议中将更改 1 场。";
        summary_of_one_reminder = "1 of 1 reminder will be changed.", "1 条提醒中将更改 1 条。";
        nothing_of_meetings = "None of these meetings can be changed in this way.", "这些会议都无法这样更改。";
        nothing_of_reminders = "None of these reminders needs this change, or can be changed.", "这些提醒都无需更改或无法更改。";
        confirm_of_meetings(n: String) = "Change {n} meetings", "更改 {n} 场会议";
        confirm_of_reminders(n: String) = "Change {n} reminders", "更改 {n} 条提醒";
        confirm_one_meeting = "Change 1 meeting", "更改 1 场会议";
        confirm_one_reminder = "Change 1 reminder", "更改 1 条提醒";
        back_to_meetings = "Back to the meetings", "返回会议列表";
        back_to_reminders = "Back to the reminders", "返回提醒列表";
        will_change = "Will be changed", "将更改";
        meeting = "Meeting", "会议";
        reminder = "Reminder", "提醒";
        deleted = "Deleted", "已删除";
        as_owner(name: &str) = "They will belong to {name}, with their open tasks.", "将归{name}所有，包括未完成的任务。";
        as_own = "They will belong to you, with their open tasks.", "将归你所有，包括未完成的任务。";
        with_tag(tag: &str) = "They get the tag “{tag}”. Each gets a new revision.", "将添加标签“{tag}”，每篇产生一个新版本。";
        without_tag(tag: &str) = "They lose the tag “{tag}”. Each gets a new revision.", "将移除标签“{tag}”，每篇产生一个新版本。";
        cancelled_tasks = "They will be cancelled.", "将被取消。";
        retried_tasks = "They will be tried again at once.", "将立即重试。";
        run_tasks = "They will run at once.", "将立即执行。";
        cancelled_next_tasks = "Their next tasks will be cancelled.", "它们的下一项任务将被取消。";
        retried_next_tasks = "Their next tasks will be tried again at once.", "它们的下一项任务将立即重试。";
        run_next_tasks = "Their next tasks will run at once.", "它们的下一项任务将立即执行。";
        cancelled_meetings = "They will be cancelled, and their rooms become free. Invited attendees are notified if a mail server is set up.", "会议将被取消，会议室将空出。如已设置邮件服务器，将通知受邀者。";
        approved_meetings = "The requests will be approved.", "申请将被批准。";
        rejected_meetings = "The requests will be rejected, and their rooms become free.", "申请将被拒绝，会议室将空出。";
        moved_meetings = "Invited attendees get the new times if a mail server is set up.", "如已设置邮件服务器，受邀者将收到新的时间。";
        cancelled_reminders = "They will not be sent.", "将不再发送。";
        done_reminders = "They will be marked as done.", "将标为完成。";
        submitted_articles = "Their newest texts will be submitted, and the reviewers are notified.", "将提交最新文本，并通知审核人。";
        with_reason(reason: &str) = "Reason: {reason}", "原因：{reason}";
        unknown = "is not a number of this change", "不是有效的数量";
    }
}

impl BulkTexts {
    /// Says how many were changed.
    #[must_use]
    pub fn changed(self, n: u64) -> String {
        if n == 1 { self.one_changed().to_owned() } else { self.many_changed(n) }
    }

    /// Says how many were rescheduled.
    #[must_use]
    pub fn moved(self, n: u64) -> String {
        if n == 1 { self.one_moved().to_owned() } else { self.many_moved(n) }
    }

    /// Says how many are as they were before a change.
    #[must_use]
    pub fn undone(self, n: u64) -> String {
        if n == 1 { self.one_undone().to_owned() } else { self.many_undone(n) }
    }

    /// The changes, by their words.
    #[must_use]
    pub fn changes(self) -> Vec<(&'static str, &'static str)> {
        vec![
            ("shift", self.shift()),
            ("move_to_day", self.move_to_day()),
            ("to_slots", self.to_slots()),
            ("cancel", self.cancel()),
            ("retry", self.retry()),
            ("run_now", self.run_now()),
        ]
    }

    /// The changes of articles themselves, by their words.
    #[must_use]
    pub fn article_changes(self) -> [(&'static str, &'static str); 5] {
        [
            ("assign", self.assign()),
            ("add_tag", self.add_tag()),
            ("remove_tag", self.remove_tag()),
            ("submit", self.submit()),
            ("approve", self.approve()),
        ]
    }

    /// The units of a shift.
    #[must_use]
    pub fn units(self) -> Vec<(&'static str, &'static str)> {
        vec![("days", self.days()), ("hours", self.hours()), ("minutes", self.minutes())]
    }
}
