//! Texts of the schedule panel of an article.

use crate::{
    Language, texts,
    time::{clock, day_text},
};
use domain::{
    LocalizedTime, Timestamp,
    time::{WallClockTime, wall_clock_time},
};

texts! {
    /// Texts of the schedule panel of an article.
    ScheduleTexts {
        heading = "Schedule", "发布安排";
        is_draft = "Draft: not scheduled, not public.", "草稿：未安排，未公开。";
        is_in_trash = "In the trash: it cannot be scheduled or published.", "在回收站中：无法安排或发布。";
        is_public = "Public since", "公开于";
        full_stop = ". ", "。";
        comma = ", ", "，";
        in_release = "Part of the release", "属于发布组";
        unpublished_by_release = "To be unpublished by the release", "将由以下发布组撤下：";
        view_public = "View on site", "在网站上查看";
        public_is_current = "Readers see the current revision.", "读者看到的是当前修订版。";
        public_is_older = "Readers see an older revision.", "读者看到的是较早的修订版。";

        publish = "Publish", "发布";
        update = "Update", "更新";
        unpublish = "Unpublish", "撤下";
        on = "on", "日期";
        at = "at", "时间";
        zone_in = "in", "时区";
        this_article = "this article", "这篇文章";

        date = "Date", "日期";
        time = "Time", "时间";
        zone = "Time zone", "时区";
        schedule = "Schedule", "安排";
        reschedule = "Reschedule", "改期";
        publish_now = "Publish now", "立即发布";
        update_now = "Update now", "立即更新";
        unpublish_now = "Unpublish now", "立即撤下";
        unpublish_at = "Unpublish …", "撤下……";
        reschedule_more = "Reschedule …", "改期……";
        unschedule = "Unschedule", "取消安排";
        history = "History", "操作记录";

        your_time = "your time", "你的时间";
        desk_time = "desk time", "工作台时间";
        quick = "Suggested times", "建议时间";
        in_an_hour = "In an hour", "一小时后";
        tomorrow = "Tomorrow 09:00", "明天 09:00";
        monday = "Next Monday 09:00", "下周一 09:00";

        will_be_published = "Will be published", "将发布";
        will_be_published_approved = "Will be published once approved", "批准后将发布";
        needs_one = "A reviewer must approve the text first. If the approval comes later, it is published then.", "须先由审核人批准；批准较晚时，届时发布。";
        needs_two = "Two reviewers must approve the text first. If the approval comes later, it is published then.", "须先由两位审核人批准；批准较晚时，届时发布。";
        publish_approved = "Publish the approved version", "发布已批准的版本";
        slot_approved = "The slot takes the approved version.", "时段将采用已批准的版本。";
        held_mend = "Change the text and submit it again. It is published as soon as it is approved.", "修改正文并提交，批准后将立即发布。";
        held_waits = "It is published as soon as a reviewer approves it.", "审核人批准后将立即发布。";
        will_be_unpublished = "Will be unpublished", "将撤下";
        due = "due now", "即将执行";

        occurs_twice = "This time occurs twice, because the clocks are set back. Which one?", "由于时钟回拨，这个时间会出现两次。选哪一个？";
        earlier = "the earlier", "较早的";
        later = "the later", "较晚的";
        does_not_exist = "This time does not exist, because the clocks are set forward. Choose one:", "由于时钟拨快，这个时间不存在。请选择：";
        past = "This time has passed. Choose a later time.", "这个时间已经过去，请选择以后的时间。";
        already_scheduled = "This article is already scheduled. Reschedule that task.", "该文章已有安排。请改期那一项。";
        view = "Open task", "查看任务";

        publish_now_more = "Publish now …", "立即发布……";
        show_changes = "Show the difference", "查看差异";
        publish_scheduled = "Publish the scheduled version", "发布已安排的版本";
        publish_typed = "Publish with your changes", "连同你的修改一起发布";
        waiting_for_save = "Waiting for the text to be saved …", "正在等待文字保存……";
        not_sent = "Nothing was done, because the text is not saved.", "未执行，因为文字尚未保存。";
        save_now = "Save now", "立即保存";
        use_current_text = "Use the current text", "改用当前正文";
        has_placeholder = "The text contains “TK”, a placeholder for missing text.", "正文里还有“TK”（待补内容的记号）。";
        no_title = "The title is missing.", "还没有标题。";
        no_text = "The article has no text yet.", "还没有正文。";
        no_description = "A picture has no description for readers who cannot see it.", "有图片缺少说明，看不到图片的读者无法了解其内容。";
        no_cover_description = "The cover has no description for readers who cannot see it.", "封面缺少说明，看不到图片的读者无法了解其内容。";
        schedule_for(when: String) = "Schedule for {when}", "安排在 {when}";
        reschedule_to(when: String) = "Reschedule to {when}", "改到 {when}";
        unpublish_on(when: String) = "Unpublish on {when}", "于 {when} 撤下";
    }
}

texts! {
    /// Texts of the choice of a version.
    VersionTexts {
        which = "Which version?", "发布哪个版本？";
        approved_of(when: String) = "The approved version of {when}", "{when} 批准的版本";
    }
}

impl VersionTexts {
    /// The newest version, with edits that are not approved.
    #[must_use]
    pub fn with_edits(self, edits: u32) -> String {
        match (self.0, edits) {
            (Language::En, 1) => "With 1 newer edit, which needs approval".to_owned(),
            (Language::En, n) => format!("With {n} newer edits, which need approval"),
            (Language::Zh, n) => format!("包含之后的 {n} 次修改（须经批准）"),
        }
    }
}

impl ScheduleTexts {
    /// Label of the button that publishes the current text of a scheduled article.
    #[must_use]
    pub fn publish_with(self, changes: u32) -> String {
        match (self.0, changes) {
            (Language::En, 1) => "Publish with 1 change".to_owned(),
            (Language::En, n) => format!("Publish with {n} changes"),
            (Language::Zh, n) => format!("连同 {n} 处修改一起发布"),
        }
    }

    /// Which save a scheduled publication sends, and whether there is newer typing.
    #[must_use]
    pub fn sends(
        self,
        (due, saved): (LocalizedTime, LocalizedTime),
        now: Timestamp,
        has_newer: bool,
    ) -> String {
        let (due, at) = (due.viewer_time(), saved.viewer_time());
        let today = wall_clock_time(now, saved.viewer_offset);
        let is_today = (at.year, at.month, at.day) == (today.year, today.month, today.day);
        let minute = clock(WallClockTime { second: 0, ..at });
        let day = |wall: WallClockTime| day_text(self.0, wall, Some(wall.year));
        let saved = if is_today { minute } else { format!("{} {minute}", day(at)) };
        let due = format!("{} {}", day(due), clock(due));
        match (self.0, has_newer) {
            (Language::En, false) => format!("{due} sends the version saved at {saved}."),
            (Language::En, true) => {
                format!("{due} sends the version saved at {saved}; your newer typing is not in it.")
            }
            (Language::Zh, false) => format!("{due} 发布 {saved} 保存的版本。"),
            (Language::Zh, true) => format!("{due} 发布 {saved} 保存的版本，不含之后输入的内容。"),
        }
    }

    /// Number of changes that are not in the scheduled revision.
    #[must_use]
    pub fn drift(self, changes: u32) -> String {
        match (self.0, changes) {
            (Language::En, 1) => "1 change is not in the scheduled version.".to_owned(),
            (Language::En, n) => format!("{n} changes are not in the scheduled version."),
            (Language::Zh, n) => format!("有 {n} 处修改不在已安排的版本中。"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sentence_names_the_save_and_what_it_lacks() {
        let minute = 60_000;
        let at = |minutes: i64| LocalizedTime::new(Timestamp::from_millis(minutes * minute), 0, 0);
        // 1 January 1970 was a Thursday.
        let (due, saved) = (at(24 * 60 + 9 * 60), at(14 * 60 + 2));
        let texts = ScheduleTexts(Language::En);
        let on_the_day = texts.sends((due, saved), saved.at, false);
        assert_eq!(on_the_day, "Fri 2 Jan 09:00 sends the version saved at 14:02.");
        let later = texts.sends((due, saved), due.at, true);
        let said =
            "Fri 2 Jan 09:00 sends the version saved at Thu 1 Jan 14:02; your newer typing is not in it.";
        assert_eq!(later, said);
        assert!(ScheduleTexts(Language::Zh).sends((due, saved), saved.at, true).contains("14:02 保存的版本"));
    }
}
