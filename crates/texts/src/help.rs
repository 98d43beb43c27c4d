//! Texts of the help pages and of the help panel.

use crate::texts;

texts! {
    /// Texts of help.
    HelpTexts {
        title = "Help", "帮助";
        lead = "What each page is for, its keys, and the words it uses.", "每个页面的用途、快捷键和用语。";
        search = "Search in help", "搜索帮助";
        find = "Find", "查找";
        all = "All help", "全部帮助";
        close = "Close", "关闭";
        pages = "Pages", "页面";
        words = "Words", "用语";
        keys = "Keys", "快捷键";
        keys_everywhere = "Keys on all pages", "所有页面的快捷键";
        for_admins = "This page is for admins.", "此页面供管理员使用。";
        example = "Example:", "例如：";
        single_keys = "Keys without Ctrl can be switched off in the profile.", "不带 Ctrl 的快捷键可在个人资料中关闭。";
        profile = "Profile", "个人资料";
        nothing = "Nothing in help contains this.", "帮助中没有匹配的内容。";
        nothing_hint = "Try another word, or clear the search.", "请换一个词，或清除搜索。";
        clear = "Clear the search", "清除搜索";
        unknown = "There is no help under this address. These are all pages with help.", "该网址没有帮助内容。以下是全部帮助页面。";
        first_week = "First week: the first steps on a new desk", "第一周：新工作台的第一步";
        offline = "Help could not be loaded. Check the connection, then open it as a page.", "无法加载帮助。请检查网络连接，然后以页面方式打开。";
    }
}
