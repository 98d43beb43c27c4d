//! Texts of the details of an article.

use crate::texts;
use domain::articles::details::Template;

texts! {
    /// Texts of the details of an article.
    DetailTexts {
        heading = "Details", "详细信息";
        summary = "Summary", "摘要";
        summary_hint = "Shown in lists, feeds and cards. Leave empty for the first words of the text.", "显示在列表、订阅和分享卡片中。留空则使用正文开头。";
        tags = "Tags", "标签";
        tags_hint = "Up to 20, separated by commas.", "最多 20 个，用逗号分隔。";
        authors = "Authors", "作者";
        authors_hint = "Names or e-mail addresses of people of this desk, in order, separated by commas. Leave empty for the owner. Being named gives no right to edit.", "本站人员的姓名或电子邮件地址，按顺序填写，用逗号分隔。留空则为所有者。署名不会带来编辑权限。";
        cover = "Cover", "封面";
        cover_hint = "An https:// address, or the /media/… address of a file in the media library.", "https:// 网址，或媒体库中文件的 /media/… 地址。";
        cover_upload = "Upload a picture", "上传图片";
        cover_library = "Choose from the media library", "从媒体库选择";
        cover_no_picture = "This file is not a picture. Choose a PNG, JPEG, WebP or GIF.", "此文件不是图片。请选择 PNG、JPEG、WebP 或 GIF。";
        cover_alt = "Alternative text of the cover", "封面替代文字";
        cover_alt_hint = "What the picture shows, for people who cannot see it.", "向看不到图片的人说明图片内容。";
        cover_caption = "Caption of the cover", "封面说明";
        dated = "Earlier publication date", "原发布日期";
        dated_hint = "For a text that was published before, e.g. 2019-05-03. Leave empty for the time of publication here.", "用于以前发布过的文章，例如 2019-05-03。留空则使用在此发布的时间。";
        language = "Language", "语言";
        language_hint = "e.g. en, zh or pt-BR. Leave empty to detect it from the text.", "例如 en、zh、pt-BR。留空则根据正文判断。";
        canonical = "Canonical address", "规范网址";
        canonical_hint = "The https address of the original, if it was first published elsewhere.", "若首发于其他网站，请填写原文的 https 网址。";
        translation_of = "Translation of", "译自";
        translation_of_hint = "Slug or address of the same article in another language on this site. Search engines then find each from the other.", "本站另一语言文章的网址别名或网址。两个页面会为搜索引擎互相标注。";
        template = "Kind of page", "页面类型";
        template_hint = "Pages appear in the navigation, not in lists and feeds.", "“页面”只出现在导航中，不出现在列表和订阅中。";
        template_article = "Article", "文章";
        template_page = "Page", "页面";
        featured = "Show first on the front page", "在首页置顶";
        noindex = "Ask search engines not to list it", "请搜索引擎不要收录";
    }
}

impl DetailTexts {
    /// Names, labels and hints of the fields, in order.
    pub fn fields(self) -> [(&'static str, &'static str, &'static str); 13] {
        [
            ("summary", self.summary(), self.summary_hint()),
            ("tags", self.tags(), self.tags_hint()),
            ("authors", self.authors(), self.authors_hint()),
            ("cover", self.cover(), self.cover_hint()),
            ("cover_alt", self.cover_alt(), self.cover_alt_hint()),
            ("cover_caption", self.cover_caption(), ""),
            ("dated", self.dated(), self.dated_hint()),
            ("language", self.language(), self.language_hint()),
            ("canonical", self.canonical(), self.canonical_hint()),
            ("translation_of", self.translation_of(), self.translation_of_hint()),
            ("template", self.template(), self.template_hint()),
            ("featured", self.featured(), ""),
            ("noindex", self.noindex(), ""),
        ]
    }

    /// Word of a kind of page.
    pub fn template_word(self, template: Template) -> &'static str {
        match template {
            Template::Article => self.template_article(),
            Template::Page => self.template_page(),
        }
    }
}
