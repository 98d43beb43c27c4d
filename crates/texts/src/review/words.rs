//! Texts of `/settings/words`.

use crate::texts;

texts! {
    /// Texts of `/settings/words`.
    WordTexts {
        title = "Word lists", "词库";
        lead = "What must not be published, what a reviewer must approve, what is flagged or replaced.", "禁止发布、须经批准、需要标记或替换的词语。";
        off = "These lists are used once the review is switched on.", "开启审核后，这些词库才会生效。";
        off_link = "Review settings", "审核设置";
        none = "No word lists yet", "还没有词库";
        none_hint = "Add the first one below.", "请在下方添加。";
        add_title = "Add a list", "添加词库";
        add = "Add list", "添加";
        name = "Name", "名称";
        language = "Language", "语言";
        any = "Any", "不限";
        english = "English", "英文";
        chinese = "Chinese", "中文";
        action = "What happens", "处理方式";
        block = "Block: the text is not published", "禁止：不发布";
        needs_approval = "Needs approval: a reviewer must approve it", "须批准：由审核人决定";
        flag = "Flag: the words are marked", "标记：仅作标记";
        replace = "Replace: another text is suggested", "替换：建议替换为其他文字";
        terms = "Terms", "词条";
        terms_hint = "One per line. “term => replacement”, “term ! exception | exception”, “/regular expression/”. Words of scripts with spaces match as a whole; * matches the rest of a word. At most 100,000 terms and 5 MB.", "每行一条：“词 => 替换”、“词 ! 例外 | 例外”、“/正则表达式/”。用空格分词的文字按整词匹配，* 匹配词的其余部分。最多 10 万条、5 MB。";
        count_one = "1 term", "1 条";
        count(n: u64) = "{n} terms", "{n} 条";
        edit = "Edit", "编辑";
        edit_title(name: String) = "Edit “{name}”", "编辑“{name}”";
        save = "Save", "保存";
        saved = "Saved.", "已保存。";
        added = "List added.", "词库已添加。";
        history = "History", "历史";
        was_created = "created the list", "创建了词库";
        was_changed = "changed the settings", "更改了设置";
        terms_changed = "changed the terms", "更改了词条";
        was_restored = "restored an earlier state", "恢复了较早的状态";
        was_earlier = "the oldest state that is kept", "保留的最早状态";
        terms_added = "Added:", "新增：";
        terms_removed = "Removed:", "移除：";
        and_more(n: u64) = "and {n} more", "以及另外 {n} 条";
        restore = "Restore", "恢复";
        restored = "The earlier state is restored.", "已恢复较早的状态。";
        delete = "Delete", "删除";
        delete_title = "Delete this list", "删除此词库";
        delete_hint = "Its terms and its history are lost. Copy the terms first if you need them.", "词条和历史将丢失，如有需要请先复制词条。";
        deleted = "List deleted.", "词库已删除。";
        back = "All lists", "全部词库";
        export = "To export the list, copy the terms.", "如需导出，请复制全部词条。";
        test_title = "Test a text", "测试文本";
        test_hint = "Nothing is stored.", "不会保存。";
        text = "Text", "文本";
        test = "Test", "测试";
        result = "Result", "结果";
        clean = "No hits.", "无命中。";
        verdict_flag = "Published, with marks.", "会发布并标记。";
        verdict_approval = "A reviewer must approve it.", "须经审核人批准。";
        verdict_block = "It is not published.", "不会发布。";
        replaced = "With replacements", "替换后";
        of(action: &str, name: String) = "{action}: {name}", "{action}：{name}";
    }
}
