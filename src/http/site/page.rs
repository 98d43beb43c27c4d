//! The pages of the public site as HTML.

use super::texts::{self, SiteTexts, day};
use crate::text::{html::escape, render::PAGE_ID_PREFIX};
use domain::{Timestamp, account::Language, settings::SiteSettings};
use std::{borrow::Cow, fmt::Write as _};
use store::site::PublishedArticle;

/// Data of every page.
#[derive(Debug, Clone)]
pub struct Frame {
    /// Title, zone and language of the site.
    pub settings: SiteSettings,
    /// URL of the stylesheet; empty: none.
    pub style: Cow<'static, str>,
}

/// Data of a page of the index.
#[derive(Debug, Clone)]
pub struct Index {
    /// Data of every page.
    pub frame: Frame,
    /// The articles, newest first; one more than `max` means that there is another page.
    pub articles: Vec<PublishedArticle>,
    /// Maximum number of articles on a page.
    pub max: usize,
    /// Whether it is the first page.
    pub is_first: bool,
}

/// Data of the page of an article, without its text, which is identified by its revision.
#[derive(Debug, Clone)]
pub struct Article {
    /// Data of every page.
    pub frame: Frame,
    /// The article.
    pub article: PublishedArticle,
}

/// Returns the path of an article.
pub fn article_path(slug: &str) -> String {
    let mut path = String::from("/site/");
    for byte in slug.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            path.push(char::from(byte));
        } else {
            let _ = write!(path, "%{byte:02X}");
        }
    }
    path
}

/// Renders the list of articles.
pub fn index(input: &Index) -> String {
    let settings = &input.frame.settings;
    let words = texts::of(settings.language);
    let shown = input.articles.get(..input.max).unwrap_or(&input.articles);
    let mut main = String::new();
    if shown.is_empty() {
        let _ = write!(main, "<p class=\"empty\">{}</p>", words.nothing);
    } else {
        main.push_str("<div class=\"entries\">");
        for article in shown {
            entry(&mut main, settings, article);
        }
        main.push_str("</div>");
    }
    let mut steps = String::new();
    if !input.is_first {
        let _ = write!(steps, "<a href=\"/site\" rel=\"first\">{}</a>", words.newest);
    }
    if let (true, Some(last)) = (input.articles.len() > input.max, shown.last()) {
        let _ = write!(
            steps,
            "<a href=\"/site?after={}-{}\" rel=\"next\">{}</a>",
            last.published_at, last.id, words.older
        );
    }
    if !steps.is_empty() {
        let _ = write!(main, "<nav class=\"pages\">{steps}</nav>");
    }
    let about = PageHead { title: &settings.title, brand: "h1", language: settings.language.as_str(), words };
    document(&input.frame, &about, &main)
}

fn entry(main: &mut String, settings: &SiteSettings, article: &PublishedArticle) {
    let (lang, language) = language(settings, article);
    let lang = if lang == settings.language.as_str() {
        String::new()
    } else {
        format!(" lang=\"{}\"", escape(lang))
    };
    let _ = write!(
        main,
        "<article class=\"entry\"{lang}><h2 dir=\"auto\"><a href=\"{}\">{}</a></h2>\
         <div class=\"byline\">{} · <bdi>{}</bdi></div><p dir=\"auto\">{}</p></article>",
        article_path(&article.slug),
        escape(&article.title),
        time(settings, language, article.published_at),
        escape(&article.author),
        escape(article.lead.as_deref().unwrap_or_default()),
    );
}

/// Renders an article. `html`: its text; `None`: it exceeds a rendering limit.
pub fn article(input: &Article, html: Option<&str>) -> String {
    let (Article { frame, article }, settings) = (input, &input.frame.settings);
    let (lang, language) = language(settings, article);
    let words = texts::of(language);
    let mut byline = format!(
        "{} · <bdi>{}</bdi>",
        time(settings, language, article.published_at),
        escape(&article.author)
    );
    if let Some(updated) = article.updated_at.filter(|updated| *updated > article.published_at) {
        let _ = write!(byline, " · {} {}", words.updated, time(settings, language, updated));
    }
    let note = format!("<p class=\"empty\">{}</p>", words.too_complex);
    let main = format!(
        "<article class=\"prose\"><header><h1 dir=\"auto\">{}</h1><div class=\"byline\">{byline}</div></header>{}</article>",
        escape(&article.title),
        html.unwrap_or(&note),
    );
    let title = format!("{} · {}", article.title, settings.title);
    document(frame, &PageHead { title: &title, brand: "p", language: lang, words }, &main)
}

/// Renders the page "not found".
pub fn missing(frame: &Frame) -> String {
    let words = texts::of(frame.settings.language);
    notice(frame, words, words.missing, words.missing_why)
}

/// Renders the page of a deleted article.
pub fn gone(frame: &Frame) -> String {
    let words = texts::of(frame.settings.language);
    notice(frame, words, words.gone, words.gone_why)
}

fn notice(frame: &Frame, words: &SiteTexts, heading: &str, sentence: &str) -> String {
    let settings = &frame.settings;
    let main =
        format!("<article class=\"prose\"><header><h1>{heading}</h1></header><p>{sentence}</p></article>");
    let title = format!("{heading} · {}", settings.title);
    document(
        frame,
        &PageHead { title: &title, brand: "p", language: settings.language.as_str(), words },
        &main,
    )
}

/// Returns the language of an article, and that of the texts around it.
fn language<'p>(settings: &'p SiteSettings, article: &'p PublishedArticle) -> (&'p str, Language) {
    match article.language.as_deref() {
        Some("zh") => ("zh", Language::Zh),
        Some("en") => ("en", Language::En),
        Some(other) => (other, settings.language),
        None => (settings.language.as_str(), settings.language),
    }
}

fn time(settings: &SiteSettings, language: Language, millis: i64) -> String {
    let at = Timestamp::from_millis(millis);
    format!("<time datetime=\"{at}\">{}</time>", escape(&day(settings, language, at)))
}

/// Parts of a page outside its main element.
struct PageHead<'p> {
    title: &'p str,
    /// Element of the site's title: `h1` if the page has no other heading.
    brand: &'p str,
    language: &'p str,
    words: &'p SiteTexts,
}

fn document(frame: &Frame, about: &PageHead<'_>, main: &str) -> String {
    let desk = escape(&frame.settings.title);
    let sheet = if frame.style.is_empty() {
        String::new()
    } else {
        format!("<link rel=\"stylesheet\" href=\"{}\">", escape(&frame.style))
    };
    format!(
        "<!DOCTYPE html><html lang=\"{language}\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"color-scheme\" content=\"light dark\"><title>{title}</title>{sheet}\
         <link rel=\"icon\" href=\"/favicon.svg\" type=\"image/svg+xml\">\
         <link rel=\"alternate\" type=\"application/atom+xml\" title=\"{desk}\" href=\"/site/feed.xml\">\
         <link rel=\"alternate\" type=\"application/feed+json\" title=\"{desk}\" href=\"/site/feed.json\"></head>\
         <body class=\"site\"><a class=\"skip\" href=\"#{PAGE_ID_PREFIX}main\">{skip}</a>\
         <header class=\"site-head\"><{brand} class=\"brand\"><a href=\"/site\" dir=\"auto\">{desk}</a></{brand}></header>\
         <main class=\"site-main\" id=\"{PAGE_ID_PREFIX}main\" tabindex=\"-1\">{main}</main>\
         <footer class=\"site-foot\"><a href=\"/site/feed.xml\">{feed}</a></footer></body></html>",
        language = escape(about.language),
        title = escape(about.title),
        brand = about.brand,
        skip = about.words.skip,
        feed = about.words.feed,
    )
}
