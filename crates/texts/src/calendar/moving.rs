//! Texts of moving items in the calendar.

use crate::texts;

texts! {
    /// Texts of moving items.
    MovingTexts {
        hint = "← and → change the day, ↑ and ↓ the time by 15 minutes. Enter moves, Esc leaves it where it was. You can also press a day or an hour.", "← → 改日期，↑ ↓ 每次改 15 分钟。按回车移动，按 Esc 取消。也可以直接点选日期或时刻。";
        hint_length = "Shift with ↑ or ↓ changes the length.", "按住 Shift 再按 ↑ ↓ 可改时长。";
        move_to(when: String) = "Move to {when}", "移动到 {when}";
        leave = "Leave it", "取消";
        other_time = "Enter a time", "输入时间";
        shorter = "15 minutes shorter", "缩短 15 分钟";
        longer = "15 minutes longer", "延长 15 分钟";
        day_before = "Day before", "前一天";
        day_after = "Day after", "后一天";
        earlier = "15 minutes earlier", "提前 15 分钟";
        later = "15 minutes later", "推后 15 分钟";
        left = "It stays where it was.", "保持原来的时间。";
        one_conflict = "1 conflict", "1 处冲突";
        conflicts(count: u32) = "{count} conflicts", "{count} 处冲突";
        first_of_two(when: String) = "The first: {when}", "第一次：{when}";
        second_of_two(when: String) = "The second: {when}", "第二次：{when}";
        before(when: String) = "Before the change: {when}", "调整前：{when}";
        after(when: String) = "After the change: {when}", "调整后：{when}";
        is_over(title: String) = "“{title}” is over. What has happened keeps its time.", "“{title}”已结束，时间不能更改。";
        is_running(title: String) = "“{title}” is happening now and cannot be moved.", "“{title}”正在进行，不能移动。";
        of_other(title: String, owner: String) = "“{title}” belongs to {owner}. Only {owner} or an admin can move it.", "“{title}”属于{owner}，只有{owner}或管理员可以移动。";
        is_held(title: String) = "“{title}” waits for a decision. Open it to choose another time.", "“{title}”等待处理，请打开后选择其他时间。";
        follows(title: String) = "“{title}” depends on another item. Move that one.", "“{title}”随其他内容变化，请移动后者。";
        resize = "Drag to change the length", "拖动以更改时长";
        not_moved(title: String, why: String) = "“{title}” was not moved. {why}", "“{title}”没有移动。{why}";
        schedule_at = "Schedule", "安排";
        schedule_of(title: String) = "Schedule “{title}”", "安排“{title}”";
        slot_taken(title: String) = "“{title}” has this slot.", "此时段已有“{title}”。";
        insert = "Insert here; this and later ones move back by one slot", "插入此处，其余顺延";
        share_time = "Schedule at this time too", "同时安排";
        select_several = "Select several", "多选";
        select_hint = "Press the items to move together.", "请点选要一起移动的内容。";
        selected(count: usize) = "{count} selected", "已选 {count} 项";
        move_selected = "Move together", "一起移动";
        clear_selection = "Done", "完成";
        meeting_alone(title: String) = "“{title}” is a meeting. Meetings are moved one by one, because each needs its room.", "“{title}”是会议。会议需要各自的会议室，只能逐个移动。";
        draft_alone(title: String) = "“{title}” has no time yet. Schedule it first.", "“{title}”还没有时间，请先安排。";
        none_moved(why: String) = "Nothing was moved. {why}", "没有移动任何内容。{why}";
        from_to(from: String, to: String) = "New: {from}–{to}", "新建：{from}–{to}";
    }
}

impl MovingTexts {
    /// A time with the number of conflicts, if there are any.
    #[must_use]
    pub fn with_conflicts(self, when: String, conflicts: u32) -> String {
        let separator = crate::punctuation::comma(self.0);
        match conflicts {
            0 => when,
            1 => format!("{when}{separator}{}", self.one_conflict()),
            more => format!("{when}{separator}{}", self.conflicts(more)),
        }
    }
}
