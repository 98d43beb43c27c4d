//! Texts of the command palette.

use crate::texts;

texts! {
    /// Texts of the palette.
    PaletteTexts {
        title = "Search or type a command", "搜索或输入命令";
        placeholder = "A page, a title, a setting, a command", "页面、标题、设置或命令";
        results = "Results", "结果";
        none = "Nothing found.", "没有找到。";
        new_article = "New article", "新文章";
        new_meeting = "New meeting", "新会议";
        new_release = "New release", "新发布组";
        new_message = "New message", "新消息";
        new_rule = "New rule", "新规则";
        theme = "Theme, light or dark", "主题：浅色或深色";
        language = "Language", "语言";
        password = "Password", "密码";
        shortcuts = "Shortcuts", "快捷键";
        undo = "Undo the last change", "撤销上次更改";
    }
}
