//! Texts of saved views.

use crate::texts;

texts! {
    /// Texts of saved views.
    SavedViewTexts {
        title = "Saved views", "已保存的视图";
        save_this = "Save these filters", "保存当前筛选";
        name(max: usize) = "Name (at most {max} characters)", "名称（最多 {max} 字）";
        save = "Save", "保存";
        change = "Change view", "更改视图";
        change_of(name: &str) = "Change view {name}", "更改视图{name}";
        rename = "Rename", "重命名";
        delete = "Delete view", "删除视图";
        saved = "The view is saved.", "视图已保存。";
        renamed = "The view is renamed.", "视图已重命名。";
        deleted = "The view is deleted. What it listed stays.", "视图已删除，其中的内容不变。";
        undo_delete = "Undo delete", "撤销删除";
    }
}
