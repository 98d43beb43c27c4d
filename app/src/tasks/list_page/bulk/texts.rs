//! Texts of changes of many tasks.

use super::slot_change::SlotChange;
use crate::texts::{number::grouped, texts};

texts! {
    /// Texts of changes of many tasks.
    BulkTexts {
        title = "Change several", "批量更改";
        select(title: &str) = "Select {title}", "选择{title}";
        all_of(count: String) = "All that match ({count})", "全部匹配项（{count}）";
        all_found = "All that match", "全部匹配项";
        change = "Change", "更改";
        amount = "By", "数量";
        unit = "Unit", "单位";
        day = "To the day", "移到日期";
        preview = "Preview", "预览";
        hint(max: String) = "Select rows, or all that match (at most {max}). Nothing changes before you confirm.", "请选择行或全部匹配项（最多 {max} 项）。确认之前不会更改。";
        of_articles(max: String, articles: String) = "Select articles, or all that match. Times are changed of at most {max}, the articles themselves of at most {articles}. Nothing changes before you confirm.", "请选择文章或全部匹配项。时间最多更改 {max} 项，文章本身最多 {articles} 篇。确认之前不会更改。";
        shift = "Reschedule by", "推迟或提前";
        move_to_day = "Move to a day", "移到某一天";
        to_slots = "Move to free slots", "移到空闲时段";
        cancel = "Cancel", "取消";
        retry = "Try again", "重试";
        run_now = "Run now", "立即执行";
        days = "days", "天";
        hours = "hours", "小时";
        minutes = "minutes", "分钟";
        page_title = "Change several tasks", "批量更改任务";
        summary(changed: String, matched: String) = "{changed} of {matched} tasks will be changed.", "{matched} 项任务中将更改 {changed} 项。";
        nothing = "None of these tasks can be changed in this way.", "这些任务都无法这样更改。";
        conflicts(n: u64) = "{n} will share their moment with another task.", "{n} 项将与其他任务同时执行。";
        stay(n: usize) = "{n} stay as they are", "{n} 项保持不变";
        tasks(n: String) = "({n})", "（{n}）";
        first_only(n: usize) = "The first {n} are listed.", "仅列出前 {n} 项。";
        task = "Task", "任务";
        from = "Now", "现在";
        to = "Afterwards", "之后";
        conflict = "same moment as another task", "与其他任务同时";
        confirm(n: String) = "Change {n} tasks", "更改 {n} 项任务";
        back = "Back to the list", "返回列表";
        back_to_articles = "Back to the articles", "返回文章列表";
        deleted_task = "A deleted task", "已删除的任务";
        changed(n: u64) = "Changed: {n}.", "已更改 {n} 项。";
        left(n: u64) = "Unchanged: {n}.", "保持不变：{n} 项。";
        none_changed = "Nothing was changed.", "未作更改。";
        undone(n: u64) = "As before again: {n}.", "已恢复原状：{n} 项。";
        none_undone = "Nothing could be undone: all of it was changed or executed since.", "无法撤销：之后已被更改或执行。";
        undo = "Undo all", "全部撤销";
        assign = "Assign to a person", "分配给某人";
        add_tag = "Add a tag", "添加标签";
        remove_tag = "Remove a tag", "移除标签";
        approve = "Approve", "批准";
        person_or_tag = "Person or tag", "人员或标签";
        articles_title = "Change several articles", "批量更改文章";
        summary_of_articles(changed: String, matched: String) = "{changed} of {matched} articles will be changed.", "{matched} 篇文章中将更改 {changed} 篇。";
        nothing_of_articles = "None of these articles has to be changed, or can be.", "这些文章都无需更改或无法更改。";
        confirm_of_articles(n: String) = "Change {n} articles", "更改 {n} 篇文章";
        no_undo = "An approval cannot be undone. Read the texts first.", "批准后无法撤销，请先阅读文章。";
        close_gap = "Close the gap", "补上空档";
        make_room = "Make room in this slot", "腾出此时段";
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
        unknown = "is not a number of this change", "不是有效的数量";
    }
}

impl BulkTexts {
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
    pub fn article_changes(self) -> [(&'static str, &'static str); 4] {
        [
            ("assign", self.assign()),
            ("add_tag", self.add_tag()),
            ("remove_tag", self.remove_tag()),
            ("approve", self.approve()),
        ]
    }

    /// What moves along the slots.
    #[must_use]
    pub fn moves(self, change: SlotChange, count: u64) -> String {
        match (change, count) {
            (SlotChange::CloseGap, 0) => self.nothing_follows().to_owned(),
            (_, 0) => self.no_move().to_owned(),
            (SlotChange::CloseGap, 1) => self.one_earlier().to_owned(),
            (SlotChange::CloseGap, count) => self.earlier(grouped(count)),
            (_, 1) => self.one_later().to_owned(),
            (_, count) => self.later(grouped(count)),
        }
    }

    /// The units of a shift.
    #[must_use]
    pub fn units(self) -> Vec<(&'static str, &'static str)> {
        vec![("days", self.days()), ("hours", self.hours()), ("minutes", self.minutes())]
    }
}
