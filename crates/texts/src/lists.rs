//! Texts of lists.

use crate::texts;

texts! {
    /// Texts of lists.
    TableTexts {
        filters_in_search(example: String) = "Filters in the text: {example}", "可在文字中加筛选：{example}";
        tabs = "Filter by status", "按状态筛选";
        actions = "Actions", "操作";
        actions_of(title: &str) = "Actions: {title}", "操作：{title}";
        pages = "Pages", "分页";
        previous = "Previous page", "上一页";
        next = "Next page", "下一页";
        day = "Go to date", "跳到日期";
        go = "Go", "前往";
        shown_of(shown: String, total: String) = "{shown} of {total}", "{shown} / {total}";
        shown(shown: String) = "{shown} on this page", "本页 {shown} 项";
        sort_by(label: &str) = "Sort by: {label}", "排序：{label}";
        latest_first = "Show the latest first", "最晚的在前";
        earliest_first = "Show the earliest first", "最早的在前";
        nothing_from_here = "Nothing from this date on.", "从该日期起没有内容。";
        nothing_from_here_hint = "Go back to the previous page, or to the start of the list.", "请返回上一页，或回到列表开头。";
        to_start = "Start of the list", "回到列表开头";
        export = "Export:", "导出：";
        close = "Close", "关闭";
        keys = "Keys:", "快捷键：";
        key_rows = "J and K or arrows: next and previous row", "J、K 或方向键：下一行、上一行";
        key_edit = "E: edit", "E：编辑";
        key_move = "M: reschedule", "M：改期";
        key_cancel = "X: cancel", "X：取消";
        key_now = "P: publish now", "P：立即发布";
        key_search = "/: search", "/：搜索";
    }
}
