//! The frame of all pages of the public site: head, navigation, search and footer; and the pages
//! "not found" and "deleted".

use super::{
    cache::Shared,
    texts::{self, SiteTexts, day},
};
use crate::text::{
    html::escape,
    render::{
        PAGE_ID_PREFIX,
        script::{begins_right_to_left, is_right_to_left_language},
    },
};
use domain::{
    Timestamp,
    account::Language,
    accounts::site_look::SiteLook,
    media::address::{picture_of, preview_path},
    settings::SiteSettings,
};
use std::{borrow::Cow, fmt::Write as _, sync::Arc};
use store::{link_card::LinkCard, site::Neighbours, site::PublishedArticle};

/// Path of the style sheets of accent colours, before the colour.
pub const ACCENT_PATH: &str = "/site/accent/";
/// Path of the stylesheet of the site, before its hash.
const STYLE_PATH: &str = "/site/style/";
/// Maximum length of a search on the site, in characters.
pub const MAX_SEARCH_CHARS: usize = 100;

/// Data of every page.
#[derive(Debug, Clone)]
pub struct Frame {
    /// Title, zone and language of the site.
    pub settings: SiteSettings,
    /// Navigation and featured articles.
    pub shared: Arc<Shared>,
    /// URL of the stylesheet; empty: none.
    pub style: Cow<'static, str>,
    /// Public URL of the site.
    pub public_url: String,
}

/// Data of the page of an article, without its text, which is identified by its revision.
#[derive(Debug, Clone)]
pub struct Article {
    /// Data of every page.
    pub frame: Frame,
    /// The article.
    pub article: PublishedArticle,
    /// What surrounds it.
    pub around: Arc<Neighbours>,
    /// Cards of the links of its text.
    pub cards: Vec<LinkCard>,
}

/// Parts of a page outside its main element.
pub struct PageHead<'p> {
    /// Title of the document.
    pub title: &'p str,
    /// Element of the site's title: `h1` if the page has no other heading.
    pub brand: &'p str,
    /// Language of the page.
    pub language: &'p str,
    /// Texts of the page.
    pub words: SiteTexts,
    /// Further elements of the head.
    pub meta: &'p str,
    /// Search text in the search field.
    pub search: &'p str,
}

/// Returns the path of an article.
pub fn article_path(slug: &str) -> String {
    format!("/site/{}", path_part(slug))
}

/// Returns the path of the card of an article. `name`: that of its file.
pub fn card_path(slug: &str, name: &str) -> String {
    format!("/site/card/{}/{name}", path_part(slug))
}

/// Returns the path of a tag.
pub fn tag_path(key: &str) -> String {
    format!("/site/tag/{}", path_part(key))
}

/// Returns the path of an author.
pub fn author_path(name: &str) -> String {
    format!("/site/author/{}", path_part(name))
}

/// The names of the authors of an article, each with a link to their page.
pub fn authors(article: &PublishedArticle, language: Language) -> String {
    let link = |name: &str| {
        format!("<a href=\"{}\" rel=\"author\"><bdi>{}</bdi></a>", author_path(name), escape(name))
    };
    let separator = ::texts::punctuation::list_comma(language);
    article.authors().into_iter().map(link).collect::<Vec<_>>().join(separator)
}

/// Encodes one part of a path.
pub fn path_part(text: &str) -> String {
    let mut part = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            part.push(char::from(byte));
        } else {
            let _ = write!(part, "%{byte:02X}");
        }
    }
    part
}

/// Renders the page "not found".
pub fn missing(frame: &Frame) -> String {
    let words = texts::of(frame.settings.language);
    notice(frame, words, words.missing(), words.missing_why())
}

/// Renders the page of a deleted article.
pub fn gone(frame: &Frame) -> String {
    let words = texts::of(frame.settings.language);
    notice(frame, words, words.gone(), words.gone_why())
}

fn notice(frame: &Frame, words: SiteTexts, heading: &str, sentence: &str) -> String {
    let main = format!(
        "<article class=\"prose\"><header><h1>{heading}</h1></header><p>{sentence}</p>\
         <p><a href=\"/site\">{front}</a> · <a href=\"/site/archive/all\">{archive}</a></p></article>",
        front = words.front(),
        archive = words.archive(),
    );
    let title = format!("{heading} · {}", frame.settings.title);
    let meta = "<meta name=\"robots\" content=\"noindex\">";
    let language = frame.settings.language.as_str();
    document(frame, &PageHead { title: &title, brand: "p", language, words, meta, search: "" }, &main)
}

/// Returns the language of an article, and that of the texts around it. `given`: from its details.
pub fn language<'p>(
    settings: &'p SiteSettings,
    given: &'p str,
    guessed: Option<&'p str>,
) -> (&'p str, Language) {
    let tag = if given.is_empty() { guessed.unwrap_or(settings.language.as_str()) } else { given };
    let main = tag.split('-').next().unwrap_or_default().to_ascii_lowercase();
    (tag, main.parse().unwrap_or(settings.language))
}

/// Returns the attribute of an article that is written from right to left; empty: it is not. `lang`: its
/// language; if that is the language of the site, its title decides.
pub fn direction(settings: &SiteSettings, lang: &str, title: &str) -> &'static str {
    let is_right_to_left = if lang == settings.language.as_str() {
        begins_right_to_left(title.chars())
    } else {
        is_right_to_left_language(lang)
    };
    if is_right_to_left { " dir=\"rtl\"" } else { "" }
}

/// Returns a date as an element.
pub fn time(settings: &SiteSettings, language: Language, millis: i64) -> String {
    let at = Timestamp::from_millis(millis);
    format!("<time datetime=\"{at}\">{}</time>", escape(&day(settings, language, at)))
}

/// The icon of the site, for the tab of the browser.
fn icon(look: &SiteLook) -> String {
    match picture_of(&look.favicon) {
        Some((_, kind, ..)) => {
            format!("<link rel=\"icon\" href=\"{}\" type=\"{}\">", escape(&look.favicon), kind.mime())
        }
        None => "<link rel=\"icon\" href=\"/favicon.svg\" type=\"image/svg+xml\">".to_owned(),
    }
}

/// The logo of the site; its title, escaped, if it has none.
fn logo(look: &SiteLook, title: &str) -> String {
    picture_of(&look.logo).map_or_else(
        || title.to_owned(),
        |(hash, kind, width, height)| {
            let path = preview_path(hash, kind, (width, height));
            format!(
                "<img class=\"logo\" src=\"{path}\" alt=\"{title}\" width=\"{width}\" height=\"{height}\">"
            )
        },
    )
}

/// Text and links of the footer.
fn footer(look: &SiteLook) -> String {
    let mut footer = String::new();
    if !look.footer.is_empty() {
        let _ = write!(footer, "<span dir=\"auto\">{}</span>", escape(&look.footer));
    }
    for link in &look.links {
        let (url, name) = (escape(&link.url), escape(&link.name));
        let _ = write!(footer, "<a href=\"{url}\" rel=\"me\" dir=\"auto\">{name}</a>");
    }
    footer
}

/// Renders a page.
pub fn document(frame: &Frame, about: &PageHead<'_>, main: &str) -> String {
    let desk = escape(&frame.settings.title);
    let sheet = if frame.style.is_empty() {
        String::new()
    } else {
        format!("<link rel=\"stylesheet\" href=\"{}\">", escape(&frame.style))
    };
    let look = &frame.shared.look;
    let accent = match look.accent.strip_prefix('#') {
        Some(colour) => format!("<link rel=\"stylesheet\" href=\"{}{colour}.css\">", ACCENT_PATH),
        None => String::new(),
    };
    let style = match look.style.as_str() {
        "" => String::new(),
        hash => format!("<link rel=\"stylesheet\" href=\"{STYLE_PATH}{hash}.css\">"),
    };
    let mut pages = String::new();
    for page in &frame.shared.pages {
        let (path, title) = (article_path(&page.slug), escape(&page.title));
        let _ = write!(pages, "<a href=\"{path}\" dir=\"auto\">{title}</a>");
    }
    let words = about.words;
    format!(
        "<!DOCTYPE html><html lang=\"{language}\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"color-scheme\" content=\"light dark\"><title>{title}</title>{meta}{sheet}{accent}{style}\
         {icon}\
         <link rel=\"alternate\" type=\"application/atom+xml\" title=\"{desk}\" href=\"/site/feed.xml\">\
         <link rel=\"alternate\" type=\"application/feed+json\" title=\"{desk}\" href=\"/site/feed.json\"></head>\
         <body class=\"site layout-{layout}\"><a class=\"skip\" href=\"#{PAGE_ID_PREFIX}main\">{skip}</a>\
         <header class=\"site-head\"><{brand} class=\"brand\"><a href=\"/site\" dir=\"auto\">{title_or_logo}</a></{brand}>\
         <nav aria-label=\"{navigation}\">{pages}<a href=\"/site/archive/all\">{archive}</a></nav>\
         <search><form action=\"/site\" method=\"get\"><input type=\"search\" name=\"q\" value=\"{search}\" \
         aria-label=\"{find}\" placeholder=\"{find}\" maxlength=\"{MAX_SEARCH_CHARS}\"></form></search></header>\
         <main class=\"site-main\" id=\"{PAGE_ID_PREFIX}main\" tabindex=\"-1\">{main}</main>\
         <footer class=\"site-foot\">{footer}<a href=\"/site/feed.xml\">{feed}</a></footer></body></html>",
        icon = icon(look),
        title_or_logo = logo(look, &desk),
        layout = look.layout.as_str(),
        footer = footer(look),
        language = escape(about.language),
        title = escape(about.title),
        meta = about.meta,
        brand = about.brand,
        skip = words.skip(),
        navigation = words.navigation(),
        archive = words.archive(),
        search = escape(about.search),
        find = words.search(),
        feed = words.feed(),
    )
}
