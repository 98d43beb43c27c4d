//! Texts of the calendar.

pub mod moving;
pub mod rule_text;

use crate::{Language, texts};
use domain::calendar::{CalendarStatus, View};

texts! {
    /// Texts of the calendar.
    CalendarTexts {
        title = "Calendar", "日历";
        views = "Views", "视图";
        month = "Month", "月";
        week = "Week", "周";
        day = "Day", "日";
        agenda = "Agenda", "日程";
        dates = "Dates", "日期";
        today = "Today", "今天";
        previous = "Previous", "上一页";
        next = "Next", "下一页";
        go_to = "Go to date", "跳到日期";
        go = "Go", "前往";
        week_head = "Week", "周次";
        week_number(number: u32) = "Week {number}", "第 {number} 周";
        filters = "Filters", "筛选";
        kind = "Kind", "种类";
        all_kinds = "Everything", "全部";
        meetings = "Meetings", "会议";
        state = "Status", "状态";
        not_cancelled = "All but cancelled", "未取消的";
        upcoming = "Upcoming", "即将进行";
        running = "In progress", "进行中";
        done = "Done", "已完成";
        attention = "Needs attention", "需要处理";
        cancelled = "Cancelled", "已取消";
        owner = "Person", "人员";
        everyone = "Everyone", "所有人";
        mine = "Only mine", "仅我的";
        room = "Room", "会议室";
        all_rooms = "All rooms", "所有会议室";
        channel = "Channel", "渠道";
        all_channels = "All channels", "所有渠道";
        tag = "Tag", "标签";
        zone = "Time zone", "时区";
        my_zone(place: String) = "My time: {place}", "我的时间：{place}";
        desk_zone(place: String) = "Desk’s time: {place}", "工作台时间：{place}";
        in_zone(place: String) = "Times in {place}", "时间以{place}显示";
        week_start = "Weeks begin on", "每周开始于";
        monday = "Monday", "星期一";
        sunday = "Sunday", "星期日";
        saturday = "Saturday", "星期六";
        apply = "Apply", "应用";
        clear = "Clear the filters", "清除筛选";
        nothing = "Nothing is planned in this period.", "这段时间没有内容。";
        nothing_hint = "Schedule an article or plan a meeting, and it appears here.", "安排文章或会议后会显示在这里。";
        nothing_filtered = "Nothing matches. Change or clear the filters.", "没有匹配的内容。请更改或清除筛选。";
        more(count: String) = "+{count} more", "还有 {count} 项";
        more_at(count: String, when: String) = "+{count} more: {when}", "+{count} 项：{when}";
        items(count: String) = "{count} items", "{count} 项";
        one_item = "1 item", "1 项";
        no_items = "nothing planned", "没有安排";
        nothing_on_day = "Nothing is planned on this day. Press an hour to begin something.", "这一天还没有安排。点按某个时刻即可新建。";
        need_attention(count: String) = "{count} need attention", "{count} 项需要处理";
        together(count: u32) = "{count} in this hour", "此小时内共 {count} 项";
        create_on(day: String) = "New on {day}", "在 {day} 新建";
        new_at(time: String) = "New at {time}", "在 {time} 新建";
        create_at(when: String) = "What is planned for {when}?", "要在 {when} 安排什么？";
        article_at = "An article", "文章";
        meeting_at = "A meeting", "会议";
        reminder_at = "A reminder", "提醒";
        close = "Close", "关闭";
        move_item = "Move", "移动";
        move_of(title: String) = "Move “{title}”", "移动“{title}”";
        cannot_move = "This cannot be moved: it is over, or it belongs to another user.", "无法移动：已结束，或属于其他用户。";
        all_day = "all day", "全天";
        until(time: String) = "until {time}", "至 {time}";
        drafts = "Unscheduled drafts", "未安排的草稿";
        drafts_hint = "Drag a draft to a day or an hour to schedule it.", "将草稿拖到某天或某时刻即可安排。";
        no_drafts = "No drafts wait for a time.", "没有待安排的草稿。";
        all_drafts = "All drafts", "全部草稿";
        earlier = "Earlier items", "较早的内容";
        later = "Later items", "较晚的内容";
        time_change(hours: String) = "The clocks change: this day has {hours} hours.", "时钟调整：这一天有 {hours} 小时。";
    }
}

/// Months in English.
const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

impl CalendarTexts {
    /// Name of a view.
    #[must_use]
    pub fn view(self, view: View) -> &'static str {
        match view {
            View::Month => self.month(),
            View::Week => self.week(),
            View::Day => self.day(),
            View::Agenda => self.agenda(),
        }
    }

    /// Name of a status.
    #[must_use]
    pub fn status(self, status: CalendarStatus) -> &'static str {
        match status {
            CalendarStatus::Upcoming => self.upcoming(),
            CalendarStatus::Running => self.running(),
            CalendarStatus::Done => self.done(),
            CalendarStatus::Attention => self.attention(),
            CalendarStatus::Cancelled => self.cancelled(),
        }
    }

    /// `November 2026`, `2026年11月`.
    #[must_use]
    pub fn month_of(self, year: i32, month: u32) -> String {
        match self.0 {
            Language::En => format!("{} {year}", MONTHS[(month as usize + 11) % 12]),
            Language::Zh => format!("{year}年{month}月"),
        }
    }

    /// Short name of a weekday, Monday is 0.
    #[must_use]
    pub fn weekday(self, weekday: u8) -> &'static str {
        crate::time::weekday_name(self.0, usize::from(weekday))
    }

    /// Number of items in words.
    #[must_use]
    pub fn count(self, count: u64) -> String {
        match count {
            0 => self.no_items().to_owned(),
            1 => self.one_item().to_owned(),
            count => self.items(crate::number::grouped(count)),
        }
    }
}

texts! {
    /// Texts of the posting slots.
    SlotTexts {
        title = "Posting slots", "发布时段";
        lead = "The usual times of publication. The next free one is offered when an article is scheduled.", "常用的发布时间。安排文章时会提供下一个空闲时段。";
        saved = "The slots were saved.", "时段已保存。";
        next_free = "Next free slots", "下一批空闲时段";
        none = "There is no free slot. Enter times below.", "没有空闲时段。请在下方填写时间。";
        times = "Times", "时间";
        times_hint = "Like 09:00, 16:30. At most 24 on a day. A time that the clocks skip is moved to the change.", "例如 09:00, 16:30，每天最多 24 个。因时钟调整而不存在的时间会移到调整的时刻。";
        day_off = "Day off", "休息日";
        holidays = "Holidays", "节假日";
        holidays_hint = "Dates without slots, like 2027-12-25, one per line.", "没有时段的日期，例如 2027-12-25，每行一个。";
        nothing_moves = "What is scheduled keeps its time.", "已安排的内容保持原来的时间。";
        save = "Save", "保存";
        next_slot(when: String) = "Next free slot: {when}", "下一个空闲时段：{when}";
        take = "Use the next free slot", "使用下一个空闲时段";
        share_next = "Put first in the queue", "排到最前的时段";
        share_hint = "Takes the next slot. Your publications from there on move back by one slot; those of others stay.", "使用最近的时段。你的其他发布依次顺延一个时段，他人的不变。";
        close_one = "Close the gap: 1 moves up", "补上空档：1 项提前";
        close_many(count: String) = "Close the gap: {count} move up", "补上空档：{count} 项提前";
        make_room = "Move back", "后移";
        make_room_at(time: String) = "Move back by one slot: your publications from {time} on", "后移一个时段：{time} 起你的发布";
        free = "Free slot", "空闲时段";
        free_at(when: String) = "Free slot {when}", "空闲时段 {when}";
    }
}

impl SlotTexts {
    /// Offers to close a gap before a number of publications.
    #[must_use]
    pub fn close_gap(self, count: u64) -> String {
        match count {
            1 => self.close_one().to_owned(),
            count => self.close_many(crate::number::grouped(count)),
        }
    }
}
