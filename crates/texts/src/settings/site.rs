//! Texts of `/settings/site`.

use crate::texts;
use domain::accounts::site_look::SiteLayout;

texts! {
    /// Texts of `/settings/site`.
    SiteSettingsTexts {
        title = "Public site", "公开网站";
        lead = "How readers see the published articles.", "读者看到的已发布文章的样式。";
        saved = "Saved. Readers see it now.", "已保存，读者现在即可看到。";
        layout = "Layout", "布局";
        journal = "Journal", "日志";
        journal_hint = "Title, date and summary in one column.", "单栏显示标题、日期和摘要。";
        notes = "Notes", "札记";
        notes_hint = "One line for each article.", "每篇文章一行。";
        magazine = "Magazine", "杂志";
        magazine_hint = "Cards with covers in several columns.", "多栏卡片，显示封面。";
        description = "Description", "网站描述";
        description_hint = "For search engines and cards, at most 300 characters.", "用于搜索引擎和分享卡片，最多 300 个字符。";
        accent = "Accent colour", "强调色";
        accent_hint = "As #rrggbb, dark enough to read on a light background. Leave empty for the built-in blue.", "格式为 #rrggbb，在浅色背景上须清晰可读。留空使用内置蓝色。";
        footer = "Footer", "页脚";
        footer_hint = "At most 300 characters.", "最多 300 个字符。";
        links = "Links in the footer", "页脚链接";
        links_hint = "One per line: a name, a space, and an https or mailto address.", "每行一个：名称、空格，以及 https 或 mailto 地址。";
        navigation = "Pages in the navigation", "导航中的页面";
        navigation_hint = "Slugs of pages, one per line, in order. A page appears once it is public. Leave empty for all pages by title.", "页面的网址别名，每行一个，按顺序显示。页面公开后才会出现。留空则按标题显示全部页面。";
        logo = "Logo", "徽标";
        logo_hint = "The /media/… address of a picture in the media library, shown instead of the title. It becomes public.", "媒体库中图片的 /media/… 地址，代替名称显示。该图片将公开。";
        favicon = "Icon", "图标";
        favicon_hint = "The /media/… address of a square picture in the media library, for the tab of the browser. It becomes public.", "媒体库中正方形图片的 /media/… 地址，用于浏览器标签页。该图片将公开。";
        save = "Save", "保存";
        preview = "Preview", "预览";
        preview_lead = "The front page with everything that is scheduled until then.", "显示到该时间为止所有已安排内容的首页。";
        day = "Day", "日期";
        show = "See the site as it will be", "查看届时的网站";
    }
}

impl SiteSettingsTexts {
    /// Name and hint of a layout.
    pub fn layout_of(self, layout: SiteLayout) -> (&'static str, &'static str) {
        match layout {
            SiteLayout::Journal => (self.journal(), self.journal_hint()),
            SiteLayout::Notes => (self.notes(), self.notes_hint()),
            SiteLayout::Magazine => (self.magazine(), self.magazine_hint()),
        }
    }
}
