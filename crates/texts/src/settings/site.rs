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
        logo_hint = "A picture of the media library (/media/…), shown instead of the title. It becomes public.", "媒体库中的图片（/media/…），代替名称显示。该图片将公开。";
        favicon = "Icon", "图标";
        favicon_hint = "A square picture of the media library (/media/…), for the tab of the browser. It becomes public.", "媒体库中的正方形图片（/media/…），用于浏览器标签页。该图片将公开。";
        save = "Save", "保存";
        stylesheet = "Stylesheet", "样式表";
        stylesheet_hint = "CSS of your own after the built-in one, at most 64 KiB. No @import; url() only with /media/… files, which become public.", "在内置样式之后加载的自定义 CSS，最多 64 KiB。不能使用 @import，url() 只能引用 /media/… 文件，这些文件将公开。";
        keep_style = "Keep as draft", "保存为草稿";
        style_kept = "The stylesheet is kept as a draft. See the preview, then publish it.", "样式表已保存为草稿。请先预览，再发布。";
        style_draft = "Readers do not see this draft yet.", "读者尚未看到此草稿。";
        preview_style = "Preview with this stylesheet", "使用此样式表预览";
        publish_style = "Publish this stylesheet", "发布此样式表";
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
