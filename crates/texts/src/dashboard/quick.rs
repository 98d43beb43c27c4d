//! Texts of quick add.

use crate::texts;

texts! {
    /// Texts of quick add.
    QuickTexts {
        title = "Quick add", "快速添加";
        lead = "Title, time, Enter. The text can be written later.", "填写标题和时间，按回车即可。正文可以以后再写。";
        what = "Title", "标题";
        kind = "What", "类型";
        article = "Article", "文章";
        reminder = "Reminder", "提醒";
        when = "When", "时间";
        when_hint = "For example: tue 9am · in 2 hours · jun 9 18:30 berlin · next free slot · every monday 9am (reminders)", "例如：周二上午九点 · 两小时后 · 6月9日晚上8点 · 下一个空档 · 每周一9点（提醒）";
        which = "Which time is meant?", "指的是哪个时间？";
        skipped = "The clocks skip this time. Choose the one before or after.", "时钟会跳过该时间，请选择之前或之后的时间。";
        doubled = "This time occurs twice. Choose one.", "该时间会出现两次，请选择一个。";
        slot = "The next free posting slot", "下一个空闲的发布时段";
        add = "Add", "添加";
        meeting = "Plan a meeting instead", "改为安排会议";
        next_slot = "next free slot", "下一个空档";
        tomorrow = "tomorrow 9:00", "明天9:00";
    }
}
