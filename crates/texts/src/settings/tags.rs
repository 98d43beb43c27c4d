//! Texts of `/settings/tags`.

use crate::{number::grouped, texts};

texts! {
    /// Texts of `/settings/tags`.
    TagTexts {
        title = "Tags", "标签";
        lead = "A tag is renamed in all texts, including scheduled ones. Names that differ only in case or width are one tag.", "重命名会作用于所有文本，包括已安排发布的文本。仅大小写或全半角不同的名称视为同一标签。";
        saved = "Saved. The site shows the new name now.", "已保存，网站现在显示新名称。";
        none = "No text has a tag yet.", "尚无文本使用标签。";
        none_hint = "Tags are in the details of an article.", "标签在文章的详情中设置。";
        tag = "Tag", "标签";
        name = "New name", "新名称";
        merge = "Merge with the tag that has this name", "与同名标签合并";
        rename = "Rename", "重命名";
        too_many = "The list shows the first 1,000 tags.", "列表仅显示前 1,000 个标签。";
    }
}

impl TagTexts {
    /// Number of articles of a tag.
    pub fn articles(self, count: u64) -> String {
        match self.0 {
            domain::account::Language::En if count == 1 => "1 article".to_owned(),
            domain::account::Language::En => format!("{} articles", grouped(count)),
            domain::account::Language::Zh => format!("{} 篇文章", grouped(count)),
        }
    }
}
