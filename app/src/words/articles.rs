//! Texts of the list of articles, the editor and the revisions.

use super::{Language, texts};

texts! {
    /// Texts of the list of articles, the editor and the revisions.
    ArticleWords {
        heading = "Articles", "文章";
        write = "Write", "写文章";
        search = "Search title, address or text", "搜索标题、网址或正文";
        find = "Search", "搜索";
        filter = "Show", "显示";
        all = "All", "全部";
        trash = "Trash", "回收站";
        delete = "Delete", "删除";
        delete_named(title: &str) = "Delete: {title}", "删除：{title}";
        was_deleted = "The article is in the trash. It can be restored for 30 days.", "文章已移入回收站，30 天内可恢复。";
        deleted = "Deleted", "已删除：";
        deleted_hint = "In the trash; it goes for good 30 days later.", "在回收站中，30 天后永久删除。";
        delete_public = "This article is public. To delete it, unpublish it first.", "文章已公开，请先撤下再删除。";
        delete_scheduled = "This article is scheduled. To delete it, cancel this first:", "文章已有安排，请先取消再删除：";
        to_moments = "Go to its moments", "前往发布安排";
        undo = "Undo", "撤销";
        draft = "Draft", "草稿";
        drafts = "Drafts", "草稿";
        scheduled = "Scheduled", "已安排";
        published = "Published", "已发布";
        mine = "Only mine", "只看我的";
        clear = "Show all articles", "显示全部文章";
        none = "Nothing is written yet.", "还没有文章。";
        none_hint = "Write the first article, then give it its moment.", "写下第一篇文章，再给它定一个发布时刻。";
        none_found_hint = "Try other words, or show everything.", "换个词试试，或显示全部。";
        updates = "Update scheduled", "已安排更新";
        back_to_editor = "Back to the editor", "返回编辑";
        none_found = "No article fits this.", "没有符合条件的文章。";
        more = "Older articles", "更早的文章";
        newest = "Back to the newest", "回到最新";
        column_changed = "Changed", "最近修改";
        goes_out = "goes out", "将发布";
        goes_off = "comes off the site", "将下线";
        since = "since", "于";

        new_heading = "New article", "新文章";
        title = "Title", "标题";
        title_hint = "What is it about?", "写的是什么？";
        text = "Text", "正文";
        text_hint = "Write here. Markdown works: **bold**, _italic_, # heading, - list.", "在这里写。支持 Markdown：**粗体**、_斜体_、# 标题、- 列表。";
        save = "Save", "保存";
        write_tab = "Write", "编辑";
        preview_tab = "Preview", "预览";
        view = "View", "视图";
        preview_empty = "The preview shows here what readers will see.", "这里显示读者将看到的样子。";
        read_only = "You can read this article. Its owner and admins can change it.", "你可以阅读这篇文章；只有作者和管理员可以修改。";
        revisions = "Revisions", "修订版";
        to_moment = "Save, then choose when it goes out", "保存并选择发布时间";
        to_text = "Back to the text", "返回正文";
        panel_later = "After the first save you can schedule it here.", "首次保存后，可在此安排发布。";
        back_to_list = "All articles", "全部文章";
        toolbar = "Formatting", "格式";
        bold = "Bold", "粗体";
        italic = "Italic", "斜体";
        head = "Heading", "标题";
        list = "List", "列表";
        quote = "Quote", "引用";
        code = "Code", "代码";
        link = "Link", "链接";

        saved = "Saved", "已保存";
        nothing_yet = "Nothing written yet", "还没有内容";
        saving = "Saving …", "正在保存……";
        unsaved = "Not saved yet", "尚未保存";
        failed = "Not saved", "未能保存";
        kept_here = "Your text is kept on this device. Trying again.", "文字已保留在本设备上，正在重试。";
        needs_title = "Give it a title, then it is saved.", "写上标题后即可保存。";
        log_in_again = "Your session has ended. Log in in another tab; your text is kept on this device.", "登录已失效。请在另一个标签页登录；文字已保留在本设备上。";
        found_copy = "This device holds a text of this article that was never saved.", "本设备上有这篇文章未保存的文字。";
        restore_copy = "Bring it back", "恢复";
        drop_copy = "Throw it away", "丢弃";

        conflict = "Somebody saved another text meanwhile", "有人在此期间保存了另一份文字";
        conflict_hint = "Nothing is lost. Compare both, then choose.", "没有丢失任何内容。比较后再选择。";
        mine_text = "Your text", "你的文字";
        their_text = "Their text", "对方的文字";
        keep_mine = "Save mine as the new revision", "把我的保存为新版本";
        take_theirs = "Go on with theirs", "继续用对方的";
        copy_mine = "Copy mine", "复制我的";
        copied = "Copied", "已复制";
        copy = "Copy", "复制";

        number = "No.", "编号";
        author = "Saved by", "保存者";
        when = "When", "时间";
        is_public = "public", "公开版本";
        is_pinned = "scheduled", "已安排版本";
        is_current = "current", "当前版本";
        older = "From", "从";
        newer = "To", "到";
        compare = "Compare", "比较";
        restore = "Restore", "恢复";
        no_difference = "These two hold the same text.", "两个版本的文字相同。";
        removed = "removed", "删除";
        added = "added", "新增";

        address = "Address", "网址";
        address_hint = "Small letters, digits and hyphens. The old address will lead here.", "小写字母、数字和连字符。旧网址会转到这里。";
        rename = "Change the address", "修改网址";
        renamed = "The address has changed; the old one leads here.", "网址已修改；旧网址会转到这里。";
        former = "These lead here too:", "这些旧网址也会转到这里：";
        revision(n: i32) = "revision {n}", "修订版 {n}";
        compare_heading(from: i32, to: i32) = "From revision {from} to {to}", "从修订版 {from} 到 {to}";
        saved_at(time: String) = "Saved at {time}", "已于 {time} 保存";
        limits(letters: usize, kilobytes: usize) = "Title up to {letters} characters, text up to {kilobytes} kB.", "标题最多 {letters} 个字符，正文最多 {kilobytes} kB。";
        title_too_long(n: usize, most: usize) = "The title has {n} characters; at most {most} fit.", "标题有 {n} 个字符，最多 {most} 个。";
        body_too_large(n: usize, most: usize) = "The text has {n} kB; at most {most} kB fit.", "正文有 {n} kB，最多 {most} kB。";
        restore_number(n: i32) = "Restore revision {n}", "恢复修订版 {n}";
    }
}

impl ArticleWords {
    /// How many words a text has.
    #[must_use]
    pub fn count(self, words: u32) -> String {
        match (self.0, words) {
            (Language::En, 1) => "1 word".to_owned(),
            (Language::En, n) => format!("{n} words"),
            (Language::Zh, n) => format!("{n} 字"),
        }
    }

    /// So many lines that two revisions share.
    #[must_use]
    pub fn skipped(self, lines: u32) -> String {
        match (self.0, lines) {
            (Language::En, 1) => "1 line is the same".to_owned(),
            (Language::En, n) => format!("{n} lines are the same"),
            (Language::Zh, n) => format!("{n} 行相同"),
        }
    }
}
