//! Texts of meetings that repeat: the fields of the form, and the series.

use crate::texts;
use domain::series::OccurrenceMark;

texts! {
    /// Texts of the fields that say how a meeting repeats.
    RepeatTexts {
        repeats = "Repeats", "重复";
        never = "Does not repeat", "不重复";
        daily = "Every day", "每天";
        weekly = "Every week", "每周";
        monthly = "Every month", "每月";
        yearly = "Every year", "每年";
        interval = "every", "每";
        days = "days", "天";
        weeks = "weeks", "周";
        months = "months", "个月";
        years = "years", "年";
        weekdays = "Days of a weekly meeting", "每周会议的日期";
        weekdays_hint = "Only for every week. None means the day of the start.", "仅用于每周。不选则为开始当天。";
        on = "Day of the month", "每月的日期";
        on_day_of_month = "the same day, like the 17th", "同一日，例如 17 日";
        on_weekday = "the same weekday, like the third Tuesday", "同一个星期几，例如第 3 个周二";
        on_last_weekday = "the last such weekday", "最后一个这样的星期几";
        on_last_day = "the last day", "最后一天";
        until = "Until", "到";
        or_count = "or", "或";
        usual_end = "Without an end: three months; monthly meetings 12 times, yearly ones twice.", "不填结束时：三个月；每月的会议 12 次，每年的 2 次。";
        times = "times", "次";
        if_taken = "If the room is taken", "若会议室被占用";
        book_none = "book nothing", "不预订任何会议";
        book_others = "book the other meetings", "预订其余会议";
        preview = "Preview the meetings", "预览会议";
        count(count: usize, shown: usize) = "{count} meetings. The next {shown}:", "共 {count} 次会议。接下来 {shown} 次：";
        booked_later(at_once: usize) = "{at_once} are booked now, the others when their time comes closer.", "现在预订 {at_once} 次，其余临近时再预订。";
        left_out(what: String) = "without {what} before", "此前无 {what}";
        clocks_change = "the clocks change before", "此前时钟调整";
        moved_by_gap = "moved: the clocks skip this time", "已移动：该时间被时钟调整跳过";
        first_of_two = "the first of two such times", "两个相同时间中的第一个";
        second_of_two = "the second of two such times", "两个相同时间中的第二个";
        taken_by(title: String) = "taken by “{title}”", "被“{title}”占用";
        taken = "the room is taken", "会议室被占用";
        closed = "the room is closed", "会议室不开放";
        no_room = "the room can no longer be booked", "会议室不再可预订";
        missed = "the server was not running in time", "服务器当时未运行";
        not_possible(taken: usize, count: usize) = "{taken} of the {count} meetings cannot be booked:", "共 {count} 次会议，其中 {taken} 次无法预订：";
    }
}

texts! {
    /// Texts of the series of a meeting.
    SeriesTexts {
        series = "Series", "系列";
        more(count: usize) = "and {count} more", "另有 {count} 次";
        skipped(count: usize) = "{count} meetings of the series are not booked:", "该系列有 {count} 次会议未预订：";
        reach = "Apply to", "应用到";
        reach_this = "This meeting", "仅此次";
        reach_following(count: usize) = "This and the following ({count} meetings)", "此次及以后（{count} 次）";
        reach_all(count: usize) = "All upcoming ({count} meetings)", "全部未举行的（{count} 次）";
        moved_one = "1 of them was moved on its own:", "其中 1 次曾单独改过时间：";
        moved(count: usize) = "{count} of them were moved on their own:", "其中 {count} 次曾单独改过时间：";
        moved_keep = "stay as moved", "保留各自的时间";
        moved_follow = "follow the series", "跟随系列";
        cancel_moved_one = "also cancel the 1 meeting that was moved on its own", "同时取消曾单独改过时间的 1 次会议";
        cancel_moved_many(count: usize) = "also cancel the {count} meetings that were moved on their own", "同时取消曾单独改过时间的 {count} 次会议";
    }
}

impl SeriesTexts {
    /// Number of meetings that were moved one by one.
    #[must_use]
    pub fn moved_ones(self, count: usize) -> String {
        if count == 1 { self.moved_one().to_owned() } else { self.moved(count) }
    }

    /// Label of the choice to cancel them, too.
    #[must_use]
    pub fn cancel_moved(self, count: usize) -> String {
        if count == 1 { self.cancel_moved_one().to_owned() } else { self.cancel_moved_many(count) }
    }
}

impl RepeatTexts {
    /// Option of the select.
    #[must_use]
    pub fn every_word(self, word: &str) -> &'static str {
        match word {
            "daily" => self.daily(),
            "weekly" => self.weekly(),
            "monthly" => self.monthly(),
            "yearly" => self.yearly(),
            _ => self.never(),
        }
    }

    /// Unit of the interval.
    #[must_use]
    pub fn unit(self, word: &str) -> &'static str {
        match word {
            "weekly" => self.weeks(),
            "monthly" => self.months(),
            "yearly" => self.years(),
            _ => self.days(),
        }
    }

    /// Day of a monthly or yearly meeting.
    #[must_use]
    pub fn on_day(self, word: &str) -> &'static str {
        match word {
            "weekday" => self.on_weekday(),
            "last_weekday" => self.on_last_weekday(),
            "last_day" => self.on_last_day(),
            _ => self.on_day_of_month(),
        }
    }

    /// What is special about a time.
    #[must_use]
    pub fn mark(self, mark: OccurrenceMark) -> &'static str {
        match mark {
            OccurrenceMark::MovedByGap => self.moved_by_gap(),
            OccurrenceMark::Earlier => self.first_of_two(),
            OccurrenceMark::Later => self.second_of_two(),
        }
    }
}
