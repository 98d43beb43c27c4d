//! Texts of the list of articles, the editor and the revisions.

pub mod details;
pub mod editor;
pub mod media;
pub mod plan;
pub mod releases;
pub mod schedule;

use crate::{Language, texts};
use domain::{articles::details::RevisionChange, task::reason::WORDS_BLOCK};

texts! {
    /// Labels of alerts in a text.
    AlertTexts {
        note = "Note", "备注";
        tip = "Tip", "提示";
        important = "Important", "重要";
        warning = "Warning", "警告";
        caution = "Caution", "当心";
    }
}

texts! {
    /// Texts of the list of articles, the editor and the revisions.
    ArticleTexts {
        heading = "Articles", "文章";
        write = "Write", "写文章";
        search = "Search title, slug, tags or body", "搜索标题、网址别名、标签或正文";
        find = "Search", "搜索";
        all = "All", "全部";
        trash = "Trash", "回收站";
        delete = "Delete", "删除";
        delete_named(title: &str) = "Delete: {title}", "删除：{title}";
        was_deleted = "The article is in the trash. It can be restored for 30 days.", "文章已移入回收站，30 天内可恢复。";
        deleted = "Deleted", "已删除";
        trashed_by(name: &str, when: String) = "{name} moved this article to the trash: {when}", "{name} 已将这篇文章移入回收站：{when}";
        trashed(when: String) = "This article was moved to the trash: {when}", "这篇文章已移入回收站：{when}";
        was_restored = "The article is restored.", "文章已恢复。";
        edit_now = "Edit it", "编辑";
        deleted_hint = "(deleted permanently after 30 days)", "（30 天后永久删除）";
        delete_public = "This article is public. Unpublish it before you delete it.", "文章已公开，请先撤下再删除。";
        delete_scheduled = "This article is scheduled. Unschedule it before you delete it:", "文章已有安排，请先取消安排再删除：";
        undo = "Undo", "撤销";
        draft = "Draft", "草稿";
        drafts = "Drafts", "草稿";
        scheduled = "Scheduled", "已安排";
        scheduled_unapproved = "Scheduled, needs approval", "已安排，须经批准";
        held = "Held: published at once when approved", "已搁置：批准后立即发布";
        held_block = "Held: it contains what must not be published", "已搁置：含有禁止发布的内容";
        was_planned = "Was planned for", "原计划发布";
        published = "Published", "已发布";
        mine = "Only mine", "只看我的";
        clear = "Show all articles", "显示全部文章";
        none = "No articles yet.", "还没有文章。";
        none_hint = "Write the first article, then schedule it.", "写下第一篇文章，再安排发布时间。";
        none_found_hint = "Try other search words, or show all articles.", "换个词试试，或显示全部。";
        update_scheduled = "Update scheduled", "已安排更新";
        back_to_editor = "Back to the editor", "返回编辑";
        none_found = "No articles match.", "没有符合条件的文章。";
        trash_empty = "The trash is empty.", "回收站是空的。";
        trash_empty_hint = "Deleted articles stay here for 30 days and can be restored.", "删除的文章在此保留 30 天，期间可恢复。";
        column_changed = "Changed", "最近修改";
        best_matches = "Back to the best matches", "回到最佳匹配";
        status = "Status", "状态";
        owner = "Owner", "负责人";
        schedule = "Schedule", "安排";
        delete_question(title: &str) = "Delete “{title}”? It stays in the trash for 30 days.", "删除“{title}”？文章会在回收站保留 30 天。";
        unpublish_scheduled = "Unpublish scheduled", "已安排撤下";

        new_heading = "New article", "新文章";
        title = "Title", "标题";
        title_hint = "What is it about?", "写的是什么？";
        body = "Body", "正文";
        body_hint = "Write here. Markdown works: **bold**, _italic_, # heading, - list.", "在这里写。支持 Markdown：**粗体**、_斜体_、# 标题、- 列表。";
        save = "Save", "保存";
        write_tab = "Write", "编辑";
        preview_tab = "Preview", "预览";
        view = "View", "视图";
        preview_empty = "The preview shows the article as readers will see it.", "这里显示读者将看到的样子。";
        read_only = "You can read this article. Only its owner and admins can change it.", "你可以阅读这篇文章；只有负责人和管理员可以修改。";
        revisions = "Revisions", "修订版";
        save_and_schedule = "Save and choose a time", "保存并选择时间";
        reading(minutes: u32) = "{minutes} min read", "阅读约 {minutes} 分钟";
        focus = "Focus", "专注";
        outline = "Outline", "大纲";
        to_body = "Back to the body", "返回正文";
        with_tag(tag: &str) = "Articles with the tag “{tag}”.", "带有标签“{tag}”的文章。";
        changed_text = "Text changed", "正文有改动";
        changed_details = "Details changed", "详细信息有改动";
        changed_both = "Text and details changed", "正文与详细信息有改动";
        back_to_list = "All articles", "全部文章";
        toolbar = "Formatting", "格式";
        bold = "Bold", "粗体";
        italic = "Italic", "斜体";
        heading_2 = "Heading 2", "二级标题";
        heading_3 = "Heading 3", "三级标题";
        list = "List", "列表";
        numbered = "Numbered list", "编号列表";
        task_list = "Task list", "任务列表";
        table = "Table", "表格";
        alert = "Alert: NOTE, TIP, IMPORTANT, WARNING or CAUTION", "提示框：NOTE、TIP、IMPORTANT、WARNING 或 CAUTION";
        quote = "Quote", "引用";
        code = "Code", "代码";
        link = "Link", "链接";
        picture = "Pictures and files", "图片和文件";

        saved = "Saved", "已保存";
        nothing_yet = "No text yet", "还没有内容";
        saving = "Saving …", "正在保存……";
        unsaved = "Not saved yet", "尚未保存";
        failed = "Not saved", "未能保存";
        kept_on_device = "Your text is kept on this device. Saving is retried.", "文字已保留在本设备上，正在重试保存。";
        needs_title = "Not saved: add a title.", "未保存：请写上标题。";
        log_in_again = "You have been logged out. Your text is kept on this device. Log in at the top of the page.", "登录已失效。文字已保留在本设备上。请在页面顶部登录。";
        unsaved_copy = "This device has unsaved text of this article.", "本设备上有这篇文章未保存的文字。";
        restore_copy = "Restore", "恢复";
        discard_copy = "Discard", "丢弃";

        conflict_hint = "Nothing is lost. Compare both versions, then choose one.", "没有丢失任何内容。请比较两个版本，再选择一个。";
        own_version = "Your version", "你的版本";
        saved_version = "Saved version", "已保存的版本";
        keep_mine = "Save mine as a new revision", "将我的保存为新修订版";
        use_saved = "Continue with the saved version", "使用已保存的版本";
        copy_mine = "Copy mine", "复制我的";
        copied = "Copied", "已复制";
        copy = "Copy", "复制";

        number = "No.", "编号";
        author = "Saved by", "保存者";
        when = "When", "时间";
        is_public = "public", "公开";
        is_pinned = "scheduled", "已安排";
        is_current = "current", "当前";
        older = "From", "从";
        newer = "To", "到";
        compare = "Compare", "比较";
        restore = "Restore", "恢复";
        no_difference = "Both revisions have the same text.", "两个修订版的文字相同。";
        removed = "removed", "删除";
        added = "added", "新增";

        slug = "Slug", "网址别名";
        slug_hint = "Lowercase letters, digits and hyphens. The old slug redirects here.", "小写字母、数字和连字符。旧别名会转到这里。";
        change_slug = "Change slug", "修改网址别名";
        slug_changed = "Slug changed. The old one redirects here.", "网址别名已修改，旧别名会转到这里。";
        previous_slugs = "These slugs redirect here:", "以下别名会转到这里：";
        revision(n: i32) = "revision {n}", "修订版 {n}";
        compare_heading(from: i32, to: i32) = "Revision {from} to {to}", "修订版 {from} 到 {to}";
        saved_at(time: String) = "Saved at {time}", "已于 {time} 保存";
        limits(letters: usize, kilobytes: usize) = "Title: at most {letters} characters. Body: at most {kilobytes} kB.", "标题最多 {letters} 个字符，正文最多 {kilobytes} kB。";
        title_too_long(n: usize, most: usize) = "The title has {n} characters; the limit is {most}.", "标题有 {n} 个字符，上限为 {most} 个。";
        body_too_large(n: usize, most: usize) = "The body has {n} kB; the limit is {most} kB.", "正文有 {n} kB，上限为 {most} kB。";
        restore_number(n: i32) = "Restore revision {n}", "恢复修订版 {n}";
    }
}

impl ArticleTexts {
    /// State of an article whose publish the review holds for this reason.
    #[must_use]
    pub fn held_because(self, reason: Option<&str>) -> &'static str {
        if reason == Some(WORDS_BLOCK) { self.held_block() } else { self.held() }
    }

    /// Word count of a text.
    #[must_use]
    pub fn count(self, words: u32) -> String {
        match (self.0, words) {
            (Language::En, 1) => "1 word".to_owned(),
            (Language::En, n) => format!("{n} words"),
            (Language::Zh, n) => format!("{n} 字"),
        }
    }

    /// Word count of a text and the minutes that reading it takes.
    #[must_use]
    pub fn length(self, words: u32, minutes: u32) -> String {
        if minutes == 0 {
            self.count(words)
        } else {
            format!("{} · {}", self.count(words), self.reading(minutes))
        }
    }

    /// What a revision changed.
    #[must_use]
    pub fn changed(self, change: RevisionChange) -> &'static str {
        match change {
            RevisionChange::Text => self.changed_text(),
            RevisionChange::Details => self.changed_details(),
            RevisionChange::Both => self.changed_both(),
        }
    }

    /// Number of unchanged lines that the diff leaves out.
    #[must_use]
    pub fn skipped(self, lines: u32) -> String {
        match (self.0, lines) {
            (Language::En, 1) => "1 line is the same".to_owned(),
            (Language::En, n) => format!("{n} lines are the same"),
            (Language::Zh, n) => format!("{n} 行相同"),
        }
    }
}
