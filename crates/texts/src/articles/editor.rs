//! Texts of the editor about its save state and about other revisions.

use crate::texts;

texts! {
    /// Texts of the editor about its save state and about other revisions.
    EditorTexts {
        schedule = "Schedule", "发布安排";
        saved_by(author: &str, revision: i32, time: String) = "{author} saved revision {revision} at {time}", "{author} 于 {time} 保存了修订版 {revision}";
        saved_by_me(revision: i32, time: String) = "You saved revision {revision} in another tab at {time}", "你于 {time} 在另一个标签页保存了修订版 {revision}";
        saved_meanwhile(revision: i32) = "Revision {revision} was saved in the meantime", "期间保存了修订版 {revision}";
        merged = "Its changes and yours are on different lines, so they were merged.", "其改动与你的改动不在同一行，已自动合并。";
        shown = "This page shows it now.", "本页已显示该版本。";
        merged_in_form = "Another revision was saved in the meantime. Its changes and yours were merged.", "期间保存了另一个修订版，其改动与你的改动已合并。";
        merged_first = "The text was merged with another revision. Check it, then try again.", "正文已与另一个修订版合并，请检查后重试。";
        conflict_undecided = "Not saved yet: choose a version above.", "尚未保存：请在上方选择一个版本。";
        full_stop = ". ", "。";
        close = "Close", "关闭";
        both_texts = "Both texts", "两份全文";
        compare = "Changes of both versions", "两个版本的改动";
        mine = "You", "你";
        theirs = "Saved", "已保存";
        conflict = "Both changed these lines", "双方都改了这些行";
        before = "Before", "之前";
    }
}

texts! {
    /// Texts about uploads into the text.
    UploadTexts {
        cancel = "Cancel", "取消";
        dismiss = "Close", "关闭";
        failed = "The file was not stored. Try again.", "文件未存储，请重试。";
        large = "The file is larger than 20 MiB.", "文件大于 20 MiB。";
        hint = "Drop or paste pictures into the text. In a list, Tab indents; press Esc, then Tab to leave the field.", "可将图片拖放或粘贴到正文中。在列表中按 Tab 缩进；先按 Esc 再按 Tab 可离开输入框。";
        library = "Media", "媒体";
    }
}

texts! {
    /// Texts about a picture in the text.
    PictureTexts {
        alt = "What the picture shows (alternative text)", "图片内容（替代文字）";
        edit = "Edit", "编辑";
        cover = "Use as cover", "用作封面";
    }
}
