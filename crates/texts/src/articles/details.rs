//! Texts of the details of an article.

use domain::articles::details::Template;

sets!(articles: DetailTexts);

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
