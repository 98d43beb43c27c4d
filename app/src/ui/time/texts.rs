//! Texts of the time field.

use crate::texts::texts;

texts! {
    /// Texts of the time field.
    TimeFieldTexts {
        when = "Date and time", "日期和时间";
        example = "26 Nov, 09:00", "11月26日 09:00";
        calendar = "Open the calendar", "打开日历";
        cities = "Cities", "城市";
        my_zone(city: &str) = "Mine: {city}", "我的：{city}";
        desk_zone(city: &str) = "Desk: {city}", "工作台：{city}";
        missing_time = "Enter a date and a time, e.g. 26 Nov, 09:00.", "请输入日期和时间，例如 11月26日 09:00。";
        missing_zone = "Enter a time zone or a city, e.g. Berlin.", "请输入时区或城市，例如 柏林。";
        undecided = "Choose one of the two times first.", "请先选择其中一个时间。";
    }
}
