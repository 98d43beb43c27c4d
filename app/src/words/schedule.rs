//! Texts of the panel that says when an article goes out.

use super::{Language, texts};

texts! {
    /// Texts of the panel that says when an article goes out.
    ScheduleWords {
        heading = "When it goes out", "何时发布";
        is_draft = "Draft: not scheduled, not public.", "草稿：未安排，未公开。";
        is_public = "Public since", "公开于";
        stop = ". ", "。";
        view_public = "See it on the site", "在网站上查看";
        public_is_current = "Readers see the current text.", "读者看到的是当前文字。";
        public_is_older = "Readers see an older revision.", "读者看到的是较早的版本。";

        publish = "Publish", "发布";
        update = "Update", "更新";
        take_off = "Take", "下线";
        take_off_end = "off the site", "（从网站撤下）";
        on = "on", "日期";
        at = "at", "时间";
        zone_in = "in", "时区";
        this_article = "this article", "这篇文章";

        date = "Date", "日期";
        time = "Time", "时间";
        zone = "Time zone", "时区";
        schedule = "Schedule", "安排";
        move_it = "Move", "改期";
        publish_now = "Publish now", "立即发布";
        update_now = "Update now", "立即更新";
        unpublish_now = "Take off the site now", "立即下线";
        unpublish_at = "Take off the site at a time …", "定时下线……";
        move_to = "Move to another time …", "改到其他时间……";
        unschedule = "Unschedule", "取消安排";
        open_task = "Its timeline", "时间线";

        your_time = "your time", "你的时间";
        desk_time = "desk time", "工作台时间";
        quick = "Quick", "快捷";
        in_an_hour = "In an hour", "一小时后";
        tomorrow = "Tomorrow 09:00", "明天 09:00";
        monday = "Next Monday 09:00", "下周一 09:00";

        waits_publish = "Goes out", "将发布";
        waits_unpublish = "Comes off the site", "将下线";
        due = "due now", "即将执行";

        twice = "This time happens twice that night, because the clocks go back. Which one?", "由于时钟回拨，这个时刻会出现两次。选哪一个？";
        earlier = "the earlier", "较早的";
        later = "the later", "较晚的";
        skipped = "This time does not exist: the clocks jump over it. Choose one of these:", "由于时钟拨快，这个时刻不存在。请选择：";
        past = "That moment has passed. Choose a later one, or do it now.", "这个时刻已经过去。请选择以后的时间，或立即执行。";
        already = "It already waits for its moment. Move that one.", "它已有安排。请改动那一个。";
        see_it = "See it", "查看";

        publish_scheduled = "Publish the scheduled version", "发布已安排的版本";
        publish_typed = "Publish with your changes", "连同你的修改一起发布";
        waits_for_save = "Waiting for the text to be saved …", "正在等待文字保存……";
        not_sent = "This was not done, because the text is not saved.", "未执行，因为文字尚未保存。";
        all_set = "All set.", "安排好了。";
        replace = "Replace it with the current text", "换成当前文字";
        tk = "The text still holds “TK”, a mark for something missing.", "正文里还有 “TK”（待补内容的记号）。";
        no_title = "Give it a title first.", "请先写标题。";
        no_text = "There is no text yet.", "还没有正文。";
        schedule_for(when: String) = "Schedule for {when}", "安排在 {when}";
        move_to_moment(when: String) = "Move to {when}", "改到 {when}";
        off_at(when: String) = "Take off the site on {when}", "于 {when} 下线";
        will_publish(when: String) = "It goes out on {when}.", "将于 {when} 发布。";
        will_unpublish(when: String) = "It comes off the site on {when}.", "将于 {when} 下线。";
        done_publish = "It is on its way to the site.", "正在发布到网站。";
        done_unpublish = "It is coming off the site.", "正在从网站撤下。";
        done_cancel = "Unscheduled. It will not happen.", "已取消安排，不会执行。";
        done_replace = "The scheduled version is now the current text.", "已安排的版本已换成当前文字。";
        done_undo = "Taken back.", "已撤销。";
    }
}

impl ScheduleWords {
    /// The button that publishes the current text of a scheduled article.
    #[must_use]
    pub fn publish_with(self, changes: u32) -> String {
        match (self.0, changes) {
            (Language::En, 1) => "Publish with 1 change".to_owned(),
            (Language::En, n) => format!("Publish with {n} changes"),
            (Language::Zh, n) => format!("连同 {n} 处修改一起发布"),
        }
    }

    /// How far the current text is from the scheduled one.
    #[must_use]
    pub fn drift(self, changes: u32) -> String {
        match (self.0, changes) {
            (Language::En, 1) => "1 change is not in the scheduled version.".to_owned(),
            (Language::En, n) => format!("{n} changes are not in the scheduled version."),
            (Language::Zh, n) => format!("有 {n} 处修改不在已安排的版本中。"),
        }
    }
}
