//! Texts of the command palette and of the list of shortcuts.

use crate::texts::texts;

texts! {
    /// Texts of the palette.
    PaletteTexts {
        title = "Go to a page or an article", "前往页面或文章";
        placeholder = "Type a page or a title", "输入页面或标题";
        results = "Results", "结果";
        none = "Nothing found.", "没有找到。";
        new_article = "New article", "新文章";
        new_meeting = "New meeting", "新会议";
        shortcuts = "Shortcuts", "快捷键";
        hint = "Shortcuts of a single key can be switched off in the profile.", "单键快捷键可在个人资料中关闭。";
        open = "Open the palette", "打开命令面板";
        add = "Quick add", "快速添加";
        search = "Search", "搜索";
        help = "This list", "本列表";
        pages = "Dashboard, articles, calendar, meetings, reminders, tasks, Attention, notifications, settings", "概览、文章、日历、会议、提醒、任务、待处理、通知、设置";
        undo = "Undo the last change", "撤销上次更改";
        rows = "Next and previous row of a list", "列表的下一行、上一行";
        row_actions = "Edit, move, cancel, run now: the selected row", "编辑、改期、取消、立即执行所选行";
        review_keys = "Approve and next, send back: on the page of a review", "审核页面：批准并查看下一篇、退回";
        bold = "Bold, italic, link, save: in the editor", "编辑器中：粗体、斜体、链接、保存";
        find = "Find and replace: in the editor", "编辑器中：查找与替换";
        indent = "Indent an item of a list, leave the text: in the editor", "编辑器中：缩进列表项、离开正文";
    }
}

impl PaletteTexts {
    /// Keys, and what they do.
    #[must_use]
    pub fn keys(self) -> [(&'static str, &'static str); 12] {
        [
            ("Ctrl K", self.open()),
            ("N", self.add()),
            ("/", self.search()),
            ("?", self.help()),
            ("G D, G A, G C, G M, G R, G T, G W, G N, G S", self.pages()),
            ("Z", self.undo()),
            ("J, K", self.rows()),
            ("E, M, X, P", self.row_actions()),
            ("A, S", self.review_keys()),
            ("Ctrl B, Ctrl I, Ctrl K, Ctrl S", self.bold()),
            ("Ctrl F", self.find()),
            ("Tab, Esc Tab", self.indent()),
        ]
    }
}
