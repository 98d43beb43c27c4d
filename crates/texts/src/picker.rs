//! Texts of the time field.

use crate::texts;

texts! {
    /// Texts of the time field.
    TimeFieldTexts {
        when = "Date and time", "日期和时间";
        or_words = "or in words", "或用文字";
        example = "tomorrow 9:00, in 2 hours, 26 Nov 9:00", "明天上午九点、两小时后、11月26日 9:00";
        calendar = "Open the calendar", "打开日历";
        cities = "Cities", "城市";
        my_zone(city: &str) = "Mine: {city}", "我的：{city}";
        desk_zone(city: &str) = "Desk: {city}", "工作台：{city}";
        missing_time = "Enter a date and a time, e.g. tomorrow 9:00, in 2 hours, or 26 Nov, 9:00.", "请输入日期和时间，例如 明天上午九点、两小时后 或 11月26日 9:00。";
        missing_zone = "Enter a time zone or a city, e.g. Berlin.", "请输入时区或城市，例如 柏林。";
        which_time = "This can mean several times. Which one?", "这可能指多个时间。选哪一个？";
        undecided = "Choose one of the two times first.", "请先选择其中一个时间。";
    }
}
