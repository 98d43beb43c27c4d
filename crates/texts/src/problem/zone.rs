//! What another time zone of the desk means for scheduled items.

use crate::{Language, texts, time::place};
use domain::accounts::zone_effect::ZoneEffect;

texts! {
    /// The question, and what each answer does.
    ZoneEffectTexts {
        question(count: u64, zone: &str) = "Scheduled items planned in {zone} time: {count}. Nothing is changed yet. Choose what they keep.", "按{zone}时间安排的项目：{count} 项。尚未更改，请选择它们保持什么。";
        example(title: &str, due: String) = "For example “{title}”, {due}:", "例如“{title}”，{due}：";
        keep_wall_clock = "Keep their wall-clock times", "保持钟面时间";
        keep_instant = "Keep their instants", "保持原来的时刻";
        cancel = "Cancel: keep the time zone", "取消：不更改时区";
        becomes(due: String, moved: String) = "{due} becomes {moved}.", "{due} 变为 {moved}。";
        is_instant(due: String, same: String) = "{due} is {same}.", "{due} 即 {same}。";
        movable(count: u64, zone: &str) = "Items planned in {zone} time from now on: {count}.", "改按{zone}时间安排的项目：{count} 项。";
        past(count: u64, titles: String) = "Already passed by the new time zone: {count} ({titles}). These keep their instants.", "按新时区已过的项目：{count} 项（{titles}），保持原来的时刻。";
        skipped(count: u64, zone: &str) = "At a time that the clocks skip in {zone}: {count}. These are due at the end of the gap.", "时间在{zone}被拨快跳过的项目：{count} 项，改在跳过之后的时刻执行。";
        doubled(count: u64, zone: &str) = "At a time that happens twice in {zone}: {count}. The first one is taken.", "时间在{zone}出现两次的项目：{count} 项，取第一次。";
        stay_planned(zone: &str) = "They are due at the same moments, and stay planned in {zone} time.", "执行时刻不变，仍按{zone}时间安排。";
        others = "This is about articles, releases and messages with a wall-clock time. Meetings, reminders and posting slots keep their own time zones. Either answer can be undone for 7 days.", "仅涉及设有钟面时间的文章、发布组和消息。会议、提醒和发布时段保持各自的时区。两种选择都可在 7 天内撤销。";
        more = "…", "……";
    }
}

/// The question, in the user's language.
#[must_use]
pub fn zone_choice(language: Language, effect: &ZoneEffect) -> String {
    ZoneEffectTexts(language).question(effect.count, &place(language, &effect.from))
}
